"""Names above that are those before in other words: with R's dots, cut off, or counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from cml_core.files.joining.similar_names import folded

_NUMBERED = re.compile(r"\s*\(?[0-9]{1,4}[.):]\s*(?=\S)")
_NOT_IN_R = re.compile(r"[\W_]+")
_COUNTED = re.compile(
    r"(?:[A-Za-z]{1,3}|var|item|object|column|unnamed)?[\s._:-]*([0-9]{1,5})\.?", re.I
)
NUMBERED = "without numbers, or with others"
# Of a name cut shorter than this nothing can be told.
_SHORTEST = 2


def same_order(rows: Sequence[str], columns: Sequence[str]) -> str:
    """Why heads of columns stand for the rows in their order; empty where that cannot be said.

    Parameters
    ----------
    rows, columns : as many different names before as above.
    """
    if len(rows) != len(columns) or len(set(rows)) < len(rows) or len(set(columns)) < len(rows):
        return ""
    pairs = list(zip(rows, columns, strict=True))
    for alike, why in _REASONS:
        if all(alike(row, column) for row, column in pairs):
            return why
    return "only counted" if _are_counted(columns) else ""


def _without_number(row: str, column: str) -> bool:
    return _NUMBERED.sub("", row, count=1) == _NUMBERED.sub("", column, count=1)


def without_numbers(rows: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """The names without the numbers of the list that they stood in."""
    return tuple(min(pair, key=len) for pair in zip(rows, columns, strict=True))


def _as_r_writes(row: str, column: str) -> bool:
    plain, head = (_NOT_IN_R.sub(".", folded(name)).strip(".") for name in (row, column))
    return head in (plain, f"x{plain}", f"x.{plain}")


def _cut_off(row: str, column: str) -> bool:
    short, long = sorted((folded(row).rstrip("."), folded(column).rstrip(".")), key=len)
    return len(short) >= _SHORTEST and long.startswith(short)


_REASONS: tuple[tuple[Callable[[str, str], bool], str], ...] = (
    (_without_number, NUMBERED),
    (_as_r_writes, "written with other marks"),
    (_cut_off, "cut off"),
)


def _are_counted(names: Sequence[str]) -> bool:
    """Whether names are 1, 2, 3 or V1, V2, V3."""
    found = [_COUNTED.fullmatch(name) for name in names]
    numbers = [int(match[1]) for match in found if match]
    return numbers in (
        list(range(1, len(names) + 1)),
        list(range(len(names))),
    )
