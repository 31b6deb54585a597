"""Along which curve a known feature acts: where a fit places objects by its values alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import UnsuitableFeature
from cml_core.evidence.result import Result
from cml_core.evidence.sketches import Trace
from cml_core.evidence.table import NUMBER, Column, Table, in_one_unit
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, IntArray, frozen
from cml_core.values.columns import is_constant
from cml_core.values.kinds.registry import KINDS
from cml_core.values.words import percent

POINTS = 101
# A curve that comes back by less than this share of its height has not turned.
TURNED_BACK = 0.02
QUARTERS = 4
# What lies across a curve that has this share is not worth a word.
NEARLY_ALL = 0.9


@dataclass(frozen=True, eq=False, repr=False)
class FittedCurve(Result):
    """Where a feature places objects, by its values.

    A fit gives every value of a feature a place, of which only distances mean something. The
    curve is the direction in which these places differ most.

    Parameters
    ----------
    feature : its name.
    values : (G,) from its lowest to its highest value, evenly.
    places : (G,) how far along the direction, in the units of the dissimilarities, from the
        lowest value; it rises more than it falls.
    given, stands : (M,) the values of the objects that have one, and their places.
    share : how much of what the feature makes of the squared distances lies in this direction.
    """

    feature: str
    values: FloatArray
    places: FloatArray
    given: FloatArray
    stands: FloatArray
    share: float

    heading = "Along which curve does it act?"

    @property
    def title(self) -> str:
        return f"How {self.feature} acts"

    @property
    def variant(self) -> str:
        return self.feature

    @property
    def turns(self) -> tuple[float, ...]:
        """The values at which the curve turns back, if it does."""
        found = []
        reach = TURNED_BACK * float(np.ptp(self.places))
        extreme, rising = 0, True
        for k, place in enumerate(self.places):
            ahead = place - self.places[extreme] if rising else self.places[extreme] - place
            if ahead >= 0:
                extreme = k
            elif -ahead > reach:
                found.append(extreme)
                extreme, rising = k, not rising
        # A curve that falls from its lowest value on has its extreme there, and no turn.
        return tuple(float(self.values[k]) for k in found if k)

    @property
    def _quarters(self) -> IntArray:
        """Where the ends and the quarters of the range stand."""
        return np.linspace(0, self.values.size - 1, QUARTERS + 1).astype(np.int64)

    @property
    def verdict(self) -> str:
        if is_constant(self.places):
            return f"{self.feature} makes nothing of the distances."
        turns = self.turns
        if turns:
            where = " and ".join(f"{value:.3g}" for value in turns)
            return (
                f"{self.feature} acts along a curve that turns back at about {where}: along it, "
                "values on both sides of that come near each other."
            )
        shares = np.diff(self.places[self._quarters]) / (self.places[-1] - self.places[0])
        told = [percent(share, decimals=0) for share in shares]
        return (
            f"{self.feature} acts along a curve in one direction: of all the way from "
            f"{self.values[0]:.3g} to {self.values[-1]:.3g}, the four quarters of that range make "
            f"{', '.join(told[:-1])} and {told[-1]}."
        )

    @property
    def facts(self) -> tuple[str, ...]:
        rest = "" if self.share >= NEARLY_ALL else ", the rest in directions across it"
        return (
            f"{percent(self.share, decimals=0)} of what {self.feature} by itself makes of the "
            f"squared distances is along this curve{rest}.",
        )

    @property
    def sketch(self) -> Trace:
        names = (self.feature, "Place by it alone")
        return Trace(self.title, self.values, self.places, self.given, self.stands, names)

    def table(self) -> Table:
        """The curve at its ends and each quarter of the way between."""
        at = self._quarters
        places = self.places[at]
        return Table(
            (
                Column("Value", self.values[at], NUMBER),
                Column(
                    "Place by it alone",
                    places,
                    in_one_unit(places),
                    "How far from the lowest value, in the units of the dissimilarities, by this "
                    "feature and nothing else.",
                ),
            )
        )

    def __repr__(self) -> str:
        return f"FittedCurve({self.verdict})"


def curves(fit: Fit) -> tuple[FittedCurve, ...]:
    """The curves of all known features that act along one."""
    bending = [f.name for f in fit.problem.known.features if KINDS[f.kind].bends]
    return tuple(fitted_curve(fit, name) for name in bending)


def fitted_curve(fit: Fit, name: str) -> FittedCurve:
    """The curve along which a known feature acts in a fit.

    Raises
    ------
    UnsuitableFeature : it is of a kind that has no curve.
    """
    feature = fit.problem.known[name]
    if not KINDS[feature.kind].bends:
        raise UnsuitableFeature(
            f"{name} is {feature.kind}, so it has no curve to find.",
            remedy="Know it as a quantity that may act along a curve.",
        )
    own = fit.problem.encoding.block == fit.problem.known.names.index(name)
    coef, rows = fit.coef[own], ~feature.missing
    given = feature.values[rows]
    # Not the difference, for the largest floats may be farther apart than a float can say.
    shares = np.linspace(0.0, 1.0, POINTS)
    values = (1.0 - shares) * given.min() + shares * given.max()
    stands = fit.known_values[rows][:, own] @ coef
    centre = stands.mean(axis=0)
    # B is free up to a rotation from the right, and so is the direction; the share is not.
    _, sizes, directions = np.linalg.svd(stands - centre, full_matrices=False)
    total = float((sizes**2).sum())
    along = directions[0]
    places = (feature.columns_of(values) @ coef - centre) @ along
    along, places = (-along, -places) if places[-1] < places[0] else (along, places)
    return FittedCurve(
        feature=name,
        values=frozen(values),
        places=frozen(places - places[0]),
        given=frozen(given),
        stands=frozen((stands - centre) @ along - places[0]),
        share=float(sizes[0] ** 2) / total if total > 0 else 1.0,
    )
