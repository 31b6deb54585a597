"""What survey programs export: a line for each person, and heads in several lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cml_core.files.reading.heads import PERSON, words_of
from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.raw import Cells

# In this order: blanks around a word first, for a name may hold a mark but hardly both.
BETWEEN = (
    *(" and ", " und ", " et ", " y ", " e ", " or ", " vs. ", " vs ", " versus ", " with "),
    *(" mit ", " avec ", " to ", " x ", " × ", " - ", " – ", " / ", " & ", " | ", " : ", " ~ "),
    *("->", "→", "...", "…", "__", "–", "/", "|", ":", "&", "~", "+", ", ", "-", "_", ".", " "),
)
_FEWEST_PAIRS = 3


@dataclass(frozen=True)
class Survey:
    """The heads of a table of answers, the line below them, and the heads as programs use them."""

    heads: tuple[str, ...]
    codes: tuple[str, ...]
    begin: int


def survey_of(cells: Cells) -> Survey:
    """Heads in one line; as Qualtrics writes them, a code, the question, and an id; or in two.

    SurveyMonkey writes a question once, and below it what it was asked about.
    """
    for k, row in enumerate(cells.rows[:4]):
        if k and 2 * sum('"ImportId"' in cell for cell in row) > len(row):
            return Survey(cells.rows[k - 1], cells.rows[0], k + 1)
    first, second = (*cells.rows[:2], ())[:2]
    below = [bool(head) and is_text(head) for head in second]
    if 2 * first.count("") >= sum(below) > 1 and len(first) == len(second) and not second[0]:
        heads = tuple(two or one for one, two in zip(first, second, strict=True))
        return Survey(heads, heads, 2)
    return Survey(first, first, 1)


def person_of(survey: Survey, cells: Cells) -> int | None:
    """The column that names people, each once."""
    lines = cells.rows[survey.begin :]
    for column, head in enumerate(survey.heads):
        words = words_of(head)
        named = bool(words & PERSON) or {"response", "id"} <= words
        if named and len({row[column] for row in lines}) == len(lines):
            return column
    return None


@dataclass(frozen=True)
class PairHeads:
    """Columns that are headed by two objects each, and which."""

    columns: tuple[int, ...]
    pairs: tuple[tuple[str, str], ...]


def pair_heads(heads: Sequence[str]) -> PairHeads | None:
    """The columns whose heads name every pair of some objects; None where there are none."""
    for between in BETWEEN:
        columns = [k for k, head in enumerate(heads) if between in head]
        # What else a file holds stands before or behind the pairs.
        for run in _runs(columns):
            pairs = _parted([heads[k] for k in run], between)
            if pairs and _are_all_pairs(pairs):
                return PairHeads(tuple(run), tuple(pairs))
    return None


def _runs(columns: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for k in columns:
        if runs and runs[-1][-1] == k - 1:
            runs[-1].append(k)
        else:
            runs.append([k])
    return [run for run in runs if len(run) >= _FEWEST_PAIRS]


def without_common(heads: Sequence[str]) -> list[str]:
    """What differs between heads: the names in "Sort the fruit - apple" and the others."""
    before = _in_common(heads)
    rest = [head[before:] for head in heads]
    behind = _in_common([head[::-1] for head in rest])
    return [head[: len(head) - behind].strip() for head in rest]


def _in_common(heads: Sequence[str]) -> int:
    """How many letters all begin with, up to the end of a word."""
    count = 0
    for k, letters in enumerate(zip(*heads, strict=False)):
        if len(set(letters)) > 1:
            break
        if not letters[0].isalnum():
            count = k + 1
    return count


def _parted(heads: Sequence[str], between: str) -> list[tuple[str, str]]:
    """Both names of each head; none where some head has not just two."""
    for names in (heads, without_common(heads)):
        parts = [name.strip("()[]{}").split(between) for name in names]
        if all(len(part) == 2 and part[0].strip() and part[1].strip() for part in parts):
            pairs = [(first.strip(), second.strip()) for first, second in parts]
            if _are_all_pairs(pairs):
                return pairs
    return []


def _are_all_pairs(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether each two of the objects are there, in one order or in both, and nothing else."""
    names = {name for pair in pairs for name in pair}
    different = {pair for pair in pairs if pair[0] != pair[1]}
    couples = {frozenset(pair) for pair in different}
    n = len(names)
    once = len(couples) == n * (n - 1) // 2
    return n >= 3 and once and len(different) in (len(couples), 2 * len(couples))
