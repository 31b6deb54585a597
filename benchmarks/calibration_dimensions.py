"""How many dimensions the held-out pairs choose, where three are hidden."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from benchmarks.calibration_data import Cars, repeated
from benchmarks.calibration_kinds import ABOUT as KINDS_ABOUT
from benchmarks.calibration_kinds import Made
from benchmarks.report import Table
from cml_core import Problem
from cml_core.evidence.dimensions import Dimensions, dimensions
from cml_core.values.words import percent

KNOWN, HIDDEN, MOST = 4, 3, 6
ABOUT = f"""\
Car brands of which {KNOWN} of 7 features are known, so {HIDDEN} dimensions are hidden; 10 folds. \
*Chosen* is the share of data sets in which so many dimensions are chosen, the fewest within one \
standard error of the lowest held-out error; *left open* the share in which the verdict says that \
the data do not decide, because the error with other numbers is within one standard error.

The second table is of other data, with 20 objects: {KINDS_ABOUT[0].lower()}{KINDS_ABOUT[1:]} By \
*people* says that they are held out with the pairs."""
HEADS = ("N", "noise", "error in known features", *map(str, range(MOST + 1)), "left open")
CELLS = (
    Cars(30, KNOWN, size=0.05),
    Cars(30, KNOWN, size=0.2),
    Cars(60, KNOWN, size=0.05),
    Cars(60, KNOWN, size=0.2),
    Cars(30, KNOWN, size=0.05, feature_noise=0.05),
    Cars(60, KNOWN, size=0.05, feature_noise=0.05),
)


KIND_HEADS = ("data", "scale", "hidden", "by", *map(str, range(MOST)), "left open")
PAIRS, PEOPLE = "pairs", "people"
KIND_CELLS = (
    ("distances", "ratio", PAIRS),
    ("square roots", "ratio", PAIRS),
    ("square roots", "power", PAIRS),
    ("squares", "power", PAIRS),
    ("half the mean added", "interval", PAIRS),
    ("saturating", "spline", PAIRS),
    ("one rating from 1 to 7", "ordinal", PAIRS),
    ("ratings of 16 people", "ratio", PEOPLE),
    ("ratings of 16 people", "interval", PAIRS),
    ("ratings of 16 people", "interval", PEOPLE),
    ("ratings of 16 people", "ordinal", PEOPLE),
    ("16 people who weigh otherwise", "ratio", PEOPLE),
    ("sortings of 30 people", "ratio", PEOPLE),
    ("sortings of 30 people", "interval", PEOPLE),
    ("sortings of 30 people", "ordinal", PEOPLE),
)


def dimensions_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of data."""
    return [_of_cars(data_sets), _of_kinds(data_sets)]


def _of_kinds(data_sets: int) -> Table:
    rows = []
    for hidden in (1, 2):
        for kind, scale, by in KIND_CELLS:
            found = repeated(_found_of_kind, data_sets, Made(kind, scale, hidden), by)
            row = (kind, scale, f"{hidden}", by, *_shares(found, MOST))
            print(*row, sep=" | ", file=sys.stderr, flush=True)
            rows.append(row)
    return Table(KIND_HEADS, tuple(rows))


def _found_of_kind(made: Made, by: str, seed: int) -> Dimensions:
    sample = made.simulated(seed)
    answers = sample.answers if by == PEOPLE else None
    return dimensions(sample.problem, most=MOST - 1, seed=seed, answers=answers)


def _shares(found: Sequence[Dimensions], numbers: int) -> tuple[str, ...]:
    """How often each number is chosen, and how often others are left open."""
    chosen = Counter(one.chosen for one in found)
    left_open = sum(len(one.open) > 1 for one in found)
    counts = [*(chosen[p] for p in range(numbers)), left_open]
    return tuple(f"{count / len(found):.2f}" for count in counts)


def _of_cars(data_sets: int) -> Table:
    rows = []
    for cars in CELLS:
        found = repeated(_found, data_sets, cars)
        rows.append(
            (
                f"{cars.n_objects}",
                percent(cars.size, 0),
                percent(cars.feature_noise, 0),
                *_shares(found, MOST + 1),
            )
        )
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return Table(HEADS, tuple(rows))


def _found(cars: Cars, seed: int) -> Dimensions:
    dissimilarities, known, _ = cars.simulated(seed)
    return dimensions(Problem(dissimilarities, known), most=MOST, seed=seed)
