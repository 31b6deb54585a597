"""What the columns of a list of pairs are: told by heads and entries, or to be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cml_core.errors import listing
from cml_core.files.reading.heads import (
    BESIDE,
    VALUE,
    WEIGHT,
    are_heads_of_pairs,
    columns_sharing_names,
    first_headed,
    pair_columns,
    share_names,
    words_of,
)
from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.question import Choice, Question
from cml_core.files.reading.raw import Cells
from cml_core.files.reading.roles import column_titles, has_heads

# Of lines of pairs hardly more compare an object with itself.
_SELVES = 0.1


@dataclass(frozen=True)
class PairColumns:
    """Where what stands in a list, and on which line it begins; None for no weights."""

    begin: int
    first: int
    second: int
    value: int
    weight: int | None = None


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
        return Told(PairColumns(begin, 0, 2, 1) if _between(cells) else PairColumns(begin, 0, 1, 2))
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
    texts = {row[column] for row in cells.rows[begin:]}
    return any(texts) and not any(map(is_text, texts))


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
    if column < min(at.first, at.second) and _only_counts(cells, at.begin, column):
        return False
    if column in numeric:
        return not words_of(head) & BESIDE
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
    if _between(cells):
        return is_text(first[1])
    # pandas writes a number above the values of a stacked table, and above names words or nothing.
    if not any(first[:2]) and first[2]:
        return True
    if is_text(first[2]) or (len(first) > 3 and has_heads(cells)):
        return True
    if not are_heads_of_pairs(*first[:2]) or not is_text(first[0]):
        return False
    return not {name for row in rest for name in row[:2]} & set(first[:2])


def _between(cells: Cells) -> bool:
    """Whether the value of a pair stands between its names."""
    return cells.once(("pairs", "between"), lambda: _stands_between(cells))


def _stands_between(cells: Cells) -> bool:
    body = cells.rows[1:]
    if len(cells.rows[0]) != 3 or len(body) < 2 or any(len(row) != 3 for row in body):
        return False
    if any(is_text(row[1]) or not is_text(row[2]) for row in body):
        return False
    named = all(is_text(row[0]) for row in body)
    return named and share_names(cells, 0, 2, int(is_text(cells.rows[0][1])))


def looks_like_pairs(cells: Cells) -> bool:
    """Whether names occur on both sides, as they do where objects are compared with each other.

    Numbers as names must be whole, and no ordered pair occur twice: else it may be anything.
    """
    return cells.once(("pairs", "look"), lambda: _look_like_pairs(cells))


def _look_like_pairs(cells: Cells) -> bool:
    rows = cells.rows
    widths = {len(row) for row in rows}
    if len(widths) > 1 or min(widths) < 3:
        return False
    if min(widths) > 4 or _counts_lines(cells):
        return _is_wide_list(cells)
    begin = int(has_header(cells))
    if _between(cells):
        return True
    first, second = ([row[k] for row in rows[begin:]] for k in (0, 1))
    if not first:
        return False
    told = begin == 1 and are_heads_of_pairs(*rows[0][:2])
    both, names = set(first) & set(second), set(first) | set(second)
    if any(map(is_text, names)):
        return told or bool(both) or _is_wide_list(cells)
    # Three columns of numbers are measurements as a rule, unless the first two look like a design:
    # whole numbers, each pair once.
    whole = all(map(str.isdigit, names))
    selves = {row[2] for row in rows[begin:] if row[0] == row[1]}
    once = len(selves) < 2 and len(set(zip(first, second, strict=True))) == len(first)
    others = sum(a != b for a, b in zip(first, second, strict=True))
    return whole and (told or (once and others >= len(names) - 1 and bool(both)))


def _counts_lines(cells: Cells) -> bool:
    """Whether the first of four columns numbers the lines."""
    return len(cells.rows[0]) == 4 and len(cells.rows) > 2 and _only_counts(cells, 1, 0)


def _is_wide_list(cells: Cells) -> bool:
    """Whether two columns of words below heads share names, and another holds numbers."""
    if len(cells.rows) < 3 or not has_header(cells):
        return False
    names = columns_sharing_names(cells, ())
    if names is None or not _are_of_pairs(cells, names):
        return False
    others = [k for k in range(len(cells.rows[0])) if k not in names]
    heads = cells.rows[0]
    # Where every line has a name of its own it is one object, and these are two features of it;
    # but for when it was entered, or where the heads say that these are pairs.
    told = pair_columns(heads) == names
    named = [k for k in others if not words_of(heads[k]) & BESIDE]
    if not told and any(_are_all_different(cells, k) for k in named):
        return False
    return any(
        _is_numeric(cells, 1, k) and not _is_counter(cells, 1, k, heads, names) for k in others
    )


def _are_of_pairs(cells: Cells, names: tuple[int, int]) -> bool:
    """Whether most lines are about two different objects, and about enough pairs of them."""
    couples = [frozenset((row[names[0]], row[names[1]])) for row in cells.rows[1:]]
    different = {couple for couple in couples if len(couple) == 2}
    selves = sum(len(couple) < 2 for couple in couples)
    count = len(frozenset().union(*couples))
    return len(different) >= count - 1 and selves <= max(count, _SELVES * len(couples))


def _are_all_different(cells: Cells, column: int) -> bool:
    texts = [row[column] for row in cells.rows[1:]]
    return len(set(texts)) == len(texts) and all(map(is_text, texts))
