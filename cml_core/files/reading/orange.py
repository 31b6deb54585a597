"""Orange's distance file (.dst): a count and flags, then rows of tab-separated values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.errors import ConditionalMappingError, NotSquare, UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.count_line import claim_of_count, first_line
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.format import Claim, Format, ReadTable, of_text
from cml_core.files.reading.names import (
    Names,
    check_count,
    checked_names,
    numbered,
    order_of_columns,
)
from cml_core.files.reading.numbers import number, numbers_in_row
from cml_core.files.reading.raw import Cells, Limits, RawTable

_NAMES_BEFORE = ("labelled", "labeled", "row_labels")
_NAMES_ABOVE = ("col_labels", "column_labels")
_SYMMETRY = ("symmetric", "asymmetric")


@dataclass(frozen=True)
class Header:
    """The first line: the number of objects, and what follows."""

    count: int
    before: bool
    above: bool
    symmetric: bool
    flags: int


def orange(text: str, limits: Limits) -> RawTable:
    """A triangle, or with the flag "asymmetric" a square; names before rows, above columns.

    In a symmetric file what stands above the diagonal is left out, as Orange does.
    """
    first, line = next(lines_of(text), (1, ""))
    header = header_of(line, first)
    check_count(header.count, limits)
    lines = list(lines_of(text))
    # Orange writes tabs; what was copied from a page or a letter has blanks in their place.
    split = "\t" if any("\t" in line for _, line in lines[1:]) else None
    rows = [_split(line, split) for _, line in lines[1:]]
    above = _above(rows, header, lines)
    body, places = rows[int(header.above) :], lines[1 + int(header.above) :]
    if len(body) != header.count:
        raise NotSquare(
            f"Line {first} says that there are {header.count} objects, but "
            f"{len(body)} rows follow.",
            remedy="Give the true number of objects in the first line.",
        )
    cells = Cells(tuple(body), tuple(line for line, _ in places))
    names = _names(cells, header, above, [f"Line {lines[1][0]}"] * header.count, limits)
    return _table(cells, header, above, names)


def header_of(line: str, place: int = 1) -> Header:
    """What the first line says; raises `UnreadableFile` for a flag that there is not."""
    count, *flags = line.split() or [""]
    if not (count.isascii() and count.isdigit()):
        raise UnreadableFile(
            f"Line {place} begins with {count[:40]!r}; it must begin with the number of objects.",
            remedy="Begin the file with the number of objects, then 'labelled' if rows have names.",
        )
    for flag in flags:
        is_ours = flag in (*_NAMES_BEFORE, *_NAMES_ABOVE, *_SYMMETRY)
        if not is_ours and not (flag.startswith("axis=") and flag[5:].isdigit()):
            raise UnreadableFile(
                f"Line {place} has the word {flag[:40]!r}, which is not known here.",
                remedy="After the number of objects use labelled, col_labels, asymmetric, axis=1.",
            )
    return Header(
        count=int(count) if len(count) < 10 else 10**9,
        before=any(flag in _NAMES_BEFORE for flag in flags),
        above=any(flag in _NAMES_ABOVE for flag in flags),
        symmetric=[flag for flag in flags if flag in _SYMMETRY][-1:] != ["asymmetric"],
        flags=len(flags),
    )


def has_constant_diagonal(found: RawTable) -> bool:
    """Whether every object's value with itself is there, and the same."""
    diagonal = np.diagonal(found.values)
    return bool((diagonal == diagonal[0]).all())


def _split(line: str, mark: str | None) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.rstrip().split(mark))


def _above(
    rows: Sequence[tuple[str, ...]], header: Header, lines: list[tuple[int, str]]
) -> tuple[str, ...] | None:
    if not header.above:
        return None
    found = rows[0] if rows else ()
    found = found[1:] if found and not found[0] and len(found) == header.count + 1 else found
    if len(found) != header.count:
        raise NotSquare(
            f"Line {lines[min(1, len(lines) - 1)][0]} names {len(found)} columns where "
            f"{header.count} are needed.",
            remedy="Name every column, separated by tabs.",
        )
    return found


def _names(
    cells: Cells, header: Header, above: tuple[str, ...] | None, places: list[str], limits: Limits
) -> Names:
    if header.before:
        before = [f"Line {line}" for line in cells.lines]
        return checked_names([row[0] for row in cells.rows], before, limits)
    if above is not None:
        return checked_names(above, places, limits)
    return numbered(header.count, limits)


def _table(cells: Cells, header: Header, above: tuple[str, ...] | None, names: Names) -> RawTable:
    count, offset = header.count, int(header.before)
    values = np.full((count, count), np.nan)
    named = header.before or above is not None
    short = beyond = 0
    for k in range(count):
        given = len(cells.rows[k]) - offset
        if given > count:
            raise NotSquare(
                f"Line {cells.lines[k]} has {given} values where there are {count} objects.",
                remedy="Give no more values than objects; put tabs between them.",
            )
        most = k + 1 if header.symmetric else count
        found = numbers_in_row(
            cells,
            k,
            offset,
            offset + most,
            name=names.labels[k] if named else "",
            columns=(above or names.labels) if named else (),
        )
        values[k, : found.size] = found
        short += found.size < (k if header.symmetric else count)
        beyond += given > most and any(_is_value(c) for c in cells.rows[k][offset + most :])
    notes = [*names.notes]
    if short:
        notes.append(f"{short} rows end early; what is left out is taken for missing.")
    if beyond:
        notes.append("The file says that it is symmetric: what is above its diagonal is left out.")
    if above is not None and header.before and not header.symmetric:
        where = ["A name above the columns"] * count
        order = order_of_columns(names.labels, above, where)
        if order is not None:
            values = values[:, order]
            notes.append("Columns stand in another order than rows; they were joined by name.")
    return RawTable(names.labels, values, "orange", tuple(notes))


def _is_value(cell: str) -> bool:
    found = number(cell, False)
    return found is not None and found == found


def _claim(container: Container, name: str) -> Claim:
    if container.kind != "text":
        return Claim.NOTHING
    header = _header_of(container)
    if header is not None and header.flags:
        return Claim.CERTAIN
    counts = header is not None and header.count > 1
    return claim_of_count(container) if counts or ORANGE.suits_name(name) else Claim.NOTHING


def _convinces(table: ReadTable, container: Container, name: str) -> bool:
    """A count without flags may as well be PHYLIP's."""
    header = _header_of(container)
    if ORANGE.suits_name(name) or (header is not None and header.flags > 0):
        return True
    return isinstance(table, RawTable) and has_constant_diagonal(table)


def _header_of(container: Container) -> Header | None:
    try:
        return header_of(first_line(container))
    except ConditionalMappingError:
        return None


def _complaint(_container: Container, _name: str, tried: tuple[str, ...]) -> int:
    return 2 if tried == (ORANGE.key,) else 0


ORANGE = Format(
    "orange",
    "Orange distance file (.dst)",
    of_text(orange),
    containers=("text",),
    turn=1,
    claim=_claim,
    convinces=_convinces,
    complaint=_complaint,
    endings=(".dst",),
)
