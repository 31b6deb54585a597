"""001 and 003, section 4.4: the simulated car brands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from benchmarks.papers.brands import (
    ALL,
    BRANDS,
    LESS,
    NAMES,
    SCENARIOS,
    SIMULATED,
    STATED,
    WEIGHTS,
    brands,
    mapped,
)
from benchmarks.papers.measures import (
    absolute_correlation,
    correlation,
    left_out,
    over_replicates,
)
from benchmarks.papers.pictures import fit_picture
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
    one_of,
)
from cml_core.datasets import CAR_FEATURES, simulate_car_brands
from cml_core.fitting.geometry import mean_canonical_correlation
from cml_core.peers import view

ISOMAP_NEIGHBOURS = 8
# The median |r| of two columns of 30 that have nothing to do with each other.
CHANCE = 0.13


def _weights(_effort: Effort) -> Found:
    data = brands(0, ALL, noise=0.0)
    ours = mapped(data, 0, coef="diagonal")
    exact = simulate_car_brands(BRANDS, noise=0.0, feature_noise=0.0, known=ALL, seed=0)
    B = np.abs(np.diag(mapped(exact, 0, coef="diagonal").coef))
    numbers = {f"weight of {name}": float(value) for name, value in CAR_FEATURES.items()}
    numbers["B without any noise differs from weights by"] = float(np.abs(B - WEIGHTS).max())
    numbers["B with noise in the features differs by"] = float(
        np.abs(np.abs(np.diag(ours.coef)) - WEIGHTS).max()
    )
    return Found(numbers)


OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "metric MDS": ("mds", {}),
    "Isomap": ("isomap", {"n_neighbors": ISOMAP_NEIGHBOURS}),
    "t-SNE": ("tsne", {}),
    "UMAP": ("umap", {}),
}


def _agreements(seed: int) -> Mapping[str, float]:
    truth = brands(seed, 0).raw.to_numpy()
    numbers = {}
    for name, (method, settings) in OTHERS.items():
        drawn = view(brands(seed, 0).values(), method, ALL, seed=seed, **settings)
        numbers[f"ACC, {name}"] = mean_canonical_correlation(drawn.places, truth)
    for known in SCENARIOS:
        found = mapped(brands(seed, known), ALL - known)
        numbers[f"ACC, conditional, {known} known"] = mean_canonical_correlation(
            found.points, truth
        )
    return numbers


def _more_known_is_better(numbers: Numbers) -> Verdict:
    conditional = [numbers[f"ACC, conditional, {known} known"] for known in SCENARIOS]
    others = {name: numbers[f"ACC, {name}"] for name in OTHERS}
    return one_of(
        min(conditional) > max(others.values()) and sorted(conditional) == conditional,
        "The more is known the better the agreement, and all are above the other methods. t-SNE "
        f"({others['t-SNE']:.2f} here) is drawn in seven dimensions, for which it was not made, "
        "and depends on its settings. What of the gain is recovery is told in D-N1.",
    )


def _first_axes(seed: int) -> Mapping[str, float]:
    numbers = {}
    for noise in (STATED, LESS):
        truth = brands(seed, 0, noise).raw
        for known in SCENARIOS:
            axis = mapped(brands(seed, known, noise), ALL - known).embedding[:, 0]
            for k, name in enumerate(NAMES):
                told = f"|r| with {name}, {known} known, {noise:.0%} noise"
                if k < known or k in HIDDEN[known]:
                    numbers[told] = absolute_correlation(axis, truth[name].to_numpy())
    return numbers


# Which of the hidden features the paper sets in bold.
HIDDEN = {4: (4,), 5: (5, 6), 6: (6,)}
BOLD = {(4, "Economy"): 0.91, (5, "Design"): 0.82, (5, "Technology"): 0.74, (6, "Technology"): 0.98}
# With six known nothing beyond chance is left of them, even at 20 % noise.
KNOWN_HERE = (
    *((known, STATED, (0.16, 0.23)) for known in (4, 5)),
    (6, STATED, (0.10, 0.16)),
    *((known, LESS, (0.12, 0.16)) for known in SCENARIOS),
)
BOLD_HERE = {
    STATED: (0.74, 0.60, 0.56, 0.81),
    LESS: (0.89, 0.82, 0.73, 0.98),
}


def _told(name: str, known: int, noise: float) -> str:
    return f"|r| with {name}, {known} known, {noise:.0%} noise"


def _at_less_noise(numbers: Numbers) -> Verdict:
    near = {
        noise: max(
            abs(numbers[_told(name, known, noise)] - value) for (known, name), value in BOLD.items()
        )
        for noise in (STATED, LESS)
    }
    known = {
        noise: [numbers[_told(n, k, noise)] for k in SCENARIOS for n in NAMES[:k]]
        for noise in (STATED, LESS)
    }
    holds = near[LESS] < 0.06 and near[STATED] > 0.1
    return Verdict(
        WITH_A_CONDITION if holds else DOES_NOT_HOLD,
        f"At about {LESS:.0%} noise the figures are the published ones (the hidden ones to "
        f"{near[LESS]:.2f}); at the stated {STATED:.0%} they are not (off by up to "
        f"{near[STATED]:.2f}). Known features stay at {min(known[LESS]):.2f} to "
        f"{max(known[LESS]):.2f}, with {STATED:.0%} noise at {min(known[STATED]):.2f} to "
        f"{max(known[STATED]):.2f}, where chance has about {CHANCE:.2f}.",
    )


def _three_maps(_effort: Effort) -> Found:
    numbers, pictures = {}, []
    for seed in range(3):
        for known in SCENARIOS:
            data, name = brands(seed, known, LESS), NAMES[known]
            found = mapped(data, 2)
            truth = data.raw[name].to_numpy()
            numbers[f"R({name}), seed {seed}"] = correlation(found.embedding, truth)
            if seed == 0:
                thirds = np.searchsorted(np.quantile(truth, (1 / 3, 2 / 3)), truth)
                caption = f"{known} features known, by {name}: low, medium, high"
                pictures.append(fit_picture(found, data, caption, thirds.astype(np.float64)))
    return Found(numbers, pictures=tuple(pictures))


NOT_KNOWN = NAMES[SCENARIOS[0] :]


def _recovered(n_objects: int, seed: int) -> Mapping[str, float]:
    known = SCENARIOS[0]
    data = brands(seed, known, n_objects=n_objects)
    nothing = brands(seed, 0, n_objects=n_objects)
    hidden = mapped(data, ALL - known)
    flat, wide = mapped(nothing, ALL - known), mapped(nothing, ALL)
    maps = {
        "conditional, 3 dimensions": hidden.embedding,
        "metric, 7 dimensions": wide.embedding,
        "metric, 3 dimensions": flat.embedding,
    }
    numbers = {
        f"R² of what is hidden, {told}, N = {n_objects}": float(
            np.mean([left_out(places, data.raw[name].to_numpy()) for name in NOT_KNOWN])
        )
        for told, places in maps.items()
    }
    truth = data.raw.to_numpy()
    both = np.hstack([wide.embedding, data.features.to_numpy()])
    numbers[f"ACC, conditional, N = {n_objects}"] = mean_canonical_correlation(hidden.points, truth)
    numbers[f"ACC, metric and the known columns, N = {n_objects}"] = mean_canonical_correlation(
        both, truth
    )
    return numbers


SIZES = (30, 100)


def _recovery(effort: Effort) -> Found:
    both = [over_replicates(partial(_recovered, size), effort) for size in SIZES]
    return Found(
        {name: value for one in both for name, value in one.numbers.items()},
        {name: value for one in both for name, value in one.quartiles.items()},
        effort.replicates,
    )


def _mostly_counting(numbers: Numbers) -> Verdict:
    def of(what: str, size: int) -> float:
        return numbers[f"R² of what is hidden, {what}, N = {size}"]

    small, large = SIZES
    counted = numbers[f"ACC, metric and the known columns, N = {small}"]
    same = abs(of("conditional, 3 dimensions", small) - of("metric, 7 dimensions", small)) < 0.1
    return Verdict(
        WITH_A_CONDITION if same else HOLDS,
        "The published gain is mostly that known features are counted on one side: metric MDS with "
        f"the known columns beside it has an ACC of {counted:.2f}, conditional MDS "
        f"{numbers[f'ACC, conditional, N = {small}']:.2f}. Of what is hidden alone a map of seven "
        f"dimensions tells as much ({of('metric, 7 dimensions', small):.2f} against "
        f"{of('conditional, 3 dimensions', small):.2f}; with {large} objects "
        f"{of('metric, 7 dimensions', large):.2f} against "
        f"{of('conditional, 3 dimensions', large):.2f}). The true gain: it is in few dimensions, "
        f"where it can be seen; three of metric MDS tell {of('metric, 3 dimensions', small):.2f}.",
    )


ROWS = (
    Row(
        "D-T5",
        "Table 5: the weights of the seven features.",
        "30 simulated brands without noise, everything known, a diagonal B",
        _weights,
        lambda numbers: one_of(
            numbers["B without any noise differs from weights by"] < 1e-6,
            "The simulation uses them, divided by their sum, and a diagonal B finds them again.",
        ),
        published={f"weight of {name}": value for name, value in CAR_FEATURES.items()},
        expected={
            **dict(
                zip(
                    (f"weight of {name}" for name in NAMES),
                    (90.0, 88.0, 83.0, 82.0, 81.0, 70.0, 68.0),
                    strict=True,
                )
            ),
            "B without any noise differs from weights by": 0.0,
        },
        tolerance=1e-6,
        brief=True,
    ),
    Row(
        "D-T6",
        "Table 6: with more known, the agreement with all seven features rises, above that of "
        "other methods.",
        f"{SIMULATED}, 20 % in the dissimilarities; the other methods in seven dimensions, at "
        f"their defaults, Isomap with {ISOMAP_NEIGHBOURS} neighbours",
        partial(over_replicates, _agreements),
        _more_known_is_better,
        published={
            "ACC, metric MDS": "0.81 (0.78–0.84)",
            "ACC, Isomap": "0.74 (0.71–0.77)",
            "ACC, t-SNE": "0.72 (0.69–0.75)",
            "ACC, UMAP": "0.70 (0.68–0.73)",
            "ACC, conditional, 4 known": "0.90 (0.86–0.93)",
            "ACC, conditional, 5 known": "0.94 (0.92–0.95)",
            "ACC, conditional, 6 known": "0.97 (0.96–0.98)",
        },
        expected={
            "ACC, metric MDS": 0.82,
            "ACC, Isomap": 0.74,
            "ACC, t-SNE": Between(0.28, 0.78),
            "ACC, UMAP": Between(0.68, 0.73),
            "ACC, conditional, 4 known": 0.894,
            "ACC, conditional, 5 known": 0.934,
            "ACC, conditional, 6 known": 0.972,
        },
        tolerance=0.015,
    ),
    Row(
        "D-T7",
        "Table 7: the first dimension correlates with a hidden feature, and hardly with known "
        "ones.",
        f"{SIMULATED}, 20 % and 5 % in the dissimilarities",
        partial(over_replicates, _first_axes),
        _at_less_noise,
        published={_told(name, known, STATED): value for (known, name), value in BOLD.items()},
        expected={
            **{
                _told(name, known, noise): Between(*limits)
                for known, noise, limits in KNOWN_HERE
                for name in NAMES[:known]
            },
            **{
                _told(name, known, noise): value
                for noise, values in BOLD_HERE.items()
                for (known, name), value in zip(BOLD, values, strict=True)
            },
        },
        tolerance=0.03,
    ),
    Row(
        "D-S3",
        "Fig. S3: the map shows the next feature from low to high, one after the other.",
        f"{SIMULATED}, 5 % in the dissimilarities; two dimensions; three data sets",
        _three_maps,
        lambda numbers: Verdict(
            WITH_A_CONDITION if min(numbers.values()) > 0.9 else DOES_NOT_HOLD,
            f"With 5 % noise, R is {min(numbers.values()):.2f} to {max(numbers.values()):.2f}.",
        ),
        expected={
            f"R({name}), seed {seed}": Between(*limits)
            for name, limits in {
                "Economy": (0.93, 0.96),
                "Design": (0.98, 0.99),
                "Technology": (0.98, 0.99),
            }.items()
            for seed in range(3)
        },
        tolerance=0.02,
        brief=True,
    ),
    Row(
        "D-N1",
        "Not in the papers: is the gain in agreement one of recovery?",
        f"{SIMULATED}, 20 % in the dissimilarities, 4 known; 30 and 100 objects; each hidden "
        "feature told by a plane over the map, each object by the others",
        _recovery,
        _mostly_counting,
        expected={
            "R² of what is hidden, conditional, 3 dimensions, N = 30": 0.56,
            "R² of what is hidden, metric, 7 dimensions, N = 30": 0.53,
            "R² of what is hidden, metric, 3 dimensions, N = 30": 0.23,
            "R² of what is hidden, conditional, 3 dimensions, N = 100": 0.91,
            "R² of what is hidden, metric, 7 dimensions, N = 100": 0.89,
            "R² of what is hidden, metric, 3 dimensions, N = 100": 0.16,
            "ACC, conditional, N = 30": 0.90,
            "ACC, metric and the known columns, N = 30": 0.94,
        },
        tolerance=0.03,
    ),
)
