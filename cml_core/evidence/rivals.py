"""What explains an alarm as well as a further feature: then the alarm is not shown as one.

One more dimension takes in much that is no feature: a bias of objects, bent numbers, a curve of a
known feature, differences that add up feature by feature, and on a free scale more of the errors
than null data foresee. So before an alarm is believed, it is held against rivals: this map with one
of these in place of the dimension, both fitted together. Where residuals alone were looked at
(`misfit.py`), half of the biased data sets of 20 objects were taken for a feature, because the map
had bent to the bias.

Biased objects (by factors and, asked last, by lengths) and city-block distances are the rival where
they leave less of all pairs, for the numbers that they take (Akaike 1974). Curves take few numbers,
but on a free scale nobody knows how many; so they, and nothing at all, are the rival where they
tell pairs held out better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np
from scipy.sparse import csr_array, diags_array, hstack

from cml_core.errors import NothingObserved
from cml_core.evidence.curvature import FAINT, STRAIGHT, may_bend, reaching, shaped
from cml_core.evidence.held_out import pair_folds
from cml_core.evidence.misfit import (
    BENT,
    CITY_BLOCK,
    Misfit,
    biased,
    city_block_over_straight,
    curved,
    turns,
)
from cml_core.evidence.refits import refit, with_gaps, with_values
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.configuration import Configuration, Solution
from cml_core.fitting.problem import Problem
from cml_core.fitting.scaled_targets import scaled_to
from cml_core.fitting.scales.ordinal import AUTO
from cml_core.fitting.scales.ordinal import SCALE as ORDINAL
from cml_core.fitting.scales.power import to_the_power
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.scales.smooth import SPLINE
from cml_core.fitting.scales.told import told
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value

# Pairs are dealt into so many parts, so many times over: which are held out together is chance.
FOLDS, DEALINGS = 10, 3
# Fresh starts of the map along a smooth curve, beside that of this map.
STARTS = 3
# Map and effects are fitted in turns, until no distance moves by more than a share of their mean.
ROUNDS, STILL = 150, 1e-4
# As a share of the mean, below which a distance is no unit of its error.
SMALLEST_UNIT = 0.2
SMALLEST_FACTOR = 0.2
# A rival that tells so much of what one more dimension tells explains it: of a feature that acts by
# its root a curve told .9 and more, of one that is really hidden no rival more than .45.
ENOUGH = 0.5
ALONG_A_CURVE = (SPLINE.name, ORDINAL.name)
# Of the squares of the targets; less is rounding.
NOTHING_LEFT = 1e-12
UNCONFIRMED = Misfit(
    "unconfirmed",
    "Pairs held out of the fit are told no better with one more dimension than without it.",
    "More objects, or more careful judgements, may tell.",
)

# (pairs, k) of what, in shares of the distance, may be added to it.
Columns = Callable[[Configuration], csr_array]


@dataclass(frozen=True, eq=False)
class Model(Value):
    """A way to tell pairs: a question, where its fit ended, and what to say where it is best."""

    problem: Problem
    found: Solution
    power: float
    misfit: Misfit = UNCONFIRMED


@dataclass(frozen=True, eq=False)
class _Trial(Value):
    """Who tells pairs held out, of what, how much each pair counts, and the parts by dealing."""

    models: tuple[Model, ...]
    values: FloatArray
    weights: FloatArray
    dealings: tuple[IntArray, ...]


def explained_otherwise(
    problem: Problem,
    found: Solution,
    wider: Solution,
    power: float,
    *,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> Misfit | None:
    """What explains the data at least as well as one more dimension; None where nothing does.

    Parameters
    ----------
    problem : with its targets as plain data (`refits.as_fitted`).
    found, wider : its fit, and that with one more hidden dimension.
    """
    here, more = _with_one_more(problem, found, wider, power)
    fitted = _of_all_pairs(here, more) if found.distances().any() else None
    if fitted is not None:
        return fitted
    try:
        dealings = tuple(pair_folds(problem, FOLDS, seed + k) for k in range(DEALINGS))
    except NothingObserved:
        return UNCONFIRMED
    models = (here, *_bending(here, seed), more)
    trial = _Trial(models, _as_told(here), _weights(here), dealings)
    by_part = each(
        partial(_errors, trial),
        list(product(range(DEALINGS), range(FOLDS))),
        doing="Looking for other explanations",
        workers=workers,
        on_step=on_step,
    )
    return _best_rival(models, np.sum(by_part, axis=0))


def bias_by_lengths(
    problem: Problem, found: Solution, wider: Solution, power: float
) -> Misfit | None:
    """What is added to all distances of each object, where it leaves less than one more dimension.

    To be asked where `explained_otherwise` found nothing, for bent numbers look like it; and not
    where the numbers along a curve are no lengths.
    """
    if problem.scale in ALONG_A_CURVE or not found.distances().any():
        return None
    here, more = _with_one_more(problem, found, wider, power)
    # A constant of the scale would take up what is added, until all distances are alike.
    free = SCALES[problem.scale].admits is not None
    # This map may have bent to the bias too far for a way back.
    starts = (here,) if free else (here, replace(here, found=_shortened(here)))
    biases = (_bias_of(start, more, _added_to_objects, held=free) for start in starts)
    return next(filter(None, biases), None)


def _with_one_more(
    problem: Problem, found: Solution, wider: Solution, power: float
) -> tuple[Model, Model]:
    more = replace(problem, n_components=problem.n_components + 1)
    return Model(problem, found, power), Model(more, wider, power)


def _shortened(here: Model) -> Solution:
    """A map of what is left once each object's mean distance from all others is taken out."""
    problem, found = here.problem, here.found
    targets = np.nan_to_num(scaled_to(problem, found.distances(), here.power))
    weights, objects = _pair_weights(problem) * problem.counting, _of_objects(found)
    weighted = objects.T.multiply(weights).tocsr()
    added = np.linalg.lstsq((weighted @ objects).toarray(), weighted @ targets)[0]
    left = np.maximum(targets - objects @ (added - added.min()), 0.0)
    plain = with_values(replace(problem, scale=RATIO, ties=AUTO), left)
    return refit(plain, (found.embedding, found.coef), fresh=STARTS)


def bias_beyond_doubt(problem: Problem, found: Solution, power: float) -> Misfit | None:
    """A bias of each object, where it leaves less of all pairs by far; else None.

    A map bends to a bias, and then its residuals hardly show it. So the map is fitted with it, and
    has to pay for a number of each object more than chance on a free scale gives (Schwarz 1978):
    of 16 data sets each it was found in all with a bias, and in at most 2 without.

    Parameters
    ----------
    problem : with its targets as plain data.
    """
    if not found.distances().any():
        return None
    here, pairs = Model(problem, found, power), int(problem.counting.sum())
    effect, distances = _stretched(here, _of_objects)
    before, after = (
        max(_left(problem, one, power), NOTHING_LEFT) for one in (found.distances(), distances)
    )
    gained = pairs * np.log(before / after)
    clear = gained > (effect.size - 1) * np.log(pairs)
    return biased(problem.known.labels, effect) if clear else None


def _best_rival(models: Sequence[Model], errors: FloatArray) -> Misfit | None:
    """What tells half of what the last, with one more dimension, tells beyond the first."""
    gained = errors[0] - errors
    best = int(np.argmax(gained[:-1]))
    # No curve of a few bends is all of the one that is there.
    return None if gained[best] < ENOUGH * gained[-1] else models[best].misfit


def _as_told(here: Model) -> FloatArray:
    """(N(N-1)/2,) the dissimilarities in numbers that are the same for all that mean the same."""
    judged, scale = here.problem.judged, SCALES[here.problem.scale]
    if scale.to_a_power:
        return to_the_power(judged, here.power)
    return judged.values if scale.as_distances is None else scale.as_distances(judged)


def _weights(here: Model) -> FloatArray:
    """Of squared errors, whose size grows with the distance."""
    distances = here.found.distances()
    least = SMALLEST_UNIT * distances.mean() if distances.any() else 1.0
    return _pair_weights(here.problem) / np.maximum(distances, least)


def _pair_weights(problem: Problem) -> FloatArray:
    weights = problem.pair_weights
    return weights if weights.size else np.ones(problem.counting.size)


def _errors(trial: _Trial, part: tuple[int, int]) -> list[float]:
    """By model, the weighted squares of what it does not tell of the pairs of one part."""
    dealing, fold = part
    held = trial.dealings[dealing] == fold
    return [_error(trial, model, held) for model in trial.models]


def _error(trial: _Trial, model: Model, held: BoolArray) -> float:
    others = with_gaps(model.problem, held)
    again = refit(others, (model.found.embedding, model.found.coef), power=model.power)
    scale = SCALES[RATIO if SCALES[model.problem.scale].to_a_power else model.problem.scale]
    seen = replace(others.judged, values=trial.values)
    left = trial.values - told(scale, seen, again.distances(), 1.0)
    return float((trial.weights * left**2)[held].sum())


def _bending(here: Model, seed: int) -> list[Model]:
    """Numbers along a smooth curve, where they are not; and each known quantity along one."""
    models, problem = [], here.problem
    if not here.found.distances().any():
        return []
    if problem.scale not in ALONG_A_CURVE:
        bent = replace(problem, scale=SPLINE.name)
        start = here.found.embedding, here.found.coef
        models.append(Model(bent, refit(bent, start, fresh=STARTS, seed=seed), 1.0, BENT))
    faint = FAINT * float(np.sqrt((here.found.distances() ** 2).mean()))
    for name in may_bend(problem):
        if problem.known[name].kind == STRAIGHT:
            other = problem.knowing(shaped(problem.known[name], bent=True))
            coef = reaching(here.found.known_places, other.encoding.values, faint)
            found = refit(other, (here.found.embedding, coef), power=here.power)
            models.append(Model(other, found, here.power, curved(name)))
    return models


def _of_all_pairs(here: Model, more: Model) -> Misfit | None:
    """The first that leaves less than one more dimension does, for the numbers that it takes."""
    bias = _bias_of(here, more, _of_objects)
    if bias is not None:
        return bias
    for turn in range(turns(here.found)):
        effect, distances = _stretched(here, partial(_of_axes, turn))
        if _tells_more(here, more, distances, effect.size - 1):
            return CITY_BLOCK
    return None


def _bias_of(here: Model, more: Model, columns: Columns, *, held: bool = False) -> Misfit | None:
    effect, distances = _stretched(here, columns, held=held)
    labels = here.problem.known.labels
    if _tells_more(here, more, distances, effect.size - 1):
        return biased(labels, effect[-len(labels) :])
    return None


def _tells_more(here: Model, more: Model, distances: FloatArray, numbers: int) -> bool:
    """Whether distances by so many more numbers leave less than those with one more dimension."""
    pairs = int(here.problem.counting.sum())
    n, p = here.found.embedding.shape
    dimension = _left(here.problem, more.found.distances(), here.power)
    rival = _left(here.problem, distances, here.power)
    return bool(pairs * np.log(rival) + 2 * numbers <= pairs * np.log(dimension) + 2 * (n - p))


def _left(problem: Problem, distances: FloatArray, power: float) -> float:
    """Of what the targets count as, the share that these distances leave, at their best size."""
    targets, weights = scaled_to(problem, distances, power), _pair_weights(problem)
    together = np.nansum(weights * targets * distances) ** 2
    size = np.nansum(weights * targets**2) * (weights * distances**2)[problem.counting].sum()
    return max(1.0 - float(together / size), np.finfo(float).tiny)


def _of_objects(found: Configuration) -> csr_array:
    n = len(found.embedding)
    pairs = np.arange(n * (n - 1) // 2)
    both = np.concatenate(np.triu_indices(n, 1))
    return csr_array((np.ones(both.size), (np.tile(pairs, 2), both)), shape=(pairs.size, n))


def _added_to_objects(found: Configuration) -> csr_array:
    """What all distances of an object are too long by, beside the size of the map."""
    distances = found.distances()
    of_distance = 1.0 / np.maximum(distances, SMALLEST_UNIT * distances.mean())
    added = diags_array(of_distance) @ _of_objects(found)
    return csr_array(hstack([csr_array(np.ones((distances.size, 1))), added]))


def _of_axes(turn: int, found: Configuration) -> csr_array:
    longer = city_block_over_straight(found, turn)
    return csr_array(np.column_stack([np.ones_like(longer), longer]))


def _stretched(
    here: Model, columns: Columns, *, held: bool = False
) -> tuple[FloatArray, FloatArray]:
    """The effects of columns on the distances of a map that is fitted with them, and these.

    Parameters
    ----------
    held : whether numbers stay as they are scaled for this map.
    """
    problem, found = here.problem, here.found
    plain = replace(problem, scale=RATIO, ties=AUTO)
    weights, stretched = _pair_weights(problem), found.distances()
    targets = scaled_to(problem, stretched, here.power)
    for _ in range(ROUNDS):
        distances, before = found.distances(), stretched
        effect, factor = _factor(columns(found), distances, np.nan_to_num(targets), weights)
        if not held:
            targets = scaled_to(problem, factor * distances, here.power)
        # Numbers on a scale may count as less than nought, to which no distance is nearer.
        nearest = np.maximum(targets, 0.0) / factor
        again = replace(with_values(plain, nearest), weights=weights * factor**2)
        found = refit(again, (found.embedding, found.coef))
        stretched = factor * found.distances()
        if np.abs(stretched - before).max() <= STILL * before.mean():
            break
        if not held:
            targets = scaled_to(problem, stretched, here.power)
    return effect, stretched


def _factor(
    columns: csr_array, distances: FloatArray, targets: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """By least squares, what of the columns makes distances most like the targets."""
    weighted = columns.T.multiply(weights * distances**2).tocsr()
    square = (weighted @ columns).toarray()
    right = columns.T @ (weights * distances * targets)
    effect = np.linalg.lstsq(square, right)[0]
    return effect, np.maximum(columns @ effect, SMALLEST_FACTOR)
