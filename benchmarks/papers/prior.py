"""001 and 003: figures of the kinship terms, and of what cannot be had."""

from __future__ import annotations

import numpy as np

from benchmarks.papers.brands import (
    brands,
)
from benchmarks.papers.faces import faces
from benchmarks.papers.measures import (
    in_circular_order,
    known_of,
    published_start,
    summed_up,
)
from benchmarks.papers.pictures import lines_picture, map_picture
from benchmarks.papers.row import (
    DOES_NOT_HOLD,
    HOLDS,
    WITH_A_CONDITION,
    Between,
    Effort,
    Found,
    Numbers,
    Row,
    Verdict,
    without_data,
)
from benchmarks.papers.terms import EARLY, PATIENT, circular_share, column, generations, seen, terms
from cml_core import Problem, fit
from cml_core.fitting.geometry import principal_axes
from cml_core.peers import radviz
from cml_core.values.arrays import FloatArray

KNOWN = 4
PATH = 100
PATHS = 20


def _path(problem: Problem, seed: int) -> FloatArray:
    start = published_start(problem, seed)
    return fit(problem, solver="smacof", init=start, tol=-1.0, max_iter=PATH).stress_path


def _examples() -> dict[str, Problem]:
    pleasant = faces().feature_table().names[0]
    return {
        "kinship": Problem(terms().values(), known_of(terms(), "Gender", "Degree")),
        "faces": Problem(faces().values(), known_of(faces(), pleasant)),
        "car brands": Problem(brands(0, KNOWN).values(), brands(0, KNOWN).feature_table(), 3),
    }


def _descents(_effort: Effort) -> Found:
    problems = _examples()
    best = fit(problems["kinship"], seed=0).stress
    paths = [_path(problems["kinship"], seed) for seed in range(PATHS)]
    at = [
        {
            "stress of the start": float(path[0]),
            "after 1 iteration": float(path[1]),
            "after 20": float(path[20]),
            "after 100": float(path[PATH]),
        }
        for path in paths
    ]
    found = summed_up(at)
    numbers = dict(found.numbers)
    numbers["end"] = best
    numbers["after 100, above the end"] = numbers["after 100"] / best - 1.0
    picture = lines_picture(
        "Normalised stress over the first 100 iterations",
        ("iterations", list(range(PATH + 1))),
        "normalised stress",
        {name: list(_path(problem, 0)) for name, problem in problems.items()},
        logarithmic=True,
    )
    return Found(numbers, found.quartiles, PATHS, (picture,))


def _steep_then_slow(numbers: Numbers) -> Verdict:
    above = numbers["after 100, above the end"]
    steep = numbers["after 1 iteration"] < 0.2 * numbers["stress of the start"]
    kind = (HOLDS if above < 0.01 else WITH_A_CONDITION) if steep else DOES_NOT_HOLD
    return Verdict(
        kind,
        f"Steep and then slow: that holds. That one can stop early does not: after {PATH} "
        f"iterations the stress is still {above:.0%} above its end.",
    )


def _panels(_effort: Effort) -> Found:
    nothing, gender, both = seen(), seen("Gender"), seen("Gender", "Degree")
    problem = both.problem
    return Found(
        {
            "(a) stress": nothing.stress,
            "(b) stress": gender.stress,
            "(c) stress": both.stress,
            "(c) circular at the optimum (1 is yes)": float(
                in_circular_order(both.embedding, generations())
            ),
            f"(c) share of 200 starts, stopped at {EARLY:g}": circular_share(problem, EARLY),
            f"(c) share of 200 starts, stopped at {PATIENT:g}": circular_share(problem, PATIENT),
        }
    )


def _curved_arrow(numbers: Numbers) -> Verdict:
    at_best = numbers["(c) circular at the optimum (1 is yes)"] == 1.0
    early = numbers[f"(c) share of 200 starts, stopped at {EARLY:g}"]
    patient = numbers[f"(c) share of 200 starts, stopped at {PATIENT:g}"]
    return Verdict(
        HOLDS if at_best else DOES_NOT_HOLD,
        "(a) and (b) are K-F1 and K-F2. The generations along the curved arrow of (c) are "
        f"{'' if at_best else 'not '}there at the optimum; {early:.0%} of random starts show them "
        f"when stopped at {EARLY:g}, {patient:.0%} at {PATIENT:g}. What shows them is K-F5b.",
    )


TURNS = 50


def _round_a_circle(_effort: Effort) -> Found:
    found = seen(n_components=3)
    names = ("Gender", "Degree", "Generation")
    drawn = radviz(found.embedding)
    numbers = {"stress": found.stress}
    numbers |= {f"R² of {name}": drawn.tells(column(name)) for name in names}
    random = np.random.default_rng(0)
    turned = []
    for _ in range(TURNS):
        turn, _ = np.linalg.qr(random.standard_normal((3, 3)))
        other = radviz(principal_axes(found.embedding) @ turn)
        turned.append([other.tells(column(name)) for name in names])
    for name, low, high in zip(names, np.min(turned, axis=0), np.max(turned, axis=0), strict=True):
        numbers[f"lowest R² of {name} over {TURNS} turns"] = float(low)
        numbers[f"highest R² of {name} over {TURNS} turns"] = float(high)
    caption = "RadViz of three metric dimensions, by Degree"
    picture = map_picture(drawn.places, found.labels, caption, column("Degree"))
    return Found(numbers, pictures=(picture,))


def _two_of_three(numbers: Numbers) -> Verdict:
    gender, degree, generation = (
        numbers[f"R² of {name}"] for name in ("Gender", "Degree", "Generation")
    )
    most = numbers[f"highest R² of Generation over {TURNS} turns"]
    least = [numbers[f"lowest R² of {name} over {TURNS} turns"] for name in ("Gender", "Degree")]
    always = HOLDS if min(least) > 0.4 else WITH_A_CONDITION
    return Verdict(
        always if min(gender, degree) > 0.4 > generation else DOES_NOT_HOLD,
        f"Gender (R² = {gender:.2f}) and Degree ({degree:.2f}) are seen, Generation "
        f"({generation:.2f}) is not. The picture depends on how the axes are turned: over {TURNS} "
        f"other turns Gender goes down to {least[0]:.2f} and Degree to {least[1]:.2f}; Generation "
        f"has {most:.2f} at most.",
    )


ROWS = (
    without_data(
        "D-F3 T8 S4",
        "Fig. 3, Table 8, Fig. S4: the machined cylinders.",
        "The measurements of the 90 cylinders are not public.",
    ),
    Row(
        "D-F6",
        "Fig. 6: the stress falls steeply and then slowly, so that one can stop early.",
        f"14 kinship terms, Gender and Degree known; {PATHS} random starts",
        _descents,
        _steep_then_slow,
        expected={
            "stress of the start": 0.93,
            "after 1 iteration": Between(0.07, 0.11),
            "after 20": Between(0.02, 0.04),
            "after 100": 0.018,
            "end": 0.0142885,
        },
        tolerance={
            "stress of the start": 0.01,
            "after 1 iteration": 0.01,
            "after 20": 0.0,
            "after 100": 0.002,
            "end": 1e-7,
        },
        brief=True,
    ),
    Row(
        "D-F1",
        "Fig. 1: three panels of the kinship terms; in (c) generations lie along a curved arrow.",
        "14 kinship terms, nothing, Gender, Gender and Degree known, unit weights",
        _panels,
        _curved_arrow,
        expected={
            "(a) stress": 0.0712759,
            "(b) stress": 0.0260870,
            "(c) stress": 0.0142885,
            "(c) circular at the optimum (1 is yes)": 0.0,
        },
        tolerance=1e-7,
    ),
    Row(
        "D-S1",
        "Fig. S1: RadViz of three metric dimensions shows Gender and Degree, not Generation.",
        f"14 kinship terms, nothing known, three dimensions; {TURNS} turns of the axes",
        _round_a_circle,
        _two_of_three,
        expected={
            "stress": 0.0253995,
            "R² of Gender": 0.53,
            "R² of Degree": 0.73,
            "R² of Generation": 0.05,
        },
        tolerance={
            "stress": 1e-7,
            "R² of Gender": 0.02,
            "R² of Degree": 0.02,
            "R² of Generation": 0.02,
        },
        brief=True,
    ),
)
