"""Lesson 2: a map may keep sizes, shapes, or the order of dissimilarities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.datasets import load_dataset
from cml_core.fitting.fit import fit
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.scales.ordinal import SCALE as ORDINAL
from cml_core.lessons.lesson import Answer, Check, Lesson
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable

CLASSICAL, METRIC, ORDER = "Classical MDS", "Metric MDS", "Ordinal MDS"
SEED, CUBED, UNCHANGED = 0, 3.0, 1.0
# A map that moves by less than this share of its spread has not moved but for rounding.
STILL = 1e-9


@cache
def colours(power: float = UNCHANGED) -> Dissimilarities:
    """How differently people saw fourteen colours (Ekman 1954), to a power."""
    data = load_dataset("ekman").values()
    return Dissimilarities.from_square(data.square() ** power, data.labels)


@dataclass(frozen=True, eq=False)
class Way(Value):
    """One way to be faithful.

    Parameters
    ----------
    places : (N, 2), turned to match the metric map.
    stress : the share of squares that is left, of what this way believes.
    believed : condensed; what distances on the map were fitted to.
    moved : how much of the map's spread it moved because of the power.
    """

    name: str
    places: FloatArray
    stress: float
    believed: FloatArray
    moved: float


@dataclass(frozen=True, eq=False)
class ThreeWays(Value):
    """The three maps of the colours, with every dissimilarity to a power."""

    power: float
    ways: tuple[Way, ...]
    negative: int

    def named(self, name: str) -> Way:
        """One of them."""
        return next(way for way in self.ways if way.name == name)


@cache
def three_ways(power: float) -> ThreeWays:
    """All three with the same power."""
    data = colours(power)
    places, negative = _inner_products(data)
    metric = _fit(power, "ratio")
    ordinal = _fit(power, ORDINAL.name)
    errors = data.condensed - pdist(places)
    lost = float((errors**2).sum() / (data.condensed**2).sum())
    target = metric.embedding
    found = (
        (CLASSICAL, places, lost, data.condensed),
        (METRIC, metric.embedding, metric.stress, data.condensed),
        (ORDER, ordinal.embedding, ordinal.stress, ordinal.scaled),
    )
    ways = tuple(
        Way(
            name,
            procrustes(drawn, target, scaling=True).points,
            stress,
            frozen(np.array(believed, dtype=np.float64)),
            _moved(name, drawn),
        )
        for name, drawn, stress, believed in found
    )
    return ThreeWays(power, ways, negative)


@cache
def _fit(power: float, scale: str) -> Fit:
    data = colours(power)
    return fit(Problem(data, FeatureTable(data.labels), scale=scale), seed=SEED)


def _moved(name: str, drawn: FloatArray) -> float:
    """Beside the map of the numbers as they are; its size does not count."""
    if name == CLASSICAL:
        before = _inner_products(colours())[0]
    else:
        before = _fit(UNCHANGED, "ratio" if name == METRIC else ORDINAL.name).embedding
    return procrustes(drawn, before, scaling=True).disparity


def _inner_products(data: Dissimilarities) -> tuple[FloatArray, int]:
    """Classical scaling: the best inner products, and how many eigenvalues are below zero."""
    squares = np.asarray(data.square(), dtype=np.float64) ** 2
    centred = squares - squares.mean(axis=0)
    products = -0.5 * (centred - centred.mean(axis=1)[:, None])
    sizes, vectors = np.linalg.eigh(products)
    negative = int((sizes < -STILL * sizes[-1]).sum())
    places: FloatArray = vectors[:, :-3:-1] * np.sqrt(sizes[:-3:-1])
    return places, negative


def stays(state: ThreeWays) -> str:
    """Which of the maps the power leaves exactly as it is; without one, a cube."""
    seen = state if state.power != UNCHANGED else three_ways(CUBED)
    return next((way.name for way in seen.ways if way.moved < STILL), "None of them")


def _why(state: ThreeWays, said: Answer) -> str:
    power = state.power if state.power != UNCHANGED else CUBED
    if said == stays(state):
        return (
            "A power changes every number and no order: what was larger stays larger. That is all "
            "this map was ever told."
        )
    seen = three_ways(power)
    moved = next((way.moved for way in seen.ways if way.name == said), None)
    if moved is None:
        return "One of them does. Which one never looks at the sizes of numbers?"
    return (
        f"To the power of {power:g} it moves by {moved:.2g} of its spread, because it believes the "
        "sizes of the numbers. Move the slider and watch."
    )


def _told(state: ThreeWays) -> str:
    classical, metric, order = (state.named(name) for name in (CLASSICAL, METRIC, ORDER))
    negative = f"{state.negative} eigenvalues are" if state.negative != 1 else "1 eigenvalue is"
    return (
        f"- **{CLASSICAL}** leaves {classical.stress:.3f} of the squares; {negative} below zero, "
        "which no distances have.\n"
        f"- **{METRIC}** leaves {metric.stress:.4f}: Stress-1 {metric.stress**0.5:.4f}.\n"
        f"- **{ORDER}** has Stress-1 {order.stress**0.5:.4f}, and that of something else: it may "
        "change the numbers as long as their order stays. So do not compare the two.\n\n"
        f"{_how_far(state)}"
    )


def _how_far(state: ThreeWays) -> str:
    if state.power == UNCHANGED:
        return "These are the numbers as people gave them: now move the slider."
    classical, metric, order = (state.named(name).moved for name in (CLASSICAL, METRIC, ORDER))
    return (
        f"To the power of {state.power:g} the maps moved by {_share(classical)}, {_share(metric)} "
        f"and {_share(order)} of their spread."
    )


def _share(moved: float) -> str:
    return "nothing" if moved < STILL else f"{moved:.2g}"


LESSON = Lesson[ThreeWays](
    name="faithful",
    title="Three ways to be faithful: sizes, shapes, order",
    words=(
        "People said how alike fourteen colours look, and three methods drew them. Below each map "
        "every pair is a dot: across its dissimilarity, upwards its distance on the map. Raise all "
        "dissimilarities to a **power**. Which map follows, and which does not care?"
    ),
    cures=(
        "MDS is one method.",
        "The stress of an ordinal map can be compared with that of a metric one.",
    ),
    told=_told,
    checks=(
        Check(
            "power",
            "Every dissimilarity is raised to a power. Which map stays exactly as it is?",
            stays,
            _why,
            (CLASSICAL, METRIC, ORDER, "None of them"),
        ),
    ),
    mathematics=r"""
Classical MDS takes the eigenvectors of $-\tfrac12 J \Delta^2 J$ and so keeps inner products; metric
MDS minimises $\sum (\delta_{ij} - d_{ij})^2$; ordinal MDS minimises
$\sum (\hat d_{ij} - d_{ij})^2$ over the map *and* over all $\hat d$ in the order of $\delta$, with
$\sum \hat d_{ij}^2$ fixed. Any rising function of $\delta$ has the same $\hat d$.
""",
    minutes=10,
    asks="When would you believe only the order of what people say?",
    goes_wrong="Some take the lowest number for the best map. Ask: a share of what?",
)
