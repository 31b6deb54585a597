"""Bytes become text, whatever encoding they were saved in."""

from __future__ import annotations

import codecs

from cml_core.errors import UnreadableFile
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
_SAMPLE = 4_000


def check_size(data: bytes, limits: Limits) -> None:
    """Raise `UnreadableFile` for a file of more bytes than are read."""
    if len(data) > limits.bytes:
        raise UnreadableFile(
            f"The file has {len(data):,} bytes; at most {limits.bytes:,} are read.",
            remedy="Give fewer objects, or fewer digits.",
        )


def text_of(data: bytes) -> str:
    """The text, every line of it ending in a plain line feed.

    A byte order mark names the encoding; without one it is UTF-8 where that is possible, UTF-16
    where every other byte is zero, and Windows' western encoding elsewhere.
    """
    refuse_by_name(data)
    text = _decoded(data)
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
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    encoding = encoding or _evident_utf_16(data)
    # Text in another encoding is hardly ever valid UTF-8 by chance, so that comes before guesses.
    try:
        return data.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        if encoding:
            raise UnreadableFile(
                f"The file begins as {encoding.upper()} text, but byte {error.start + 1} is not.",
                remedy="Save the table again, as UTF-8.",
            ) from None
        return data.decode("cp1252", errors="replace")


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
