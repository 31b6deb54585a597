"""How often the hidden-feature test gives an alarm, with and without a hidden feature."""

from __future__ import annotations

import sys

from benchmarks.calibration_data import NOISES, Cars, alarms, repeated
from benchmarks.report import Table
from cml_core import Problem, fit
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.values.words import percent

RESAMPLES = 39
STARTS = 20
# (known of the seven features, hidden dimensions)
ENOUGH = ((7, 0), (6, 1), (4, 3))
ONE_MORE = ((6, 0), (5, 1), (4, 2))
ABOUT = f"""\
Each figure is the share of data sets in which the test of "p are enough" gives p ≤ .05, with \
twice its standard error. {RESAMPLES} resamples a test, the map the best of {STARTS} starts. Where \
p + the known are all seven features these are false alarms, else it is the power to see the \
features that are still hidden. With errors in the known features the test finds these errors."""


def hidden_feature_calibration(data_sets: int) -> list[Table]:
    """False alarms, power, and what errors in known features do."""
    heads = ("features", "N", "noise", "size", "p ≤ .05")
    false = [
        (Cars(n, n_known, noise, size), p)
        for n, size in ((30, 0.2), (60, 0.2), (30, 0.05))
        for n_known, p in ENOUGH
        for noise in NOISES
    ]
    power = [(Cars(60, n_known, noise), p) for n_known, p in ONE_MORE for noise in NOISES]
    power += [(Cars(30, n_known), p) for n_known, p in ONE_MORE]
    noisy = [(Cars(60, n_known, "multiplicative", 0.2, 0.05), p) for n_known, p in ENOUGH]
    return [
        Table(heads, tuple(_row(cars, p, data_sets) for cars, p in cells))
        for cells in (false, power, noisy)
    ]


def _row(cars: Cars, p: int, data_sets: int) -> tuple[str, ...]:
    asked = f"{cars.n_known} of 7 known, p = {p}"
    asked += f", known with {percent(cars.feature_noise, 0)} noise" if cars.feature_noise else ""
    row = (asked, f"{cars.n_objects}", cars.noise, percent(cars.size, 0))
    found = (*row, alarms(repeated(_p_value, data_sets, cars, p)))
    print(*found, sep=" | ", file=sys.stderr, flush=True)
    return found


def _p_value(cars: Cars, p: int, seed: int) -> float:
    dissimilarities, known, _ = cars.simulated(seed)
    found = fit(Problem(dissimilarities, known, n_components=p), n_init=STARTS, seed=seed)
    shown = hidden_feature_test(found, resamples=RESAMPLES, seed=seed).p_value
    # None is shown where the residuals follow something else: no alarm either.
    return 1.0 if shown is None else shown
