"""Lesson 8: stress falls with every dimension; pairs held out know how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cml_core.datasets import CAR_FEATURES, simulate_car_brands
from cml_core.evidence.dimensions import Dimensions, dimensions
from cml_core.fitting.problem import Problem
from cml_core.lessons.lesson import Answer, Check, Lesson
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.words import counted, enumerated, percent

MOST_HIDDEN = 3
MOST_DIMENSIONS = 5
# An elbow is seen where one dimension lowers the stress by so many times as much as the next.
CLEAR = 4.0


@dataclass(frozen=True, eq=False)
class Covered(Value):
    """Car brands with some features hidden, and what can be told of how many.

    Parameters
    ----------
    hidden : the features that were hidden; nobody sees them before a guess.
    found : stress and held-out error for 0, 1, 2, … dimensions.
    """

    hidden: tuple[str, ...]
    n_objects: int
    noise: float
    found: Dimensions

    @property
    def elbow(self) -> int | None:
        """Where the curve of the stress bends so that it cannot be missed; None if nowhere."""
        falls = -np.diff(self.found.unexplained)
        times = falls[:-1] / np.maximum(falls[1:], np.finfo(float).tiny)
        sharpest = int(np.argmax(times))
        return sharpest + 1 if times[sharpest] >= CLEAR else None

    @property
    def tell(self) -> bool:
        """Whether held-out pairs choose as many dimensions as there are."""
        return self.found.chosen == len(self.hidden)


def hidden_by_lot(seed: int) -> int:
    """How many features are hidden in this draw."""
    return int(np.random.default_rng(seed).integers(1, MOST_HIDDEN + 1))


@lru_cache(maxsize=64)
def covered(
    seed: int = 0, noise: float = 0.05, n_objects: int = 30, hidden: int | None = None
) -> Covered:
    """Simulated car brands, of whose features some are hidden.

    Parameters
    ----------
    seed : of the brands, and of the lot.
    noise : relative error of the dissimilarities.
    hidden : how many; None leaves it to the lot.
    """
    count = hidden_by_lot(seed) if hidden is None else hidden
    known = len(CAR_FEATURES) - count
    brands = simulate_car_brands(n_objects, noise=noise, feature_noise=0.0, known=known, seed=seed)
    problem = Problem(brands.values(), brands.feature_table())
    found = dimensions(problem, most=MOST_DIMENSIONS, workers=1)
    return Covered(tuple(CAR_FEATURES)[known:], n_objects, noise, found)


def falls(state: Covered) -> FloatArray:
    """The share of the stress that each further dimension takes away."""
    left = state.found.unexplained
    shares: FloatArray = 1.0 - left[1:] / left[:-1]
    return shares


def _told(state: Covered) -> str:
    found, most = state.found, state.found.n_components[-1]
    return (
        f"From none to {most} dimensions the stress falls from {percent(found.unexplained[0])} to "
        f"{percent(found.unexplained[-1])}, with every single one. The error of pairs held out "
        f"begins at {percent(found.held_out[0])}. Where does it stop falling?"
    )


def uncovered(state: Covered) -> str:
    """What was hidden, where the stress bends, and what held-out pairs choose."""
    hidden = counted(len(state.hidden), "feature was", "features were")
    bend = f"The stress bends clearly at {state.elbow}" if state.elbow else "No bend can be seen"
    names = enumerated(list(state.hidden))
    return f"**{hidden} hidden**: {names}. {bend}. {_held_out(state.found)}"


def _held_out(found: Dimensions) -> str:
    if len(found.open) == 1:
        return f"Pairs held out are told best with **{found.chosen}**."
    several = enumerated([str(p) for p in found.open])
    return f"Pairs held out are told equally well with **{several}**, give or take chance."


CANNOT_TELL = "These data cannot tell"


def _answer(state: Covered) -> Answer:
    return str(len(state.hidden)) if state.tell else CANNOT_TELL


def _why(state: Covered, said: Answer) -> str:
    truth = f"{counted(len(state.hidden), 'feature')} hidden: {enumerated(list(state.hidden))}"
    if said == CANNOT_TELL:
        return _why_not_told(state, truth)
    if not state.tell:
        luck = "is the true number, by luck" if said == str(len(state.hidden)) else "is a guess"
        return (
            f"{said} {luck}: neither curve says so. With so much noise that is an answer, too, and "
            "here it is the right one."
        )
    if said == str(len(state.hidden)):
        return f"There are {truth}. Held-out pairs are told best with so many."
    if int(said) < len(state.hidden):
        return "With so few, pairs that were held out are told worse than with more: look again."
    return "The stress falls further, as it always does. Does the error of held-out pairs?"


def _why_not_told(state: Covered, truth: str) -> str:
    if state.tell:
        return (
            "They can: look at the pairs held out. Their error falls, and then stops falling. "
            "With how many dimensions does it stop?"
        )
    chosen = state.found.chosen
    return (
        f"There are {truth}; held-out pairs choose {chosen}. Less noise or more brands would tell "
        "more. A map with fewer dimensions is no error: the others would be drawn from noise."
    )


LESSON = Lesson[Covered](
    name="dimensions",
    title="How many dimensions",
    words=(
        "Somebody has hidden some features of these car brands: one, two or three, drawn by lot. "
        "How many? The **stress** falls with every dimension, needed or not. Pairs that were "
        "**held out** of the fit know better. Move **Noise** and see what becomes of the elbow."
    ),
    cures=(
        "The elbow of the stress shows the number.",
        "A map with fewer dimensions than features is an error.",
    ),
    told=_told,
    checks=(
        Check(
            "count",
            "How many features are hidden?",
            _answer,
            _why,
            (*(str(count) for count in range(1, MOST_HIDDEN + 1)), CANNOT_TELL),
        ),
    ),
    mathematics=r"""
The pairs are dealt into ten parts. Each part is held out in turn, a map in $p$ dimensions is fitted
to the others, and its error is the share of the squared dissimilarities of the held-out pairs that
it does not explain. The curve shows the mean over parts and its standard error $s$. Chosen are the
fewest dimensions whose error is within one $s$ of the lowest (Breiman and others, 1984).

The brands are simulated: seven uniform features, weighted as people weigh them; each distance is
multiplied by $1 + \text{noise} \cdot z$ with $z$ standard normal.
""",
    minutes=10,
    asks="Where is the elbow? Let everybody write it down before the number is uncovered.",
    goes_wrong=(
        "With much noise some insist on a number, because a number was asked for. *These data "
        "cannot tell* is a result."
    ),
)
