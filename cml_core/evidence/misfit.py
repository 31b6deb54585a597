"""Why a map may not fit although nothing is hidden: what residuals follow that is no feature.

One more dimension also lowers the stress where the model of distances is wrong: where some objects
are judged far from everything, where numbers are bent, where a known feature acts along a curve,
where differences add up feature by feature. A test of "one more feature" then raises alarms of up
to 100 %, whatever its null data. So residuals are regressed on what each of these would leave.

A reason is given where such a regression has p ≤ .01 and explains, for the numbers that it takes,
more than one more dimension does (Akaike 1974), or where it is still seen on maps with one and two
dimensions more: a feature that is really hidden is in these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.spatial.distance import pdist
from scipy.special import fdtrc

from cml_core.errors import listing
from cml_core.evidence.null_data import residual_growth, residuals
from cml_core.fitting.configuration import Configuration, Solution
from cml_core.fitting.problem import GIVEN, Problem
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.scales.smooth import INTERVAL
from cml_core.values.arrays import FloatArray, IntArray, Value

# Of 30 data sets a cell in which features, and nothing else, were hidden, this and the comparison
# with one more dimension spoke in none at N = 20, and in at most .13 at N = 40.
CLEAR = 0.01
# On maps with more dimensions less is asked for: these have explained some of it away.
LASTING = 0.1
# Small distances have no angle, and their residuals no unit.
SMALLEST_DISTANCE = 0.05
# City-block distances depend on the axes; those of two hidden dimensions are tried so often.
TURNS = 6
# Fewer different values of a feature bear no curve.
FEWEST_VALUES = 4
MOST_NAMED = 3
# What is left of a column's square is nothing where it is so small a share of the largest.
COLLINEAR = 1e-10


@dataclass(frozen=True)
class Misfit(Value):
    """Something that the residuals follow.

    Parameters
    ----------
    kind : "bias", "bent", "curve" or "cityblock".
    says : what is seen.
    advice : what to try.
    """

    kind: str
    says: str
    advice: str


BENT = Misfit(
    "bent",
    "The numbers are bent against the distances of the map.",
    'Let them mean less: "What the numbers mean" on the Discover page, and the advice under '
    '"What do the numbers mean?".',
)
CITY_BLOCK = Misfit(
    "cityblock",
    "Pairs that differ in many features at once are farther apart than straight distances allow, "
    "as where differences add up feature by feature (city-block distances).",
    "Do not read a further dimension as a feature; one hidden dimension less may do.",
)


def biased(labels: Sequence[str], effect: FloatArray) -> Misfit:
    """By how much, as a share, each object is judged farther from all others."""
    # What all share is the size of the map.
    most = np.argsort(-np.abs(effect - effect.mean()), kind="stable")[:MOST_NAMED]
    named = listing([labels[i] for i in most])
    return Misfit(
        "bias",
        f"Some objects are farther from, or nearer to, all others than a map can show, above all "
        f"{named}.",
        "That may be a bias in how they were judged rather than a feature: look at these "
        "objects, or leave them out.",
    )


def curved(name: str) -> Misfit:
    """Of a known quantity."""
    return Misfit(
        "curve",
        f"Residuals follow {name}: it may act along a curve.",
        f'See "Does it act along a curve?", and let {name} act along one.',
    )


@dataclass(frozen=True, eq=False)
class _Residuals(Value):
    """(M,) of the pairs observed: their objects, distances, residuals, and the unit of these."""

    problem: Problem
    found: Solution
    first: IntArray
    second: IntArray
    distances: FloatArray
    left: FloatArray
    unit: FloatArray
    spent: int


@dataclass(frozen=True, eq=False)
class _Explained(Value):
    """By how much columns lower the squares, and what chance would have done as well."""

    p_value: float
    left: float
    columns: int
    effect: FloatArray


Explanation = Callable[[_Residuals], tuple[_Explained, Misfit] | None]


def misfits(problem: Problem, maps: Sequence[Solution], power: float) -> tuple[Misfit, ...]:
    """What residuals follow rather than one more dimension.

    Parameters
    ----------
    problem : with its targets as plain data.
    maps : its fit, that with one more hidden dimension, and with more if there is room for them.
    """
    here, *wider = (_residuals(problem, one, power) for one in maps)
    share = 1.0 - maps[1].stress / maps[0].stress
    given = []
    for explanation in (_objects_biased, _bent, _curved, _city_block):
        one = explanation(here)
        if one is None or one[0].p_value > CLEAR:
            continue
        # A feature that is hidden does not show as city-block distances; it does as bent numbers,
        # wherever more than one lacks.
        unmistakable = explanation is _city_block
        lasting = explanation is not _bent and all(_lasts(explanation(more)) for more in wider)
        if unmistakable or lasting or _tells_more(here, one[0], share):
            given.append(one[1])
    return tuple(given)


def _lasts(again: tuple[_Explained, Misfit] | None) -> bool:
    return again is not None and again[0].p_value <= LASTING


def fitted_numbers(problem: Problem, found: Solution) -> int:
    """How many numbers were fitted: U up to a motion, BB', and missing entries."""
    n, p = found.embedding.shape
    q = int(np.linalg.matrix_rank(found.coef)) if found.coef.size else 0
    of_coef = {"full": q * (q + 1) // 2, "diagonal": q, GIVEN: 0}[problem.coef_kind]
    missing = int(np.isnan(problem.encoding.values).sum())
    return int(n * p - p * (p + 1) // 2 + of_coef + missing)


def _residuals(problem: Problem, found: Solution, power: float) -> _Residuals:
    observed = ~problem.dissimilarities.missing
    first, second = (side[observed] for side in np.triu_indices(len(found.embedding), 1))
    distances = found.distances()[observed]
    floored = np.maximum(distances, SMALLEST_DISTANCE * distances.mean())
    left = residuals(problem, found, power)
    unit = floored ** residual_growth(floored, left)
    spent = fitted_numbers(problem, found)
    return _Residuals(problem, found, first, second, distances, left / unit, unit, spent)


def _tells_more(here: _Residuals, one: _Explained, share: float) -> bool:
    n, p = here.found.embedding.shape
    pairs = here.left.size
    other = pairs * np.log(max(1.0 - share, np.finfo(float).tiny)) + 2 * (n - p)
    return bool(pairs * np.log(one.left) + 2 * one.columns < other)


def _explained(
    here: _Residuals, taken_out: FloatArray, columns: FloatArray | csr_array
) -> _Explained | None:
    """An F-test of columns beside those that are taken out, all in units of the residuals.

    Through products of the columns, for a column for each object has mostly noughts: as a plain
    table, those of 1000 objects would take 4 GB.
    """
    alone = np.linalg.qr(taken_out / here.unit[:, None])[0]
    given = diags_array(1.0 / here.unit) @ csr_array(columns)
    shared = given.T @ alone
    without = here.left - alone @ (alone.T @ here.left)
    whole = (given.T @ given).toarray()
    sizes, ways = np.linalg.eigh(whole - shared @ shared.T)
    telling = sizes > COLLINEAR * np.linalg.eigvalsh(whole)[-1]
    added = int(telling.sum())
    free = here.left.size - here.spent - added
    if added == 0 or free < 1:
        return None
    along = ways[:, telling].T @ (given.T @ without) / sizes[telling]
    before = float(without @ without)
    after = before - float(sizes[telling] @ along**2)
    if not after > 0:
        return None
    ratio = max(before - after, 0.0) / added / (after / free)
    p_value = float(fdtrc(added, free, ratio))
    return _Explained(p_value, after / before, added, np.array(ways[:, telling] @ along))


def _powers(here: _Residuals, exponents: Sequence[int]) -> FloatArray:
    relative = here.distances / here.distances.mean()
    return np.column_stack([relative**k for k in exponents])


def _objects_biased(here: _Residuals) -> tuple[_Explained, Misfit] | None:
    """Residuals in proportion to a_i + a_j: some objects are judged far from everything."""
    pairs, labels = np.arange(here.left.size), here.problem.known.labels
    both = np.concatenate([here.first, here.second])
    shared = csr_array(
        (np.tile(here.distances, 2), (np.tile(pairs, 2), both)), shape=(pairs.size, len(labels))
    )
    found = _explained(here, _powers(here, (0, 1, 2, 3)), shared)
    if found is None:
        return None
    return found, biased(labels, found.effect)


def _bent(here: _Residuals) -> tuple[_Explained, Misfit] | None:
    """Residuals along a curve over distances that the scale does not admit."""
    relative = here.distances / here.distances.mean()
    if here.problem.scale == RATIO:
        taken_out, columns = _powers(here, (1,)), _powers(here, (0, 2, 3))
    elif here.problem.scale == INTERVAL.name:
        taken_out, columns = _powers(here, (0, 1)), _powers(here, (2, 3))
    elif SCALES[here.problem.scale].to_a_power:
        bend = relative * np.log(np.maximum(relative, SMALLEST_DISTANCE))
        taken_out, columns = np.column_stack([relative, bend]), _powers(here, (0, 2))
    else:
        return None
    found = _explained(here, taken_out, columns)
    if found is None:
        return None
    return found, BENT


def _curved(here: _Residuals) -> tuple[_Explained, Misfit] | None:
    """Residuals that follow squares, cubes and signed roots of a known quantity."""
    tried = []
    block = here.problem.encoding.block
    for k, feature in enumerate(here.problem.known.features):
        own = np.flatnonzero(block == k)
        x = here.found.known_values[:, own[0]] if own.size == 1 else np.empty(0)
        if np.unique(x).size < FEWEST_VALUES:
            continue
        found = _of_a_curve(here, (x - x.mean()) / x.std())
        if found is not None:
            tried.append((found, feature.name))
    if not tried:
        return None
    best, name = min(tried, key=lambda one: one[0].p_value)
    raised = _of_so_many(best, len(tried))
    return raised, curved(name)


def _of_a_curve(here: _Residuals, x: FloatArray) -> _Explained | None:
    i, j = here.first, here.second
    floored = np.maximum(here.distances, SMALLEST_DISTANCE * here.distances.mean())
    columns = []
    for curve in (x**2, x**3, np.sign(x) * np.sqrt(np.abs(x))):
        bend = curve - np.polyval(np.polyfit(x, curve, 1), x)
        apart = bend[i] - bend[j]
        columns += [apart**2 / floored, apart * (x[i] - x[j]) / floored]
    straight = ((x[i] - x[j]) ** 2 / floored)[:, None]
    taken_out = np.hstack([_powers(here, (0, 1, 2, 3)), straight])
    return _explained(here, taken_out, np.column_stack(columns))


def _city_block(here: _Residuals) -> tuple[_Explained, Misfit] | None:
    """Residuals that rise with the number of features in which two objects differ."""
    observed = ~here.problem.dissimilarities.missing
    tried = []
    for turn in range(turns(here.found)):
        longer = city_block_over_straight(here.found, turn)[observed]
        one = _explained(here, _powers(here, (0, 1, 2, 3)), (longer * here.distances)[:, None])
        # City-block distances exceed straight ones most where many features differ.
        if one is not None and one.effect[0] > 0:
            tried.append(one)
    if not tried:
        return None
    best = min(tried, key=lambda one: one.p_value)
    return _of_so_many(best, len(tried)), CITY_BLOCK


def turns(found: Configuration) -> int:
    """In how many directions the axes of the hidden dimensions are tried."""
    return TURNS if found.embedding.shape[1] == 2 else 1


def city_block_over_straight(found: Configuration, turn: int) -> FloatArray:
    """(N(N-1)/2,) 1 where two objects differ in one feature alone, more where in many."""
    angle = turn * np.pi / 2 / TURNS
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    hidden = found.embedding @ axes if turns(found) > 1 else found.embedding
    known = found.known_values * np.sqrt((found.coef**2).sum(axis=1))
    places = np.hstack([hidden, known])
    straight = pdist(places)
    longer: FloatArray = pdist(places, "cityblock") / np.where(straight > 0, straight, 1.0)
    return longer


def _of_so_many(one: _Explained, tried: int) -> _Explained:
    """The best of several tries (Bonferroni)."""
    return _Explained(min(one.p_value * tried, 1.0), one.left, one.columns, one.effect)
