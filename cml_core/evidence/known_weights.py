"""What is known, and how much it weighs: the coefficients B in words and in canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from cml_core.errors import listing
from cml_core.evidence import dealing, prediction
from cml_core.evidence.fitted_curve import curves
from cml_core.evidence.prediction import Predictor
from cml_core.evidence.result import Result
from cml_core.evidence.table import NUMBER, SHARE, Column, Table, in_one_unit
from cml_core.evidence.together import Gathered, together
from cml_core.fitting.result import Fit
from cml_core.fitting.solvers.objective import laplacian
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import BoolArray, FloatArray, Value, frozen
from cml_core.values.features import Feature
from cml_core.values.kinds.registry import KINDS
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent

# From here on a map is worth calling not free of a feature, if it is hardly chance.
LEAKING = 0.1
MUCH = 0.5
HARDLY_CHANCE = 0.05
DEALINGS = 199
# A direction with less than this share of the squared distances is rounding error.
NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class FeatureWeight:
    """What one known feature makes of the distances.

    Parameters
    ----------
    feature, kind : its name, and what kind of feature it is.
    step : what one step of it is, in words: "one unit", "one level", "another category",
        "the opposite angle".
    per_step : what one step, and nothing else, adds to the squared distance; for
        categories the mean over all pairs of those that occur, for angles over all angles.
    spread : its standard deviation in its own units; NaN for categories and angles.
    per_spread : what a typical departure from its mean (for numbers, one standard deviation)
        adds to the squared distance.
    share : its part of all squared fitted distances, as in `Fit.contributions`. Where features
        interact a share can be below zero: the feature then mainly corrects another.
    leak_linear, leak_smooth : the share of its variation that the map predicts for an object
        left out, by a plane and by a smooth surface; about zero where the map is free of it.
    leaks : whether that is a tenth or more, and more than 19 of 20 random dealings of the same
        values would give.
    """

    feature: str
    kind: str
    step: str
    per_step: float
    spread: float
    per_spread: float
    share: float
    leak_linear: float
    leak_smooth: float
    leaks: bool

    @property
    def leak(self) -> float:
        """The share of it that can still be predicted from the map; may be below zero."""
        return max(self.leak_linear, self.leak_smooth)

    @property
    def leak_in_words(self) -> str:
        """How much of it is still on the map, and what to think of that."""
        share = percent(self.leak, decimals=1)
        if self.leaks:
            return f"{share}, more than chance"
        return f"{share}, no more than chance" if self.leak >= LEAKING else share


@dataclass(frozen=True, eq=False, repr=False)
class Direction(Value):
    """One combined direction of the known features.

    Parameters
    ----------
    share : of what the known features make of the squared distances.
    loadings : (q,) how far one standard deviation of each column moves an object along it, in
        the units of the fitted distances; the largest is positive.
    """

    share: float
    loadings: Annotated[FloatArray, "q"]

    def __repr__(self) -> str:
        return f"Direction({percent(self.share)}, loadings {np.round(self.loadings, 3).tolist()})"


@dataclass(frozen=True, eq=False, repr=False)
class KnownWeights(Result):
    """What the known features weigh, one by one and combined.

    Parameters
    ----------
    features : one for each known feature, in their order.
    columns : the q encoded columns in words.
    gram : (q, q) S B B' S, with S the standard deviations of the columns, those of one feature
        taken together: what B does, whatever its rotation. The diagonal is what one standard
        deviation of each column adds to the squared distance, the rest what columns do
        together.
    directions : combined directions, most important first. Their loadings, side by side, are
        S B after the turn that makes them perpendicular.
    seed : of the dealings that leaks are compared with.
    """

    features: tuple[FeatureWeight, ...]
    columns: Annotated[tuple[str, ...], "q"]
    gram: Annotated[FloatArray, "qq"]
    directions: tuple[Direction, ...]
    seed: int

    heading = "What weighs how much?"
    facts = (
        "What one step or one spread adds, it adds to the squared fitted distance of two objects.",
    )

    @property
    def verdict(self) -> str:
        """Which features make the distances, and whether the map is free of them, in words."""
        if not self.features:
            return "Nothing is known, so the map shows all that makes the objects differ."
        together = sum(one.share for one in self.features)
        if together <= NEGLIGIBLE:
            return "What is known makes nothing of the distances."
        return f"{_of_shares(self.features, together)} {_of_leaks(self.features)}".rstrip()

    def renamed(self, name: str, to: str) -> KnownWeights | None:  # noqa: ARG002
        """None where it speaks of the feature, for its columns are named after features."""
        return None if self.mentions(name) else self

    def shown_with(self, fit: Fit) -> tuple[Result, ...]:
        """The curves of those that act along one."""
        return curves(fit)

    def table(self) -> Table:
        """The features, heaviest first."""
        features = sorted(self.features, key=lambda one: -one.share)
        per_spread = [one.per_spread for one in features]
        leak = Column(
            "Still on the map",
            [one.leak_in_words for one in features],
            meaning="The share of the feature that the map still predicts for an object left out. "
            "Below zero: the map predicts it worse than its mean would, so the map is free of it.",
        )
        return Table(
            (
                Column("Known feature", [one.feature for one in features]),
                Column(
                    "Share of distances",
                    [one.share for one in features],
                    SHARE,
                    "Of all squared distances of this fit, those on the map included, as on the "
                    "Discover page; the verdict shares out only what the known features make. "
                    "Below zero: it mainly corrects another feature.",
                ),
                *([leak] if any(one.leak for one in features) else []),
                Column("One step is", [one.step for one in features]),
                Column(
                    "One step adds",
                    [one.per_step for one in features],
                    NUMBER,
                    "What one step of this feature, and nothing else, adds to the squared fitted "
                    "distance of two objects.",
                ),
                Column(
                    "Its usual spread",
                    [one.spread for one in features],
                    NUMBER,
                    "The standard deviation: how far objects usually lie from the mean of the "
                    "feature. Empty for groups and angles.",
                ),
                Column(
                    "One spread adds",
                    per_spread,
                    in_one_unit(per_spread),
                    "What a usual difference from the mean adds to the squared distance: "
                    "with this, features measured on different scales can be compared.",
                ),
            )
        )

    def columns_together(self) -> Table:
        """What columns do together, each against each."""
        form = in_one_unit(self.gram)
        beside = zip(self.columns, self.gram.T, strict=True)
        return Table(
            (Column("Column", self.columns), *(Column(name, of, form) for name, of in beside))
        )

    def combined_directions(self) -> Table:
        """What each combined direction is made of."""
        form = in_one_unit([one.loadings for one in self.directions])
        made = [
            Column(f"Direction {k}", one.loadings, form) for k, one in enumerate(self.directions, 1)
        ]
        return Table((Column("Column", self.columns), *made))

    def __repr__(self) -> str:
        return f"KnownWeights({self.verdict})"


def known_weights(fit: Fit, *, seed: int = 0) -> KnownWeights:
    """What is known of the objects, and how much each of it weighs in a fit.

    B is determined up to a rotation from the right; everything here stays the same under it.

    Parameters
    ----------
    fit : the map and the coefficients that were found with it.
    seed : of the random dealings that tell a leak from chance.
    """
    seed = whole_number("seed", seed)
    encoding = fit.problem.encoding
    spreads = _spreads(fit)
    standard = spreads[:, None] * fit.coef
    shares = fit.contributions()
    with capped_linear_algebra(1):
        over_map = prediction.predictors(fit.embedding)
        gathered = together(fit.embedding, fit.known_values @ fit.coef)
        seen = (over_map, gathered)
        features = tuple(
            _weight(feature, fit, encoding.block == k, shares[feature.name], seen, seed)
            for k, feature in enumerate(fit.problem.known.features)
        )
        directions = _directions(fit, standard)
    columns = tuple(name for one in fit.problem.known.features for name in _column_words(one))
    return KnownWeights(features, columns, frozen(standard @ standard.T), directions, seed)


def _spreads(fit: Fit) -> FloatArray:
    """(q,) standard deviations as the fit scales columns: those of one feature share one.

    So it does not matter in which order categories are listed, or where angles begin.
    """
    block, variances = fit.problem.encoding.block, fit.known_values.var(axis=0)
    pooled = [variances[block == k].mean() for k in block]
    return np.sqrt(np.array(pooled, dtype=np.float64))


def _weight(
    feature: Feature,
    fit: Fit,
    own: BoolArray,
    share: float,
    seen: tuple[Sequence[Predictor], Gathered],
    seed: int,
) -> FeatureWeight:
    coef, values = fit.coef[own], fit.known_values[:, own]
    departures = (values - values.mean(axis=0)) @ coef
    over_map, gathered = seen
    columns, rows = prediction.observed_columns(feature)
    fitted = prediction.smoothers(over_map, rows)
    leak = prediction.prediction(fitted, columns)
    by_chance = partial(dealing.p_value, fitted, columns, DEALINGS, seed)
    kind = KINDS[feature.kind]
    return FeatureWeight(
        feature=feature.name,
        kind=feature.kind,
        step=kind.step,
        per_step=kind.per_step(feature, coef),
        spread=float(feature.decoded(values).std()) if kind.ordered else np.nan,
        per_spread=float((departures**2).sum()) / len(values),
        share=share,
        leak_linear=leak.linear,
        leak_smooth=leak.smooth,
        leaks=max(leak.linear, leak.smooth) >= LEAKING
        and by_chance(gathered=gathered.among(rows)) <= HARDLY_CHANCE,
    )


def _directions(fit: Fit, standard: FloatArray) -> tuple[Direction, ...]:
    """B after a turn: the eigenvectors of S B B' S, with what each makes of the distances."""
    if not standard.any():
        return ()
    # B is free up to a rotation from the right, so its columns say nothing by themselves; after
    # this one they are perpendicular, and the same whatever the solver's were.
    left, sizes, turn = np.linalg.svd(standard)
    places = fit.known_values @ fit.coef @ turn.T
    pulled = laplacian(places, fit.problem.pair_weights, len(places))
    made = (places * pulled).sum(axis=0)
    shares = made / made.sum() if made.sum() > 0 else made
    loadings = left * sizes
    largest = np.abs(loadings).argmax(axis=0)
    loadings *= np.where(loadings[largest, np.arange(len(sizes))] < 0, -1.0, 1.0)
    order = [k for k in np.argsort(-shares, kind="stable") if shares[k] > NEGLIGIBLE]
    return tuple(Direction(float(shares[k]), frozen(loadings[:, k])) for k in order)


def _column_words(feature: Feature) -> tuple[str, ...]:
    """The columns of a feature in words."""
    kind = KINDS[feature.kind]
    return (kind.column_words or kind.column_names)(feature)


def _of_shares(features: Sequence[FeatureWeight], together: float) -> str:
    """Whose the distances are, heaviest first."""
    said = f"What is known makes {percent(together)} of the squared distances in this fit"
    if len(features) == 1:
        return f"{said}, all of it by {features[0].feature}."
    heaviest = sorted(features, key=lambda one: -one.share)
    made = [f"{f.feature} {percent(f.share / together)}" for f in heaviest if f.share >= 0]
    said += f". Of that, the shares are: {listing(made)}."
    correcting = [one.feature for one in features if one.share < 0]
    mainly = "mainly corrects the others" if len(correcting) == 1 else "mainly correct the others"
    return f"{said} {listing(correcting)} {mainly}." if correcting else said


def _of_leaks(features: Sequence[FeatureWeight]) -> str:
    """Whether the map is free of what is known; nothing where there is no map."""
    heaviest = sorted(features, key=lambda one: -one.leak)
    leaking = [f"{percent(one.leak)} of {one.feature}" for one in heaviest if one.leaks]
    if not any(one.leak for one in features):
        return ""
    if not leaking:
        return (
            "The map seems free of it: no known feature can be predicted from there better than "
            "chance would."
        )
    how = "still shows much of it" if heaviest[0].leak >= MUCH else "is not quite free of it"
    return f"The map {how}: from there, {listing(leaking)} can be predicted."
