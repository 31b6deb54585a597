"""Distances in NEXUS and MEGA files, which programs for family trees exchange."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cml_core.errors import NotSquare, UnreadableFile
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.names import check_count
from cml_core.files.reading.raw import Limits

_COMMENT = re.compile(r"\[[^\]]*\]")
_BLOCK = re.compile(
    r"\bbegin\s+distances\s*;(.*?)\bend\s*(?:block)?\s*;", re.IGNORECASE | re.DOTALL
)
_TAXA = re.compile(r"\btaxlabels\s+([^;]*);", re.IGNORECASE)
_FORMAT = re.compile(r"\bformat\s+([^;]*);", re.IGNORECASE)
_MATRIX = re.compile(r"\bmatrix\s+([^;]*);?", re.IGNORECASE)
_WORD = re.compile(r"'((?:[^']|'')*+)'|\"([^\"]*+)\"|([^\s'\"]+)")
_MEGA_NAME = re.compile(r"^\s*(?:\[\s*\d+\s*\])?\s*#([^\n]+)$", re.MULTILINE)
_MEGA_FORMAT = re.compile(r"!format\b([^;]*);", re.IGNORECASE)
_MEGA_ROW = re.compile(r"^\s*\[\s*\d+\s*\]([^\n#]*)$", re.MULTILINE)


def _words(text: str) -> list[str]:
    return [(one or other or plain).replace("''", "'") for one, other, plain in _WORD.findall(text)]


def _nexus(text: str, limits: Limits) -> Iterator[Table]:
    plain = _COMMENT.sub("", text)
    block = _BLOCK.search(plain)
    matrix = _MATRIX.search(block[1]) if block else None
    if block is None or matrix is None:
        raise UnreadableFile(
            "The NEXUS file has no block of distances, only trees or characters.",
            remedy="Write the distances out: in SplitsTree with a DISTANCES block, in R with "
            "write.csv(as.matrix(d)).",
        )
    form = _FORMAT.search(block[1])
    told = re.sub(r"\s*=\s*", "=", form[1].lower()).split() if form else []
    triangle = next((t for t in ("lower", "upper", "both") if f"triangle={t}" in told), "lower")
    diagonal = not {"nodiagonal", "diagonal=no"} & set(told)
    named = not {"nolabels", "labels=no"} & set(told)
    taxa = _TAXA.search(plain)
    yield _laid_out(
        _words(matrix[1]), _words(taxa[1]) if taxa else [], triangle, diagonal, named, limits
    )


def _laid_out(
    words: list[str],
    known: list[str],
    triangle: str,
    diagonal: bool,
    named: bool,
    limits: Limits,
) -> Table:
    """Rows of a triangle or a square that run on, each perhaps with its name before."""
    count = _count(len(words), triangle, diagonal, named)
    check_count(count, limits)
    rest = iter(words)
    names, rows = list(known), []
    for k in range(count):
        if named:
            names[k : k + 1] = [next(rest)]
        below = k + diagonal if triangle == "lower" else count - k - (not diagonal)
        width = count - (not diagonal) if triangle == "both" else below
        values = [("" if (word := next(rest)) in ("?", "-") else word) for _ in range(width)]
        if triangle == "upper":
            values = [""] * (count - width) + values
        elif triangle == "both" and not diagonal:
            values.insert(k, "0")
        rows.append(values)
    names = names if len(names) == count else [str(k + 1) for k in range(count)]
    return Table([["", *names], *([n, *row] for n, row in zip(names, rows, strict=True))])


def _count(words: int, triangle: str, diagonal: bool, named: bool) -> int:
    """How many rows so many words fill; raises where they fill no number of rows."""
    for count in range(2, words + 1):
        each = count * count if triangle == "both" else count * (count + 1) // 2
        held = each - (0 if diagonal else count) + (count if named else 0)
        if held == words:
            return count
        if held > words:
            break
    raise NotSquare(
        f"The matrix has {words} entries, which fill no {triangle} triangle"
        f"{'' if diagonal else ' without its diagonal'}."
        if triangle != "both"
        else f"The matrix has {words} entries, which fill no square.",
        remedy="Check the FORMAT line: TRIANGLE, DIAGONAL and LABELS say what stands there.",
    )


def _mega(text: str, limits: Limits) -> Iterator[Table]:
    form = _MEGA_FORMAT.search(text)
    told = form[1].lower().replace(" ", "") if form else ""
    names = [name.strip().strip("'\"") for name in _MEGA_NAME.findall(text)]
    names = [name for name in names if name.lower() != "mega"]
    rows = [line.split() for line in _MEGA_ROW.findall(text)]
    # Standard errors stand in brackets, and the numbers of the columns above the values.
    rows = [[_mega_value(word) for word in row if not word.startswith("[")] for row in rows]
    if rows and len(rows) > len(names):
        rows = rows[-len(names) :]
    if not names or len(rows) != len(names):
        raise UnreadableFile(
            f"The MEGA file names {len(names)} objects and has {len(rows)} rows of distances.",
            remedy="Export the distances again as a MEGA file or as CSV.",
        )
    check_count(len(names), limits)
    if "upperright" in told:
        rows = [[""] * (len(names) - len(row)) + row for row in rows]
    yield Table([["", *names], *([n, *row] for n, row in zip(names, rows, strict=True))])


def _mega_value(word: str) -> str:
    return "" if word in ("?", "n/c") else word


def _is_nexus(begin: Begin) -> bool:
    return begin.text[:6].lower() == "#nexus"


def _is_mega(begin: Begin) -> bool:
    return begin.text[:5].lower() == "#mega"


NEXUS = GridFile("a NEXUS file", _is_nexus, of_tables(_nexus))
MEGA = GridFile("a MEGA file", _is_mega, of_tables(_mega))
