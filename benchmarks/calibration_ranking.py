"""How often the ranking of features is right."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from benchmarks.calibration_data import alarms, repeated, repeating
from benchmarks.report import Table
from cml_core import Feature, FeatureTable, Problem, fit
from cml_core.datasets import simulate_car_brands
from cml_core.evidence.ranking import what_might_it_be
from cml_core.values.words import percent

KNOWN = 4
HIDDEN = ("Economy", "Design", "Technology")
NUMBERS, CATEGORIES, REPEATING = "random numbers", "random categories", "mostly a known feature"
CELLS = tuple((n_objects, noise) for n_objects in (30, 60) for noise in (0.2, 0.05))
SEED = 0
ABOUT = f"""\
Car brands of which {KNOWN} of 7 features are known, without error, and the map has 3 dimensions. \
Each figure is the share of data sets with p ≤ .05, with twice its standard error; 999 dealings, \
what is known taken out of each, straight and curved. Where no p-value is given, that is neither \
alarm nor power. \
False alarms: numbers or three categories that chance has dealt out, numbers that mostly repeat a \
known feature (r = .8), and any alarm among five random features after adjusting (Benjamini and \
Hochberg). Power: the three features that are hidden, each by itself, and the share of data sets \
in which one of them comes first among these and the five random ones."""
HEADS = (
    "N",
    "noise",
    NUMBERS,
    CATEGORIES,
    REPEATING,
    "any of 5, adjusted",
    *HIDDEN,
    "a hidden one first",
)


@dataclass(frozen=True)
class Found:
    """What the ranking said of one data set."""

    p_values: dict[str, float]
    lowest_adjusted: float
    hidden_first: bool


def ranking_calibration(data_sets: int) -> list[Table]:
    """False alarms and power, a row for each number of objects and size of noise."""
    rows = []
    for n_objects, noise in CELLS:
        found = repeated(_measured, data_sets, n_objects, noise, SEED)
        tested = (NUMBERS, CATEGORIES, REPEATING)
        row = (
            str(n_objects),
            percent(noise, 0),
            *(alarms([one.p_values.get(name, np.nan) for one in found]) for name in tested),
            alarms([one.lowest_adjusted for one in found]),
            *(alarms([one.p_values.get(name, np.nan) for one in found]) for name in HIDDEN),
            f"{np.mean([one.hidden_first for one in found]):.3f}",
        )
        print(*row, sep=" | ", file=sys.stderr, flush=True)
        rows.append(row)
    return [Table(HEADS, tuple(rows))]


def _measured(n_objects: int, noise: float, seed: int, data_set: int) -> Found:
    drawn = np.random.SeedSequence([seed, n_objects, data_set])
    random = np.random.default_rng(drawn)
    data = simulate_car_brands(
        n_objects,
        noise=noise,
        feature_noise=0.0,
        known=KNOWN,
        seed=int(random.integers(2**31)),
    )
    known = data.feature_table()
    found = fit(Problem(data.values(), known, n_components=len(HIDDEN)), seed=data_set)
    true = tuple(Feature.numeric(name, data.raw[name]) for name in HIDDEN)
    chance = _unrelated(n_objects, random)
    others = FeatureTable(known.labels, (*true, repeating(REPEATING, known, random)))
    unrelated = what_might_it_be(found, FeatureTable(known.labels, chance), seed=data_set)
    related = what_might_it_be(found, others, seed=data_set)
    candidates = (*unrelated.candidates, *related.candidates)
    shares = {one.feature: one.best for one in candidates if one.feature != REPEATING}
    return Found(
        {one.feature: one.p_value for one in candidates if one.p_value is not None},
        min(
            (one.adjusted for one in unrelated.candidates if one.adjusted is not None), default=1.0
        ),
        max(shares, key=shares.__getitem__) in HIDDEN,
    )


def _unrelated(n_objects: int, random: np.random.Generator) -> tuple[Feature, ...]:
    """Five features that have nothing to do with anything."""
    numbers = [NUMBERS, "more numbers", "yet more numbers"]
    categories = [CATEGORIES, "more categories"]
    return (
        *(Feature.numeric(name, random.uniform(size=n_objects)) for name in numbers),
        *(
            Feature.categorical(name, random.choice(list("abc"), n_objects), list("abc"))
            for name in categories
        ),
    )
