"""How many dimensions the held-out pairs choose, where three are hidden."""

from __future__ import annotations

import sys
from collections import Counter

from benchmarks.calibration_data import Cars, repeated
from benchmarks.report import Table
from cml_core import Problem
from cml_core.evidence.dimensions import Dimensions, dimensions
from cml_core.values.words import percent

KNOWN, HIDDEN, MOST = 4, 3, 6
ABOUT = f"""\
Car brands of which {KNOWN} of 7 features are known, so {HIDDEN} dimensions are hidden; 10 folds. \
*Chosen* is the share of data sets in which so many dimensions are chosen, the fewest within one \
standard error of the lowest held-out error; *left open* the share in which the verdict says that \
the data do not decide, because the error with other numbers is within one standard error."""
HEADS = ("N", "noise", "error in known features", *map(str, range(MOST + 1)), "left open")
CELLS = (
    Cars(30, KNOWN, size=0.05),
    Cars(30, KNOWN, size=0.2),
    Cars(60, KNOWN, size=0.05),
    Cars(60, KNOWN, size=0.2),
    Cars(30, KNOWN, size=0.05, feature_noise=0.05),
    Cars(60, KNOWN, size=0.05, feature_noise=0.05),
)


def dimensions_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of data."""
    rows = []
    for cars in CELLS:
        found = repeated(_found, data_sets, cars)
        chosen = Counter(one.chosen for one in found)
        rows.append(
            (
                f"{cars.n_objects}",
                percent(cars.size, 0),
                percent(cars.feature_noise, 0),
                *(f"{chosen[p] / data_sets:.2f}" for p in range(MOST + 1)),
                f"{sum(len(one.open) > 1 for one in found) / data_sets:.2f}",
            )
        )
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _found(cars: Cars, seed: int) -> Dimensions:
    dissimilarities, known, _ = cars.simulated(seed)
    return dimensions(Problem(dissimilarities, known), most=MOST, seed=seed)
