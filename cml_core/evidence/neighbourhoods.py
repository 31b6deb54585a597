"""Are neighbours on the map alike in what is left, and those that are alike neighbours?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.spatial.distance import pdist, squareform

from cml_core.evidence.map_size import check_has_map
from cml_core.evidence.neighbours import kept_neighbours
from cml_core.evidence.result import Result
from cml_core.evidence.shepard import shepard
from cml_core.evidence.table import COUNT, Column, Table
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, frozen

# Trustworthiness from which neighbours may be believed, and below which not; chance has .5.
TRUSTED, DOUBTFUL = 0.9, 0.75
# Neighbourhoods are judged in so many sizes, up to this part of the objects.
MOST_SIZES = 8
LARGEST_PART = 3


@dataclass(frozen=True, eq=False, repr=False)
class Neighbourhoods(Result):
    """Whether those near each other on the map are alike in what is left, and the reverse.

    Parameters
    ----------
    sizes : numbers k of neighbours, from few to many.
    trustworthiness : (K,), 1 where all k neighbours on the map are alike in what is left.
    continuity : (K,), 1 where the k most alike in what is left are neighbours on the map.
    """

    sizes: Annotated[tuple[int, ...], "k"]
    trustworthiness: Annotated[FloatArray, "k"]
    continuity: Annotated[FloatArray, "k"]

    heading = "Are neighbours on the map alike?"

    @property
    def verdict(self) -> str:
        """Whether neighbours can be believed, in words; of the middle one of the sizes."""
        middle = len(self.sizes) // 2
        size = self.sizes[middle]
        trust, continuity = float(self.trustworthiness[middle]), float(self.continuity[middle])
        if trust >= TRUSTED:
            said = "Neighbours on the map can be believed: they are alike in what is left"
        elif trust >= DOUBTFUL:
            said = "Neighbours on the map are mostly, not always, alike in what is left"
        else:
            said = (
                "Neighbours on the map are often not alike in what is left, be it for noise or "
                "because the map has too few dimensions"
            )
        nearest = f"its {size} nearest" if size > 1 else "its nearest"
        return (
            f"{said}. Judged by each object and {nearest}, trustworthiness is {trust:.2f} and "
            f"continuity (are those alike drawn near each other?) {continuity:.2f}; 1 is "
            "perfect, a map at random has about 0.5."
        )

    def table(self) -> Table:
        return Table(
            (
                Column("Neighbours", self.sizes, COUNT),
                Column(
                    "Trustworthiness",
                    self.trustworthiness,
                    "%.3f",
                    "1: all that lie near each other on the map are alike in what is left of the "
                    "dissimilarities.",
                ),
                Column(
                    "Continuity",
                    self.continuity,
                    "%.3f",
                    "1: all that are alike in what is left lie near each other on the map.",
                ),
            )
        )

    def shown_with(self, fit: Fit) -> tuple[Result, ...]:
        return (shepard(fit),)

    def __repr__(self) -> str:
        return f"Neighbourhoods({self.verdict})"


def neighbourhoods(fit: Fit) -> Neighbourhoods:
    """Trustworthiness and continuity of a map against what is left of the dissimilarities.

    What is left of a pair is the root of its squared dissimilarity, as its scale has it, less the
    squared distance that is known, and 0 where that is more. Equal values are parted in all ways,
    and the measures are averages over these. Pairs that are missing or have no weight are nobody's
    neighbours, neither in the data nor on the map; an object is then judged by the others.

    Parameters
    ----------
    fit : the map in question; it needs a hidden dimension.

    Raises
    ------
    NoMap : there is no hidden dimension.
    """
    check_has_map(fit)
    n, counting = fit.embedding.shape[0], fit.problem.counting
    left = left_of(fit)
    left = np.where(counting, (left / (float(np.fmax.reduce(left)) or 1.0)) ** 2, np.nan)
    drawn = pdist(fit.embedding)
    drawn = (drawn / (float(drawn.max()) or 1.0)) ** 2
    # Squares, for only the order matters.
    sizes = _sizes(int(np.median(squareform(counting).sum(axis=1))) + 1)
    trust, continuity = kept_neighbours(left, drawn, n, sizes)
    return Neighbourhoods(sizes, frozen(trust), frozen(continuity))


def left_of(fit: Fit) -> FloatArray:
    """Condensed; what the known leaves of each dissimilarity, NaN where it is missing."""
    by_known = pdist(fit.known_values @ fit.coef)
    size = max(float(np.fmax.reduce(fit.scaled)), float(by_known.max()))
    left: FloatArray = np.divide(fit.scaled, size, dtype=np.float64)
    by_known /= size
    # In their places, for tables of many objects are large.
    for values in (left, by_known):
        values *= values
    left -= by_known
    np.maximum(left, 0.0, out=left)
    np.sqrt(left, out=left)
    left *= size
    return left


def _sizes(n_objects: int) -> tuple[int, ...]:
    """From 1 to a third of the objects, in growing steps."""
    largest = max(n_objects // LARGEST_PART, 1)
    return tuple(sorted({round(k) for k in np.geomspace(1, largest, MOST_SIZES).tolist()}))
