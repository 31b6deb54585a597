"""Timing contenders in turn, so that whatever disturbs the machine disturbs all of them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Effort:
    """How much a run of the benchmarks may take.

    Parameters
    ----------
    sizes : numbers of objects at which peers are run to the same stress.
    pass_sizes : at which peers are too slow for that, and single passes are compared.
    own_sizes : at which only this package is measured.
    memory_size : at which memory is measured.
    repeats : the most rounds of one comparison.
    budget : no further round begins after this many seconds.
    patience : the most seconds that a peer may take to reach a stress.
    data_sets : of so many, recovery is the median.
    large_sizes : at which measured objects are placed among landmarks.
    """

    sizes: tuple[int, ...]
    pass_sizes: tuple[int, ...]
    own_sizes: tuple[int, ...]
    memory_size: int
    repeats: int
    budget: float
    patience: float
    data_sets: int
    large_sizes: tuple[int, ...]


FULL = Effort(
    (100, 500, 2000),
    (5000, 10000),
    (100, 500, 2000, 5000, 10000),
    10000,
    5,
    60.0,
    60.0,
    40,
    (10_000, 100_000, 1_000_000),
)
QUICK = Effort((100, 500), (1000,), (100, 500, 2000), 2000, 3, 4.0, 4.0, 5, (10_000,))


@dataclass(frozen=True)
class Timing:
    """Wall-clock seconds of every round, and what every round returned."""

    rounds: tuple[float, ...]
    results: tuple[Any, ...]

    @property
    def seconds(self) -> float:
        """The median."""
        return median(self.rounds)

    @property
    def least(self) -> float:
        """The least disturbed round."""
        return min(self.rounds)

    @property
    def result(self) -> Any:
        """What the last round returned."""
        return self.results[-1]


def interleaved(
    contenders: Mapping[str, Callable[[], Any]], effort: Effort, repeats: int | None = None
) -> dict[str, Timing]:
    """Run all contenders one after the other, again and again."""
    began = time.perf_counter()
    rounds: dict[str, list[float]] = {name: [] for name in contenders}
    results: dict[str, list[Any]] = {name: [] for name in contenders}
    for number in range(repeats or effort.repeats):
        if number and time.perf_counter() - began > effort.budget:
            break
        for name, run in contenders.items():
            start = time.perf_counter()
            results[name].append(run())
            rounds[name].append(time.perf_counter() - start)
    return {name: Timing(tuple(rounds[name]), tuple(results[name])) for name in contenders}


def seconds_per_pass(few: Timing, many: Timing, passes: int) -> float:
    """What one more pass costs, from runs that differ by this many passes.

    The difference of medians would be lost where much is done beside the passes. NaN where
    the machine was so disturbed that fewer passes took longer.
    """
    difference = many.least - few.least
    return difference / passes if difference > 0 else math.nan
