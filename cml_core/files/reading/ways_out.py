"""What a file leaves to be said, and what would help where it is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cml_core.errors import ConditionalMappingError, listing
from cml_core.files.reading.condensed import CONDENSED, values_in_column
from cml_core.files.reading.container import Container
from cml_core.files.reading.decimals import question_of_decimals, way_out_of_decimals
from cml_core.files.reading.encoding import question_of_code_page
from cml_core.files.reading.format import ReadTable
from cml_core.files.reading.formats import read_as
from cml_core.files.reading.marks import words_among_numbers
from cml_core.files.reading.question import Choice, Question, WayOut
from cml_core.files.reading.raw import RawTable
from cml_core.files.reading.second_look import read_well
from cml_core.values.words import counted

# So many words are offered to be taken for gaps, and so many sheets are looked at.
_MOST_WORDS, _MOST_SHEETS = 5, 12
# Each way is tried, which takes as long as reading.
_MOST_CELLS = 250_000
# Programs that write no marks for thousands.
_WITH_POINTS = ("r_dist", "phylip", "orange", "lsmat")


def questions_of(container: Container, format: str) -> tuple[Question, ...]:  # noqa: A002
    """What the text and the numbers of a file leave open."""
    asked = []
    if container.is_text:
        asked.append(question_of_code_page(container.data, container.manner.encoding))
    if container.has_cells and not _has_points(container, format):
        said = container.manner.decimal
        cells = container.cells_of_file if said else container.cells
        asked.append(question_of_decimals(cells, said))
    return tuple(question for question in asked if question is not None)


def _has_points(container: Container, format: str) -> bool:  # noqa: A002
    """Whether a program wrote the numbers, whose decimal marks are points."""
    written = container.grid_file is not None and container.grid_file.with_points
    return written or format in _WITH_POINTS


def ways_out(
    container: Container, name: str, parts: tuple[str, ...], error: ConditionalMappingError | None
) -> tuple[WayOut, ...]:
    """Choices with which the file can be read; none is made by itself."""
    if container.manner.roles:
        return ()
    found = [*sheets_with_pairs(container, name, parts)]
    if container.has_cells and sum(map(len, container.cells.rows)) > _MOST_CELLS:
        return tuple(found)
    found += _list_of_pairs(container)
    if isinstance(error, ConditionalMappingError) and container.has_cells:
        found += [*_decimals(container, name), *_gaps(container, name)]
    return tuple(found)


def naming_sheets(
    error: ConditionalMappingError, ways: Iterable[WayOut]
) -> ConditionalMappingError:
    """The error, whose remedy names the other sheets that hold pairs."""
    sheets = [repr(way.choice.value) for way in ways if way.field == "sheet"]
    if not sheets:
        return error
    which = f"the sheet {sheets[0]}" if len(sheets) == 1 else f"one of {listing(sheets)}"
    return type(error)(error.fact, remedy=f"{error.remedy} Or choose {which}: there are pairs.")


def sheets_with_pairs(container: Container, name: str, parts: tuple[str, ...]) -> Iterator[WayOut]:
    """Other sheets of a workbook, to be read instead."""
    if container.kind != "workbook" or not parts:
        return
    now = container.sheet or parts[0]
    for part in parts[:_MOST_SHEETS]:
        if part != now:
            table = _tried(replace(container, sheet=part), name)
            if isinstance(table, RawTable):
                title = f"Read the sheet {part}"
                yield WayOut("sheet", Choice(part, title, _described(table)))


def _list_of_pairs(container: Container) -> Iterator[WayOut]:
    """Values below one head, as many as some objects have pairs."""
    if values := values_in_column(container):
        table = read_as(container, CONDENSED.key)
        assert isinstance(table, RawTable)
        title = f"Read {len(values)} values as the pairs of {table.n_objects} objects"
        about = "As a triangle is written in one column: the upper one, row after row."
        yield WayOut("format", Choice(CONDENSED.key, title, about))


def _decimals(container: Container, name: str) -> Iterator[WayOut]:
    """Both readings of numbers that may have marks for thousands."""
    question = way_out_of_decimals(container.cells)
    if question is None or container.manner.decimal:
        return
    for choice in question.choices:
        said = replace(container.manner, decimal=str(choice.value))
        table = _tried(container.read_in(said), name)
        if isinstance(table, RawTable):
            yield WayOut("decimal", replace(choice, about=f"{choice.about} {_described(table)}"))


def _gaps(container: Container, name: str) -> Iterator[WayOut]:
    """Words among numbers, taken for unknown values."""
    words = words_among_numbers(container.cells.rows[1:])
    if not 0 < len(words) <= _MOST_WORDS:
        return
    missing = (*container.manner.missing, *words)
    table = _tried(container.read_in(replace(container.manner, missing=missing)), name)
    if isinstance(table, RawTable):
        shown = listing([repr(word[:20]) for word in words])
        yield WayOut("missing", Choice(missing, f"Take {shown} as unknown", _described(table)))


def _tried(container: Container, name: str) -> ReadTable | None:
    try:
        return read_well(container, name).table
    except ConditionalMappingError:
        return None


def _described(table: RawTable) -> str:
    return f"{counted(table.n_objects, 'object')}: {listing(table.labels, 3)}."
