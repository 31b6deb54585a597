"""Does a known quantity act along a curve? Pairs held out of the fit decide.

A curve takes a few columns where a straight line takes one, so it always fits better. What
counts is whether it tells pairs better that the fit has not seen, and clearly so: by more than
the standard error over the parts that are held out in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from cml_core.errors import UnsuitableFeature, listing
from cml_core.evidence.held_out import HeldOut, held_out
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.result import Result
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.evidence.telling import (
    Seen,
    check_varied,
    error_of,
    fit_from,
    fit_of_others,
    typical_distance,
)
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.problem import Problem
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.features import Feature
from cml_core.values.kinds import curved, numeric
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent

# A gain of more standard errors than this over the folds is clear.
CLEAR = 2.0
# A curve of two values is a straight line.
FEWEST_VALUES = 3
# How far a bend reaches in a start, as a share of the dissimilarities.
FAINT = 0.1
STRAIGHT, CURVED = numeric.KIND.name, curved.KIND.name


@dataclass(frozen=True, eq=False)
class FeatureBend(Value):
    """What a curve in place of a straight line does for pairs that the fit has not seen.

    Parameters
    ----------
    feature : its name.
    is_curved : whether it acts along a curve in the map that was judged.
    held_out_straight, held_out_curved : the share of the squared dissimilarities of held-out
        pairs that is not explained, the other features as they are; on any scale but the ratio
        scale, the mean squared error of what is told of them, as a share of the variance of all.
    gain_error : standard error of the difference, over folds.
    """

    feature: str
    is_curved: bool
    held_out_straight: float
    held_out_curved: float
    gain_error: float

    @property
    def gain(self) -> float:
        """By how much the curve lowers the held-out error."""
        return self.held_out_straight - self.held_out_curved

    @property
    def bends(self) -> bool:
        """Whether held-out pairs speak clearly for a curve."""
        return self.gain > CLEAR * self.gain_error


@dataclass(frozen=True, eq=False)
class Curvature(Result):
    """For each known quantity, whether a curve tells held-out pairs better than a straight line."""

    features: tuple[FeatureBend, ...]
    folds: int
    seed: int

    heading = "Does it act along a curve?"

    @property
    def advised(self) -> tuple[str, ...]:
        """The features that act straight and should act along a curve, the clearest first."""
        found = [one for one in self.features if one.bends and not one.is_curved]
        return tuple(one.feature for one in sorted(found, key=lambda one: -one.gain))

    @property
    def verdict(self) -> str:
        return " ".join(self.verdicts)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """One for those that bend, one for all others."""
        bending = sorted((one for one in self.features if one.bends), key=lambda one: -one.gain)
        others = [one.feature for one in self.features if not one.bends]
        said = [_of_the_clearest(bending)] if bending else []
        if others:
            said.append(
                f"Nothing speaks clearly for a curve of {listing(others)}: pairs held out of the "
                "fit are told as well along a straight line."
            )
        return tuple(said)

    @property
    def facts(self) -> tuple[str, ...]:
        return (f"{self.folds} parts of the pairs were held out in turn.",)

    def table(self) -> Table:
        """The features, the clearest curve first."""
        features = sorted(self.features, key=lambda one: -one.gain)
        return Table(
            (
                Column("Known feature", [one.feature for one in features]),
                Column(
                    "Gain by a curve",
                    [one.gain for one in features],
                    SHARE,
                    "By how much a curve in place of a straight line lowers the share of the "
                    "held-out pairs' dissimilarities that is not explained. Below zero it does "
                    "harm.",
                ),
                Column(
                    "Give or take",
                    [one.gain_error for one in features],
                    SHARE,
                    "The standard error of the gain: how much it would differ with other pairs. A "
                    "gain of more than twice as much is called clear.",
                ),
                Column("Along a curve", [one.held_out_curved for one in features], SHARE),
                Column("Straight", [one.held_out_straight for one in features], SHARE),
                Column(
                    "Acts along a curve now",
                    [one.is_curved for one in features],
                    meaning="In the map that was judged.",
                ),
            )
        )


def is_quantity(feature: Feature) -> bool:
    """Whether a feature acts along a straight line and could along a curve, or the other way."""
    return feature.kind in (STRAIGHT, CURVED)


def may_bend(problem: Problem) -> tuple[str, ...]:
    """The known features that can be asked whether they act along a curve.

    Quantities of three values or more, where each feature may act freely; not those that were
    read off a map, for the shape of what was drawn says nothing about the pairs.
    """
    if problem.coef_kind != "full":
        return ()
    return tuple(
        feature.name
        for feature in problem.known.features
        if is_quantity(feature)
        and not feature.read_off_map
        and np.unique(feature.values[~feature.missing]).size >= FEWEST_VALUES
    )


def curvature(
    problem: Problem,
    names: Sequence[str] | None = None,
    *,
    folds: int = 10,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> Curvature:
    """Ask known quantities of a problem whether they act along a curve, each by itself.

    Parameters
    ----------
    names : which of them; by default all that can be asked, see `may_bend`.
    folds : into so many parts the pairs are dealt; each is held out once.
    """
    folds = whole_number("folds", folds, least=2)
    seed = whole_number("seed", seed)
    chosen = _checked(problem, names)
    check_varied(problem)
    held = held_out(problem, folds, seed)
    problem = as_fitted(problem)
    spread = partial(each, workers=workers, on_step=on_step)
    bases = spread(
        partial(_base, problem, held, seed),
        range(folds),
        doing="Step 1 of 2, fitting the features as they are",
    )
    as_they_are = _errors(problem, held, bases)
    changed = spread(
        partial(_error_of_other, problem, held, seed, tuple(bases)),
        list(product(chosen, range(folds))),
        doing="Step 2 of 2, fitting each along a curve",
    )
    errors = dict(zip(chosen, np.reshape(changed, (len(chosen), folds)), strict=True))
    features = tuple(_bend(problem.known[name], as_they_are, errors[name]) for name in chosen)
    return Curvature(features, folds, seed)


def _checked(problem: Problem, names: Sequence[str] | None) -> tuple[str, ...]:
    possible = may_bend(problem)
    chosen = possible if names is None else problem.known.select(names).names
    wrong = [name for name in chosen if name not in possible]
    if wrong or not chosen:
        who = listing(wrong) if wrong else "No known feature"
        raise UnsuitableFeature(
            f"{who} {'cannot' if wrong else 'can'} be asked whether it acts along a curve.",
            remedy="Ask quantities with at least three different values that were not read off a "
            "map, and let features act freely (coef='full').",
        )
    return chosen


def shaped(feature: Feature, *, bent: bool) -> Feature:
    """The same quantity, to act along a curve or along a straight line."""
    return replace(feature, kind=CURVED if bent else STRAIGHT)


def _base(problem: Problem, held: HeldOut, seed: int, fold: int) -> Seen:
    return fit_of_others(held.without(problem, fold), seed)


def _errors(problem: Problem, held: HeldOut, bases: Sequence[Seen]) -> FloatArray:
    """(folds,) the error of the pairs held out in each."""
    others = (held.without(problem, fold) for fold in range(held.folds))
    found = [
        error_of(held, k, one, base)
        for k, (one, base) in enumerate(zip(others, bases, strict=True))
    ]
    return np.array(found)


def _error_of_other(
    problem: Problem, held: HeldOut, seed: int, bases: tuple[Seen, ...], task: tuple[str, int]
) -> float:
    """With one feature in its other shape, from the fit as it is and from the usual starts."""
    name, fold = task
    feature, found = problem.known[name], bases[fold]
    changed = problem.knowing(shaped(feature, bent=feature.kind != CURVED))
    other = held.without(changed, fold)
    faint = FAINT * typical_distance(other, found)
    coef = reaching(found.solution.known_places, other.encoding.values, faint)
    again = fit_from(other, (found.solution.embedding, coef), found.power, seed)
    return error_of(held, fold, other, again)


def reaching(places: FloatArray, columns: FloatArray, faint: float) -> FloatArray:
    """B that moves the known columns about as near to these places as they get.

    In directions beyond those of the places every column counts faintly, for where it is at zero
    it would stay there.
    """
    columns = np.nan_to_num(columns - np.nanmean(columns, axis=0), nan=0.0)
    spread = columns.std(axis=0)
    inverse = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    q, r = columns.shape[1], min(places.shape[1], columns.shape[1])
    coef = np.zeros((q, q))
    coef[:, :r] = np.linalg.lstsq(columns * inverse, places - places.mean(axis=0))[0][:, :r]
    coef[r:, r:] = faint * np.eye(q - r)
    return np.asarray(inverse[:, None] * coef)


def _bend(feature: Feature, as_it_is: FloatArray, changed: FloatArray) -> FeatureBend:
    is_curved = feature.kind == CURVED
    straight, bent = (changed, as_it_is) if is_curved else (as_it_is, changed)
    gain_error = float((straight - bent).std(ddof=1) / np.sqrt(straight.size))
    return FeatureBend(
        feature.name, is_curved, float(straight.mean()), float(bent.mean()), gain_error
    )


def _of_the_clearest(bending: Sequence[FeatureBend]) -> str:
    """The feature that gains most; of several, what to make of the rest."""
    first, *rest = bending
    said = (
        f"{first.feature} acts along a curve: of the dissimilarity of pairs held out of the fit, "
        f"{percent(first.held_out_curved, 2)} stays unexplained with one, "
        f"{percent(first.held_out_straight, 2)} along a straight line."
    )
    if not rest:
        return said
    also = f"{said} So, it seems, {'does' if len(rest) == 1 else 'do'} "
    also += listing([one.feature for one in rest])
    if all(one.is_curved for one in bending):
        return f"{also}."
    return f"{also}; but where one curve is missing others may seem bent: change one and ask again."
