"""Rectangles of four heights and four widths, judged by people; the width is known."""

from __future__ import annotations

import sys
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist

from benchmarks.calibration_data import repeated
from benchmarks.report import Table
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence.dimensions import dimensions
from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.evidence.ranking import what_might_it_be
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray
from cml_core.values.origin import Origin

SIDES, PEOPLE, RESAMPLES = 4, 16, 39
ABOUT = f"""\
{SIDES} × {SIDES} rectangles whose logarithms of height and width are evenly spaced, judged by \
{PEOPLE} people: each weighs height and width in their own way, sees distances with an error of \
20 %, bends them (d to a power from .6 to .9) and says a number from 1 to 7. Width is known. *One \
left* is the share of data sets in which held-out pairs and people choose one dimension, *no more* \
the share in which the test of that map, people drawn anew ({RESAMPLES} resamples), finds no sign \
of another, *one and no more* that in which both are said, *with a chance* that in which that test \
gives a p-value (elsewhere it says what else is seen), *some* that in which that of no dimension \
raises an alarm that nothing else explains (of ratings, asked on their order alone). *Height \
first* is the share in which it leads the ranking before shape (height over width), area, the \
number of the rectangle and two random features."""
HEADS = ("scale", "some", "one left", "no more", "one and no more", "with a chance", "height first")


class Found(NamedTuple):
    """What the program said of one data set."""

    some: bool
    one_left: bool
    no_more: bool
    one_and_no_more: bool
    with_a_chance: bool
    height_first: bool


def rectangles_calibration(data_sets: int) -> list[Table]:
    """A row for each scale."""
    rows = []
    for scale in ("interval", "ordinal"):
        found = np.array(repeated(_found, data_sets, scale))
        rows.append((scale, *(f"{share:.2f}" for share in found.mean(axis=0))))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _found(scale: str, seed: int) -> Found:
    random = np.random.default_rng(seed)
    sides = np.array(list(product(range(SIDES), repeat=2)), dtype=float)
    labels = tuple(f"{height:g} by {width:g}" for height, width in sides)
    said = np.array([_of_one(sides, random) for _ in range(PEOPLE)])
    answers = Answers.once(labels, tuple(f"person {k}" for k in range(PEOPLE)), said)
    width = Feature.numeric("Width", sides[:, 1])
    values = Dissimilarities(labels, answers.mean)
    problems = [Problem(values, FeatureTable(labels, (width,)), p, scale=scale) for p in (0, 1)]
    maps = [fit(problem, seed=seed) for problem in problems]
    tests = [
        hidden_feature_test(
            one, answers=answers, origin=Origin("ratings"), resamples=RESAMPLES, seed=seed
        )
        for one in maps
    ]
    some, more = (_alarm(one) for one in tests)
    chosen = dimensions(problems[1], answers=answers, most=3, seed=seed).chosen
    ranked = what_might_it_be(maps[1], _candidates(labels, sides, random), seed=seed)
    first = ranked.candidates[0].feature
    one = chosen == 1
    chance = tests[1].p_value is not None
    return Found(some, one, not more, one and not more, chance, first == "Height")


def _alarm(test: HiddenFeature) -> bool:
    """Also on the scale on which ratings get no p-value."""
    chance = (1 + (test.null >= test.lowered).sum()) / (1 + RESAMPLES)
    return bool(chance <= 0.05 and not test.misfits)


def _of_one(sides: FloatArray, random: np.random.Generator) -> FloatArray:
    seen = pdist(sides * np.sqrt(random.gamma(4.0, 0.25, 2)))
    seen = np.abs(seen * (1.0 + 0.2 * random.standard_normal(seen.size)))
    bent = (seen / seen.max()) ** random.uniform(0.6, 0.9)
    rated: FloatArray = np.round(1.0 + 6.0 * bent)
    return rated


def _candidates(
    labels: tuple[str, ...], sides: FloatArray, random: np.random.Generator
) -> FeatureTable:
    height, width = sides.T
    told = {
        "Shape": height - width,
        "Area": height + width,
        "Height": height,
        "Number": np.arange(len(sides), dtype=float),
        "Random": random.normal(size=len(sides)),
        "Another": random.normal(size=len(sides)),
    }
    return FeatureTable(labels, tuple(Feature.numeric(name, x) for name, x in told.items()))
