"""A feature that is not known yet, held against a map: how well that predicts it, and by chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cml_core.evidence import dealing, prediction
from cml_core.evidence.over_known import over_known
from cml_core.evidence.prediction import Predictor, Smoother
from cml_core.evidence.together import Gathered
from cml_core.values.arrays import BoolArray, FloatArray, Value, frozen
from cml_core.values.features import Feature
from cml_core.values.kinds.registry import KINDS
from cml_core.values.words import percent

# At the level at which false alarms were counted, see benchmarks/CALIBRATION.md.
SIGNIFICANT = 0.05
# Where what is known leaves less of a feature's variance, the rest is rounding.
NOTHING_LEFT = 1e-6
# From here on it is worth saying how much of a feature was known before.
MUCH_KNOWN = 0.5
READ_OFF = "It was read off a map, so it fits the map because it was made to."
TOO_FEW = f"Fewer than {prediction.FEWEST_VALUES} objects have a value."
NO_EXTENT = "All objects lie in one place on the map."
ALL_ALIKE = "It is the same for all objects."
FOLLOWS = "It follows from what is known already."
TOO_MUCH_KNOWN = "So much is known that too few objects are left to compare it by."
TOO_FEW_APART = (
    "Objects that lie together count once, and so much is known that too few groups are left to "
    "compare it by."
)
ALL_APART = "Its categories have fewer than two objects each, on average."


@dataclass(frozen=True, eq=False, repr=False)
class Candidate(Value):
    """How well the map predicts one feature.

    Parameters
    ----------
    feature : its name.
    correlation : multiple correlation R with the coordinates of the map.
    linear, smooth : the share of its variation predicted for an object left out, by a plane
        over the map and by a smooth surface; below zero where the mean predicts better, and
        zero where nothing can be said.
    p_value : how often the same values, dealt out to the objects at random, are predicted at
        least as well, with what the ticked features predict taken out of both; None where no
        fair test is possible.
    adjusted : the p-value after Benjamini and Hochberg, over all candidates that were tested.
    already_known : the share of it that the ticked features predict, by a plane, for an object
        left out; 0 at least.
    n_objects : how many objects have a value of it.
    read_off_map : whether it was drawn or selected on a map; then it gets no p-value.
    direction : (p,) of length 1, where it increases most steeply on the map, for two
        categories from the first to the second; empty for more categories and for angles, and
        where nothing can be said.
    why_no_p_value : why it was not tested; empty where it was.
    """

    feature: str
    correlation: float
    linear: float
    smooth: float
    p_value: float | None
    adjusted: float | None
    already_known: float
    n_objects: int
    read_off_map: bool
    direction: FloatArray
    why_no_p_value: str

    @property
    def best(self) -> float:
        """The better of the two predicted shares."""
        return max(self.linear, self.smooth)

    @property
    def stands_out(self) -> bool:
        """Whether it is predicted better than chance, for all that were tried."""
        return self.adjusted is not None and self.adjusted <= SIGNIFICANT

    @property
    def verdict(self) -> str:
        """What the map has to do with it, in words."""
        before = (
            f" But {percent(self.already_known)} of it follows from what is known already."
            if self.already_known >= MUCH_KNOWN
            else ""
        )
        return f"{self._predicted()} {self._chance()}{before}"

    def _predicted(self) -> str:
        if self.best <= 0:
            return f"Nothing of {self.feature} can be predicted from the map."
        how = "along a straight direction" if self.linear >= self.smooth else "in a curved way"
        share = percent(self.best)
        return (
            f"For an object left out, {share} of {self.feature} can be predicted from its place "
            f"on the map, {how}."
        )

    def _chance(self) -> str:
        if self.adjusted is None:
            return f"No chance is given. {self.why_no_p_value}"
        how_often = "would rarely" if self.stands_out else "can easily"
        return (
            f"A feature that has nothing to do with the map {how_often} do as well (p = "
            f"{self.adjusted:.2g}, adjusted for all that were tried)."
        )

    def __repr__(self) -> str:
        return f"Candidate({self.verdict})"


@dataclass(frozen=True, eq=False)
class Seen(Value):
    """What features with the same objects missing are judged by.

    `over_map` predicts from the map, `plane` from what is known; `known` is what is taken out
    before chance is asked, and `gathered` who is dealt out together.
    """

    over_map: tuple[Smoother, ...]
    plane: tuple[Smoother, ...]
    known: FloatArray
    gathered: Gathered

    def p_value(self, columns: FloatArray, permutations: int, seed: int) -> float:
        """How often chance predicts the columns of a feature as well; see `dealing`."""
        return dealing.p_value(
            self.over_map,
            columns,
            permutations,
            seed,
            over_known=self.known,
            gathered=self.gathered,
        )


def seen_by(
    over_map: Sequence[Predictor],
    known_values: FloatArray,
    gathered: Gathered,
    rows: BoolArray,
) -> Seen:
    """What features are judged by that have a value for these objects."""
    present = gathered.among(rows)
    return Seen(
        prediction.smoothers(over_map, rows),
        prediction.smoothers(prediction.plane_over(known_values), rows),
        over_known(known_values[rows], present.n_groups),
        present,
    )


def held_against(feature: Feature, seen: Seen, permutations: int, seed: int) -> Candidate:
    """How well the map predicts a feature, before others are thought of."""
    columns, _ = prediction.observed_columns(feature)
    found = prediction.prediction(seen.over_map, columns)
    why_not = _why_not(feature, columns, seen)
    return Candidate(
        feature=feature.name,
        correlation=found.correlation,
        linear=found.linear,
        smooth=found.smooth,
        p_value=None if why_not else seen.p_value(columns, permutations, seed),
        adjusted=None,
        already_known=max(prediction.prediction(seen.plane, columns).linear, 0.0),
        n_objects=len(columns),
        read_off_map=feature.read_off_map,
        direction=_direction(feature, seen.over_map),
        why_no_p_value=why_not,
    )


def _why_not(feature: Feature, columns: FloatArray, seen: Seen) -> str:
    """Why a feature cannot be tested; empty where it can."""
    if feature.read_off_map:
        return READ_OFF
    if len(columns) < prediction.FEWEST_VALUES:
        return TOO_FEW
    if not prediction.is_testable(columns):
        return ALL_ALIKE
    if KINDS[feature.kind].is_grouping and 2 * len(np.unique(columns, axis=0)) > len(columns):
        return ALL_APART
    values = prediction.centred(columns)
    if (dealing.left_by(seen.known, values) ** 2).sum() <= NOTHING_LEFT * (values**2).sum():
        return FOLLOWS
    n_known = seen.plane[0].gains.size if seen.plane else 0
    if seen.gathered.n_groups - n_known < prediction.FEWEST_VALUES:
        return TOO_FEW_APART if seen.gathered.sizes else TOO_MUCH_KNOWN
    return "" if seen.over_map else NO_EXTENT


def _direction(feature: Feature, fitted: Sequence[Smoother]) -> FloatArray:
    """Where a feature increases most steeply, by the plane."""
    heights, rows = feature.heights(), ~feature.missing
    if not fitted or heights is None or not prediction.is_testable(heights[rows, None]):
        return frozen(np.zeros(0))
    slopes = fitted[0].slopes(prediction.centred(heights[rows, None])[:, 0])
    length = float(np.linalg.norm(slopes))
    return frozen(slopes / length if length > 0 else np.zeros(0))
