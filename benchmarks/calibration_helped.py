"""How often "did it help" says so of features that do and that do not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks.calibration_data import NAMES, Cars, alarms, repeated, repeating
from benchmarks.calibration_kinds import ABOUT as KINDS_ABOUT
from benchmarks.calibration_kinds import Made, Sample
from benchmarks.report import Table
from cml_core import Feature, FeatureTable, Problem, fit
from cml_core.drawing.arrow import Arrow
from cml_core.evidence.importance import did_it_help
from cml_core.fitting.scales.registry import RATIO
from cml_core.values.words import percent

SHUFFLES = 19
NEW = "New"
ABOUT = f"""\
Each figure is the share of data sets in which the judged feature gets p ≤ .05, with twice its \
standard error; {SHUFFLES} shuffled features, 10 folds. Features that say nothing give false \
alarms: numbers or three categories that chance has dealt out, and numbers that mostly repeat a \
known feature (r = .8). *Economy* is one of the seven true features.

The last two tables are of other data: {KINDS_ABOUT[0].lower()}{KINDS_ABOUT[1:]} The map has as \
many dimensions as are hidden before the judged feature is known. *Helps* and *takes the place* \
are the shares of data sets in which the verdict says so, *either* that in which it says one of \
the two; p ≤ .05 with as many dimensions, and with one fewer, are what they rest on. *Hidden, \
typed* are the exact values of a hidden feature, *drawn* are read off the map, where a straight \
direction predicts them best. *Chance, drawn* is an arrow along the second axis of a map on which \
one dimension is hidden. By *people* says that they are held out with the pairs."""

Dealt = Callable[[FeatureTable, np.random.Generator], Feature]


def _numbers(known: FeatureTable, random: np.random.Generator) -> Feature:
    return Feature.numeric(NEW, random.uniform(size=len(known.labels)))


def _categories(known: FeatureTable, random: np.random.Generator) -> Feature:
    return Feature.categorical(NEW, random.choice(list("abc"), len(known.labels)), list("abc"))


NOTHING: dict[str, Dealt] = {
    "random numbers": _numbers,
    "random categories": _categories,
    "mostly another feature": partial(repeating, NEW),
}


TYPED, DRAWN, BY_CHANCE = "hidden, typed", "hidden, drawn", "chance, drawn"
PLACES = (TYPED, DRAWN, "random numbers", BY_CHANCE)
JUDGED = (*NOTHING, TYPED)
SAID = ("helps", "takes the place", "either")
PAIRS, PEOPLE = "pairs", "people"
# How data were made, on which scale they are judged, and whether people are held out.
OTHERS = (
    ("square roots", "power", PAIRS),
    ("half the mean added", "interval", PAIRS),
    ("saturating", "spline", PAIRS),
    ("one rating from 1 to 7", "ordinal", PAIRS),
    ("ratings of 8 people", "interval", PAIRS),
    ("sortings of 40 people", "ordinal", PAIRS),
    ("correlations", "interval", PAIRS),
    ("objects with a bias", RATIO, PAIRS),
    ("16 people who weigh otherwise", RATIO, PEOPLE),
    ("sortings of 30 people", RATIO, PEOPLE),
)


def helped_calibration(data_sets: int) -> list[Table]:
    """False alarms and power."""
    heads = ("judged", "features", "N", "noise", "p ≤ .05")
    shapes = [(Cars(30, 4, "additive"), 3), (Cars(60, 4), 3), (Cars(30, 7), 0)]
    cells = [(what, Cars(30, 4), 3) for what in NOTHING]
    cells += [("random numbers", cars, p) for cars, p in shapes]
    false = [_row(what, cars, p, data_sets) for what, cars, p in cells]
    true = [_row(NAMES[4], Cars(n, 5), 2, data_sets) for n in (30, 60)]
    return [Table(heads, tuple(false)), Table(heads, tuple(true)), *_of_kinds(data_sets)]


def _of_kinds(data_sets: int) -> list[Table]:
    """In the place of a dimension, on every scale, and by people."""
    heads = ("judged", "data", "scale", "hidden", "by", "p ≤ .05", "p ≤ .05, one fewer", *SAID)
    place = [
        (what, Made("distances", RATIO, hidden), PAIRS)
        for hidden in (1, 2)
        for what in (PLACES if hidden == 1 else PLACES[:-1])
    ]
    other = [(what, Made(kind, scale), by) for kind, scale, by in OTHERS for what in JUDGED]
    return [
        Table(heads, tuple(_kind_row(*cell, data_sets) for cell in cells))
        for cells in (place, other)
    ]


def _kind_row(what: str, made: Made, by: str, data_sets: int) -> tuple[str, ...]:
    found = repeated(_said, data_sets, what, made, by)
    beside, instead = ([one[k] for one in found] for k in (0, 1))
    row = (
        what,
        made.kind,
        made.scale,
        f"{made.hidden}",
        by,
        *(alarms(p) if None not in p else "none given" for p in (beside, instead)),
        *(f"{np.mean([one[2][word] for one in found]):.2f}" for word in SAID),
    )
    print(*row, sep=" | ", file=sys.stderr, flush=True)
    return row


def _said(
    what: str, made: Made, by: str, seed: int
) -> tuple[float | None, float | None, dict[str, bool]]:
    """Both p-values, and what the verdict says."""
    sample = made.simulated(seed)
    problem, read_off = _asked(what, sample, seed)
    answers = sample.answers if by == PEOPLE else None
    (found,) = did_it_help(
        problem, [NEW], shuffles=SHUFFLES, seed=seed, read_off=read_off, answers=answers
    ).features
    place = found.in_place
    told = {"helps": found.helps, "takes the place": found.takes_place}
    instead = place.p_value if place else None
    return found.p_value, instead, told | {"either": any(told.values())}


def _asked(what: str, sample: Sample, seed: int) -> tuple[Problem, dict[str, Problem]]:
    """The problem with the judged feature, and the map that it was read off."""
    problem, random = sample.problem, sample.random
    if what in NOTHING:
        return problem.knowing(NOTHING[what](problem.known, random)), {}
    wanted = sample.hidden[:, 0]
    if what == TYPED:
        return problem.knowing(Feature.numeric(NEW, wanted)), {}
    if what == BY_CHANCE:
        problem = replace(problem, n_components=problem.n_components + 1)
    places = fit(problem, seed=seed).embedding
    slope = np.linalg.lstsq(places, wanted - wanted.mean())[0] if what == DRAWN else [0.0, 1.0]
    across, up = np.append(slope, 0.0)[:2].tolist()
    arrow = Arrow((0.0, 0.0), (across, up)).feature(NEW, places, problem.known.names)
    return problem.knowing(arrow), {NEW: problem}


def _row(what: str, cars: Cars, p: int, data_sets: int) -> tuple[str, ...]:
    asked = f"{cars.n_known} of 7 known, p = {p}"
    row = (what, asked, f"{cars.n_objects}", f"{cars.noise}, {percent(cars.size, 0)}")
    found = (*row, alarms(repeated(_p_value, data_sets, what, cars, p)))
    print(*found, sep=" | ", file=sys.stderr, flush=True)
    return found


def _p_value(what: str, cars: Cars, p: int, seed: int) -> float:
    dissimilarities, known, random = cars.simulated(seed)
    judged = what
    if what in NOTHING:
        known, judged = known.with_feature(NOTHING[what](known, random)), NEW
    problem = Problem(dissimilarities, known, n_components=p)
    found = did_it_help(problem, [judged], shuffles=SHUFFLES, seed=seed).features[0]
    assert found.p_value is not None
    return found.p_value
