"""What a lesson is: one idea, and questions whose answers are worked out from the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

# What is on the screen: a frozen value that the functions of a lesson made.
State = TypeVar("State")
Answer = str | float

# So much a number may be off beside its tolerance, for 0.1 + 0.2 is not 0.3.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Verdict:
    """What is said to an answer; whoever is wrong may try again."""

    right: bool
    words: str


def at_once(_: object) -> str:
    """Nothing has to be done before a question can be answered."""
    return ""


@dataclass(frozen=True, eq=False)
class Check(Generic[State]):
    """A question about what is on the screen.

    Parameters
    ----------
    name : tells it from the others of its lesson.
    ask : the question.
    answer : the right answer, worked out from what is on the screen.
    why : what is said to an answer, right or wrong: the reason, not the answer.
    choices : what may be answered, in the order in which it is offered; none where a number is.
    tolerance : how far a number may be off.
    not_yet : what has to be done on the screen first, as a sentence; empty once it is.
    """

    name: str
    ask: str
    answer: Callable[[State], Answer]
    why: Callable[[State, Answer], str]
    choices: tuple[str, ...] = ()
    tolerance: float = 0.0
    not_yet: Callable[[State], str] = at_once

    def right(self, state: State, said: Answer) -> Verdict:
        """Whether an answer is right, and why or why not."""
        if first := self.not_yet(state):
            return Verdict(False, first)
        return Verdict(self._agrees(self.answer(state), said), self.why(state, said))

    def _agrees(self, true: Answer, said: Answer) -> bool:
        if self.choices:
            return said == true
        return abs(float(said) - float(true)) <= self.tolerance + _ROUNDING


@dataclass(frozen=True)
class Review:
    """A question to end with, which each answers in words of their own, and what may be said."""

    ask: str
    answer: str


@dataclass(frozen=True, eq=False)
class Lesson(Generic[State]):
    """One idea, one thing to do, and what it cures.

    Parameters
    ----------
    name : stands in addresses.
    words : what to do and what to look at, in sixty words at most.
    cures : what many believe before it.
    told : what is on the screen, in words with its numbers.
    checks : how one finds out whether one has understood.
    mathematics : for whoever wants it, with formulas.
    minutes, asks, goes_wrong : for teachers: how long it takes, what to ask a class, and what
        goes wrong in one.
    review : a question to end with, where there is one.
    """

    name: str
    title: str
    words: str
    cures: tuple[str, ...]
    told: Callable[[State], str]
    checks: tuple[Check[State], ...]
    mathematics: str
    minutes: int
    asks: str
    goes_wrong: str
    review: Review | None = None


AnyLesson = Lesson[Any]
