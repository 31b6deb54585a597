"""The way in: bytes of a file, or text from a box, become a table."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from typing import TypeVar

from cml_core.errors import ConditionalMappingError, TooManyObjects, check_option
from cml_core.files.reading.arrays_file import array_names
from cml_core.files.reading.container import Container, opened
from cml_core.files.reading.format import ReadTable
from cml_core.files.reading.formats import FORMATS
from cml_core.files.reading.large import Large, large
from cml_core.files.reading.manner import AS_FOUND, Manner
from cml_core.files.reading.question import Question, WayOut
from cml_core.files.reading.raw import ORDINARY, Cells, Limits, RawTable
from cml_core.files.reading.recognise import plausible
from cml_core.files.reading.second_look import Seen, read_by_roles, read_well, read_well_as
from cml_core.files.reading.surroundings import told_around
from cml_core.files.reading.ways_out import (
    naming_sheets,
    questions_of,
    sheets_with_pairs,
    ways_out,
)

_T = TypeVar("_T")


def read(
    data: bytes,
    *,
    name: str = "",
    format: str = "auto",  # noqa: A002
    sheet: str = "",
    limits: Limits = ORDINARY,
    manner: Manner = AS_FOUND,
) -> ReadTable:
    """The values of pairs as the file has them, or the measurements of each object.

    Parameters
    ----------
    data : the file.
    name : what it was called; its ending helps to recognise the format.
    format : a key of `FORMATS`; "auto" recognises it.
    sheet : of a workbook, or the name of an array in an archive; empty takes the first.
    limits : what is larger is refused.
    manner : what was said of the file besides.

    Raises
    ------
    UnreadableFile, or another `ConditionalMappingError` that names what is wrong and where.
    """
    check_option("format", format, ("auto", *FORMATS))
    container = opened(data, sheet, limits, manner)
    whole = _at_once(container, name, format)
    if whole:
        return whole.table
    seen, error = _tried(lambda: _seen(container, name, format))
    if seen is None:
        assert error is not None
        others = () if isinstance(error, TooManyObjects) else _parts_of(container)
        raise naming_sheets(error, sheets_with_pairs(container, name, others))
    return seen.table


def recognise(
    data: bytes, name: str = "", sheet: str = "", limits: Limits = ORDINARY
) -> tuple[str, ...]:
    """Keys of the formats that the file can be read in, best first; none where nothing fits."""
    container = opened(data, sheet, limits)
    seen, _ = _tried(lambda: read_well(container, name))
    return plausible(seen.container, name, seen.table) if seen else plausible(container, name)


def feature_questions(
    data: bytes, *, sheet: str = "", limits: Limits = ORDINARY, manner: Manner = AS_FOUND
) -> tuple[Question, ...]:
    """What a file of features leaves open; parameters as those of `read_features`."""
    return questions_of(opened(data, sheet, limits, manner), "features")


def parts(data: bytes, limits: Limits = ORDINARY) -> tuple[str, ...]:
    """The sheets of a workbook or the arrays of an archive; none where there is one table."""
    return _parts_of(opened(data, "", limits))


@dataclass(frozen=True, eq=False, repr=False)
class Look:
    """What a file is and holds, found out in one go.

    Parameters
    ----------
    parts : as `parts` gives them; none where the file cannot be opened.
    formats : as `recognise` gives them; none where nothing fits.
    table : as `read` gives it; None where it cannot be read.
    error : why it cannot.
    grid : the cells as they stand in the file; None where there are none.
    ways_out : choices with which a file can be read that was refused, or taken for measurements.
    """

    parts: tuple[str, ...]
    formats: tuple[str, ...]
    table: ReadTable | None = None
    error: ConditionalMappingError | None = None
    grid: Cells | None = None
    ways_out: tuple[WayOut, ...] = ()

    def read(self) -> ReadTable:
        """The table; raises what `read` raises."""
        if self.table is not None:
            return self.table
        assert self.error is not None
        raise copy(self.error)

    def __repr__(self) -> str:
        found = self.error if self.table is None else self.table
        return f"Look({found!r}, formats {self.formats}, parts {self.parts})"


def look(
    data: bytes,
    *,
    name: str = "",
    format: str = "auto",  # noqa: A002
    sheet: str = "",
    limits: Limits = ORDINARY,
    manner: Manner = AS_FOUND,
) -> Look:
    """The same as `parts`, `recognise` and `read` together, but the file is taken apart once.

    Nothing of the file is kept but the table.
    """
    check_option("format", format, ("auto", *FORMATS))
    # What went wrong is a part of the answer here: the page has to show the formats beside it.
    try:
        container = opened(data, sheet, limits, manner)
        whole = _at_once(container, name, format)
        found = () if whole else _parts_of(container)
    except ConditionalMappingError as closed:
        return Look((), (), None, copy(closed))
    if whole:
        return Look((), whole.formats, whole.table)
    seen, error = _tried(lambda: _seen(container, name, format))
    if isinstance(error, TooManyObjects):
        # Every format would find as many.
        return Look(found, (), None, error)
    table = seen.table if seen else None
    formats, _ = _tried(lambda: plausible(seen.container if seen else container, name, table))
    grid = container.cells if container.has_cells else None
    ways: tuple[WayOut, ...] = ()
    if error or not isinstance(table, RawTable):
        ways = ways_out(container, name, found, error)
        error = error and naming_sheets(error, ways)
    return Look(found, formats or (), table, error, grid, ways)


def _at_once(container: Container, name: str, key: str) -> Large | None:
    """What is in a large file, if that is plain and what was asked for."""
    whole = large(container, name)
    return whole if whole and key in ("auto", whole.table.format) else None


def _seen(container: Container, name: str, key: str) -> Seen:
    if container.manner.roles:
        seen = read_by_roles(container)
    elif key == "auto":
        seen = read_well(container, name)
    else:
        seen = read_well_as(container, key)
    if not isinstance(seen.table, RawTable):
        return seen
    told = told_around(seen.container, name, seen.table.labels)
    questions = (*seen.table.questions, *questions_of(seen.container, seen.table.format))
    return replace(seen, table=replace(seen.table, told=told, questions=questions))


def _parts_of(container: Container) -> tuple[str, ...]:
    if container.kind == "workbook":
        return container.grids.names
    return array_names(container.data, container.limits) if container.kind == "npz" else ()


def _tried(make: Callable[[], _T]) -> tuple[_T | None, ConditionalMappingError | None]:
    """What was made, or why not; a copy of the error, which holds on to nothing of the file."""
    try:
        return make(), None
    except ConditionalMappingError as error:
        return None, copy(error)
