"""A condensed vector as text: the N(N-1)/2 values of a triangle in one line or one column."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np

from cml_core.errors import TooManyObjects, UnreadableFile
from cml_core.files.reading.arrays_file import square_of_condensed
from cml_core.files.reading.container import Container
from cml_core.files.reading.encoding import text_of
from cml_core.files.reading.format import Claim, Format
from cml_core.files.reading.names import numbered
from cml_core.files.reading.numbers import checked, decimal_commas, is_text, plain_numbers
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray

# Fewer values than four objects have pairs may be anything.
_FEWEST, _SAMPLE = 6, 4_000
_MARKS = ",;\t"
# How R counts the values that it prints.
_PLACE = re.compile(r"^\s*\[\d+\]")


def condensed(container: Container) -> RawTable:
    """The values of the upper triangle, row after row, or of the lower one by columns: the same.

    A head above them, and numbers that count them, are left aside.
    """
    words, limits = _words_in(container), container.limits
    if len(words) < _FEWEST:
        raise UnreadableFile(
            f"The list has {len(words)} values; of fewer than {_FEWEST} no triangle is read.",
            remedy="Give a table with the names of the objects.",
        )
    if len(words) > limits.objects * (limits.objects - 1) // 2:
        raise TooManyObjects(
            f"The list of {len(words):,} values is of more than {limits.objects:,} objects; no "
            "more are read.",
            remedy="Give fewer objects.",
        )
    square = square_of_condensed(_values(words))
    names = numbered(len(square), limits)
    told = f"{len(words)} values were read as the upper triangle, row after row."
    return RawTable(names.labels, square, "condensed", (*names.notes, told))


def _values(words: list[str]) -> FloatArray:
    comma = decimal_commas([words])
    plain = plain_numbers(words, comma)
    if plain is not None:
        return plain
    found = [checked(word, comma, f"Value {k + 1} of the list") for k, word in enumerate(words)]
    return np.array(found, dtype=np.float64)


def values_in_column(container: Container) -> list[str]:
    """As many numbers below one head as some objects have pairs; none elsewhere.

    What counts them may stand before.
    """
    rows = container.cells.rows if container.has_cells else ()
    if len(rows) < _FEWEST:
        return []
    body = rows[int(all(is_text(cell) for cell in rows[0] if cell)) :]
    values = [row[-1] for row in body]
    widths = {len(row) for row in body}
    alone = widths == {1} or (widths == {2} and _count(row[0] for row in body))
    return values if alone and _is_triangular(len(values)) and _are_numbers(values) else []


def _count(words: Iterable[str]) -> bool:
    """Whether these are 0, 1, 2 or 1, 2, 3."""
    found = list(words)
    return found[0] in ("0", "1") and all(
        word == str(k) for k, word in enumerate(found, int(found[0]))
    )


def _is_triangular(size: int) -> bool:
    return size >= _FEWEST and math.isqrt(8 * size + 1) ** 2 == 8 * size + 1


def _words_in(container: Container) -> list[str]:
    """The values of a text, or of a grid with one column of numbers."""
    words = _words(container.text) if container.kind == "text" else []
    return words if words and _are_numbers(words) else values_in_column(container) or words


def _words(text: str) -> list[str]:
    """The values, with whatever stands between them."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if wrapped := _wrapped(lines):
        return wrapped
    if len(lines) > 1:
        # Of 1,3313 and 2,2963 the first is no decimal: it counts the lines.
        counted = "," in lines[0] and _count(line.partition(",")[0].strip() for line in lines)
        return [] if counted else [line.strip() for line in lines]
    line = lines[0].strip() if lines else ""
    mark = next((mark for mark in ";\t" if mark in line), "," if _has_separators(line) else None)
    return [word.strip() for word in line.strip(_MARKS).split(mark)]


def _wrapped(lines: list[str]) -> list[str]:
    """The values of a line that was broken, as R's write() and print() do; none elsewhere."""
    counted = bool(lines) and all(map(_PLACE.match, lines))
    rows = [_PLACE.sub("", line).split() for line in lines]
    widths = {len(row) for row in rows[:-1]} or {len(row) for row in rows if counted}
    # As many values in every line but the last, which has fewer: no table is like that.
    if len(widths) != 1 or not 0 < len(rows[-1]) < widths.pop() + counted:
        return []
    return [word for row in rows for word in row]


def _has_separators(line: str) -> bool:
    """Whether commas stand between the values, not within them: 1,5 2,5 has blanks for that."""
    return "," in line and not (" " in line and ", " not in line)


def _claim(container: Container, _name: str) -> Claim:
    """One line or one column of numbers alone, as many as some number of objects has pairs."""
    if container.kind != "text":
        return Claim.LIKELY if _is_list_alone(container) else Claim.NOTHING
    begin = text_of(container.data[:_SAMPLE]) if len(container.data) > _SAMPLE else container.text
    head = [line for line in begin.split("\n") if line.strip() and not line.startswith("#")]
    # Ten million lines of words are told by the first of them.
    if len(head) > 1 and not _may_be_wrapped(head) and any(map(_is_no_value, head[:-1])):
        return Claim.NOTHING
    words = _words(container.text)
    size = len(words)
    if not _is_triangular(size) or not _are_numbers(words):
        return Claim.NOTHING
    # So many rows of one number are no measurements that would be read.
    return Claim.CERTAIN if size > container.limits.objects else Claim.LIKELY


def _is_list_alone(container: Container) -> bool:
    """Whether a grid is one column of numbers without a head, as a printed vector is."""
    values = values_in_column(container)
    return bool(values) and len(container.cells.rows) == len(values)


def _is_no_value(line: str) -> bool:
    return _apart(line) or is_text(line.strip())


def _may_be_wrapped(head: list[str]) -> bool:
    first, second = (_PLACE.sub("", line).split() for line in head[:2])
    return len(first) >= len(second) and len(first) > 1 and not any(map(is_text, first))


def _are_numbers(words: list[str]) -> bool:
    plain = plain_numbers(words, False) is not None
    return plain or not any(is_text(word) for word in words)


def _apart(line: str) -> bool:
    """Whether a line has more than one value."""
    return len(line.replace(";", " ").replace(",", ".").split()) > 1 or line.count(",") > 1


def _may_be_meant(container: Container) -> bool:
    return bool(values_in_column(container))


CONDENSED = Format(
    "condensed",
    "Condensed vector: one triangle in one line or column",
    condensed,
    containers=("text", "workbook"),
    turn=2,
    claim=_claim,
    may_be_meant=_may_be_meant,
)
