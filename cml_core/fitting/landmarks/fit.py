"""fit_landmarks(problem) -> LandmarkFit: fit some objects together, place each other among them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from cml_core.errors import NotConverged
from cml_core.fitting.cluster import cluster_at_hand
from cml_core.fitting.configuration import Configuration
from cml_core.fitting.fit import fit
from cml_core.fitting.landmarks.partitions import everyone, taken
from cml_core.fitting.landmarks.placing import Among, Placed, nowhere
from cml_core.fitting.landmarks.problem import LargeProblem, columns_beside
from cml_core.fitting.landmarks.references import References, references_at
from cml_core.fitting.landmarks.result import Everyone, LandmarkFit, Sampled
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
# Of so few objects twice as many landmarks cost half a second, and lose a third as much.
FEW_OBJECTS, MORE_LANDMARKS = 20_000, 4000
# A group is a column, and a feature may have many: with 66 of them 4,000 of 10,000 objects took 101
# seconds of processor time, 2,000 took 18, for 2.2 instead of .4 % more stress than all pairs.
USUAL_COLUMNS, FEWEST_LANDMARKS = 16, 1000
# What is lost is some thousandths of the stress: fits that end this near tell three digits of it.
TO_TELL = 1e-7
OnLandmarks = Callable[[IntArray, Fit], None]
OnPlaced = Callable[[int, Placed], None]


def fit_landmarks(
    problem: LargeProblem,
    *,
    n_landmarks: int | str = "auto",
    n_init: str | int = "auto",
    max_iter: int = 1000,
    tol: float = 1e-9,
    seed: int | None = None,
    on_step: OnStep | None = None,
    on_landmarks: OnLandmarks | None = None,
    on_placed: OnPlaced | None = None,
    again: Everyone | None = None,
) -> LandmarkFit:
    """Fit landmarks with all their pairs, and place every other object among them.

    Parameters
    ----------
    problem : what to fit.
    n_landmarks : how many objects are drawn at random to be fitted together; what the map loses
        against a fit of all pairs falls as one over this number. "auto": 4,000 of up to 20,000
        objects, 2,000 of more; fewer, and at least 1,000, where what is known has many groups.
    n_init, max_iter, tol : of the fit of the landmarks; see `fit`.
    seed : of the landmarks and of random starts; the result keeps it. None draws one.
    on_step : called with a `Progress` now and then; a true answer cancels, and what was not
        placed until then is NaN.
    on_landmarks : called once, before any other object is placed, with which objects are
        landmarks, (M,), and with their fit.
    on_placed : called with each block of objects as soon as they are placed, landmarks among
        them: which is the first of them, and where they lie. Blocks may come in any order.
    again : what the same fit, with the same seed, has found before: nobody is placed anew.
    """
    count = _count(n_landmarks, problem)
    asked = None if on_step is None else latched(on_step)
    drawn = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
    chosen, sample = _drawn(problem.n_objects, count, drawn)
    rows = taken(problem.measurements, np.concatenate([chosen, sample]))
    delta = problem.measurements.between(rows[:count])
    fitted = fit(
        problem.among(chosen, delta),
        n_init=n_init,
        max_iter=max_iter,
        tol=tol,
        seed=drawn,
        on_step=asked,
    )
    if on_landmarks is not None:
        on_landmarks(chosen, fitted)
    values = columns_beside(fitted.problem.known, problem.known)
    settled = _Settled(problem, values, chosen, rows[:count], fitted, references_of(fitted, delta))
    with capped_linear_algebra(1):
        if again is None or fitted.stopped == reasons.CANCELLED:
            placed, done = settled.everyone(asked, on_placed)
            judge = _Judge(settled, sample, rows[count:])
            judged = judge(placed) if done else Sampled(0, fitted.stress, np.nan, np.nan)
        else:
            (placed, judged), done = again, True
            if on_placed is not None:
                on_placed(0, placed)
    return LandmarkFit(
        problem=problem,
        chosen=chosen,
        rows=settled.rows,
        landmarks=fitted,
        references=settled.references,
        placed=placed,
        sampled=judged,
        stopped=fitted.stopped if done else reasons.CANCELLED,
        converged=fitted.converged and done,
        seed=drawn,
        remarks=_remarks(fitted, placed, done),
    )


@dataclass(frozen=True, eq=False)
class _Settled:
    """The landmarks, fitted, and all that is needed to place everyone among them."""

    problem: LargeProblem
    values: FloatArray
    chosen: IntArray
    rows: FloatArray
    fitted: Fit
    references: References

    def everyone(self, asked: OnStep | None, on_placed: OnPlaced | None) -> tuple[Placed, bool]:
        """All objects placed, and whether that came to its end; `asked` may stop it."""
        fitted = self.fitted
        placed = nowhere(self.values, self.problem.n_components)
        if fitted.stopped == reasons.CANCELLED:
            placed.embedding[self.chosen] = fitted.embedding
            placed.known_values[self.chosen] = fitted.known_values
            return placed, False
        measurements, done = self.problem.measurements, 0
        among = Among(self.references, measurements.comparison, self.rows)
        found = everyone(among, measurements.rows, self.values, cluster_at_hand())
        with closing(found) as blocks:
            for first, block in blocks:
                placed.put(first, block)
                if on_placed is not None:
                    on_placed(first, block)
                done += len(block.unexplained)
                step = Progress(
                    fitted.n_starts, fitted.n_starts, fitted.n_iter, fitted.stress, done
                )
                if asked is not None and asked(step) and done < self.problem.n_objects:
                    return placed, False
        return placed, True


def _count(asked: int | str, problem: LargeProblem) -> int:
    """How many objects are landmarks."""
    if asked == "auto":
        usual = MORE_LANDMARKS if problem.n_objects <= FEW_OBJECTS else LANDMARKS
        columns = max(problem.n_components + problem.n_columns, USUAL_COLUMNS)
        fewer = int(usual * (USUAL_COLUMNS / columns) ** 0.5)
        count = max(fewer, min(FEWEST_LANDMARKS, usual))
    else:
        count = whole_number("n_landmarks", asked, least=3)
    return min(count, problem.n_objects)


def _drawn(n_objects: int, count: int, seed: int) -> tuple[IntArray, IntArray]:
    """Which objects are landmarks, and which are looked at to judge the map."""
    random = np.random.default_rng(seed)
    chosen = np.sort(random.choice(n_objects, count, replace=False))
    sample = np.sort(random.choice(n_objects, min(SAMPLE, n_objects), replace=False))
    return chosen, sample


def references_of(fitted: Fit, delta: FloatArray) -> References:
    """Objects of a fit of all pairs, as others are placed among them.

    Parameters
    ----------
    delta : condensed, of all their pairs; none is missing.
    """
    squares, sums = delta**2, np.zeros(len(fitted.labels))
    row_sums(squares, sums)
    return references_at(fitted.best, 1.0 / float(np.sqrt(squares.mean())), sums / sums.size)


@dataclass(frozen=True, eq=False)
class _Judge:
    """Objects drawn at random, by which a whole map is judged."""

    settled: _Settled
    sample: IntArray
    rows: FloatArray

    def __call__(self, everyone: Placed) -> Sampled:
        problem, chosen, fitted = self.settled.problem, self.settled.chosen, self.settled.fitted
        n, count = problem.n_objects, chosen.size
        at = self._places(np.ones(self.sample.size, bool), everyone)
        delta = problem.measurements.between(self.rows)
        if count == n:
            return sampled(n, delta, at.embedding, at.known_places, np.nan)
        # A landmark lies where it lies.
        others = np.isin(self.sample, chosen, invert=True)
        rises = [self._rise(half, others, everyone) for half in _halves(fitted)]
        loss = float(np.mean(rises)) * (1.0 - count / n) if rises and others.any() else np.nan
        return sampled(n, delta, at.embedding, at.known_places, loss)

    def _places(self, which: BoolArray, everyone: Placed) -> Configuration:
        objects = self.sample[which]
        places, known = everyone.embedding[objects], everyone.known_values[objects]
        return Configuration(places, self.settled.fitted.coef, known)

    def _rise(self, half: IntArray, others: BoolArray, everyone: Placed) -> float:
        """By which share stress rises where objects are placed among half of the landmarks."""
        settled, rows = self.settled, self.settled.rows[half]
        measurements = settled.problem.measurements
        delta = measurements.between(rows)
        fewer = fit(
            settled.problem.among(settled.chosen[half], delta),
            init=(settled.fitted.embedding[half], settled.fitted.coef),
            tol=TO_TELL,
            seed=settled.fitted.seed,
        )
        among = Among(references_of(fewer, delta), measurements.comparison, rows)
        where = among(self.rows[others], settled.values[self.sample[others]])
        its = Configuration(where.embedding, fewer.coef, where.known_values)
        return risen(measurements.between(self.rows[others]), self._places(others, everyone), its)


def _halves(fitted: Fit) -> list[IntArray]:
    """The landmarks in two halves, by chance; none where there are too few to be fitted."""
    count = len(fitted.labels)
    columns = fitted.embedding.shape[1] + fitted.known_values.shape[1]
    order = np.random.default_rng(fitted.seed + 1).permutation(count)
    halves = [np.sort(order[: count // 2]), np.sort(order[count // 2 :])]
    return halves if count // 2 > columns + 2 else []


def _remarks(fitted: Fit, everyone: Placed, done: bool) -> tuple[Remark, ...]:
    """What the landmarks' fit says, and how many objects have no place."""
    if done:
        return fitted.remarks
    left = int(np.isnan(everyone.unexplained).sum())
    text = f"The fit was cancelled: {left:,} objects have no place yet; their places are NaN."
    return (*fitted.remarks, Remark(text, NotConverged))
