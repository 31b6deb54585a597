"""fit_landmarks(problem) -> LandmarkFit: fit some objects together, place each other among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cml_core.errors import NotConverged
from cml_core.fitting.configuration import Configuration
from cml_core.fitting.fit import fit
from cml_core.fitting.landmarks.placing import Among, Placed, joined
from cml_core.fitting.landmarks.problem import LargeProblem, columns_beside
from cml_core.fitting.landmarks.references import References, references_at
from cml_core.fitting.landmarks.result import LandmarkFit, Sampled
from cml_core.fitting.landmarks.sampling import SAMPLE, risen, sampled
from cml_core.fitting.plan import OnStep, Progress, latched
from cml_core.fitting.remarks import Remark
from cml_core.fitting.result import Fit
from cml_core.fitting.solvers import run as reasons
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import BoolArray, FloatArray, IntArray
from cml_core.values.condense import row_sums
from cml_core.values.real_numbers import whole_number

LANDMARKS = 2000


def fit_landmarks(
    problem: LargeProblem,
    *,
    n_landmarks: int = LANDMARKS,
    n_refinements: int = 0,
    n_init: str | int = "auto",
    max_iter: int = 1000,
    tol: float = 1e-9,
    seed: int | None = None,
    on_step: OnStep | None = None,
) -> LandmarkFit:
    """Fit landmarks with all their pairs, and place every other object among them.

    Parameters
    ----------
    problem : what to fit.
    n_landmarks : how many objects are drawn at random to be fitted together.
    n_refinements : rounds in which all objects are placed anew among fresh ones, twice as many
        in each round as in the one before.
    n_init, max_iter, tol : of the fit of the landmarks; see `fit`.
    seed : of the landmarks and of random starts; the result keeps it. None draws one.
    on_step : called with a `Progress` now and then; a true answer cancels, and what was not
        placed until then is NaN.
    """
    count = min(whole_number("n_landmarks", n_landmarks, least=3), problem.n_objects)
    rounds = whole_number("n_refinements", n_refinements)
    asked = None if on_step is None else latched(on_step)
    drawn = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
    chosen, sample = _drawn(problem.n_objects, count, drawn)
    rows = problem.measurements.taken(np.concatenate([chosen, sample]))
    delta = problem.measurements.between(rows[:count])
    fitted = fit(
        problem.among(chosen, delta),
        n_init=n_init,
        max_iter=max_iter,
        tol=tol,
        seed=drawn,
        on_step=asked,
    )
    values = columns_beside(fitted.problem.known, problem.known)
    first = _Round(problem, values, chosen, rows[:count], _of_landmarks(fitted, delta))
    judge = _Judge(problem, sample, rows[count:], drawn)
    with capped_linear_algebra(1):
        last, everyone, judged = _placed_in_rounds(first, fitted, rounds, judge, asked)
    done = judged is not None
    stopped = fitted.stopped if done else reasons.CANCELLED
    return LandmarkFit(
        problem=problem,
        chosen=chosen,
        landmarks=fitted,
        references=last.references,
        reference_rows=last.rows,
        reference_places=last.chosen,
        placed=everyone,
        sampled=judged or Sampled(0, fitted.stress, np.nan, np.nan),
        n_refinements=rounds,
        stopped=stopped,
        converged=fitted.converged and done,
        seed=drawn,
        remarks=_remarks(fitted, everyone, done),
    )


@dataclass(frozen=True, eq=False)
class _Round:
    """All that is needed to place everyone: the objects, and the references to place them among."""

    problem: LargeProblem
    values: FloatArray
    chosen: IntArray
    rows: FloatArray
    references: References

    @property
    def among(self) -> Among:
        return Among(self.references, self.problem.measurements, self.rows)

    def everyone(self, tell: Callable[[int], bool]) -> tuple[Placed, bool]:
        """All objects placed, and whether that came to its end; `tell` may stop it."""
        among, parts, first = self.among, [], 0
        for block in self.problem.measurements.blocks():
            parts.append(among(block, self.values[first : first + len(block)]))
            first += len(block)
            if tell(first) and first < self.problem.n_objects:
                left = self.values[first:]
                return joined([*parts, _nowhere(left, self.problem.n_components)]), False
        return joined(parts), True

    def fresh(self, everyone: Placed, seed: int) -> _Round:
        """The next round: twice as many references, drawn anew, where everyone lies now."""
        n, count = self.problem.n_objects, min(2 * self.chosen.size, self.problem.n_objects)
        chosen = np.sort(np.random.default_rng(seed).choice(n, count, replace=False))
        rows = self.problem.measurements.taken(chosen)
        coef, unit = self.references.settled.coef, self.references.unit
        settled = Configuration(everyone.embedding[chosen], coef, everyone.known_values[chosen])
        # The closed form only begins a placement: means over some of them are near enough.
        some = Among(references_at(settled, unit, np.zeros(count)), self.problem.measurements, rows)
        squares = (some.delta(rows[:: max(count // LANDMARKS, 1)]).astype(np.float64) ** 2).mean(0)
        references = references_at(settled, unit, squares / unit**2)
        return _Round(self.problem, self.values, chosen, rows, references)


def _drawn(n_objects: int, count: int, seed: int) -> tuple[IntArray, IntArray]:
    """Which objects are landmarks, and which are looked at to judge the map."""
    random = np.random.default_rng(seed)
    chosen = np.sort(random.choice(n_objects, count, replace=False))
    sample = np.sort(random.choice(n_objects, min(SAMPLE, n_objects), replace=False))
    return chosen, sample


def _of_landmarks(fitted: Fit, delta: FloatArray) -> References:
    squares = np.zeros(len(fitted.labels))
    row_sums(delta**2, squares)
    unit = 1.0 / float(np.sqrt((delta**2).mean()))
    return references_at(fitted.best, unit, squares / squares.size)


def _placed_in_rounds(
    now: _Round, fitted: Fit, rounds: int, judge: _Judge, asked: OnStep | None
) -> tuple[_Round, Placed, Sampled | None]:
    """Everyone placed among the landmarks, then in each round among fresh references.

    What a sample tells of the map comes last; None where someone cancelled.
    """

    def tell(placed: int) -> bool:
        step = Progress(fitted.n_starts, fitted.n_starts, fitted.n_iter, fitted.stress, placed)
        return asked is not None and asked(step)

    if fitted.stopped == reasons.CANCELLED:
        everyone = _nowhere(now.values, now.problem.n_components)
        everyone.embedding[now.chosen] = fitted.embedding
        everyone.known_values[now.chosen] = fitted.known_values
        return now, everyone, None
    everyone, done = now.everyone(tell)
    judged = judge.of_landmarks(now, everyone) if done else None
    for number in range(rounds if done else 0):
        following = now.fresh(everyone, fitted.seed + 1 + number)
        better, done = following.everyone(tell)
        # A round that was stopped leaves the map of the one before.
        if not done:
            return now, everyone, None
        now, everyone = following, better
        judged = judge.after(judged, now, everyone) if judged else None
    return now, everyone, judged


def _nowhere(values: FloatArray, n_components: int) -> Placed:
    """Objects that have no place."""
    n = len(values)
    gone = np.full(n, np.nan)
    return Placed(np.full((n, n_components), np.nan), values.copy(), gone, gone)


@dataclass(frozen=True, eq=False)
class _Judge:
    """Objects drawn at random, by which a whole map is judged."""

    problem: LargeProblem
    sample: IntArray
    rows: FloatArray
    seed: int

    @cached_property
    def delta(self) -> FloatArray:
        """All their pairs, condensed."""
        return self.problem.measurements.between(self.rows)

    def of_landmarks(self, now: _Round, everyone: Placed) -> Sampled:
        """Of a map whose objects were placed among landmarks."""
        n, count = self.problem.n_objects, now.chosen.size
        embedding, known = self._places(now, everyone)
        if count == n:
            return sampled(n, self.delta, embedding, known, np.nan)
        # A landmark lies where it lies.
        others = np.isin(self.sample, now.chosen, invert=True)
        rises = [self._rise(now, half, others, everyone) for half in self._halves(count)]
        loss = float(np.mean(rises)) * (1.0 - count / n) if rises and others.any() else np.nan
        return sampled(n, self.delta, embedding, known, loss)

    def _halves(self, count: int) -> list[IntArray]:
        """The landmarks in two halves, by chance; none where there are too few to be fitted."""
        columns = self.problem.n_components + self.problem.known.encoded().values.shape[1]
        order = np.random.default_rng(self.seed + 1).permutation(count)
        halves = [np.sort(order[: count // 2]), np.sort(order[count // 2 :])]
        return halves if count // 2 > columns + 2 else []

    def _rise(self, now: _Round, half: IntArray, others: BoolArray, everyone: Placed) -> float:
        """By which share stress rises where objects are placed among half of the landmarks."""
        at, rows = now.references.settled, now.rows[half]
        delta = self.problem.measurements.between(rows)
        fewer = fit(
            self.problem.among(now.chosen[half], delta),
            init=(at.embedding[half], at.coef),
            seed=self.seed,
        )
        among = Among(_of_landmarks(fewer, delta), self.problem.measurements, rows)
        drawn = self.sample[others]
        where = among(self.rows[others], now.values[drawn])
        own = Configuration(everyone.embedding[drawn], at.coef, everyone.known_values[drawn])
        its = Configuration(where.embedding, fewer.coef, where.known_values)
        return risen(self.problem.measurements.between(self.rows[others]), own, its)

    def after(self, before: Sampled, now: _Round, everyone: Placed) -> Sampled:
        """Of a map after a round more: the loss is less by what its stress fell."""
        embedding, known = self._places(now, everyone)
        found = sampled(self.problem.n_objects, self.delta, embedding, known, before.loss)
        left = max((1.0 + before.loss) * found.stress / before.stress - 1.0, 0.0)
        return replace(found, loss=left)

    def _places(self, now: _Round, everyone: Placed) -> tuple[FloatArray, FloatArray]:
        coef = now.references.settled.coef
        return everyone.embedding[self.sample], everyone.known_values[self.sample] @ coef


def _remarks(fitted: Fit, everyone: Placed, done: bool) -> tuple[Remark, ...]:
    """What the landmarks' fit says, and how many objects have no place."""
    if done:
        return fitted.remarks
    left = int(np.isnan(everyone.unexplained).sum())
    text = f"The fit was cancelled: {left:,} objects have no place yet; their places are NaN."
    return (*fitted.remarks, Remark(text, NotConverged))
