"""Where descents begin: one good guess, then as many random ones as are worth their time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.fitting.gaps import filled_square
from cml_core.fitting.solvers.closed_form import closed_form
from cml_core.fitting.solvers.objective import Objective
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, RealArray, pair_index, row_of

# An amplitude at zero has no gradient, so a start has none below this share of the largest. From
# an exact zero stress ended up to 10.7 % higher.
SMALLEST_SHARE = 0.1
# A hidden dimension that the closed form finds empty gets this much of the data's scale.
JITTER = 0.05
# From this many objects on, a sample of them is solved and the others are located from it: at
# large N 5 ms instead of seconds.
SAMPLED_FROM = 400
# At least so many, and ten for each dimension, so that the sample spans them all.
SAMPLE = 100
# The share of random starts that vary B and missing entries too, and the standard deviation of the
# logarithms by which B is varied. With p = 0 the best optimum of 8 to 12 tables with gaps was found
# in 12 to 83 % of them before, and in 75 to 100 % so; with p = 1 and 2 as often or more often, of
# 16 tables each. Where nothing is missing B has made no difference.
VARIED, SPREAD = 0.5, 0.5
# Runs whose stress differs by more than this share ended at different minima.
SAME_STRESS = 1e-6
# A stress below this is an exact fit.
EXACT = 1e-12


def informed_start(
    objective: Objective, missing: BoolArray, random: np.random.Generator
) -> FloatArray:
    """The closed form; for many objects that of a sample, from which the rest are located."""
    n = objective.n_objects
    chosen = np.arange(n)
    wanted = max(SAMPLE, 10 * (objective.n_components + objective.rank))
    if n >= SAMPLED_FROM and n > 2 * wanted:
        chosen = np.sort(random.choice(n, wanted, replace=False))
    square = _sampled_square(objective, missing, chosen)
    columns = objective.columns.values
    given = objective.given
    embedding, coef = closed_form(
        square,
        columns[chosen],
        objective.n_components,
        objective.diagonal,
        SMALLEST_SHARE,
        None if given is None else given * objective.columns.spread[:, None] * objective.unit,
    )
    if chosen.size < n:
        embedding = _located(objective, missing, chosen, square, embedding, columns @ coef)
    embedding = without_empty_dimensions(embedding, random)
    return objective.variables(
        embedding / objective.unit, coef / objective.columns.spread[:, None] / objective.unit
    )


def _sampled_square(objective: Objective, missing: BoolArray, chosen: IntArray) -> FloatArray:
    """The square of scaled dissimilarities among the chosen objects."""
    first, second = np.triu_indices(chosen.size, 1)
    index = pair_index(chosen[first], chosen[second], objective.n_objects)
    among = objective.delta[index] * objective.unit
    return filled_square(among, missing[index] if missing.size else missing, chosen.size)


def _located(
    objective: Objective,
    missing: BoolArray,
    chosen: IntArray,
    square: FloatArray,
    embedding: FloatArray,
    known_place: FloatArray,
) -> FloatArray:
    """Trilateration: every other object's U from its dissimilarities to the chosen ones."""
    n = objective.n_objects
    others = np.setdiff1d(np.arange(n), chosen)
    squares = (_columns_of(objective.delta, chosen, others, n) * objective.unit) ** 2
    if missing.size:
        present = 1.0 - _columns_of(missing.astype(np.float32), chosen, others, n)
        mean = (squares * present).sum(axis=1) / np.maximum(present.sum(axis=1), 1.0)
        squares = np.where(present > 0, squares, mean[:, None])
    left = squares - squared_distances(known_place[others], known_place[chosen])
    among = square**2 - squared_distances(known_place[chosen], known_place[chosen])
    placed = np.zeros((n, embedding.shape[1]))
    placed[chosen] = embedding
    # Landmark MDS (de Silva and Tenenbaum 2004), on what the known places leave of the squares.
    placed[others] = -0.5 * (left - among.mean(axis=0)) @ np.linalg.pinv(embedding).T
    return placed


def _columns_of(
    condensed: RealArray, chosen: IntArray, others: IntArray, n_objects: int
) -> FloatArray:
    """Values of the other objects (rows) with the chosen ones (columns)."""
    rows = [row_of(condensed, int(i), n_objects)[others] for i in chosen]
    return np.array(rows, dtype=np.float64).T


def squared_distances(a: FloatArray, b: FloatArray) -> FloatArray:
    squares: FloatArray = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return squares


def without_empty_dimensions(embedding: FloatArray, random: np.random.Generator) -> FloatArray:
    """U with a little noise where a whole dimension is empty: U = 0 is a saddle."""
    empty = np.abs(embedding).max(axis=0, initial=0.0) < 1e-6
    filled = embedding.copy()
    filled[:, empty] = JITTER * random.standard_normal((embedding.shape[0], int(empty.sum())))
    return filled


def random_start(
    objective: Objective, informed: FloatArray, random: np.random.Generator
) -> FloatArray:
    """Objects thrown at random; known features as the informed start has them, or varied as well.

    They are varied in every other start, and in every one where no dimension is hidden: there is
    nothing else that could differ.
    """
    start = informed.copy()
    n, p = objective.n_objects, objective.n_components
    # The mean squared distance of two objects is then one, as that of scaled dissimilarities.
    spread = np.sqrt(0.5 / max(p, 1))
    thrown = spread * random.standard_normal((p, n)) * objective.layout.root_h
    start[: p * n] = thrown.ravel()
    if p == 0 or random.random() < VARIED:
        count = objective.layout.amplitude_scale.size
        start[p * n : p * n + count] *= np.exp(SPREAD * random.standard_normal(count))
        start[p * n + count :] = _borrowed(objective, random)
    return start


def _borrowed(objective: Objective, random: np.random.Generator) -> FloatArray:
    """Free entries that make each missing value that of some object of which it is known."""
    # Not any numbers: so a category begins at a category, and an angle on its circle.
    columns = objective.columns
    moved = np.zeros(columns.values.shape)
    for block in np.unique(columns.block):
        at = columns.block == block
        gaps = columns.missing[:, at].any(axis=1)
        if gaps.any():
            lenders = random.choice(np.flatnonzero(~gaps), int(gaps.sum()))
            moved[np.ix_(gaps, at)] = columns.values[np.ix_(lenders, at)]
            moved[np.ix_(gaps, at)] -= columns.values[np.ix_(gaps, at)]
    return moved[columns.missing] * objective.layout.free_scale


def unexplored(stresses: Sequence[float]) -> float:
    """The share of starts that is expected to lead to minima where no run has ended yet.

    With w minima found by n runs it is w (w + 1) / (n (n - 1)): Boender and Rinnooy Kan (1987),
    Bayesian stopping rules for multistart global optimization methods.

    Parameters
    ----------
    stresses : (n,) of the runs so far.
    """
    n = len(stresses)
    if n < 2:
        return 1.0
    ordered = np.sort(stresses)
    steps = np.diff(ordered) > SAME_STRESS * ordered[:-1] + EXACT
    found = 1 + int(steps.sum())
    return found * (found + 1) / (n * (n - 1))
