"""The people whose answers a table is the mean of, as they are fitted person by person."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cml_core.errors import ConditionalMappingError, LabelMismatch
from cml_core.fitting.problem import Problem
from cml_core.fitting.scales.ordinal import AUTO, PRIMARY, SECONDARY, stay_tied
from cml_core.fitting.scales.power import to_the_power
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.fitting.scales.scale import Judged
from cml_core.fitting.solvers.individual_descent import Judgements
from cml_core.values.answers import FEWEST_PEOPLE, Answers
from cml_core.values.arrays import BoolArray, FloatArray, Value, frozen


class UnsuitableAnswers(ConditionalMappingError):
    """The answers of single people cannot be asked what may be asked of their mean."""


@dataclass(frozen=True, eq=False, repr=False)
class People(Value):
    """Whose answers are fitted, and how.

    Parameters
    ----------
    names : of the K people.
    values : (K, N(N-1)/2) their answers, 0 where there is none.
    counts : (K, N(N-1)/2) how much each counts, 0 where there is none.
    ties : of each, whether equal answers stay equal on the ordinal scale.
    scale, power : as of the map of the mean.
    left_out : the others, whose answers are all alike, or no more than the weights they would get.
    """

    names: tuple[str, ...]
    values: FloatArray
    counts: FloatArray
    ties: tuple[str, ...]
    scale: str
    power: float
    left_out: tuple[str, ...]

    def without(self, held_out: BoolArray) -> People:
        """The same people without some of their answers, (K, N(N-1)/2)."""
        return replace(self, counts=frozen(np.where(held_out, 0.0, self.counts)))

    def judged(self, person: int) -> Judged:
        """The answers of one person as their scale sees them."""
        counts = self.counts[person]
        return Judged(self.values[person], counts > 0, counts, self.ties[person])

    @property
    def sizes(self) -> FloatArray:
        """(K,) the root mean square of everybody's answers."""
        total = self.counts.sum(axis=1)
        squares = (self.counts * self.values**2).sum(axis=1)
        sizes: FloatArray = np.sqrt(squares / np.maximum(total, 1e-300))
        return sizes

    def judgements(self) -> Judgements:
        """The answers as the solver has them: everybody's bent by a curve of their own."""
        scale = SCALES[self.scale]
        everybody = range(len(self.names))
        if scale.to_a_power:
            powers = [to_the_power(self.judged(k), self.power) for k in everybody]
            return Judgements(np.array(powers), self.counts)
        sizes = self.sizes[:, None]
        given = np.divide(self.values, sizes, out=np.zeros_like(self.values), where=sizes > 0)
        if scale.admits is None:
            return Judgements(given, self.counts)
        return Judgements(
            given, self.counts, tuple(scale.admits(self.judged(k)) for k in everybody)
        )

    def __repr__(self) -> str:
        return f"People({len(self.names)} on the {self.scale} scale)"


def people_of(problem: Problem, answers: Answers, power: float = 1.0) -> People:
    """The people whose answers a problem is the mean of, as far as their weights can be told.

    Parameters
    ----------
    power : of the fit, on the power scale.

    Raises
    ------
    UnsuitableAnswers : nothing could differ from person to person, or too few people are left.
    LabelMismatch : the answers are about other objects.
    """
    if answers.labels != problem.known.labels:
        raise LabelMismatch(
            "Answers and map do not name the same objects in the same order.",
            remedy="Take the answers that the dissimilarities of the map are the mean of.",
        )
    error = cannot_differ(problem)
    if error is not None:
        raise error
    asked = problem.n_components + len(problem.known.names)
    values = np.nan_to_num(answers.values)
    counts = answers.counts * (problem.pair_weights if problem.pair_weights.size else 1.0)
    telling = [k for k in range(answers.n_people) if _tells(values[k], counts[k], asked)]
    if len(telling) < FEWEST_PEOPLE:
        raise UnsuitableAnswers(
            f"Of {answers.n_people} people, {len(telling)} gave more than {asked} answers that "
            "are not all alike.",
            remedy=f"It needs {FEWEST_PEOPLE} people, each with more answers than weights.",
        )
    kept, kept_counts = values[telling], counts[telling]
    return People(
        names=tuple(answers.people[k] for k in telling),
        values=frozen(kept),
        counts=frozen(kept_counts),
        ties=tuple(_ties(problem, *one) for one in zip(kept, kept_counts, strict=True)),
        scale=problem.scale,
        power=power,
        left_out=tuple(n for k, n in enumerate(answers.people) if k not in telling),
    )


def cannot_differ(problem: Problem) -> UnsuitableAnswers | None:
    """Why people cannot have weights of their own in a problem; None where they can."""
    if problem.neighbourhood is not None:
        return UnsuitableAnswers(
            "This map fits ways from neighbour to neighbour (geodesics) through the mean of all "
            "answers; single people have none.",
            remedy="Ask it of a map that fits the dissimilarities themselves.",
        )
    if problem.n_components + len(problem.known.names) < 2:
        return UnsuitableAnswers(
            "With fewer than two dimensions and known features together, people can differ only "
            "in how large their numbers are.",
            remedy="Let a feature be known, or ask for two hidden dimensions.",
        )
    return None


def _tells(values: FloatArray, counts: FloatArray, asked: int) -> bool:
    answered = values[counts > 0]
    return answered.size > asked and bool(np.ptp(answered) > 0)


def _ties(problem: Problem, values: FloatArray, counts: FloatArray) -> str:
    """What "auto" makes of the ties of all answers, for of some it might make something else."""
    if problem.scale == RATIO or problem.ties != AUTO:
        return problem.ties
    return SECONDARY if stay_tied(Judged(values, counts > 0, counts, AUTO)) else PRIMARY
