"""What might it be: features that are not known yet, ranked by how well the map predicts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from cml_core.errors import listing
from cml_core.evidence import prediction
from cml_core.evidence.adjusting import benjamini_hochberg, chance_columns
from cml_core.evidence.prediction import Predictor, Smoother
from cml_core.evidence.result import Result
from cml_core.evidence.table import COUNT, SHARE, Column, Table
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent

# At the level at which false alarms were counted, see benchmarks/CALIBRATION.md.
SIGNIFICANT = 0.05
# A value of this share of the largest is nought but for rounding.
ROUNDING = 1e-6
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


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Result):
    """Features that are not known yet, best predicted first.

    Parameters
    ----------
    candidates : best first, those of which nothing can be said last.
    permutations : how many random dealings each was compared with.
    seed : repeats them.
    """

    candidates: tuple[Candidate, ...]
    permutations: int
    seed: int

    heading = "What might it be?"

    @property
    def verdict(self) -> str:
        """What the map might show, in words."""
        if not self.candidates:
            return "There is no feature that is not known already."
        found = [one.feature for one in self.candidates if one.stands_out]
        tested = sum(one.adjusted is not None for one in self.candidates)
        read_off = [one.feature for one in self.candidates if one.read_off_map]
        return " ".join(filter(None, [_of_the_tested(found, tested), _of_the_drawn(read_off)]))

    @property
    def facts(self) -> tuple[str, ...]:
        return (f"{self.permutations} random dealings.",)

    def table(self) -> Table:
        untested = [one.why_no_p_value for one in self.candidates]
        by_chance, alone = chance_columns(
            [one.adjusted for one in self.candidates],
            [one.p_value for one in self.candidates],
            how_often="the same values, dealt out to the objects at random, are predicted at "
            "least as well, with what is known taken out of both",
            tried="tried",
        )
        return Table(
            (
                Column("Feature", [one.feature for one in self.candidates]),
                Column(
                    "Predicted",
                    [one.best for one in self.candidates],
                    SHARE,
                    "The share of the feature that the map predicts for an object left out; the "
                    "better of straight and curved. 100 % is perfect, 0 no better than the mean.",
                ),
                by_chance,
                Column(
                    "Straight",
                    [one.linear for one in self.candidates],
                    SHARE,
                    "The share that is predicted along a straight direction of the map.",
                ),
                Column(
                    "Curved",
                    [one.smooth for one in self.candidates],
                    SHARE,
                    "The share that is predicted by a smooth surface over the map, which may be "
                    "curved.",
                ),
                alone,
                Column(
                    "Known already",
                    [one.already_known for one in self.candidates],
                    SHARE,
                    "The share of it that the ticked features predict. Much of it known already: "
                    "the map cannot show that part.",
                ),
                Column(
                    "Objects",
                    [one.n_objects for one in self.candidates],
                    COUNT,
                    "How many objects have a value.",
                ),
                *([Column("Why there is no chance", untested)] if any(untested) else []),
            )
        )

    def __repr__(self) -> str:
        return f"Ranking({self.verdict})"


def candidates_among(features: FeatureTable, known_names: Sequence[str]) -> FeatureTable:
    """The features that are not known, and the sizes of those that go both ways from zero.

    A map may well show how far objects are from zero, such as how many generations away, and
    not in which direction.
    """
    unknown = features.select([name for name in features.names if name not in known_names])
    for feature in unknown.features:
        size = f"|{feature.name}|"
        if _goes_both_ways(feature) and not feature.read_off_map and size not in features:
            origin = f"size of {feature.name}, whatever its sign"
            unknown = unknown.with_feature(Feature.numeric(size, np.abs(feature.values), origin))
    return unknown


def _goes_both_ways(feature: Feature) -> bool:
    if not KINDS[feature.kind].is_quantity:
        return False
    values = feature.values[~feature.missing]
    return bool(min(-values.min(), values.max()) > ROUNDING * np.abs(values).max())


def what_might_it_be(
    fit: Fit, candidates: FeatureTable, *, permutations: int = 999, seed: int = 0
) -> Ranking:
    """Rank features by how well a map predicts them.

    Parameters
    ----------
    fit : the map.
    candidates : features of the same objects; those that the fit knows are left out.
    permutations : how many random dealings of a feature's values it is compared with.
    seed : of the dealings; the same for every feature, so that none depends on the others.
    """
    permutations = whole_number("permutations", permutations, least=1)
    seed = whole_number("seed", seed)
    # In the order of their names, so that it does not matter in which order objects came.
    order = np.argsort(np.array(fit.labels))
    table = candidates.for_objects([fit.labels[i] for i in order])
    features = [feature for feature in table.features if feature.name not in fit.problem.known]
    with capped_linear_algebra(1):
        over_map = prediction.predictors(fit.embedding[order])
        over_known = prediction.plane_over(fit.known_values[order])
        # Decomposing is what takes the time, and most features have the same objects missing: none.
        patterns = {feature.missing.tobytes(): ~feature.missing for feature in features}
        fitted = {
            pattern: prediction.smoothers(over_map, rows) for pattern, rows in patterns.items()
        }
        judge = partial(_candidate, fit.problem)
        found = [
            judge(feature, fitted[feature.missing.tobytes()], over_known, permutations, seed)
            for feature in features
        ]
    adjusted = benjamini_hochberg([one.p_value for one in found])
    judged = [replace(one, adjusted=p) for one, p in zip(found, adjusted, strict=True)]
    return Ranking(tuple(sorted(judged, key=_place)), permutations, seed)


def _candidate(
    problem: Problem,
    feature: Feature,
    fitted: Sequence[Smoother],
    over_known: Sequence[Predictor],
    permutations: int,
    seed: int,
) -> Candidate:
    """How well the map predicts a feature, before others are thought of."""
    columns, rows = prediction.observed_columns(feature)
    found = prediction.prediction(fitted, columns)
    before = prediction.smoothers(over_known, rows)
    why_not = _why_not(problem, feature, columns, fitted, before)
    tested = partial(prediction.p_value, fitted, columns, permutations, seed, before)
    return Candidate(
        feature=feature.name,
        correlation=found.correlation,
        linear=found.linear,
        smooth=found.smooth,
        p_value=None if why_not else tested(),
        adjusted=None,
        already_known=max(prediction.prediction(before, columns).linear, 0.0),
        n_objects=len(columns),
        read_off_map=feature.read_off_map,
        direction=_direction(feature, fitted),
        why_no_p_value=why_not,
    )


def _why_not(
    problem: Problem,
    feature: Feature,
    columns: FloatArray,
    fitted: Sequence[Smoother],
    over_known: Sequence[Smoother],
) -> str:
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
    if (prediction.left_by(over_known, values) ** 2).sum() <= NOTHING_LEFT * (values**2).sum():
        return FOLLOWS
    if over_known and len(columns) - over_known[0].gains.size < prediction.FEWEST_VALUES:
        return TOO_MUCH_KNOWN
    return "" if fitted else NO_EXTENT


def _direction(feature: Feature, fitted: Sequence[Smoother]) -> FloatArray:
    """Where a feature increases most steeply, by the plane."""
    heights, rows = feature.heights(), ~feature.missing
    if not fitted or heights is None or not prediction.is_testable(heights[rows, None]):
        return frozen(np.zeros(0))
    slopes = fitted[0].slopes(prediction.centred(heights[rows, None])[:, 0])
    length = float(np.linalg.norm(slopes))
    return frozen(slopes / length if length > 0 else np.zeros(0))


def _place(candidate: Candidate) -> tuple[bool, float]:
    nothing_said = candidate.p_value is None and not candidate.read_off_map
    return nothing_said, -candidate.best


def _of_the_tested(found: list[str], tested: int) -> str:
    if not tested:
        return "None of these features can be tested."
    if not found:
        return (
            "No feature is predicted from the map better than chance would do it "
            f"(tested: {tested}). What the map shows may be something that is not among them."
        )
    others = f", then at {listing(found[1:])}" if found[1:] else ""
    return (
        f"Look at {found[0]} first{others}: the map predicts {'these' if others else 'it'} better "
        f"than chance would (tested: {tested})."
    )


def _of_the_drawn(read_off: list[str]) -> str:
    if not read_off:
        return ""
    was, them = ("was", "it") if len(read_off) == 1 else ("were", "them")
    return f"{listing(read_off)} {was} read off a map; that a map predicts {them} proves nothing."
