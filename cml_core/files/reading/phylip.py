"""PHYLIP's distance matrix: a count, then each name with its values, perhaps over several lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.count_line import a_name_follows, claim_of_count, first_line
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.format import Claim, Format, of_text
from cml_core.files.reading.names import check_count, checked_names
from cml_core.files.reading.numbers import checked, is_text, named_place
from cml_core.files.reading.raw import Limits, RawTable
from cml_core.values.arrays import FloatArray

# PHYLIP's own programs read just so many characters of a name, blanks among them.
_NAME_WIDTH = 10
# Where the columns of row k begin and end: "row" is k itself, "next" the one after it.
_FORMS = {
    "square": ("first", "last"),
    "lower triangle": ("first", "row"),
    "lower triangle with diagonal": ("first", "next"),
    "upper triangle": ("next", "last"),
    "upper triangle with diagonal": ("row", "last"),
}


@dataclass(frozen=True)
class _Row:
    """The name of an object, where it stands, and its values with their lines."""

    name: str
    line: int
    values: list[tuple[str, int]]


class _Stuck(Exception):
    """A form does not fit: how far it went, and why."""

    def __init__(self, line: int, fact: str) -> None:
        super().__init__(fact)
        self.line = line
        self.fact = fact


def phylip(text: str, limits: Limits) -> RawTable:
    """A square, or a lower or upper triangle; names of ten characters, or up to the first blank."""
    first, line = next(lines_of(text), (1, ""))
    count = count_in(line, first)
    check_count(count, limits)
    lines = list(lines_of(text))
    if len(lines) <= count:
        raise UnreadableFile(
            f"Line {first} says that there are {count} objects, but only "
            f"{len(lines) - 1} lines follow.",
            remedy="Give the true number of objects in the first line, and all their lines.",
        )
    # The format says neither which triangle there is nor where a name ends: by its rules after ten
    # characters, blanks among them, by habit at the first blank. So each form is tried in turn, the
    # usual one first; where none fits, the one that got furthest knows best what is wrong.
    stuck: list[_Stuck] = []
    for strict in (False, True):
        for form in _FORMS:
            try:
                rows = _taken(lines[1:], count, form, strict)
            except _Stuck as why:
                stuck.append(why)
            else:
                return _table(rows, form, limits)
    nearest = max(stuck, key=lambda why: why.line)
    raise UnreadableFile(
        nearest.fact,
        remedy="Give each object its name and all its values, and the number of objects first.",
    )


def count_in(line: str, number: int = 1) -> int:
    """The number of objects, which is all that the first line says."""
    word = line.strip()
    if not (word.isascii() and word.isdigit()):
        raise UnreadableFile(
            f"Line {number} is {word[:40]!r}; it must be the number of objects.",
            remedy="Begin the file with the number of objects.",
        )
    return int(word) if len(word) < 10 else 10**9


def _table(rows: list[_Row], form: str, limits: Limits) -> RawTable:
    count = len(rows)
    names = checked_names([row.name for row in rows], [f"Line {row.line}" for row in rows], limits)
    values: FloatArray = np.full((count, count), np.nan)
    for k, row in enumerate(rows):
        columns = _columns(form, k, count)
        for j, (word, line) in zip(columns, row.values, strict=True):
            where = f"Line {line}, value {j - columns.start + 1}"
            place = named_place(where, row.name, names.labels[j : j + 1])
            values[k, j] = checked(word, False, place)
    return RawTable(names.labels, values, "phylip", names.notes)


def _columns(form: str, row: int, count: int) -> range:
    """The columns that a row gives values for."""
    place = {"first": 0, "row": row, "next": row + 1, "last": count}
    begin, end = _FORMS[form]
    return range(place[begin], place[end])


def _taken(lines: list[tuple[int, str]], count: int, form: str, strict: bool) -> list[_Row]:
    """All rows in one form; raises `_Stuck` where it does not fit."""
    rest = iter(lines)
    rows = [_row(rest, len(_columns(form, k, count)), strict, k) for k in range(count)]
    extra = next(rest, None)
    if extra is not None:
        raise _Stuck(extra[0], f"Line {extra[0]} comes after the last of the {count} objects.")
    return rows


def _row(rest: Iterator[tuple[int, str]], needed: int, strict: bool, k: int) -> _Row:
    line, text = next(rest, (0, ""))
    if not line:
        raise _Stuck(10**9, f"The file ends before the values of object {k + 1}.")
    name, words = _named(text, strict)
    _check_words(words, line, name)
    values = [(word, line) for word in words]
    while len(values) < needed:
        last, text = next(rest, (0, ""))
        words = text.split()
        if not last or is_text(words[0]):
            at = f"Line {last - 1 if last else values[-1][1] if values else line}"
            raise _Stuck(last or 10**9, _counted(at, name, len(values), needed))
        _check_words(words, last, name)
        values += [(word, last) for word in words]
    if len(values) > needed:
        last = values[-1][1]
        raise _Stuck(last, _counted(f"Line {last}", name, len(values), needed))
    return _Row(name, line, values)


def _named(text: str, strict: bool) -> tuple[str, list[str]]:
    if strict:
        return text[:_NAME_WIDTH].strip(), text[_NAME_WIDTH:].split()
    name, *words = text.split()
    return name, words


def _check_words(words: list[str], line: int, name: str) -> None:
    """A form whose values are words has taken part of a name, or of the next row, for values."""
    for k, word in enumerate(words):
        if is_text(word):
            raise _Stuck(
                line, f"Line {line} ({name}), value {k + 1} is {word[:40]!r}, not a number."
            )


def _counted(at: str, name: str, have: int, need: int) -> str:
    return f"{at}: {name[:40]} has {have} values where {need} are needed."


def _claim(container: Container, name: str) -> Claim:
    """A count alone may as well be Orange's, whose files are called .dst."""
    if container.kind != "text" or name.lower().endswith(".dst"):
        return Claim.NOTHING
    try:
        count = count_in(first_line(container))
    except UnreadableFile:
        return Claim.NOTHING
    return claim_of_count(container) if count > 1 else Claim.NOTHING


def _complaint(container: Container, _name: str, _tried: tuple[str, ...]) -> int:
    return 3 if a_name_follows(container) else 0


PHYLIP = Format(
    "phylip",
    "PHYLIP distance matrix",
    of_text(phylip),
    containers=("text",),
    turn=2,
    claim=_claim,
    complaint=_complaint,
    endings=(".dist", ".phy", ".phylip"),
    of_distances=True,
)
