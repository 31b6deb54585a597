"""002: the lecture on multidimensional scaling."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.spatial.distance import pdist, squareform

from benchmarks.papers.measures import explained, nothing_known
from benchmarks.papers.row import (
    DOES_NOT_HOLD,
    WITH_A_CONDITION,
    Effort,
    Found,
    Numbers,
    Row,
    Verdict,
    one_of,
)
from benchmarks.papers.terms import terms
from cml_core import (
    Dissimilarities,
    fit,
    load_dataset,
)
from cml_core.fitting.geodesics import neighbour_ranks
from cml_core.fitting.geometry import procrustes
from cml_core.peers import view
from cml_core.values.arrays import FloatArray
from cml_core.values.components import components

STARTS = 300
SAME = 1e-6


def _starts(_effort: Effort) -> Found:
    numbers = {}
    for p in (1, 2, 3):
        problem = nothing_known(terms().values(), p)
        ends = [fit(problem, init="random", n_init=1, seed=seed).stress for seed in range(STARTS)]
        best = min(min(ends), fit(problem, seed=0, n_init=1000).stress)
        near = np.array(ends) <= best * (1 + SAME)
        numbers[f"share that finds the best, p = {p}"] = float(near.mean())
        numbers[f"worst end over the best, p = {p}"] = max(ends) / best
    return Found(numbers)


def _sensitive(numbers: Numbers) -> Verdict:
    shares = [numbers[f"share that finds the best, p = {p}"] for p in (1, 2, 3)]
    return one_of(
        max(shares) < 0.5,
        "Of "
        f"{STARTS} random starts {', '.join(f'{share:.1%}' for share in shares)} find the best "
        "with one, two and three dimensions.",
    )


def _is_pca(_effort: Effort) -> Found:
    points = np.random.default_rng(0).standard_normal((40, 5)) * [5, 3, 2, 1, 1]
    drawn = view(pdist(points), "classical").places
    centred = points - points.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    return Found({"1 − R²": procrustes(drawn, left[:, :2] * sizes[:2]).disparity})


def _relative_errors(data: Dissimilarities, weights: str | None) -> tuple[float, float]:
    """Median relative error of the shortest and of the longest tenth of the pairs."""
    found = fit(nothing_known(data, weights=weights), seed=0)
    delta = data.condensed
    errors = np.abs(found.distances() - delta) / delta
    low, high = np.quantile(delta, (0.1, 0.9))
    return float(np.median(errors[delta <= low])), float(np.median(errors[delta >= high]))


EXAMPLES = ("ekman", "faces", "kinship14")
NAMED = {"ekman": "Ekman's colours", "faces": "faces", "kinship14": "kinship terms"}
TENTHS = {
    "ekman": ((0.37, 0.25), (0.08, 0.10)),
    "faces": ((0.23, 0.20), (0.11, 0.12)),
    "kinship14": ((0.63, 0.20), (0.07, 0.13)),
}


def _told(which: str, example: str, weights: str) -> str:
    return f"{which} tenth, {NAMED[example]}, {weights}"


def _small_distances(_effort: Effort) -> Found:
    numbers = {}
    for name in EXAMPLES:
        data = load_dataset(name).values()
        for told, weights in (("metric", None), ("Sammon", "sammon")):
            both = _relative_errors(data, weights)
            for which, value in zip(("shortest", "longest"), both, strict=True):
                numbers[_told(which, name, told)] = value
    return Found(numbers)


def _weighs_small_ones(numbers: Numbers) -> Verdict:
    def change(which: str, example: str) -> str:
        before, after = (numbers[_told(which, example, told)] for told in ("metric", "Sammon"))
        return f"{before:.2f} to {after:.2f}"

    better = all(
        numbers[_told("shortest", name, "Sammon")] < numbers[_told("shortest", name, "metric")]
        for name in EXAMPLES
    )
    short, long = (
        "; ".join(f"{NAMED[name]} {change(which, name)}" for name in EXAMPLES)
        for which in ("shortest", "longest")
    )
    return one_of(
        better,
        f"Median relative errors of the shortest tenth of pairs fall ({short}); those of the "
        f"longest pay for it ({long}).",
    )


ROLLED = 600
NEIGHBOURS = (3, 5, 11, 12, 20)
# Another draw of such a roll: PCA .085, and .919, .995, .999, .509, .031, with the first short-cut
# at 12 neighbours too.
UNROLLED = (0.962, 0.998, 1.000, 0.831, 0.061)


@cache
def swiss_roll() -> tuple[FloatArray, FloatArray]:
    """Points on a rolled-up sheet, and how far along the sheet each lies."""
    random = np.random.default_rng(0)
    angle = 1.5 * np.pi * (1 + 2 * random.uniform(size=ROLLED))
    across = 21.0 * random.uniform(size=ROLLED)
    along = 0.5 * (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle))
    return np.column_stack([angle * np.cos(angle), across, angle * np.sin(angle)]), along


def _roll(_effort: Effort) -> Found:
    points, along = swiss_roll()
    distances = pdist(points)
    numbers = {"R², PCA": explained(view(distances, "classical").places, along)}
    for k in NEIGHBOURS:
        drawn = view(distances, "isomap", n_neighbors=k)
        numbers[f"R², Isomap, k = {k}"] = explained(drawn.places, along)
    return Found(numbers)


def _unrolls(numbers: Numbers) -> Verdict:
    before = [numbers[f"R², Isomap, k = {k}"] for k in NEIGHBOURS if k <= 11]
    after = [numbers[f"R², Isomap, k = {k}"] for k in NEIGHBOURS if k > 11]
    return Verdict(
        WITH_A_CONDITION if numbers["R², PCA"] < 0.5 < 0.9 < min(before) else DOES_NOT_HOLD,
        f"PCA shows the way along the roll with R² = {numbers['R², PCA']:.2f}, Isomap with "
        f"{min(before):.2f} to {max(before):.2f}, until the first short-cut between two layers: "
        f"from k = 12 on {after[0]:.2f} and less.",
    )


GRAPHS = ("ε = 0.3", "5 nearest", "5 nearest, mutual")
EDGES = ((4090, 1), (606, 1), (394, 7))


def _graphs(_effort: Effort) -> Found:
    points = np.random.default_rng(0).uniform(size=(200, 2))
    square = squareform(pdist(points))
    ranks = neighbour_ranks(square)
    near = {
        "ε = 0.3": square <= 0.3,
        "5 nearest": np.minimum(ranks, ranks.T) <= 5,
        "5 nearest, mutual": np.maximum(ranks, ranks.T) <= 5,
    }
    upper = np.triu_indices(200, 1)
    numbers = {}
    for name in GRAPHS:
        edges = near[name][upper]
        numbers[f"edges, {name}"] = float(edges.sum())
        numbers[f"pieces, {name}"] = float(components(edges, 200).max() + 1)
    outside = near["5 nearest, mutual"] & ~near["5 nearest"]
    numbers["mutual edges that are in no one's list"] = float(outside[upper].sum())
    return Found(numbers)


ROWS = (
    Row(
        "L-1",
        "MDS is not convex and sensitive to initialisation.",
        f"14 kinship terms, nothing known; {STARTS} random starts for each number of dimensions",
        _starts,
        _sensitive,
        expected={
            "share that finds the best, p = 1": 0.003,
            "share that finds the best, p = 2": 0.047,
            "share that finds the best, p = 3": 0.22,
        },
        tolerance=0.02,
    ),
    Row(
        "L-2",
        "Classical MDS with inner products is PCA.",
        "40 points in five dimensions",
        _is_pca,
        lambda numbers: one_of(
            numbers["1 − R²"] < 1e-12, "The two pictures are the same, to the last digit."
        ),
        expected={"1 − R²": 0.0},
        tolerance=1e-12,
        brief=True,
    ),
    Row(
        "L-3",
        "Sammon's mapping gives small distances their weight.",
        "Ekman's colours, faces, kinship terms, two dimensions; the relative error of the "
        "shortest and the longest tenth of pairs",
        _small_distances,
        _weighs_small_ones,
        expected={
            _told(which, name, told): value
            for name, both in TENTHS.items()
            for which, values in zip(("shortest", "longest"), both, strict=True)
            for told, value in zip(("metric", "Sammon"), values, strict=True)
        },
        tolerance=0.02,
        brief=True,
    ),
    Row(
        "L-4",
        "The Swiss roll: PCA fails, Isomap unrolls it.",
        "600 points strewn over the roll, seed 0; R² of how far along the sheet they lie",
        _roll,
        _unrolls,
        expected={
            "R², PCA": 0.126,
            **{
                f"R², Isomap, k = {k}": value for k, value in zip(NEIGHBOURS, UNROLLED, strict=True)
            },
        },
        tolerance=0.005,
        brief=True,
    ),
    Row(
        "L-5",
        "Three neighbourhood graphs: within ε, k nearest of either, mutual.",
        "200 uniform points in the unit square, seed 0",
        _graphs,
        lambda numbers: one_of(
            numbers["mutual edges that are in no one's list"] == 0.0,
            f"Mutual neighbours are among the neighbours, and fall into "
            f"{numbers['pieces, 5 nearest, mutual']:.0f} pieces.",
        ),
        expected={
            **{f"edges, {name}": float(e) for name, (e, _) in zip(GRAPHS, EDGES, strict=True)},
            **{f"pieces, {name}": float(p) for name, (_, p) in zip(GRAPHS, EDGES, strict=True)},
        },
        tolerance=0.0,
        brief=True,
    ),
)
