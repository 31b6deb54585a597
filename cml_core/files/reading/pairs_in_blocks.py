"""Long lists of pairs, read from their bytes in blocks; names are counted on the way."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from cml_core.errors import TooManyObjects
from cml_core.files.reading.heads import are_heads_of_pairs
from cml_core.files.reading.in_blocks import Start
from cml_core.files.reading.marks import doubtful_number
from cml_core.files.reading.names import more_than
from cml_core.files.reading.numbers import is_text, notes_on, number
from cml_core.files.reading.pair_columns import has_header
from cml_core.files.reading.pairs import Listed, table_of
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.real_numbers import LARGEST_SQUARED

_Texts: TypeAlias = np.ndarray[tuple[int], np.dtype[Any]]
_COLUMNS = ["first", "second", "value"]
_AT_ONCE = 50_000
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
    ends: list[IntArray] = []
    given: list[FloatArray] = []
    try:
        for both, block in _blocks(start, headed):
            ends.append(names.numbered(both))
            given.append(block)
    except TooManyObjects:
        raise
    except ValueError:
        return None
    first, second = np.concatenate(ends).reshape(-1, 2).T
    values = np.concatenate(given)
    if not names.are_of_pairs or (np.abs(values) > LARGEST_SQUARED).any():
        return None
    found = Listed(names.labels, first, second, values, None)
    return table_of(found, notes_on(start.head))


def _headed(head: Cells) -> bool | None:
    """Whether the first line names the columns; None where these are no pairs of plain names."""
    if {len(row) for row in head.rows} != {3}:
        return None
    headed = has_header(head)
    body = head.rows[int(headed) :]
    named = all(is_text(name) for row in body for name in row[:2])
    numbers = all(number(row[2], head.decimal_comma) is not None for row in body)
    return headed if named and numbers and not doubtful_number(head) else None


def _blocks(start: Start, headed: bool) -> Iterator[tuple[_Texts, FloatArray]]:
    """Both names of each line in turn, and the values."""
    # Where a line has more cells, or a value is no number, pandas raises; one that has fewer cells
    # lacks its value, and is told from one whose value is missing by counting what stands between.
    mark = start.delimiter.encode()
    lines = 0
    with pd.read_csv(
        io.BytesIO(memoryview(start.data)[start.begin :]),
        header=None,
        names=_COLUMNS,
        skiprows=int(headed),
        sep=start.delimiter,
        dtype=dict(zip(_COLUMNS, (str, str, np.float64), strict=True)),
        decimal="," if start.head.decimal_comma else ".",
        keep_default_na=False,
        na_values={_COLUMNS[2]: _MISSING},
        skipinitialspace=True,
        index_col=False,
        chunksize=_AT_ONCE,
    ) as blocks:
        for block in blocks:
            lines += len(block)
            both = np.empty((len(block), 2), dtype=object)
            both[:, 0], both[:, 1] = block[_COLUMNS[0]], block[_COLUMNS[1]]
            yield both.ravel(), block[_COLUMNS[2]].to_numpy()
    if start.data.count(mark, start.begin) != 2 * (lines + headed):
        raise ValueError


class _Names:
    """The number of each name, in the order in which they come up."""

    def __init__(self, limits: Limits, told: bool) -> None:
        self._limits = limits
        self._places: dict[str, int] = {}
        self._sides: tuple[set[int], set[int]] = (set(), set())
        self._told = told

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self._places)

    @property
    def are_of_pairs(self) -> bool:
        """Whether names stand on both sides, as where objects are compared with each other."""
        return self._told or not self._sides[0].isdisjoint(self._sides[1])

    def numbered(self, both: _Texts) -> IntArray:
        """The numbers of both names of each line."""
        codes, different = pd.factorize(both)
        for name in different:
            self._places.setdefault(name, len(self._places))
            if not name or name != name.strip() or len(name) > self._limits.label_length:
                raise ValueError
        found = np.array([self._places[name] for name in different])[codes]
        for side, seen in enumerate(self._sides):
            seen.update(np.unique(found[side::2]).tolist())
        most = self._limits.objects
        # A list of what many people did has as many names on one side alone.
        if len(self._places) > most and (self.are_of_pairs or min(map(len, self._sides)) > most):
            raise more_than(self._limits)
        return found
