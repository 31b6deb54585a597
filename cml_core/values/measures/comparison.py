"""How rows of measurements are compared: all that another process needs to know of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cml_core.values.arrays import FloatArray, IntArray, RealArray, pair_count
from cml_core.values.measures.measure import Measure, Reach
from cml_core.values.rows.rows import Column, Rows
from cml_core.values.rows.several import recoded

# So many rows are read at a time.
BLOCK = 8192
# Rows of a table of all pairs that are computed at a time.
PART = 256


@dataclass(frozen=True, eq=False)
class Comparison:
    """A measure, set to the columns that all objects share.

    Parameters
    ----------
    columns : as groups are counted in them; `reach` is how far they reach.
    """

    measure: Measure
    columns: tuple[Column, ...]
    reach: Reach

    @property
    def unit(self) -> float:
        """What `write` gives is to be multiplied by this."""
        return self.measure.unit(self.reach)

    def prepared(self, block: FloatArray, columns: tuple[Column, ...]) -> FloatArray:
        """A block of rows, whose groups are counted as in its own columns, as `write` takes it."""
        return self.measure.prepared(recoded(block, columns, self.columns), self.reach)

    def blocks(self, rows: Rows) -> Iterator[FloatArray]:
        """All rows as `write` takes them, up to 8192 at a time."""
        for block in rows.blocks(BLOCK):
            yield self.prepared(block, rows.columns)

    def taken(self, rows: Rows, places: IntArray) -> FloatArray:
        """The rows at these places, which rise, as `write` takes them; one pass over all rows."""
        found, first = [], 0
        for block in rows.blocks(BLOCK):
            low, high = np.searchsorted(places, (first, first + len(block)))
            found.append(block[places[low:high] - first])
            first += len(block)
        return self.prepared(np.concatenate(found), rows.columns)

    def write(self, rows: RealArray, references: RealArray, out: RealArray) -> None:
        """Write how far each row is from each reference, (K, M), but for `unit`, into (n, M)."""
        amounts = int((~self.reach.groups).sum())
        self.measure.write(rows, references, amounts, out)

    def between(self, rows: FloatArray) -> FloatArray:
        """(n(n-1)/2,) between all of these prepared rows, condensed and read-only."""
        n = len(rows)
        condensed = np.empty(pair_count(n))
        references = np.ascontiguousarray(rows.T)
        at = 0
        for first in range(0, n, PART):
            part = rows[first : first + PART]
            table = np.empty((len(part), n - first))
            self.write(part, np.ascontiguousarray(references[:, first:]), table)
            for i in range(len(part)):
                row = table[i, i + 1 :]
                condensed[at : at + row.size] = row
                at += row.size
        condensed *= self.unit
        condensed.setflags(write=False)
        return condensed
