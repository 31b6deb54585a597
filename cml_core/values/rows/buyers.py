"""Simulated buyers, up to a million: what each spends on fifty things, made block by block.

Their rows are never kept: each block is made from the seed and its number, as often as it is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cml_core.values.arrays import FloatArray
from cml_core.values.real_numbers import whole_number
from cml_core.values.rows.rows import Column

# Rows of one block; part of what a seed means, so it never changes.
BLOCK = 8192
THINGS = 50
REGIONS = ("North", "South", "East", "West")
CHANNELS = ("Shop", "Web")
# What is hidden, as columns of `truth`.
HIDDEN = ("Thrift", "Curiosity")
KNOWN = ("Age", "Region", "Channel")
_INNER = len(HIDDEN) + 1 + len(REGIONS) + len(CHANNELS)
# How much each counts for what is spent: thrift, curiosity, age, regions, channels.
_WEIGHTS = np.array([0.8, 0.6, 1.4, 1.2, 1.2, 1.2, 1.2, 1.0, 1.0])
NOISE = 0.6
_OLDEST, _YOUNGEST = 80.0, 18.0


@dataclass(frozen=True)
class BuyersRows:
    """Rows of simulated buyers: fifty amounts, then age, region and channel.

    Parameters
    ----------
    n_rows : how many buyers.
    seed : repeats them.
    first : which of all buyers of the seed are the first of these, by blocks.
    """

    n_rows: int
    seed: int = 0
    first: int = 0
    labels: None = None
    here: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_rows", whole_number("n_rows", self.n_rows, least=1))
        object.__setattr__(self, "seed", whole_number("seed", self.seed))

    @property
    def columns(self) -> tuple[Column, ...]:
        things = tuple(Column(f"thing {k + 1}") for k in range(THINGS))
        return (*things, Column("Age"), Column("Region", REGIONS), Column("Channel", CHANNELS))

    def blocks(self, size: int) -> Iterator[FloatArray]:
        for first in range(0, self.n_rows, BLOCK):
            whole = self._block(self.first + first // BLOCK)[0][: self.n_rows - first]
            for start in range(0, len(whole), size):
                yield whole[start : start + size]

    def parts(self, size: int) -> Iterator[BuyersRows]:
        blocks = max(size // BLOCK, 1)
        for first in range(0, self.n_rows, blocks * BLOCK):
            count = min(blocks * BLOCK, self.n_rows - first)
            yield BuyersRows(count, self.seed, self.first + first // BLOCK)

    def truth(self) -> FloatArray:
        """(N, 2) what is hidden of each: thrift and curiosity."""
        count = -(-self.n_rows // BLOCK)
        return np.concatenate([self._block(self.first + k)[1] for k in range(count)])[: self.n_rows]

    @cached_property
    def _loadings(self) -> FloatArray:
        """What is spent more or less by whom; what is hidden goes its own ways in it."""
        random = np.random.default_rng([self.seed])
        ways = np.linalg.qr(random.normal(size=(THINGS, _INNER)))[0].T * np.sqrt(THINGS)
        loadings: FloatArray = (ways * _WEIGHTS[:, None]).astype(np.float32)
        return loadings

    def _block(self, number: int) -> tuple[FloatArray, FloatArray]:
        """One block of rows, and what is hidden of them."""
        random = np.random.default_rng([self.seed, 1, number])
        hidden = random.uniform(-1.7, 1.7, (BLOCK, len(HIDDEN)))
        age = random.uniform(_YOUNGEST, _OLDEST, BLOCK)
        region = random.integers(len(REGIONS), size=BLOCK)
        channel = random.integers(len(CHANNELS), size=BLOCK)
        standing = (age - (_OLDEST + _YOUNGEST) / 2) / (_OLDEST - _YOUNGEST)
        groups = (region[:, None] == range(len(REGIONS)), channel[:, None] == range(len(CHANNELS)))
        inner = np.hstack([hidden, standing[:, None], *groups]).astype(np.float32)
        noise = random.standard_normal((BLOCK, THINGS), dtype=np.float32)
        spent = inner @ self._loadings + np.float32(NOISE) * noise
        return np.column_stack([spent, age, region, channel]).astype(np.float64), hidden
