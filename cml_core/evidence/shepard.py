"""Is every pair as far apart as it was given: the pairs one by one, and how closely they follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.evidence.result import Result
from cml_core.evidence.sketches import Cloud
from cml_core.evidence.table import Column, Table, in_one_unit
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, IntArray, frozen
from cml_core.values.real_numbers import whole_number

# A correlation from which pairs are fitted closely, and one below which they hardly are.
CLOSE, LOOSE = 0.95, 0.8
# Of measures up to one, a mean square below this is rounding.
ROUNDING = 1e-12
WORST = 10


@dataclass(frozen=True, eq=False, repr=False)
class Shepard(Result):
    """The M pairs that count, as they were given and as they were fitted.

    Parameters
    ----------
    labels : of the objects.
    first, second : (M,), the two objects of each pair, counted from 0.
    given : (M,), what was to be fitted: dissimilarities, or geodesics.
    scaled : (M,), what distances were fitted to: on a ratio scale what was given, on any other
        what the fitted curve makes of it.
    fitted : (M,), distances between objects, by what is known and the map together.
    drawn : (M,), distances on the map alone.
    weight : (M,), how much each pair counts, 1 on average over all pairs.
    """

    labels: tuple[str, ...]
    first: IntArray
    second: IntArray
    given: FloatArray
    scaled: FloatArray
    fitted: FloatArray
    drawn: FloatArray
    weight: FloatArray

    heading = "Pair by pair"

    def worst(self, count: int = WORST) -> IntArray:
        """Where the pairs stand that are fitted worst, by weighted squared error, worst first."""
        count = whole_number("count", count)
        return self.worst_first(np.arange(self.given.size))[:count]

    def worst_first(self, pairs: IntArray) -> IntArray:
        """These pairs, by weighted squared error."""
        size = max(float(self.scaled.max()), float(self.fitted.max()))
        errors = self.weight * ((self.scaled - self.fitted) / size) ** 2
        return pairs[np.argsort(-errors[pairs], kind="stable")]

    @property
    def curved(self) -> bool:
        """Whether distances were fitted to a curve of what was given, and not to that itself."""
        return bool((self.scaled != self.given).any())

    @property
    def curve(self) -> tuple[FloatArray, FloatArray]:
        """What was given, in rising order, and what the curve makes of it."""
        order = np.lexsort((self.scaled, self.given))
        return self.given[order], self.scaled[order]

    @property
    def correlation(self) -> float:
        """Weighted correlation of scaled and fitted; NaN where one of them does not vary."""
        # Each side by its own largest, for the squares of some units are no floats.
        sides = np.stack([self.scaled, self.fitted])
        sides = sides / sides.max(axis=1, initial=np.finfo(float).tiny, keepdims=True)
        sides = sides - np.average(sides, axis=1, weights=self.weight)[:, None]
        common = (sides * self.weight) @ sides.T
        if min(common[0, 0], common[1, 1]) <= ROUNDING * float(self.weight.sum()):
            return np.nan
        found = common[0, 1] / np.sqrt(common[0, 0]) / np.sqrt(common[1, 1])
        return float(np.clip(found, -1.0, 1.0))

    @property
    def verdict(self) -> str:
        """How closely pairs are fitted, in words."""
        worst = int(self.worst(1)[0])
        names = f"{self.labels[self.first[worst]]} and {self.labels[self.second[worst]]}"
        by_curve = f"{self.scaled[worst]:.3g} by the curve, " if self.curved else ""
        pair = (
            f"Fitted worst: {names}, {self.given[worst]:.3g} as given, {by_curve}"
            f"{self.fitted[worst]:.3g} as fitted."
        )
        found = self.correlation
        if np.isnan(found):
            return f"Either the given or the fitted distances are all alike. {pair}"
        followed = "curve through the given" if self.curved else "given"
        return (
            f"Fitted distances follow the {followed} dissimilarities {_how_closely(found)}: they "
            f"correlate by {found:.2f}, where 1 is perfect. {pair}"
        )

    @property
    def both_make_distances(self) -> bool:
        """Whether distances are made by what is known and by the map together."""
        return bool(self.drawn.any() and (self.drawn != self.fitted).any())

    @property
    def sketch(self) -> Cloud:
        title = "Every pair as it was given and as it is fitted"
        names = ("As given", "As fitted")
        return Cloud(title, self.given, self.fitted, names, self.curve if self.curved else None)

    def table(self, pairs: IntArray | None = None) -> Table:
        """These pairs, or those that are fitted worst."""
        at = self.worst() if pairs is None else pairs
        given, scaled = self.given[at], self.scaled[at]
        fitted, drawn = self.fitted[at], self.drawn[at]
        form = in_one_unit(np.concatenate([scaled, fitted]))
        by_the_curve = Column(
            "By the curve",
            scaled,
            form,
            "What the fitted curve makes of it, in the unit of the map: this is what distances "
            "were fitted to.",
        )
        wanted = "by the curve" if self.curved else "given"
        on_the_map = Column(
            "On the map",
            drawn,
            form,
            "The distance on the map alone. The rest of the fitted distance is what the known "
            "features make of it.",
        )
        return Table(
            (
                Column("One", [self.labels[i] for i in self.first[at]]),
                Column("Other", [self.labels[i] for i in self.second[at]]),
                Column("Given", given, in_one_unit(given) if self.curved else form),
                *([by_the_curve] if self.curved else []),
                Column("Fitted", fitted, form, "By the map and by what is known together."),
                *([on_the_map] if self.both_make_distances else []),
                Column(
                    "Off by",
                    fitted - scaled,
                    form,
                    f"Below zero: fitted nearer than {wanted}. Above: too far apart.",
                ),
            ),
            names=2,
        )

    def __repr__(self) -> str:
        return f"Shepard({self.given.size} pairs: {self.verdict})"


def shepard(fit: Fit) -> Shepard:
    """The pairs that count, known and of a weight above 0, as given and as fitted."""
    targets, weights = fit.problem.targets, fit.problem.pair_weights
    weights = weights if weights.size else np.ones(targets.condensed.size)
    counting = np.flatnonzero(fit.problem.counting)
    first, second = np.triu_indices(targets.n_objects, 1)
    return Shepard(
        labels=fit.labels,
        first=frozen(first[counting].astype(np.int64)),
        second=frozen(second[counting].astype(np.int64)),
        given=frozen(targets.condensed[counting].astype(np.float64)),
        scaled=frozen(fit.scaled[counting].astype(np.float64)),
        fitted=frozen(fit.distances()[counting]),
        drawn=frozen(pdist(fit.embedding)[counting]),
        weight=frozen(weights[counting]),
    )


def _how_closely(correlation: float) -> str:
    if correlation >= CLOSE:
        return "closely"
    return "roughly" if correlation >= LOOSE else "only loosely"
