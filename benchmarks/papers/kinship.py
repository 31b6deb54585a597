"""000: Conditional manifold learning (Bui 2021), on the kinship terms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform

from benchmarks.papers.measures import correlation, known_of
from benchmarks.papers.pictures import fit_picture, map_picture
from benchmarks.papers.row import (
    DOES_NOT_HOLD,
    HOLDS,
    Between,
    Effort,
    Found,
    Numbers,
    Row,
    Verdict,
    one_of,
)
from benchmarks.papers.terms import (
    EARLY,
    PATIENT,
    STARTS,
    TERMS,
    VISIBLE,
    both_known,
    circular_share,
    column,
    in_circle,
    seen,
    terms,
)
from cml_core import (
    Dissimilarities,
    Fit,
    Problem,
    fit,
)
from cml_core.values.arrays import FloatArray

PRINTED = Path(__file__).parent / "published" / "kinship.csv"
PAIRS = (
    ("Aunt", "Uncle"),
    ("Brother", "Sister"),
    ("Daughter", "Son"),
    ("Father", "Mother"),
    ("Granddaughter", "Grandson"),
    ("Grandfather", "Grandmother"),
    ("Nephew", "Niece"),
)
SHUFFLES = 40


def shuffled(*names: str) -> FloatArray:
    """Stress of the same terms with their dissimilarities dealt out anew."""
    random, labels = np.random.default_rng(0), terms().values().labels
    condensed = terms().values().condensed
    dealt = [Dissimilarities(labels, random.permutation(condensed)) for _ in range(SHUFFLES)]
    known = known_of(terms(), *names)
    return np.array([fit(Problem(data, known), seed=0).stress for data in dealt])


def pair_ratio(found: Fit) -> float:
    """How far from each other the two of a pair are, relative to all others."""
    labels = list(found.labels)
    apart = squareform(pdist(found.embedding))
    twins = np.zeros_like(apart, dtype=bool)
    for one, other in PAIRS:
        twins[labels.index(one), labels.index(other)] = True
    twins |= twins.T
    others = ~twins & ~np.eye(len(labels), dtype=bool)
    return float(apart[twins].mean() / apart[others].mean())


def _tables(_effort: Effort) -> Found:
    printed = pd.read_csv(PRINTED, index_col=0)
    names = list(printed.index)
    square = printed[names].to_numpy(dtype=np.float64)
    ours = terms().raw.loc[names, names].to_numpy(dtype=np.float64)
    features = terms().features.loc[names, ["Gender", "Degree"]]
    return Found(
        {
            "percentages that differ": float((square != ours).sum()),
            "values of Gender and Degree that differ": float(
                (printed[["Gender", "Degree"]].to_numpy() != features.to_numpy()).sum()
            ),
            "largest asymmetry of the printed table": float(np.abs(square - square.T).max()),
        }
    )


def _nothing_known(_effort: Effort) -> Found:
    nothing, gender = seen(), seen("Gender")
    dealt = shuffled()
    return Found(
        {
            "stress": nothing.stress,
            "R(Gender)": correlation(nothing.embedding, column("Gender")),
            "R(Degree)": correlation(nothing.embedding, column("Degree")),
            "R(Generation)": correlation(nothing.embedding, column("Generation")),
            "R(Degree), Gender known": correlation(gender.embedding, column("Degree")),
            "lowest stress of shuffled data": float(dealt.min()),
            "highest stress of shuffled data": float(dealt.max()),
        },
        pictures=(
            fit_picture(nothing, terms(), "Nothing known, by Gender", column("Gender")),
            map_picture(
                nothing.embedding, nothing.labels, "The same map, by Degree", column("Degree")
            ),
        ),
    )


def _masking(numbers: Numbers) -> Verdict:
    gender, before, after = (
        numbers[name] for name in ("R(Gender)", "R(Degree)", "R(Degree), Gender known")
    )
    chance = numbers["stress"] >= numbers["lowest stress of shuffled data"]
    like = "no lower" if chance else "lower"
    return Verdict(
        DOES_NOT_HOLD if before > VISIBLE else HOLDS,
        f"One direction is Gender (R = {gender:.3f}): that holds. That Gender masks the other does "
        f"not: it is Degree, seen with R = {before:.3f} where nothing is known and {after:.3f} "
        f"with Gender known. The stress is {like} than that of shuffled data.",
    )


def _gender_known(_effort: Effort) -> Found:
    found, dealt = seen("Gender"), shuffled("Gender")
    return Found(
        {
            "stress": found.stress,
            "distance within pairs over that of others": pair_ratio(found),
            "the same, nothing known": pair_ratio(seen()),
            "R(Degree)": correlation(found.embedding, column("Degree")),
            "lowest stress of shuffled data": float(dealt.min()),
            "highest stress of shuffled data": float(dealt.max()),
        },
        pictures=(fit_picture(found, terms(), "Gender known, by Degree", column("Degree")),),
    )


def _pairs_coincide(numbers: Numbers) -> Verdict:
    within, degree = numbers["distance within pairs over that of others"], numbers["R(Degree)"]
    below = numbers["stress"] < numbers["lowest stress of shuffled data"]
    return one_of(
        within < 0.05 and degree > VISIBLE and below,
        f"The two of a pair are {within:.1%} as far apart as others, Degree is seen with "
        f"R = {degree:.3f}, and the stress is {'below' if below else 'not below'} that of all "
        f"{SHUFFLES} shuffles.",
    )


def _next(name: str, *known: str) -> Callable[[Effort], Found]:
    """What shows once these are known."""

    def compute(_effort: Effort) -> Found:
        found = seen(*known)
        caption = f"{', '.join(known)} known, by {name}"
        return Found(
            {"stress": found.stress, f"R({name})": correlation(found.embedding, column(name))},
            pictures=(fit_picture(found, terms(), caption, column(name)),),
        )

    return compute


def _shows(name: str) -> Callable[[Numbers], Verdict]:
    def judge(numbers: Numbers) -> Verdict:
        value = numbers[f"R({name})"]
        return one_of(value > VISIBLE, f"{name} is seen with R = {value:.3f}.")

    return judge


def _circle(_effort: Effort) -> Found:
    problem = both_known("sammon")
    best = fit(problem, seed=0)
    others = [other.embedding for other in best.alternatives]
    return Found(
        {
            "stress": best.stress,
            "circular at the optimum (1 is yes)": float(in_circle(best.embedding)),
            "other minima": float(len(others)),
            "other minima that are circular": float(sum(map(in_circle, others))),
            f"share of {STARTS} starts, stopped at {EARLY:g}": circular_share(problem, EARLY),
            f"share of {STARTS} starts, stopped at {PATIENT:g}": circular_share(problem, PATIENT),
        },
        pictures=(
            fit_picture(
                best, terms(), "Gender and Degree known, Sammon weights", column("Generation")
            ),
        ),
    )


def _only_early(numbers: Numbers) -> Verdict:
    early = numbers[f"share of {STARTS} starts, stopped at {EARLY:g}"]
    patient = numbers[f"share of {STARTS} starts, stopped at {PATIENT:g}"]
    at_best = numbers["circular at the optimum (1 is yes)"] == 1.0
    return one_of(
        at_best,
        f"At the optimum the order along the circle is {'' if at_best else 'not '}that of the "
        f"paper. Of {STARTS} random starts {early:.0%} show it when stopped at {EARLY:g}, and "
        f"{patient:.0%} at {PATIENT:g}.",
    )


ROWS = (
    Row(
        "K-T1 T2",
        "Tables 1 and 2: the terms, their Gender and Degree, and the percentages.",
        "The printed tables, entry by entry, against the dataset",
        _tables,
        lambda numbers: one_of(
            not any(numbers.values()), "Both are those of the dataset, and symmetric."
        ),
        expected=dict.fromkeys(
            (
                "percentages that differ",
                "values of Gender and Degree that differ",
                "largest asymmetry of the printed table",
            ),
            0.0,
        ),
        brief=True,
    ),
    Row(
        "K-F1",
        "Fig. 1: one direction of the metric map is Gender; the other is not obvious, for Gender "
        "masks it.",
        f"{TERMS}, nothing known; {SHUFFLES} shuffles",
        _nothing_known,
        _masking,
        expected={
            "stress": 0.0712759401,
            "R(Gender)": 0.949,
            "R(Degree)": 0.914,
            "R(Generation)": 0.012,
            "R(Degree), Gender known": 0.964,
            # Forty other shuffles lay between .0626 and .0935.
            "lowest stress of shuffled data": 0.0632,
            "highest stress of shuffled data": 0.0935,
        },
        tolerance={
            "stress": 1e-7,
            "R(Gender)": 0.001,
            "R(Degree)": 0.001,
            "R(Generation)": 0.001,
            "R(Degree), Gender known": 0.001,
            "lowest stress of shuffled data": 0.004,
            "highest stress of shuffled data": 0.004,
        },
    ),
    Row(
        "K-F2",
        "Fig. 2: with Gender known the seven pairs coincide, and Degree lies along a direction.",
        f"{TERMS}, Gender known; {SHUFFLES} shuffles",
        _gender_known,
        _pairs_coincide,
        expected={
            "stress": 0.0260869548,
            "distance within pairs over that of others": 0.015,
            "the same, nothing known": 0.97,
            "R(Degree)": 0.964,
            # Forty other shuffles lay between .0430 and .0730.
            "lowest stress of shuffled data": 0.0458,
            "highest stress of shuffled data": 0.0744,
        },
        tolerance={
            "stress": 1e-7,
            "distance within pairs over that of others": 0.001,
            "the same, nothing known": 0.01,
            "R(Degree)": 0.001,
            "lowest stress of shuffled data": 0.004,
            "highest stress of shuffled data": 0.004,
        },
        brief=True,
    ),
    Row(
        "K-F3",
        "Fig. 3: with Degree known as well, how many generations are between shows.",
        f"{TERMS}, Gender and Degree known",
        _next("|Generation|", "Gender", "Degree"),
        _shows("|Generation|"),
        expected={"stress": 0.0142885, "R(|Generation|)": 0.922},
        tolerance={"stress": 1e-7, "R(|Generation|)": 0.001},
        brief=True,
    ),
    Row(
        "K-F4",
        "Fig. 4: with that known too, older and younger lie along a direction.",
        f"{TERMS}, Gender, Degree and |Generation| known",
        _next("Generation", "Gender", "Degree", "|Generation|"),
        _shows("Generation"),
        expected={"stress": 0.0086196, "R(Generation)": 0.934},
        tolerance={"stress": 1e-7, "R(Generation)": 0.001},
        brief=True,
    ),
    Row(
        "K-F5",
        "Fig. 5: Sammon weights show the generations in circular order.",
        f"{TERMS}, Gender and Degree known, Sammon weights; {STARTS} random starts",
        _circle,
        _only_early,
        expected={
            "stress": 0.0198680,
            "circular at the optimum (1 is yes)": 0.0,
            f"share of {STARTS} starts, stopped at {EARLY:g}": Between(0.11, 0.22),
            f"share of {STARTS} starts, stopped at {PATIENT:g}": 0.0,
        },
        tolerance={
            "stress": 1e-7,
            "circular at the optimum (1 is yes)": 0.0,
            f"share of {STARTS} starts, stopped at {EARLY:g}": 0.0,
            f"share of {STARTS} starts, stopped at {PATIENT:g}": 0.01,
        },
    ),
)
