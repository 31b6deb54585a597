"""What someone did with a puzzle: the best answers, what was found, and when."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np

from cml_core.puzzles.puzzle import Puzzle
from cml_core.puzzles.scoring import Score, score
from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature

# What is kept of a name that a feature was given.
LONGEST_NAME = 60


@dataclass(frozen=True)
class Answer:
    """The best that was handed in for a hidden feature.

    Parameters
    ----------
    fits : the hidden feature.
    share : its score.
    called : how it was named by whoever handed it in.
    heights : (N,) a number for each object; None is unsure.
    """

    fits: str
    share: float
    called: str
    heights: tuple[float | None, ...]

    @property
    def values(self) -> FloatArray:
        """The heights as an array, NaN where unsure."""
        return np.array([np.nan if one is None else one for one in self.heights])


@dataclass(frozen=True)
class AnswerSheet:
    """Everything that is known of someone's work on a puzzle.

    Parameters
    ----------
    opened, solved : when it was begun, and when the first feature was found; ISO 8601.
    found : hidden features that were found, in the order of finding.
    answers : the best for each hidden feature that any of them fitted.
    """

    opened: str
    solved: str | None = None
    found: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def best(self) -> float | None:
        """The best score of all; None before the first."""
        return max((answer.share for answer in self.answers), default=None)

    def handed_in(
        self, puzzle: Puzzle, feature: Feature, labels: Sequence[str], at: str
    ) -> tuple[AnswerSheet, Score]:
        """The sheet with one more answer, and its score.

        Raises
        ------
        LabelMismatch, UnsuitableFeature : the answer is none; see `score`.
        """
        reached = score(puzzle, feature, labels, self.found)
        heights = feature.heights()
        assert heights is not None
        told = tuple(None if np.isnan(one) else float(one) for one in heights)
        answer = Answer(reached.fits, reached.share, feature.name[:LONGEST_NAME], told)
        others = tuple(one for one in self.answers if one.fits != answer.fits)
        before = next((one for one in self.answers if one.fits == answer.fits), answer)
        better = answer if answer.share >= before.share else before
        new = reached.solved and reached.fits not in self.found
        sheet = replace(
            self,
            solved=self.solved or (at if new else None),
            found=(*self.found, reached.fits) if new else self.found,
            answers=(*others, better),
        )
        return sheet, reached

    def to_json(self) -> str:
        """The sheet as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The sheet that a text was made of."""
        told: dict[str, Any] = json.loads(text)
        answers = (Answer(**one | {"heights": tuple(one["heights"])}) for one in told["answers"])
        return cls(told["opened"], told["solved"], tuple(told["found"]), tuple(answers))
