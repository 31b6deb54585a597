"""Large square tables of plain numbers, read straight from their bytes, some lines at a time."""

# As cells of texts a table takes ten times the memory of its numbers. What is surely a whole square
# of plain numbers under ordinary names goes this way; everything else goes to the readers of cells,
# which know more, and say what is wrong.

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import ConditionalMappingError
from cml_core.files.reading.decimals import doubtful_number
from cml_core.files.reading.delimited import cells_of_text, delimiter_of
from cml_core.files.reading.encoding import is_utf_8, text_of
from cml_core.files.reading.names import check_count, numbered
from cml_core.files.reading.numbers import is_text, notes_on, number
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.arrays import FloatArray, lent
from cml_core.values.real_numbers import LARGEST_SQUARED

WORTHWHILE = 1_000_000
_LINES, _BLOCK = 20, 8_000_000
_MISSING = ["", "NA", "NaN", "nan"]
# Since version 3.1 pandas reads every number exactly; before, it had to be asked to.
_EXACT: dict[str, Any] = (
    {}
    if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)
    else {"float_precision": "round_trip"}
)


@dataclass(frozen=True)
class Start:
    """The first lines of a large file, and all of its bytes as UTF-8.

    Parameters
    ----------
    head : the cells of those lines.
    delimiter : what stands between cells.
    begin, end : where the first line of the table begins, and where the head ends.
    """

    data: bytes
    head: Cells
    delimiter: str
    begin: int
    end: int


@dataclass(frozen=True)
class _Layout:
    """Names, whether they stand above and before the rows, and whether those are only counted."""

    labels: tuple[str, ...]
    above: bool
    before: bool
    counted: bool = False
    notes: tuple[str, ...] = ()


def is_large(data: bytes) -> bool:
    """Whether a file is so large that its cells would take much memory."""
    return len(data) >= WORTHWHILE


def start_of(data: bytes, limits: Limits, encoding: str = "") -> Start | None:
    """How a large text begins; None where it is small, or does not begin as a plain table does."""
    if not is_large(data):
        return None
    plain = _in_utf_8(data, encoding)
    end = _after_lines(plain, _LINES)
    if b"\r" in plain[:end].replace(b"\r\n", b"") or end > len(plain) // 2:
        return None
    try:
        text = text_of(plain[:end])
        head = cells_of_text(text, limits)
    except ConditionalMappingError:
        return None
    skipped = _after_lines(plain, head.lines[0] - 1) if head.lines[0] > 1 else 0
    return Start(plain, head, delimiter_of(text), skipped, end) if len(head.rows) > 3 else None


def square_in_blocks(start: Start, limits: Limits) -> RawTable | None:
    """The square that a file surely holds; None where it is anything else.

    Raises
    ------
    TooManyObjects : it has more rows than are read; found out before they are.
    """
    layout = _layout(start.head, start.delimiter, limits)
    if layout is None:
        return None
    count = len(layout.labels)
    if start.data.count(b"\n", start.begin) < count + layout.above - 1:
        return None
    check_count(count, limits)
    values = np.empty((count, count))
    decimal = "," if start.head.decimal_comma else "."
    row = 0
    for names, lines in _blocks(start, layout, count):
        if row + len(lines) > count or not _are_names(names, layout, row):
            return None
        block = _numbers(lines, start.delimiter, decimal)
        if block is None or block.size != len(lines) * count:
            return None
        values[row : row + len(lines)] = block.reshape(-1, count)
        row += len(lines)
    if row != count or not _is_square(values, layout):
        return None
    notes = (*notes_on(start.head), *layout.notes)
    return RawTable(layout.labels, lent(values), "square", notes)


def _in_utf_8(data: bytes, encoding: str) -> bytes:
    """The same bytes, unless their text is in another encoding or has a mark."""
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:]
    # No letter of a table is a zero byte, but in UTF-16 and UTF-32.
    plain = not encoding and b"\0" not in data[:1_000] and is_utf_8(data)
    return data if plain else text_of(data, encoding).encode()


def _after_lines(data: bytes, count: int) -> int:
    """Where the line begins that follows so many others."""
    place = 0
    for _ in range(count):
        end = data.find(b"\n", place)
        if end < 0:
            return len(data)
        place = end + 1
    return place


def _layout(head: Cells, delimiter: str, limits: Limits) -> _Layout | None:
    first, *body = head.rows
    width = len(body[0])
    if {len(row) for row in body} != {width} or width < 3 or delimiter == "|":
        return None
    if _says_nothing_of_decimals(head):
        return None
    if first[0] and all(number(cell, head.decimal_comma) is not None for cell in first):
        names = numbered(width, limits)
        nameless = len(first) == width
        return _Layout(names.labels, False, False, notes=names.notes) if nameless else None
    if len(first) not in (width, width - 1):
        return None
    before = [row[0] for row in body]
    labels = first[1:] if len(first) == width else first
    beside = labels[: len(before)] == tuple(before)
    if beside and len(first) == width and first[0] in labels:
        return None
    counted = before in ([str(k + d) for k in range(len(before))] for d in (0, 1))
    if not beside and not counted:
        labels = first if len(first) == width and not any(map(is_text, before)) else ()
    worded = beside or all(is_text(name) for name in labels)
    fit = len(set(labels)) == len(labels) > 1 and all(labels) and worded
    if not fit or max(map(len, labels)) > limits.label_length:
        return None
    return _Layout(tuple(labels), True, beside or counted, counted and not beside)


def _says_nothing_of_decimals(head: Cells) -> bool:
    """Whether every number with a point may have thousands: then all cells have to be looked at."""
    pointed = [cell for row in head.rows[1:] for cell in row[1:] if "." in cell or "," in cell]
    return bool(pointed) and (bool(doubtful_number(head)) or not _any_plain(pointed, head))


def _any_plain(cells: Sequence[str], head: Cells) -> bool:
    return any(number(cell, head.decimal_comma) is not None for cell in cells)


def _blocks(start: Start, layout: _Layout, count: int) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Names before the rows, and the rows without them, some millions of bytes at a time.

    Ends early, with a line that is not like the others left out, where there is one.
    """
    mark = start.delimiter.encode()
    place = start.begin
    if layout.above:
        place = start.data.index(b"\n", start.begin) + 1
    while place < len(start.data):
        end = start.data.find(b"\n", min(place + _BLOCK, len(start.data)))
        end = len(start.data) if end < 0 else end + 1
        names: list[bytes] = []
        rows: list[bytes] = []
        for line in start.data[place:end].split(b"\n"):
            line = line.rstrip(b"\r")
            if not line.strip():
                continue
            name, rest = _apart(line, mark) if layout.before else (b"", line)
            width = len(rest.split()) if mark == b" " else rest.count(mark) + 1
            if width != count or b'"' in rest or len(rows) > count:
                return
            names.append(name)
            rows.append(rest)
        if rows:
            yield names, rows
        place = end


def _apart(line: bytes, mark: bytes) -> tuple[bytes, bytes]:
    """The name before a row, without its quotes, and the rest of the row."""
    if mark == b" ":
        line = line.lstrip()
    if not line.startswith(b'"'):
        name, _, rest = line.partition(mark)
        return name.strip(), rest
    name, _, rest = line[1:].partition(b'"' + mark)
    return name.replace(b'""', b'"').strip(), rest


def _are_names(names: list[bytes], layout: _Layout, row: int) -> bool:
    """Whether rows are called as the columns are, in the same order, or counted as before."""
    if not layout.before:
        return True
    wanted = layout.labels[row : row + len(names)]
    if not layout.counted:
        return [name.decode("utf-8", "replace") for name in names] == list(wanted)
    first = int(names[0]) if names[0].isdigit() else -1
    return first in (row, row + 1) and names == [b"%d" % (first + k) for k in range(len(names))]


def _numbers(rows: list[bytes], delimiter: str, decimal: str) -> FloatArray | None:
    """All numbers of some rows; None where there is one that is not plain, or too large."""
    # One below the other: a table of a single column is what pandas reads fastest.
    if delimiter == " ":
        column = b"\n".join(b"\n".join(row.split()) for row in rows)
    else:
        column = b"\n".join(rows).replace(delimiter.encode(), b"\n")
    try:
        read = pd.read_csv(
            io.BytesIO(column),
            header=None,
            sep="\t",
            dtype=np.float64,
            decimal=decimal,
            skip_blank_lines=False,
            keep_default_na=False,
            na_values=_MISSING,
            **_EXACT,
        )
    except ValueError:
        return None
    found: FloatArray = read[0].to_numpy()
    # A last value that is missing is no line.
    if column.endswith(b"\n"):
        found = np.append(found, np.nan)
    return None if (np.abs(found) > LARGEST_SQUARED).any() else found


def _is_square(values: FloatArray, layout: _Layout) -> bool:
    """Whether the values speak for a square where names do not stand on both sides of it."""
    if not layout.above or (layout.before and not layout.counted):
        return True
    diagonal = np.diagonal(values)
    few = values[:50, :50]
    same = bool((diagonal == diagonal[0]).all())
    return same or bool((few == few.T).all())
