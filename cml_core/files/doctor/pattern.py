"""What the pattern of a table says: whether its large values are for pairs that are alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata

from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import BoolArray, FloatArray
from cml_core.values.columns import is_constant

# Objects that are compared; those of a larger table are taken at even steps.
COMPARED = 150
# Of fewer objects there are too few threes for any of them to count.
FEWEST_COMPARED = 6
# A map as good as this, with pairs to spare, is of distances: of 4,200 simulated tables of
# similarities none of 5 to 12 objects left less than .06.
CLEAN, PAIRS_TO_SPARE = 0.02, 6
MOST_DIMENSIONS = 3
_STEPS = 60


@dataclass(frozen=True)
class Pattern:
    """What threes of objects, and a quick map, say of a table.

    Parameters
    ----------
    transitivity : how surely large values hang together, in standard deviations of what chance
        would show: above zero where two objects that both have large values with a third have
        one with each other, as things that are alike do; below zero where small values do; zero
        where the values and their ranks disagree.
    clean : whether a map of few dimensions shows the values as distances, nearly without error.
    """

    transitivity: float
    clean: bool


SILENT = Pattern(0.0, False)


def pattern_of(raw: RawTable) -> Pattern:
    """The pattern of a table, whichever of its triangles is filled; gaps count for nothing."""
    values = _both_directions(raw.values)
    known = ~np.isnan(values)
    upper = np.triu(known, 1)
    if not upper.any() or np.isinf(values[upper]).any() or is_constant(values[upper]):
        return SILENT
    # So that no sum overflows, whatever the unit.
    values = values / np.abs(values[upper]).max()
    return Pattern(_transitivity(values, known), _is_clean(values))


def _both_directions(square: FloatArray) -> FloatArray:
    """Some of the objects, both directions averaged, silent in the diagonal."""
    step = -(-len(square) // COMPARED)
    part = square[::step, ::step]
    both = np.where(np.isnan(part), part.T, part)
    both = np.where(both == both.T, both, both / 2 + both.T / 2)
    np.fill_diagonal(both, np.nan)
    return both


def _transitivity(values: FloatArray, known: BoolArray) -> float:
    if len(values) < FEWEST_COMPARED:
        return 0.0
    # A few huge values must not decide, nor an order that hardly differs: both have to agree.
    own, ranks = _triangles(values, known), _triangles(_as_ranks(values), known)
    return float(np.sign(own) * min(abs(own), abs(ranks))) if own * ranks > 0 else 0.0


def _as_ranks(values: FloatArray) -> FloatArray:
    first, second = np.nonzero(np.triu(~np.isnan(values), 1))
    ranks = np.full_like(values, np.nan)
    ranks[first, second] = ranks[second, first] = rankdata(values[first, second])
    return ranks


def _triangles(values: FloatArray, known: BoolArray) -> float:
    """The product of the three sides of each three objects, summed and standardised.

    What an object has in common with all others is taken out of the sides first, so that objects
    that are large, well known or far out do not look alike. Of similarities two sides above the
    mean go with a third above it; of values that know nothing of each other the sum has the
    standard deviation σ³ √T, with T threes whose sides are known.
    """
    there = known.astype(np.float64)
    count = float(np.einsum("ij,ij->", there @ there, there)) / 6
    left = np.where(known, values, 0.0) - there * _of_the_objects(values, there)
    spread = float(np.sqrt((left**2).sum() / there.sum()))
    if count == 0 or spread <= 1e-9 * np.nanmax(np.abs(values)):
        return 0.0
    left /= spread
    return float(np.einsum("ij,ij->", left @ left, left) / 6 / np.sqrt(count))


def _of_the_objects(values: FloatArray, there: FloatArray) -> FloatArray:
    """(N, N) the sum of what either object has in common with all others, by least squares."""
    design = np.diag(there.sum(axis=1)) + there
    sums = np.where(there > 0, values, 0.0).sum(axis=1)
    each = np.linalg.lstsq(design, sums, rcond=None)[0]
    both: FloatArray = np.add.outer(each, each)
    return both


def _is_clean(values: FloatArray) -> bool:
    """Whether the values, as they are, are distances on a map of few dimensions."""
    n = len(values)
    off = ~np.eye(n, dtype=bool)
    if np.isnan(values[off]).any() or (values[off] < 0).any():
        return False
    pairs = n * (n - 1) // 2
    free = {p: n * p - p * (p + 1) // 2 for p in range(1, MOST_DIMENSIONS + 1)}
    most = max((p for p, places in free.items() if pairs - places >= PAIRS_TO_SPARE), default=0)
    return most > 0 and _stress_of_quick_map(np.where(off, values, 0.0), most) < CLEAN


def _stress_of_quick_map(square: FloatArray, n_components: int) -> float:
    """Stress-1 of a map that starts at the classical one and is improved in a few steps."""
    squares = square**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    lengths, vectors = np.linalg.eigh(-0.5 * centred)
    places = vectors[:, -n_components:] * np.sqrt(np.maximum(lengths[-n_components:], 0.0))
    for _ in range(_STEPS):
        apart = squareform(pdist(places))
        # Guttman's transform.
        pull = np.divide(-square, apart, out=np.zeros_like(square), where=apart > 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        places = pull @ places / len(square)
    missed = ((square - squareform(pdist(places))) ** 2).sum()
    return float(np.sqrt(missed / squares.sum()))
