"""Long lists of pairs, read from their bytes in blocks; names are counted on the way."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import TooManyObjects
from cml_core.files.reading.decimals import doubtful_number
from cml_core.files.reading.heads import are_heads_of_pairs
from cml_core.files.reading.in_blocks import Start
from cml_core.files.reading.names import more_than
from cml_core.files.reading.numbers import is_text, notes_on, number
from cml_core.files.reading.pair_columns import has_header
from cml_core.files.reading.pairs import Listed, table_of
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.real_numbers import LARGEST_SQUARED

_SIDES, _VALUE = ("first", "second"), "value"
_COLUMNS = [*_SIDES, _VALUE]
_TYPES: dict[str, Any] = {**dict.fromkeys(_SIDES, "category"), _VALUE: np.float64}
_AT_ONCE = 100_000
_MISSING = ["", "NA", "NaN", "nan"]


def pairs_in_blocks(start: Start, limits: Limits) -> RawTable | None:
    """The pairs that a file of three columns surely lists; None where it may be anything else.

    Raises
    ------
    TooManyObjects : as soon as there are more names than are read.
    """
    headed = _headed(start.head)
    if headed is None or start.delimiter in ("|", " "):
        return None
    told = headed and are_heads_of_pairs(*start.head.rows[0][:2])
    names = _Names(limits, told)
    try:
        found = _listed(start, headed, names)
    except TooManyObjects:
        raise
    except ValueError:
        return None
    return table_of(found, notes_on(start.head)) if names.are_of_pairs else None


def _listed(start: Start, headed: bool, names: _Names) -> Listed:
    ends: list[IntArray] = []
    values: list[FloatArray] = []
    for block in _blocks(start, headed):
        ends.append(names.numbered(block))
        values.append(_values(block))
    first, second = np.concatenate(ends, axis=1)
    return Listed(names.labels, first, second, np.concatenate(values), None)


def _headed(head: Cells) -> bool | None:
    """Whether the first line names the columns; None where these are no pairs of plain names."""
    if {len(row) for row in head.rows} != {3}:
        return None
    headed = has_header(head)
    body = head.rows[int(headed) :]
    named = all(is_text(name) for row in body for name in row[:2])
    numbers = all(number(row[2], head.decimal_comma) is not None for row in body)
    return headed if named and numbers and not doubtful_number(head) else None


def _blocks(start: Start, headed: bool) -> Iterator[pd.DataFrame]:
    """The columns of some lines at a time; names are categories, which take no text for each."""
    # Where a line has more cells, or a value is no number, pandas raises; one that has fewer cells
    # lacks its value, and is told from one whose value is missing by counting what stands between.
    mark = start.delimiter.encode()
    lines = 0
    source = io.BytesIO(start.data)
    source.seek(start.begin)
    with pd.read_csv(
        source,
        header=None,
        names=_COLUMNS,
        skiprows=int(headed),
        sep=start.delimiter,
        dtype=_TYPES,
        decimal="," if start.head.decimal_comma else ".",
        keep_default_na=False,
        na_values={_VALUE: _MISSING},
        index_col=False,
        chunksize=_AT_ONCE,
    ) as blocks:
        for block in blocks:
            lines += len(block)
            yield block
    if start.data.count(mark, start.begin) != 2 * (lines + headed):
        raise ValueError


def _values(block: pd.DataFrame) -> FloatArray:
    values: FloatArray = block[_VALUE].to_numpy()
    if max(np.nanmax(values, initial=0), -np.nanmin(values, initial=0)) > LARGEST_SQUARED:
        raise ValueError
    return values


class _Names:
    """The number of each name, in the order in which they come up."""

    def __init__(self, limits: Limits, told: bool) -> None:
        self._limits = limits
        self._places: dict[str, int] = {}
        self._sides: tuple[set[str], set[str]] = (set(), set())
        self._told = told

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self._places)

    @property
    def are_of_pairs(self) -> bool:
        """Whether names stand on both sides, as where objects are compared with each other."""
        return self._told or not self._sides[0].isdisjoint(self._sides[1])

    def numbered(self, block: pd.DataFrame) -> IntArray:
        """(2, K) the numbers of both names of each line."""
        columns = [block[side].array for side in _SIDES]
        texts = [column.categories.tolist() for column in columns]
        for seen, names in zip(self._sides, texts, strict=True):
            seen.update(names)
        self._check_count()
        codes = [column.codes for column in columns]
        if any(name not in self._places for names in texts for name in names):
            self._add(codes, texts)
        found = np.empty((2, len(block)), dtype=np.int64)
        for side, names in enumerate(texts):
            found[side] = np.array([self._places[name] for name in names])[codes[side]]
        return found

    def _add(self, codes: list[IntArray], texts: list[list[str]]) -> None:
        """Give new names their numbers, as they come up line by line."""
        begins: dict[str, int] = {}
        for side, names in enumerate(texts):
            different, first = np.unique(codes[side], return_index=True)
            for code, line in zip(different.tolist(), first.tolist(), strict=True):
                place = 2 * line + side
                begins[names[code]] = min(begins.get(names[code], place), place)
        for name in sorted(begins, key=begins.__getitem__):
            if not name or name != name.strip() or len(name) > self._limits.label_length:
                raise ValueError
            self._places.setdefault(name, len(self._places))

    def _check_count(self) -> None:
        most = self._limits.objects
        different = len(self._sides[0] | self._sides[1])
        # A list of what many people did has as many names on one side alone.
        if different > most and (self.are_of_pairs or min(map(len, self._sides)) > most):
            raise more_than(self._limits)
