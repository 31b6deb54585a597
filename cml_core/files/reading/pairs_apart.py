"""Lists that name both objects in one cell, as in «apple vs. banana», with two columns instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.people.survey import BETWEEN, without_common
from cml_core.files.reading.raw import Cells
from cml_core.files.reading.roles import has_heads

_FEWEST_NAMES = 3
_HEADS = ("first", "second")
# A program that prints both names beside each other puts this before the second.
_DASHES = ("- ", "– ", "— ")

_LINK = re.compile(r" \([^()]{1,40}\) ")

_Pairs = list[tuple[str, str]]


def pairs_apart(cells: Cells) -> Cells | None:
    """The grid with a column for each of the two names; None where no column holds both.

    At least half of all pairs of the names must be there: names may hold the same marks.
    """
    width = len(cells.rows[0])
    if width < 2 or {len(row) for row in cells.rows} != {width}:
        return None
    begin = int(has_heads(cells))
    for column in range(width):
        texts = [row[column] for row in cells.rows[begin:]]
        if not all(map(is_text, texts)):
            continue
        if column and all(text.startswith(_DASHES) for text in texts):
            return _without_dashes(cells, begin, column)
        if pairs := _parted(texts):
            return _with_two(cells, begin, column, pairs)
    return None


def _parted(texts: Sequence[str]) -> _Pairs:
    for told in (texts, without_common(texts)):
        bare = [text.strip().strip("()[]{}") for text in told]
        # Cytoscape has what one does to the other between them: apple (pp) pear.
        for between in (*_LINK.findall(bare[0])[:1], *BETWEEN):
            parts = [text.split(between) for text in bare]
            if all(len(part) == 2 and part[0].strip() and part[1].strip() for part in parts):
                pairs = [(_bare(first), _bare(second)) for first, second in parts]
                if _are_of_pairs(pairs):
                    return pairs
    return []


def _bare(name: str) -> str:
    """A name without blanks around it, and without the quotes of Python."""
    name = name.strip()
    quoted = len(name) > 2 and name[0] == name[-1] and name[0] in "'\""
    return name[1:-1] if quoted else name


def _are_of_pairs(pairs: _Pairs) -> bool:
    names = {name for pair in pairs for name in pair}
    couples = {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
    most = len(names) * (len(names) - 1) // 2
    # Parts of numbers, such as months and days, are not names unless each stands with each.
    enough = most // 2 if any(map(is_text, names)) else most
    return len(names) >= _FEWEST_NAMES and len(couples) >= max(enough, len(names) - 1)


def _with_two(cells: Cells, begin: int, column: int, pairs: _Pairs) -> Cells:
    heads = [_HEADS] if begin else []
    rows = tuple(
        (*row[:column], *two, *row[column + 1 :])
        for row, two in zip(cells.rows, [*heads, *pairs], strict=True)
    )
    places = cells.columns or tuple(range(len(cells.rows[0])))
    note = (
        f"Both objects stand in one cell: {cells.rows[begin][column]!r} is read as "
        f"{pairs[0][0]!r} with {pairs[0][1]!r}."
    )
    doubled = (*places[: column + 1], *places[column:])
    return replace(cells, rows=rows, columns=doubled, notes=(*cells.notes, note))


def _without_dashes(cells: Cells, begin: int, column: int) -> Cells:
    heads = [(*row[: column - 1], *_HEADS, *row[column + 1 :]) for row in cells.rows[:begin]]
    body = [
        (*row[:column], row[column][1:].strip(), *row[column + 1 :]) for row in cells.rows[begin:]
    ]
    return replace(cells, rows=(*heads, *body))
