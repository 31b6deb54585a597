"""Bytes become text, whatever encoding they were saved in."""

from __future__ import annotations

import codecs

from cml_core.errors import UnreadableFile
from cml_core.files.reading.code_pages import (
    CODE_PAGES,
    foreign_lines,
    guessed_code_page,
    likely_code_pages,
    words_in,
)
from cml_core.files.reading.question import Choice, Question
from cml_core.files.reading.raw import Limits
from cml_core.files.reading.refused import refuse_by_name

# The mark of UTF-32 begins with that of UTF-16, so it is looked for first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE, _PIECE = 4_000, 1_000_000
_MOST_OFFERED = 7


def check_size(data: bytes, limits: Limits) -> None:
    """Raise `UnreadableFile` for a file of more bytes than are read."""
    if len(data) > limits.bytes:
        raise UnreadableFile(
            f"The file has {len(data):,} bytes; at most {limits.bytes:,} are read.",
            remedy="Give fewer objects, or fewer digits.",
        )


def text_of(data: bytes, encoding: str = "") -> str:
    """The text, every line of it ending in a plain line feed.

    A byte order mark names the encoding; without one it is UTF-8 where that is possible, UTF-16
    where every other byte is zero, and elsewhere the code page in which its letters fit together.

    Parameters
    ----------
    encoding : what someone said instead; characters that it does not have become a mark.
    """
    refuse_by_name(data)
    text = data.decode(encoding, "replace") if encoding else _decoded(data)
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UnreadableFile(
            f"Line {line} holds a NUL byte, so this is not a text file.",
            remedy="Save the table as CSV and upload that.",
        )
    return text


def _decoded(data: bytes) -> str:
    encoding = _known_encoding(data)
    # Text in another encoding is hardly ever valid UTF-8 by chance, so that comes before guesses.
    try:
        return data.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        if encoding:
            raise UnreadableFile(
                f"The file begins as {encoding.upper()} text, but byte {error.start + 1} is not.",
                remedy="Save the table again, as UTF-8.",
            ) from None
        return data.decode(guessed_code_page(data), errors="replace")


def question_of_code_page(data: bytes, said: str) -> Question | None:
    """Which code page was guessed, or said, and how names would read in others."""
    if not said and (_known_encoding(data) or is_utf_8(data)):
        return None
    lines = foreign_lines(data)
    now = said or guessed_code_page(lines)
    others = [
        page
        for page in likely_code_pages(lines)
        if page != now and all(map(str.isprintable, words_in(lines, page)))
    ]
    choices: dict[tuple[str, ...], str] = {}
    for page in (now, *others):
        # Pages that read alike are one choice.
        choices.setdefault(words_in(lines, page), page)
    shown = ", ".join(words_in(lines, now))
    how = "As you said, letters are read as" if said else "Letters were taken for"
    return Question(
        "encoding",
        "encoding",
        f"{how} {CODE_PAGES[now]}: {shown}.",
        "The file does not say in which code page it was saved. If names look wrong, choose how "
        "they read right.",
        tuple(
            Choice("" if page == now and not said else page, ", ".join(words), CODE_PAGES[page])
            for words, page in list(choices.items())[:_MOST_OFFERED]
        ),
        open=False,
    )


def _known_encoding(data: bytes) -> str:
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    return marked or _evident_utf_16(data)


def is_utf_8(data: bytes) -> bool:
    """Whether it is text in UTF-8, or in plain letters."""
    if data.isascii():
        return True
    # In pieces: of a large file the text takes as much memory as the table.
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(data), _PIECE):
            decoder.decode(data[begin : begin + _PIECE])
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def _evident_utf_16(data: bytes) -> str:
    """UTF-16 without its mark: of western letters and digits, every other byte is zero."""
    sample = data[: min(len(data), _SAMPLE) // 2 * 2]
    if len(sample) < 4 or len(data) % 2:
        return ""
    first, second = sample[::2].count(0), sample[1::2].count(0)
    pairs = len(sample) // 2
    if not first and second > 0.7 * pairs:
        return "utf-16-le"
    return "utf-16-be" if not second and first > 0.7 * pairs else ""
