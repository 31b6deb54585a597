"""UCINET's text files (DL): a head that says how many, how laid out and what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cml_core.errors import NotSquare, UnreadableFile
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.names import check_count
from cml_core.files.reading.raw import Limits

_DATA = re.compile(r"^[ \t]*data[ \t]*:", re.IGNORECASE | re.MULTILINE)
_SETTING = re.compile(r"\b(n|nr|nc|nm|format|diagonal)\s*=?\s*(\w+)", re.IGNORECASE)
_LABELS = re.compile(
    r"\b(row labels|column labels|labels)\s*(embedded|:(.*?)(?=\b(?:row|column)? ?labels\b|\Z))",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r'"([^"]*+)"|([^\s,"]+)')
_HOW = "Export it again from UCINET as DL text with FORMAT=FULLMATRIX, or as CSV."


def _words(text: str) -> list[str]:
    return [quoted or plain for quoted, plain in _WORD.findall(text)]


def _tables(text: str, limits: Limits) -> Iterator[Table]:
    begin = _DATA.search(text)
    if begin is None:
        raise UnreadableFile("The DL file has no line “DATA:”.", remedy=_HOW)
    head, body = text[2 : begin.start()], text[begin.end() :]
    cut = re.search(r"labels", head, re.IGNORECASE)
    set_to = {
        k.lower(): v.lower() for k, v in _SETTING.findall(head[: cut.start()] if cut else head)
    }
    count = int(set_to.get("n", set_to.get("nr", "0")) or 0) if _counts(set_to) else 0
    check_count(count, limits)
    named, embedded = _labels(head)
    form = set_to.get("format", "fullmatrix").removesuffix("1")
    absent = set_to.get("diagonal") == "absent"
    if form in ("edgelist", "el"):
        yield Table(_edges(body, named))
        return
    if form not in ("fullmatrix", "fm", "lowerhalf", "lh", "upperhalf", "uh"):
        raise UnreadableFile(f"The DL file has the format {form[:20]!r}.", remedy=_HOW)
    yield Table(_matrix(_words(body), count, form[0], absent, named, embedded))


def _counts(set_to: dict[str, str]) -> bool:
    given = [set_to[key] for key in ("n", "nr", "nc") if key in set_to]
    if set_to.get("nm", "1") != "1" or len(set(given)) != 1 or not given[0].isdecimal():
        raise UnreadableFile(
            "The DL file must say once how many objects it has, and hold one square matrix.",
            remedy="Write N=… in its first line.",
        )
    return len(given[0]) < 9


def _labels(head: str) -> tuple[list[str], bool]:
    named: list[str] = []
    embedded = False
    for _, how, listed in _LABELS.findall(head):
        embedded = embedded or how.lower() == "embedded"
        named = named or _words(listed)
    return named, embedded


def _edges(body: str, named: list[str]) -> list[list[str]]:
    rows = [_words(line) for line in body.split("\n") if line.strip()]

    def name(end: str) -> str:
        known = end.isdecimal() and len(end) < 9 and 0 < int(end) <= len(named)
        return named[int(end) - 1] if known else end

    return [[*map(name, row[:2]), row[2] if len(row) > 2 else "1"] for row in rows if len(row) > 1]


def _matrix(
    words: list[str], count: int, form: str, absent: bool, named: list[str], embedded: bool
) -> list[Sequence[str]]:
    rest = iter(words)
    above = [next(rest, "") for _ in range(count)] if embedded else []
    names, rows = list(above or named), []
    for k in range(count):
        if embedded:
            names[k] = next(rest, "")
        width = {"f": count - absent, "l": k + 1 - absent, "u": count - k - absent}[form]
        values = [next(rest, "") for _ in range(width)]
        if form == "u":
            values = [""] * (count - width) + values
        elif form == "f" and absent:
            values.insert(k, "0")
        rows.append(values)
    if next(rest, None) is not None or (rows and rows[-1] and not rows[-1][-1]):
        raise NotSquare(
            f"The DL file has {len(words)} entries below DATA, which do not fill the rows of "
            f"{count} objects.",
            remedy=_HOW,
        )
    if len(names) != count:
        return list(rows)
    return [["", *names], *([n, *row] for n, row in zip(names, rows, strict=True))]


def _suits(begin: Begin) -> bool:
    return re.match(r"dl\b[\s,]", begin.text, re.IGNORECASE) is not None


UCINET = GridFile("a DL file of UCINET", _suits, of_tables(_tables), is_text=True, with_points=True)
