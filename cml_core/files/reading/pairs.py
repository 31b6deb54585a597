"""A long list of pairs: two names and a value in each line, perhaps a weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.errors import UnreadableFile, UnsuitableWeights, listing
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Format, of_cells
from cml_core.files.reading.heads import (
    BESIDE,
    VALUE,
    WEIGHT,
    are_heads_of_pairs,
    columns_sharing_names,
    first_headed,
    pair_columns,
    words_of,
)
from cml_core.files.reading.listed import Listed, table_of
from cml_core.files.reading.names import check_count, check_length, more_than
from cml_core.files.reading.numbers import is_text, notes_on, numbers_in_column
from cml_core.files.reading.question import Choice, Question
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.files.reading.roles import column_titles, has_heads
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted


@dataclass(frozen=True)
class PairColumns:
    """Where what stands in a list, and on which line it begins; None for no weights."""

    begin: int
    first: int
    second: int
    value: int
    weight: int | None = None


def pairs(cells: Cells, limits: Limits, said: PairColumns | None = None) -> RawTable:
    """Each line fills the cell of its first name's row and its second name's column.

    A pair that is listed in both directions fills both. One that is listed several times in the
    same direction is averaged, by its weights where it has some; `spread` is their standard
    deviation (of a sample, undivided by weights), and the weights are added up.

    Parameters
    ----------
    said : what the columns are; without it, their heads and what stands below them tell.
    """
    _check_widths(cells)
    told = told_columns(cells)
    at = said or told.columns
    found = _listed(cells, at, limits)
    notes = (*notes_on(cells), *(() if said else told.notes))
    return table_of(found, notes, () if said else told.questions)


@dataclass(frozen=True)
class Told:
    """What the columns of a list seem to be, what was left out, and what has to be asked."""

    columns: PairColumns
    notes: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()


def told_columns(cells: Cells) -> Told:
    """The columns of a list of pairs, by their heads and by what stands below them."""
    return cells.once(("pairs", "told"), lambda: _told_columns(cells))


def _told_columns(cells: Cells) -> Told:
    begin = int(has_header(cells))
    width = len(cells.rows[0])
    if width == 3:
        return Told(PairColumns(begin, 0, 1, 2))
    heads = cells.rows[0] if begin else ("",) * width
    names = _name_columns(cells, heads)
    numeric = [k for k in range(width) if k not in names and _is_numeric(cells, begin, k)]
    numeric = [k for k in numeric if not _is_counter(cells, begin, k, heads, names)] or numeric
    weight = first_headed(heads, WEIGHT, names)
    value = _value_column(heads, names, numeric, weight)
    weight = weight if weight in numeric and weight != value else None
    at = PairColumns(begin, *names, value, weight)
    left = [k for k in range(width) if k not in (*names, value, weight)]
    asked = [k for k in left if _may_mean_more(cells, at, heads[k], k, numeric)]
    left_out = [heads[k] or f"column {k + 1}" for k in left if k not in asked]
    note = (f"Columns that were not read: {listing(left_out)}.",) if left_out else ()
    return Told(at, note, (_question(cells, at, asked),) if asked else ())


def _name_columns(cells: Cells, heads: Sequence[str]) -> tuple[int, int]:
    return pair_columns(heads) or columns_sharing_names(cells, ()) or (0, 1)


def _is_numeric(cells: Cells, begin: int, column: int) -> bool:
    texts = [row[column] for row in cells.rows[begin:]]
    return any(texts) and not any(is_text(text) for text in texts)


def _only_counts(cells: Cells, begin: int, column: int) -> bool:
    """Whether a column numbers the lines, as programs do."""
    texts = [row[column] for row in cells.rows[begin:]]
    return any(texts == [str(k + first) for k in range(len(texts))] for first in (0, 1))


def _is_counter(
    cells: Cells, begin: int, column: int, heads: Sequence[str], names: tuple[int, int]
) -> bool:
    """Whether a column numbers the lines: one before the names, or by its head."""
    # Behind them it may hold ranks, sorted.
    told = column < min(names) or bool(words_of(heads[column]) & BESIDE)
    return told and _only_counts(cells, begin, column)


def _value_column(
    heads: Sequence[str], names: tuple[int, int], numeric: Sequence[int], weight: int | None
) -> int:
    """The column that a head calls a value; else the first of numbers that is not the weight."""
    # A p-value is no value of the pair.
    own = [k for k in numeric if not words_of(heads[k]) & BESIDE] or numeric
    headed = first_headed(heads, VALUE, [k for k in range(len(heads)) if k not in own])
    if headed is not None:
        return headed
    plain = [k for k in own if k != weight] or own
    return next(iter(plain), next(k for k in range(len(heads)) if k not in names))


def _may_mean_more(
    cells: Cells, at: PairColumns, head: str, column: int, numeric: Sequence[int]
) -> bool:
    """Whether a further column may say how much a pair counts, or who judged it."""
    if column in numeric:
        before = column < min(at.first, at.second) and _only_counts(cells, at.begin, column)
        return not (words_of(head) & BESIDE or before)
    return _tells_repeats_apart(cells, at, column)


def _tells_repeats_apart(cells: Cells, at: PairColumns, column: int) -> bool:
    """Whether pairs come again, but only once for each entry of a column."""
    rows = cells.rows[at.begin :]
    couples = [frozenset((row[at.first], row[at.second])) for row in rows]
    parted = {(couple, row[column]) for couple, row in zip(couples, rows, strict=True)}
    return len(set(couples)) < len(couples) == len(parted)


def _question(cells: Cells, at: PairColumns, asked: Sequence[int]) -> Question:
    """What columns are whose heads do not say it, with their own entries."""
    titles = column_titles(cells)
    roles = {at.first: "first", at.second: "second", at.value: "value"}
    numeric = [k for k in asked if _is_numeric(cells, at.begin, k)]

    def choice(said: dict[int, str], title: str, about: str) -> Choice:
        value = tuple((head, said.get(k, "ignore")) for k, head in enumerate(titles))
        return Choice(value, title, about)

    first = cells.rows[at.begin]
    pair = f"{first[at.first]} with {first[at.second]}"
    choices = [
        choice(
            {at.first: "first", at.second: "second", k: "value"},
            f"{titles[k]} holds the values",
            f"{pair}: {first[k]}. All else is left out.",
        )
        for k in (at.value, *numeric)
    ]
    for k in asked:
        named = f"{titles[at.value]} holds the values, and {titles[k]}"
        if k in numeric and len(asked) == 1:
            said = {**roles, k: "weight"}
            choices.append(choice(said, f"{named} how much they count", "More counts more."))
        if _tells_repeats_apart(cells, at, k):
            said = {**roles, k: "person"}
            choices.append(choice(said, f"{named} who judged", "Several people stay several."))
    if len(numeric) > 1:
        said = {at.first: "first", at.second: "second", **dict.fromkeys(numeric, "value")}
        about = "Several people stay several, and their mean is mapped."
        choices.append(choice({**said, at.value: "value"}, "Each is one person's", about))
    shown = listing([f"{titles[k]} ({_entries(cells, at, k)})" for k in asked])
    return Question(
        "columns",
        "roles",
        f"Besides {titles[at.value]} ({_entries(cells, at, at.value)}) the list has {shown}.",
        "The heads of its columns do not say which of them holds the values.",
        tuple(choices),
    )


def _entries(cells: Cells, at: PairColumns, column: int) -> str:
    """The first few different entries of a column."""
    entries = dict.fromkeys(row[column] for row in cells.rows[at.begin :] if row[column])
    return ", ".join((*list(entries)[:3], "…"))


def has_header(cells: Cells) -> bool:
    """Whether the first line names the columns."""
    first, *rest = cells.rows
    if len(first) < 3:
        return False
    # One head may be a number, as pandas writes the column of a stacked table.
    if is_text(first[2]) or (len(first) > 3 and has_heads(cells)):
        return True
    if not are_heads_of_pairs(*first[:2]) or not is_text(first[0]):
        return False
    return not {name for row in rest for name in row[:2]} & set(first[:2])


def looks_like_pairs(cells: Cells) -> bool:
    """Whether names occur on both sides, as they do where objects are compared with each other.

    Numbers as names must be whole, and no ordered pair occur twice: else it may be anything.
    """
    rows = cells.rows
    widths = {len(row) for row in rows}
    if len(widths) > 1 or min(widths) < 3:
        return False
    if min(widths) > 4 or _counts_lines(cells):
        return _is_wide_list(cells)
    begin = int(has_header(cells))
    first, second = ([row[k] for row in rows[begin:]] for k in (0, 1))
    if not first:
        return False
    told = begin == 1 and are_heads_of_pairs(*rows[0][:2])
    if any(is_text(name) for name in (*first, *second)):
        return told or bool(set(first) & set(second)) or _is_wide_list(cells)
    # Three columns of numbers are measurements as a rule, unless the first two look like a design:
    # whole numbers, each pair once.
    whole = all(name.isdigit() for name in (*first, *second))
    selves = {row[2] for row in rows[begin:] if row[0] == row[1]}
    once = len(selves) < 2 and len(set(zip(first, second, strict=True))) == len(first)
    others = sum(a != b for a, b in zip(first, second, strict=True))
    names = len(set(first) | set(second))
    return whole and (told or (once and others >= names - 1 and bool(set(first) & set(second))))


def _counts_lines(cells: Cells) -> bool:
    """Whether the first of four columns numbers the lines."""
    return len(cells.rows[0]) == 4 and len(cells.rows) > 2 and _only_counts(cells, 1, 0)


def _is_wide_list(cells: Cells) -> bool:
    """Whether two columns of words below heads share names, and another holds numbers."""
    if len(cells.rows) < 3 or not has_header(cells):
        return False
    sharing = columns_sharing_names(cells, ())
    if sharing is None:
        return False
    return any(_is_numeric(cells, 1, k) for k in range(len(cells.rows[0])) if k not in sharing)


def _check_widths(cells: Cells) -> None:
    width = len(cells.rows[0])
    if width < 3:
        raise UnreadableFile(
            f"Line {cells.lines[0]} has {counted(width, 'cell')}; a list of pairs has two names, "
            "a value, and perhaps a weight.",
            remedy="Give three or four cells in every line.",
        )
    for row, line in zip(cells.rows, cells.lines, strict=True):
        if len(row) != width:
            raise UnreadableFile(
                f"Line {line} has {len(row)} cells where the first has {width}.",
                remedy="Give the same cells in every line; leave unknown values empty.",
            )


def _listed(cells: Cells, at: PairColumns, limits: Limits) -> Listed:
    places: dict[str, int] = {}
    size = len(cells.rows) - at.begin
    ends = np.empty((size, 2), dtype=np.int64)
    for k in range(size):
        row = cells.rows[at.begin + k]
        for side, column in enumerate((at.first, at.second)):
            ends[k, side] = _place_of(row[column], cells, at.begin + k, column, places, limits)
    check_count(len(places), limits)
    values = numbers_in_column(cells, at.begin, at.value)
    weights = None
    if at.weight is not None:
        weights = numbers_in_column(cells, at.begin, at.weight)
        _check_weights(weights, cells, at.begin, at.weight)
    labels = tuple(places)
    return Listed(labels, ends[:, 0], ends[:, 1], values, weights)


def _place_of(
    name: str, cells: Cells, row: int, side: int, places: dict[str, int], limits: Limits
) -> int:
    """The number of an object; a name that was not seen before gets the next."""
    if name not in places:
        where = cells.where(row, side)
        if not name:
            raise UnreadableFile(
                f"{where} is empty, where the name of an object belongs.",
                remedy="Name both objects of every pair.",
            )
        check_length(name, where, limits)
        places[name] = len(places)
        if len(places) > limits.objects:
            raise more_than(limits)
    return places[name]


def _check_weights(weights: FloatArray, cells: Cells, begin: int, column: int) -> None:
    wrong = np.flatnonzero(~(weights >= 0))
    if wrong.size:
        row = begin + int(wrong[0])
        raise UnsuitableWeights(
            f"{cells.where(row, column)} is {cells.rows[row][column][:40]!r}; a weight is zero or "
            "more.",
            remedy="Correct the weight, or leave out its column.",
        )


def _may_be_meant(container: Container) -> bool:
    return container.has_cells and looks_like_pairs(container.cells)


PAIRS = Format(
    "pairs",
    "Long list of pairs",
    of_cells(pairs),
    containers=("text", "workbook"),
    turn=7,
    layouts=("pairs",),
    may_be_meant=_may_be_meant,
)
