"""A table of features or measurements: a name in the first column, one feature a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cml_core.errors import DuplicateLabels, TooManyObjects, UnreadableFile, listing
from cml_core.files.joining.inferred_kinds import inferred
from cml_core.files.reading.area import cut_out
from cml_core.files.reading.container import opened
from cml_core.files.reading.manner import AS_FOUND, Manner
from cml_core.files.reading.names import check_length, lower_first
from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.raw import ORDINARY, Cells, Limits
from cml_core.files.reading.tables import is_gap_before
from cml_core.values.features import FeatureTable
from cml_core.values.quantities import GAPS_AMONG_WORDS


@dataclass(frozen=True)
class NotedFeatures:
    """A table of features, and what a person should know of its reading, in sentences."""

    table: FeatureTable
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Column:
    """The place of a column in its grid, its name, and its cells."""

    place: int
    name: str
    cells: tuple[str, ...]

    @property
    def empty(self) -> bool:
        return all(cell in GAPS_AMONG_WORDS for cell in self.cells)


def read_features(
    data: bytes, *, sheet: str = "", limits: Limits = ORDINARY, manner: Manner = AS_FOUND
) -> FeatureTable:
    """Features by column, from delimited text, a workbook or any file of cells; kinds are inferred.

    Parameters
    ----------
    data : a file, names of objects in its first column, of features in its first row.
    sheet : of a workbook; empty takes the first that is not empty.
    limits : what is larger is refused.
    manner : what was said of the file besides.
    """
    cells = opened(data, sheet, limits, manner).cells
    return features_of(_with_heads(_with_corner(_table_alone(cells))), limits)


def _table_alone(cells: Cells) -> Cells:
    """The table without words above it, and below an empty line.

    What stands by itself in other rows is the name of an object of which nothing is known.
    """
    filled = [[k for k, cell in enumerate(row) if cell] for row in cells.rows]
    full = [row for row, columns in enumerate(filled) if len(columns) > 1]
    if not full:
        return cells
    end = full[-1] + 1
    while end < len(filled) and not is_gap_before(cells, end):
        end += 1
    rows = range(full[0], end)
    around = [cell for k, row in enumerate(cells.rows) if k not in rows for cell in row if cell]
    if not all(map(is_text, around)) or len(rows) == len(filled):
        return cells
    left = min(columns[0] for columns in filled[full[0] : end] if columns)
    right = max(columns[-1] for columns in filled[full[0] : end] if columns)
    return cut_out(cells, rows, range(left, right + 1))


def _with_corner(cells: Cells) -> Cells:
    """The grid with an empty corner, where no head stands above the names, as in R's tables."""
    head, *body = cells.rows or ((),)
    names = {row[0] for row in body}
    if {len(row) for row in body} != {len(head) + 1} or not 1 < len(body) == len(names):
        return cells
    if not head or not all(map(is_text, head)) or not all(row[-1] for row in body):
        return cells
    return replace(cells, rows=(("", *head), *body))


def _with_heads(cells: Cells) -> Cells:
    """The grid with heads made up, where its first row is of the same make as all others."""
    if len(cells.rows) < 3 or not _begins_at_once(cells):
        return cells
    heads = ("", *(f"column {k + 2}" for k in range(len(cells.rows[0]) - 1)))
    return replace(cells, rows=(heads, *cells.rows), lines=(cells.lines[0], *cells.lines))


def _begins_at_once(cells: Cells) -> bool:
    """Whether the first row holds values: numbers above numbers that are no years, or groups."""
    first, rest = cells.rows[0], cells.rows[1:]
    if not first[0] or len({len(row) for row in cells.rows}) > 1:
        return False
    values = [k for k, cell in enumerate(first) if k and cell and not is_text(cell)]
    others = [k for k, cell in enumerate(first) if k and k not in values]
    if not values or any(is_text(row[k]) for row in rest for k in values):
        return False
    if others:
        return all(first[k] in {row[k] for row in rest} for k in others)
    # Years above columns rise.
    heads = [first[k] for k in values]
    return heads != sorted(set(heads)) or not all(map(str.isdigit, heads))


def features_of(cells: Cells, limits: Limits = ORDINARY) -> FeatureTable:
    """The features of a grid; columns without any value are left out."""
    return noted_features(cells, limits).table


def noted_features(cells: Cells, limits: Limits = ORDINARY) -> NotedFeatures:
    """The features of a grid, and what was left out or taken for missing.

    Raises
    ------
    UnreadableFile : where a row has more cells than there are columns, or has no name.
    DuplicateLabels : where two rows or two columns bear the same name.
    TooManyObjects : where there are more rows than are read.
    """
    _check_shape(cells, limits)
    labels = _labels(cells, limits)
    columns = _columns(cells, limits)
    # Spreadsheets leave empty columns behind; a column without a value cannot be a feature.
    filled = [column for column in columns if not column.empty]
    if not filled:
        raise UnreadableFile(
            "No column of the features has a value.", remedy="Give at least one feature values."
        )
    features = tuple(
        inferred(column.name, column.cells, decimal_comma=cells.decimal_comma) for column in filled
    )
    notes = (*_on_empty_columns(columns), *_on_missing_words(filled))
    return NotedFeatures(FeatureTable(labels, features), notes)


def _check_shape(cells: Cells, limits: Limits) -> None:
    if len(cells.rows) < 2 or len(cells.rows[0]) < 2:
        raise UnreadableFile(
            "The features need a row of names above, and a column of names before, their values.",
            remedy="Put objects' names into the first column, features' into the first row.",
        )
    head, *body = cells.rows
    if len(body) > limits.objects:
        raise TooManyObjects(
            f"The features have {len(body):,} rows; at most {limits.objects:,} are read.",
            remedy="Give fewer objects.",
        )
    # A cell too many is a comma too many: all cells behind it would be in the wrong column.
    for row, texts in enumerate(body, 1):
        if any(texts[len(head) :]):
            raise UnreadableFile(
                f"{cells.where(row, len(head))} lies beyond the {len(head)} columns that the "
                "first row names.",
                remedy="Name every column in the first row, the one with the objects too, "
                "or check the quotes.",
            )
    if len(head) - 1 > limits.columns:
        raise UnreadableFile(
            f"The features have {len(head) - 1:,} columns; at most {limits.columns:,} are read.",
            remedy="Leave out columns.",
        )


def _labels(cells: Cells, limits: Limits) -> tuple[str, ...]:
    names = [texts[0] for texts in cells.rows[1:]]
    places = [cells.where(row, 0) for row in range(1, len(cells.rows))]
    for name, place in zip(names, places, strict=True):
        if not name:
            raise UnreadableFile(
                f"{place} should name an object, but is empty.",
                remedy="Write the object's name there, or remove the row.",
            )
        check_length(name, place, limits)
    _check_different(names, places, "Give every object one row.")
    return tuple(names)


def _columns(cells: Cells, limits: Limits) -> list[_Column]:
    """Every column that has a name or a value."""
    head, *body = cells.rows
    columns = []
    for place, name in enumerate(head[1:], 1):
        texts = tuple(row[place] if place < len(row) else "" for row in body)
        if name or any(texts):
            check_length(name, cells.where(0, place), limits)
            called = name or f"column {place + 1}"
            columns.append(_Column(place, called, tuple(texts)))
    _check_different(
        [column.name for column in columns],
        [cells.where(0, column.place) for column in columns],
        "Give every feature a name of its own.",
    )
    return columns


def _check_different(names: Sequence[str], places: Sequence[str], remedy: str) -> None:
    first: dict[str, str] = {}
    for name, place in zip(names, places, strict=True):
        if name in first:
            both = f"{first[name]} and {lower_first(place)}"
            raise DuplicateLabels(f"{both} have the same name, {name!r}.", remedy=remedy)
        first[name] = place


def _on_empty_columns(columns: Sequence[_Column]) -> tuple[str, ...]:
    empty = [repr(column.name) for column in columns if column.empty]
    if not empty:
        return ()
    return (f"Left out, as there is no value in the column: {listing(empty)}.",)


def _on_missing_words(columns: Sequence[_Column]) -> tuple[str, ...]:
    """Words that were taken for missing among other words, where they might have meant more."""
    notes = []
    for column in columns:
        words = sorted({cell for cell in column.cells if cell and cell in GAPS_AMONG_WORDS})
        if words:
            taken = listing([repr(word) for word in words])
            notes.append(f"In {column.name}, {taken} is taken for a missing value.")
    return tuple(notes)
