"""The names of objects: every one there, none too long, none twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cml_core.errors import DuplicateLabels, LabelMismatch, TooManyObjects, UnreadableFile
from cml_core.files.reading.raw import Limits

_CASE = re.compile(r"([0-9]{1,6}):\s*(\S.*)")


@dataclass(frozen=True)
class Names:
    """Different names, and a note where some had to be made up."""

    labels: tuple[str, ...]
    notes: tuple[str, ...] = ()


def checked_names(found: Sequence[str], where: Sequence[str], limits: Limits) -> Names:
    """The names as labels; one that is empty is named after its row.

    Parameters
    ----------
    found, where : (N,) the names and the place of each in words.
    """
    check_count(len(found), limits)
    made_up = [k for k, name in enumerate(found) if not name]
    names = [name or f"row {k + 1}" for k, name in enumerate(found)]
    first: dict[str, int] = {}
    for k, name in enumerate(names):
        check_length(name, where[k], limits)
        if name in first:
            raise DuplicateLabels(
                f"{where[first[name]]} and {lower_first(where[k])} both have the name {name!r}.",
                remedy="Give every object a name of its own.",
            )
        first[name] = k
    if not made_up:
        return Names(tuple(names))
    which = where[made_up[0]]
    count = "one object has" if len(made_up) == 1 else f"{len(made_up)} objects have"
    note = f"{count.capitalize()} no name, the first in {lower_first(which)}; named after rows."
    return Names(tuple(names), (note,))


def without_case_numbers(names: Names) -> Names:
    """The names without the numbers of cases that SPSS prints before them: 1:apple, 2:pear."""
    parts = [_CASE.fullmatch(name) for name in names.labels]
    bare = tuple(part[2] for part in parts if part)
    counted = all(part and int(part[1]) == k for k, part in enumerate(parts, 1))
    if not counted or len(set(bare)) < len(parts):
        return names
    note = f"Numbers of cases were left out: {names.labels[0]!r} is read as {bare[0]!r}."
    return Names(bare, (*names.notes, note))


def numbered(count: int, limits: Limits) -> Names:
    """Names for objects that have none in the file."""
    check_count(count, limits)
    labels = tuple(f"object {k + 1}" for k in range(count))
    return Names(labels, ("The file has no names; objects are numbered in its order.",))


def check_count(count: int, limits: Limits) -> None:
    """Raise unless so many objects may be read; at least two make a pair."""
    if count > limits.objects:
        raise TooManyObjects(
            f"The file has {count:,} objects; at most {limits.objects:,} are read.",
            remedy="Give fewer objects.",
        )
    if count < 2:
        raise UnreadableFile(
            "The file has fewer than two objects, so there is no pair to compare.",
            remedy="Give a table of at least three objects.",
        )


def more_than(limits: Limits) -> TooManyObjects:
    """For a count that ended where it passed the limit."""
    return TooManyObjects(
        f"The file has more than {limits.objects:,} objects; no more are read.",
        remedy="Give fewer objects.",
    )


def check_length(name: str, where: str, limits: Limits) -> None:
    """Raise unless the name is short enough to be shown."""
    if len(name) > limits.label_length:
        raise UnreadableFile(
            f"{where} has a name of {len(name):,} characters; "
            f"at most {limits.label_length:,} are read.",
            remedy="Give it a shorter name, or check the quotes around it.",
        )


def order_of_columns(
    rows: Sequence[str], columns: Sequence[str], where_columns: Sequence[str]
) -> list[int] | None:
    """For each row the column of the same name; None where they stand in the same order."""
    if list(rows) == list(columns):
        return None
    place: dict[str, int] = {}
    for k, name in enumerate(columns):
        if name in place:
            raise DuplicateLabels(
                f"{where_columns[place[name]]} and {lower_first(where_columns[k])} "
                f"both have the name {name!r}.",
                remedy="Give every object a name of its own.",
            )
        place[name] = k
    row_names = set(rows)
    for k, name in enumerate(columns):
        if name not in row_names:
            raise LabelMismatch(
                f"{where_columns[k]} is {name!r}, which is the name of no row.",
                remedy="Name rows and columns alike.",
            )
    missing = next((name for name in rows if name not in place), None)
    if missing is not None:
        raise LabelMismatch(
            f"The row {missing!r} has no column of this name.",
            remedy="Name rows and columns alike.",
        )
    return [place[name] for name in rows]


def lower_first(words: str) -> str:
    """For the middle of a sentence."""
    return words[:1].lower() + words[1:]
