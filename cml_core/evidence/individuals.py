"""Do people differ: everybody's own weights on the dimensions of one map and on what is known.

Weights of one's own always leave less unexplained, so stress proves nothing. Of everybody's
answers those about some objects are held out, and told from the others: by the map on which all
weigh alike, and by the map on which each has weights of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import numpy as np

from cml_core.evidence.agreement import agreement_of, unlike_others
from cml_core.evidence.held_out_answers import HeldOut, dealt_objects, errors_held_out
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.result import Result
from cml_core.evidence.sketches import Cloud
from cml_core.evidence.table import SHARE, Column, Table, in_one_unit
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.geometry import facing
from cml_core.fitting.individuals import common_fit, individual_fit
from cml_core.fitting.people import People, people_of
from cml_core.fitting.result import Fit
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.answers import Answers
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, frozen
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import counted, enumerated, percent

# A gain of more standard errors than this over people is more than chance.
CLEAR = 2.0
# Correlations of two people from which they agree well, and in part.
WELL, IN_PART = 0.7, 0.3
# Of so many different answers at most: together or apart, yes or no.
COARSE = 2


@dataclass(frozen=True, eq=False, repr=False)
class Individuals(Result):
    """How people differ in what they make of a map and of what is known.

    Parameters
    ----------
    people : the names of the K people.
    dimensions : what they weigh: the p hidden dimensions, that which makes most of the distances
        first, and then the known features.
    weights : (K, dimensions) how far each person stretches each, beside people on average: the
        mean square over people is one.
    shares : (K, dimensions) of each person's squared distances, what each makes.
    places : (N, p) the map that all share.
    unexplained, unexplained_alike : (K,) the share of each person's answers that is left, with
        weights of their own and where all weigh alike.
    not_told, not_told_alike : (K,) of each person's answers that were held out, the mean squared
        error as a share of the variance of that person's answers.
    between : the mean correlation of two people's answers.
    with_others : (K,) the correlation of each person's answers with the mean of all others'.
    common : (K,) over how many pairs.
    not_fitted : whose answers are all alike, or too few.
    coarse : whether nobody gave more than two different answers, as in sortings.
    folds, seed : into how many parts objects were dealt, for each person, and what repeats it.
    rotations, agreeing : how many runs there were, and how many of them ended at this map.
    """

    people: Annotated[tuple[str, ...], "k"]
    dimensions: Annotated[tuple[str, ...], "q"]
    weights: Annotated[FloatArray, "kq"]
    shares: Annotated[FloatArray, "kq"]
    places: Annotated[FloatArray, "nd"]
    unexplained: Annotated[FloatArray, "k"]
    unexplained_alike: Annotated[FloatArray, "k"]
    not_told: Annotated[FloatArray, "k"]
    not_told_alike: Annotated[FloatArray, "k"]
    between: float
    with_others: Annotated[FloatArray, "k"]
    common: Annotated[IntArray, "k"]
    not_fitted: tuple[str, ...]
    coarse: bool
    folds: int
    seed: int
    rotations: int
    agreeing: int

    heading = "Do people differ?"

    @property
    def gain(self) -> float:
        """By how much own weights lower the share that is not told, on average over people."""
        return float((self.not_told_alike - self.not_told).mean())

    @property
    def gain_error(self) -> float:
        """Its standard error: how much it would differ with other people."""
        gains = self.not_told_alike - self.not_told
        return float(gains.std(ddof=1) / np.sqrt(gains.size))

    @property
    def differ(self) -> bool:
        """Whether own weights tell held-out answers better, by more than chance.

        Never of answers of two values: there it would be said of 15 to 18 in 100 crowds of people
        who sort objects and all weigh alike, for a sorting is not made pair by pair.
        """
        return not self.coarse and self.gain > CLEAR * self.gain_error

    @property
    def unlike(self) -> BoolArray:
        """(K,) who agrees with the others far less than most do; by the rule of `agreement`."""
        return unlike_others(self.with_others, self.common)

    @property
    def brief(self) -> str:
        """The verdict in a few words; people who are unlike the others are told at once."""
        odd = int(self.unlike.sum())
        if odd:
            return f"{counted(odd, 'person', 'people')} unlike the others"
        if self.differ:
            return "People weigh differently"
        alike = not self.coarse and self.gain <= 0
        return "People weigh alike" if alike else "Whether people differ is unsure"

    @property
    def verdict(self) -> str:
        return " ".join(self.verdicts)

    @property
    def verdicts(self) -> tuple[str, ...]:
        return (self._of_weights, self._of_agreement)

    @property
    def _of_weights(self) -> str:
        errors = (
            f"of what makes a person's answers differ, {percent(float(self.not_told.mean()))} of "
            "those held out is not told with weights of their own, and "
            f"{percent(float(self.not_told_alike.mean()))} where all weigh alike"
        )
        gain = (
            f"{100 * self.gain:.1f} percentage points more, give or take "
            f"{100 * self.gain_error:.1f}"
        )
        if self.coarse:
            return (
                "Whether people weigh differently cannot be told from answers of two values, such "
                f"as sortings, for these are not made pair by pair; {errors}."
            )
        if self.differ:
            return f"People weigh differently: {errors}: {gain}."
        if self.gain > 0:
            return (
                f"Whether people weigh differently cannot be told: {errors}: {gain}. The map of "
                "the mean is the simpler choice."
            )
        return (
            f"People weigh alike, as far as these answers tell: {errors}. The map of the mean is "
            "the better choice; along which axes people differ means nothing here."
        )

    @property
    def _of_agreement(self) -> str:
        if np.isnan(self.between):
            return "How far people agree cannot be said: too few pairs were judged by two of them."
        said = f"The answers of two people correlate by {self.between:.2f} on average"
        if self.between >= WELL:
            said += ": they agree well."
        elif self.between >= IN_PART:
            said += ": they agree in part."
        else:
            said += ": they hardly agree, and their mean may hide different views."
        strange = [
            f"{self.people[k]} ({self.with_others[k]:.2f})" for k in np.flatnonzero(self.unlike)
        ]
        if not strange:
            return f"{said} Nobody is unlike all others."
        usual = float(np.nanmedian(self.with_others))
        return (
            f"{said} Unlike the others, with whose mean most correlate by about {usual:.2f}: "
            f"{enumerated(strange)}."
        )

    @property
    def facts(self) -> tuple[str, ...]:
        found = [
            f"For each person, {self.folds} parts of the objects were held out in turn, with all "
            "answers about them.",
            f"{self.agreeing} of {self.rotations} runs ended at this map.",
            "Unlike the others is who correlates with their mean by three robust standard "
            "deviations less than the median, on Fisher's z.",
        ]
        if self.not_fitted:
            names = enumerated(self.not_fitted)
            found.append(f"Left out, for answers that are all alike or too few: {names}.")
        return tuple(found)

    @property
    def sketch(self) -> Cloud:
        first, second = self.weights.T[:2]
        names = (self.dimensions[0], self.dimensions[1])
        return Cloud("People by their weights", first, second, names)

    def table(self) -> Table:
        """A row for each person: what they make of the distances, and how well it tells them."""
        shares = [
            Column(
                name,
                made,
                SHARE,
                "Of this person's squared distances, what it makes. All of them add up to 100 %.",
            )
            for name, made in zip(self.dimensions, self.shares.T, strict=True)
        ]
        return Table(
            (
                Column("Person", self.people),
                *shares,
                Column(
                    "Agrees with the others",
                    self.with_others,
                    "%.2f",
                    "The correlation of this person's answers with the mean of all others'.",
                ),
                Column("Unlike the others", [bool(one) for one in self.unlike]),
                Column(
                    "Not told",
                    self.not_told,
                    SHARE,
                    "Of answers held out of the fit: the mean squared error of what own weights "
                    "tell, as a share of the variance of this person's answers.",
                ),
                Column(
                    "Not told if all weigh alike",
                    self.not_told_alike,
                    SHARE,
                    "The same where all have the same weights, and only use larger or smaller "
                    "numbers.",
                ),
                Column(
                    "Unexplained",
                    self.unexplained,
                    SHARE,
                    "Of the answers that were fitted, with weights of their own. It always falls.",
                ),
                Column("Unexplained if all weigh alike", self.unexplained_alike, SHARE),
            )
        )

    def table_of_weights(self) -> Table:
        """Everybody's weights, beside people on average."""
        form = in_one_unit(self.weights)
        columns = zip(self.dimensions, self.weights.T, strict=True)
        return Table(
            (Column("Person", self.people), *(Column(name, own, form) for name, own in columns))
        )

    def mentions(self, name: str) -> bool:
        """Whether a feature is among those that people weigh."""
        return name in self.dimensions[self.places.shape[1] :]

    def renamed(self, name: str, to: str) -> Individuals:
        """With a feature under another name."""
        if not self.mentions(name):
            return self
        hidden = self.places.shape[1]
        known = (to if one == name else one for one in self.dimensions[hidden:])
        return replace(self, dimensions=(*self.dimensions[:hidden], *known))

    def __repr__(self) -> str:
        return f"Individuals({self.verdict})"


def individuals(
    fit: Fit,
    answers: Answers,
    *,
    folds: int = 10,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> Individuals:
    """Give everybody weights of their own, and tell whether that tells more than noise.

    Parameters
    ----------
    fit : of the mean of the answers; on its scale everybody's answers are fitted, on any but the
        ratio scale by a curve of each person's own.
    answers : whose mean the problem's dissimilarities are.
    folds : into so many parts the objects are dealt, for each person in another way; all
        answers about those of one part are held out at a time.

    Raises
    ------
    UnsuitableAnswers : nothing could differ from person to person, or too few people are left.
    """
    folds = whole_number("folds", folds, least=2)
    seed = whole_number("seed", seed)
    answers.check_several()
    people = people_of(fit.problem, answers, fit.power)
    trial = HeldOut(
        as_fitted(fit.problem),
        people,
        dealt_objects(people, len(answers.labels), folds, seed),
        seed,
    )
    errors = each(
        partial(errors_held_out, trial),
        range(folds),
        doing="Telling answers held out, by common weights and by everybody's own",
        workers=workers,
        on_step=on_step,
    )
    alike, own = np.sum(errors, axis=0) / trial.times() / _variances(people)
    with capped_linear_algebra(1):
        common = common_fit(fit.problem, people, fit.best)
        found = individual_fit(fit.problem, people, fit.best, seed=seed)
    hidden = [f"Dimension {k + 1}" for k in range(found.embedding.shape[1])]
    who = np.array([answers.people.index(name) for name in people.names])
    agreement = agreement_of(answers, who)
    return Individuals(
        people=people.names,
        dimensions=(*hidden, *fit.problem.known.names),
        weights=found.weights,
        shares=frozen(found.shares),
        places=frozen(facing(found.embedding, fit.embedding)),
        unexplained=found.unexplained,
        unexplained_alike=common.unexplained,
        not_told=frozen(own),
        not_told_alike=frozen(alike),
        between=agreement.between,
        with_others=agreement.with_others,
        common=agreement.common,
        not_fitted=people.left_out,
        coarse=all(_coarse(people, k) for k in range(len(people.names))),
        folds=folds,
        seed=seed,
        rotations=found.starts,
        agreeing=found.agreeing,
    )


def _coarse(people: People, k: int) -> bool:
    answered = people.values[k, people.counts[k] > 0]
    return np.unique(answered).size <= COARSE


def _variances(people: People) -> FloatArray:
    """(K,) of everybody's answers."""
    total = people.counts.sum(axis=1, keepdims=True)
    means = (people.counts * people.values).sum(axis=1, keepdims=True) / total
    squares: FloatArray = (people.counts * (people.values - means) ** 2 / total).sum(axis=1)
    return squares
