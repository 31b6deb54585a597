"""Distances in files of NEXUS, MEGA and EMBOSS, which programs for family trees exchange."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cml_core.errors import NotSquare, UnreadableFile
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.names import check_count
from cml_core.files.reading.raw import Limits

_BEGIN_BLOCK = re.compile(r"\bbegin[ \t]+distances[ \t]*;", re.IGNORECASE)
_END_BLOCK = re.compile(r"\bend(?:block)?[ \t]*;", re.IGNORECASE)
_WORD = re.compile(r"'((?:[^']|'')*+)'|\"([^\"]*+)\"|([^\s'\"]+)")
_MEGA_NAME = re.compile(r"^[ \t]*(?:\[[ \t]*\d+[ \t]*\])?[ \t]*#([^\n]+)$", re.MULTILINE)
_MEGA_ROW = re.compile(r"^[ \t]*\[[ \t]*\d+[ \t]*\]([^\n#]*)$", re.MULTILINE)

# Behind the values of a row stand the name of the sequence and its number.
_EMBOSS_ROW = re.compile(
    r"((?:[ \t]+-?[\d.]+(?=[ \t])|[ \t]+nan(?=[ \t]))+)[ \t]+(\S.*?)[ \t]+(\d+)[ \t]*"
)
_MEGA_BARE = re.compile(r"^[ \t]*([-.\d][^\n#\[]*)$", re.MULTILINE)


def _without_comments(text: str) -> str:
    """The text without what stands in brackets."""
    first, *rest = text.split("[")
    return "".join([first, *(part.partition("]")[2] for part in rest)])


def _told(text: str, word: str) -> str | None:
    """What follows a word up to the next semicolon; None where the word does not occur."""
    found = re.search(rf"(?:^|(?<=[\s;!])){word}\b", text, re.IGNORECASE)
    return text[found.end() :].partition(";")[0] if found else None


def _words(text: str) -> list[str]:
    return [(one or other or plain).replace("''", "'") for one, other, plain in _WORD.findall(text)]


def _nexus(text: str, limits: Limits) -> Iterator[Table]:
    plain = _without_comments(text)
    begin = _BEGIN_BLOCK.search(plain)
    end = _END_BLOCK.search(plain, begin.end()) if begin else None
    block = plain[begin.end() : end.start()] if begin and end else ""
    matrix = _told(block, "matrix")
    if matrix is None:
        raise UnreadableFile(
            "The NEXUS file has no block of distances, only trees or characters.",
            remedy="Write the distances out: in SplitsTree with a DISTANCES block, in R with "
            "write.csv(as.matrix(d)).",
        )
    told = re.sub(r"\s*=\s*", "=", (_told(block, "format") or "").lower()).split()
    triangle = next((t for t in ("lower", "upper", "both") if f"triangle={t}" in told), "lower")
    diagonal = not {"nodiagonal", "diagonal=no"} & set(told)
    named = not {"nolabels", "labels=no"} & set(told)
    taxa = _words(_told(plain, "taxlabels") or "")
    yield _laid_out(_words(matrix), taxa, triangle, diagonal, named, limits)


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
    told = (_told(text, "format") or "").lower()
    names = [name.strip().strip("'\"") for name in _MEGA_NAME.findall(text)]
    names = [name for name in names if name.lower() != "mega"]
    rows = [line.split() for line in _MEGA_ROW.findall(text)]
    rows = rows or [line.split() for line in _MEGA_BARE.findall(text)]
    # Standard errors stand in brackets, and the numbers of the columns above the values.
    rows = [[_mega_value(word) for word in row if not word.startswith("[")] for row in rows]
    if rows and len(rows) > len(names):
        rows = rows[-len(names) :]
    if "upperright" in told and len(rows) == len(names) - 1:
        rows = [*rows, []]
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


def _emboss(text: str, limits: Limits) -> Iterator[Table]:
    body = re.split(r"\n[ \t]*1(?:[ \t]+\d+)*[ \t]*\n", text, maxsplit=1)[-1]
    rows = [row for row in map(_EMBOSS_ROW.fullmatch, body.split("\n")) if row]
    names = [row[2] for row in rows]
    numbers = [row[3] for row in rows]
    if len(rows) < 2 or numbers != [str(k + 1) for k in range(len(rows))]:
        raise UnreadableFile(
            f"The distance matrix of EMBOSS has {len(rows)} rows with a name and a number behind.",
            remedy="Write it again by distmat, or save the table as CSV.",
        )
    check_count(len(names), limits)
    values = [row[1].split() for row in rows]
    filled = ([""] * (len(names) - len(row)) + row for row in values)
    yield Table([["", *names], *([n, *row] for n, row in zip(names, filled, strict=True))])


def _is_emboss(begin: Begin) -> bool:
    return re.match(r"Distance Matrix[ \t]*\n-{3,}[ \t]*\n", begin.text) is not None


def _is_nexus(begin: Begin) -> bool:
    return begin.text[:6].lower() == "#nexus"


def _is_mega(begin: Begin) -> bool:
    return begin.text[:5].lower() == "#mega"


NEXUS = GridFile("a NEXUS file", _is_nexus, of_tables(_nexus), is_text=True, with_points=True)
MEGA = GridFile("a MEGA file", _is_mega, of_tables(_mega), is_text=True, with_points=True)
EMBOSS = GridFile(
    "a distance matrix of EMBOSS",
    _is_emboss,
    of_tables(_emboss),
    is_text=True,
    with_points=True,
)
