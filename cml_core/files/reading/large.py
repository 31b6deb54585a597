"""Large files of plain tables, which need not become cells to be understood."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.encoding import question_of_code_page
from cml_core.files.reading.formats import FORMATS, in_turn
from cml_core.files.reading.in_blocks import (
    Start,
    is_large,
    square_in_blocks,
    start_of,
)
from cml_core.files.reading.manner import AS_FOUND, Manner
from cml_core.files.reading.pairs import PAIRS
from cml_core.files.reading.pairs_in_blocks import pairs_in_blocks
from cml_core.files.reading.raw import Limits, RawTable
from cml_core.files.reading.square import LSMAT, SQUARE
from cml_core.files.reading.surroundings import told_around
from cml_core.files.reading.triangle import TRIANGLE, half_of


@dataclass(frozen=True, eq=False)
class Large:
    """The table of a large file, and the formats that the file can be read in, best first."""

    table: RawTable
    formats: tuple[str, ...]


def large(container: Container, name: str) -> Large | None:
    """The table of a large file that is surely a plain square or list of pairs; else None.

    Raises
    ------
    TooManyObjects : it has more objects than are read.
    """
    said = container.manner.encoding
    # What else was said of a file is for the readers of cells.
    if container.manner != Manner(encoding=said):
        return None
    plain = container if container.kind == "text" else _as_text(container)
    start = start_of(plain.data, plain.limits, said) if plain else None
    if plain is None or start is None:
        return None
    head = replace(plain, data=start.data[: start.end], manner=AS_FOUND)
    if any(each.claim(head, name) for each in in_turn()):
        return None
    if (table := pairs_in_blocks(start, container.limits)) is not None:
        formats: tuple[str, ...] = (PAIRS.key,)
    elif (table := square_in_blocks(start, container.limits)) is not None:
        half = _half(table)
        formats = _of_square(table, start, head, name, half is not None)
        table = half or table
    else:
        return None
    told = told_around(head, name, table.labels)
    formats = tuple(key for key in formats if container.kind in FORMATS[key].containers)
    asked = question_of_code_page(container.data, said)
    questions = (asked,) if asked else ()
    return Large(replace(table, format=formats[0], told=told, questions=questions), formats)


def _as_text(container: Container) -> Container | None:
    """A large grid as plain lines of text, where its kind of file knows how."""
    as_lines = container.grid_file and container.grid_file.as_lines
    if not as_lines or container.manner != AS_FOUND or not is_large(container.data):
        return None
    lines = as_lines(container.data, container.limits)
    return replace(container, data=lines, kind="text", grid_file=None) if lines else None


def _of_square(
    table: RawTable, start: Start, head: Container, name: str, halved: bool
) -> tuple[str, ...]:
    """The formats of a square: scikit-bio's has names on both sides and nothing in the corner."""
    rows = start.head.rows
    both = not rows[0][0] and len(rows[0]) == len(rows[1])
    measured = _measured(len(rows[1]), head.limits)
    if halved:
        return (TRIANGLE.key, SQUARE.key, *((LSMAT.key,) if both else ()), *measured)
    if not both:
        return (SQUARE.key, *measured)
    if LSMAT.convinces(table, head, name):
        return (LSMAT.key, SQUARE.key, *measured)
    return (SQUARE.key, LSMAT.key, *measured)


def _half(table: RawTable) -> RawTable | None:
    """The table as a triangle, where one half of it says nothing."""
    if (table.values[[0, 1], [1, 0]] != 0).all() and not np.isnan(
        table.values[[0, 1], [1, 0]]
    ).any():
        return None
    try:
        return half_of(table)
    except UnreadableFile:
        return None


def _measured(width: int, limits: Limits) -> tuple[str, ...]:
    """Any table of names and numbers may be measurements."""
    return ("measurements",) if width <= limits.columns else ()
