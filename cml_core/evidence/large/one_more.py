"""Is one more feature hidden, and did the known ones help, as far as a sample tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from cml_core.evidence.large.trial import Error, Trial, difference_error
from cml_core.evidence.result import Result
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.landmarks.problem import LargeProblem
from cml_core.values.features import Feature
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import enumerated, percent

# A gain of more standard errors than this is more than chance in the drawing.
CLEAR = 2.0
# One that is smaller than this share of what is unexplained changes nothing that one sees.
WORTH = 0.05
# A direction of nothing but errors of measurement gains as much as this of all dissimilarity.
BY_ERRORS = 0.005
NO_CHANCE = (
    "No chance (p-value) is given: dissimilarities that were computed from measurements share the "
    "errors of each object, and how often such a test is wrong has been counted for up to 60 "
    "objects only."
)

# A feature's name, empty for the dimension, and its values dealt out at random, of the sample.
_Task = tuple[str, tuple[Feature, ...]]


@dataclass(frozen=True)
class Asked:
    """One question to a sample, and its answer.

    Parameters
    ----------
    name : a feature that was left out; empty for the dimension.
    with_it, without_it : what is unexplained of pairs that were held out.
    by_chance : the same with the values of the feature dealt out at random, on average; NaN of a
        dimension.
    error : standard error of the gain.
    """

    name: str
    with_it: float
    without_it: float
    by_chance: float
    error: float

    @property
    def helps(self) -> bool:
        """Whether held-out pairs are told better, clearly and by enough to matter."""
        gain = self.without_it - self.with_it
        beyond = gain > BY_ERRORS if np.isnan(self.by_chance) else self.with_it < self.by_chance
        return bool(gain > CLEAR * self.error and gain > WORTH * self.without_it and beyond)

    @property
    def in_words(self) -> str:
        """Both shares."""
        return f"{percent(self.with_it, 2)} unexplained instead of {percent(self.without_it, 2)}"


@dataclass(frozen=True, eq=False)
class SampleHelp(Result):
    """What a further dimension, and each known feature, does for pairs that no fit has seen.

    Parameters
    ----------
    asked : the dimension first, then the features.
    n_components : hidden dimensions of the map.
    fitted, judges : how many objects were fitted, and how many others judged.
    n_objects : of how many they were drawn.
    """

    asked: tuple[Asked, ...]
    n_components: int
    fitted: int
    judges: int
    n_objects: int
    seed: int

    heading = "Is one more hidden, and did the known help?"

    @property
    def verdict(self) -> str:
        more, features = self.asked[0], self.asked[1:]
        told = (
            f"There is more to find: one more direction tells unseen pairs better, {more.in_words}."
            if more.helps
            else f"One more direction tells unseen pairs hardly better than errors of measurement "
            f"would have it, {more.in_words}."
        )
        help_, none = (
            [one.name for one in features if one.helps is kind] for kind in (True, False)
        )
        parts = [told]
        if help_:
            parts.append(f"{enumerated(help_)} help{'s' if len(help_) == 1 else ''}.")
        if none:
            parts.append(f"{enumerated(none)} do{'es' if len(none) == 1 else ''} not clearly help.")
        return " ".join(parts)

    @property
    def facts(self) -> tuple[str, ...]:
        return (
            f"{self.fitted:,} of {self.n_objects:,} objects, drawn at random, were fitted each "
            f"time, and pairs of {self.judges:,} others judged.",
            NO_CHANCE,
        )

    def table(self) -> Table:
        return Table(
            (
                Column("", [one.name or "One more direction" for one in self.asked]),
                Column("Unexplained with it", [one.with_it for one in self.asked], SHARE),
                Column("Without it", [one.without_it for one in self.asked], SHARE),
                Column(
                    "Its values dealt at random",
                    [one.by_chance for one in self.asked],
                    SHARE,
                    "What a feature that says nothing would leave.",
                ),
                Column("Standard error", [one.error for one in self.asked], SHARE),
            )
        )


def sample_help(
    problem: LargeProblem,
    *,
    shuffles: int = 3,
    seed: int = 0,
    on_step: OnStage | None = None,
) -> SampleHelp:
    """Ask a sample whether one more dimension, and each known feature, tells unseen pairs better.

    Parameters
    ----------
    problem : the question that the map answers.
    shuffles : how often the values of each feature are dealt out at random.
    seed : of the sample, the fits and the dealing.
    """
    shuffles = whole_number("shuffles", shuffles, least=1)
    trial, p = Trial.drawn(problem, seed), problem.n_components
    base = trial.error(trial.known, p)
    tasks: list[_Task] = [
        ("", ()),
        *(
            (one.name, tuple(trial.dealt(one, k) for k in range(shuffles)))
            for one in problem.known.features
        ),
    ]
    asked: Sequence[Asked] = each(
        partial(_answered, trial, base, p), tasks, doing="Fitting samples", on_step=on_step
    )
    return SampleHelp(tuple(asked), p, trial.fitted, trial.judges, problem.n_objects, trial.seed)


def _answered(trial: Trial, base: Error, n_components: int, task: _Task) -> Asked:
    """Of a feature, whose values were also dealt out at random; of the dimension without a name."""
    name, dealt = task
    if not name:
        wider = trial.error(trial.known, n_components + 1)
        return Asked("", wider.share, base.share, float("nan"), difference_error(base, wider))
    fewer = trial.error(trial.with_values(name, None), n_components)
    errors = (trial.error(trial.with_values(name, one), n_components) for one in dealt)
    by_chance = float(np.mean([one.share for one in errors]))
    return Asked(name, base.share, fewer.share, by_chance, difference_error(fewer, base))
