"""Lesson 5: every added feature lowers the stress; only pairs that were not fitted can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from cml_core.drawing.arrow import Arrow
from cml_core.evidence.feature_help import FeatureHelp
from cml_core.evidence.importance import did_it_help
from cml_core.evidence.work import OnStage
from cml_core.fitting.fit import fit
from cml_core.lessons import kin
from cml_core.lessons.lesson import Answer, Check, Lesson
from cml_core.values.arrays import Value
from cml_core.values.features import Feature
from cml_core.values.words import percent

DEGREE, RANDOM, ARROW = "Degree", "A column of random numbers", "An arrow on this map"
CHOICES, NONE = (DEGREE, RANDOM, ARROW), "None of them"
SHUFFLES, CHANCE = 99, 0.05


@dataclass(frozen=True)
class Choice:
    """What is added to Gender.

    Parameters
    ----------
    roll : which random numbers.
    degrees : where the arrow points to, anticlockwise from the right.
    """

    name: str = DEGREE
    roll: int = 0
    degrees: int = 0

    def named(self, name: str) -> Choice:
        """The same rolls and arrow, with something else added."""
        return Choice(name, self.roll, self.degrees)


@dataclass(frozen=True, eq=False)
class Added(Value):
    """What the stress does.

    Parameters
    ----------
    helped : what pairs held out said, of whatever they were asked about.
    """

    choice: Choice
    feature: Feature
    before: float
    after: float
    helped: Mapping[Choice, FeatureHelp]


def added(choice: Choice, helped: Mapping[Choice, FeatureHelp]) -> Added:
    """The stress before and after."""
    before = kin.best_fit("Gender").stress
    return Added(choice, feature_of(choice), before, stress_after(choice), helped)


@cache
def stress_after(choice: Choice) -> float:
    """The stress once the choice is known beside Gender."""
    return fit(kin.best_fit("Gender").problem.knowing(feature_of(choice)), seed=kin.SEED).stress


@cache
def feature_of(choice: Choice) -> Feature:
    """The feature that is added."""
    if choice.name == DEGREE:
        return kin.known("Degree")["Degree"]
    if choice.name == RANDOM:
        random = np.random.default_rng([kin.SEED, choice.roll])
        return Feature.numeric("Random", random.standard_normal(len(kin.terms().labels)))
    return arrow_of(choice).feature("Arrow", kin.best_fit("Gender").embedding)


def arrow_of(choice: Choice) -> Arrow:
    """The arrow across the map of the terms with Gender known."""
    reach = float(np.abs(kin.best_fit("Gender").embedding).max())
    x, y = reach * np.cos(np.radians(choice.degrees)), reach * np.sin(np.radians(choice.degrees))
    return Arrow((-x, -y), (x, y))


def asked(choice: Choice, on_step: OnStage | None = None, shuffles: int = SHUFFLES) -> FeatureHelp:
    """How well pairs are told that no fit has seen; an arrow is drawn anew without them."""
    before, feature = kin.best_fit("Gender").problem, feature_of(choice)
    found = did_it_help(
        before.knowing(feature),
        [feature.name],
        shuffles=shuffles,
        seed=kin.SEED,
        read_off={feature.name: before} if choice.name == ARROW else None,
        in_place=False,
        workers=1,
        on_step=on_step,
    )
    return found.features[0]


def lowers_most(state: Added) -> str:
    """Of the three, as they are on the screen."""
    return min(CHOICES, key=lambda name: stress_after(state.choice.named(name)))


def to_report(state: Added) -> str:
    """What does better on pairs held out than its own values shuffled."""
    told = {name: state.helped.get(state.choice.named(name)) for name in (DEGREE, RANDOM)}
    chances = {name: one.p_value or 1.0 for name, one in told.items() if one is not None}
    best = min(chances, key=lambda name: chances[name], default=NONE)
    return best if chances.get(best, 1.0) <= CHANCE else NONE


def _why_most(state: Added, said: Answer) -> str:
    falls = ", ".join(
        f"{name.lower()} {percent(1 - stress_after(state.choice.named(name)) / state.before)}"
        for name in CHOICES
    )
    if said == lowers_most(state):
        return f"It falls by: {falls}. An arrow read off a map describes that very map best."
    return f"Choose each of the three and compare. It falls by: {falls}."


def _not_yet(state: Added) -> str:
    missing = [n for n in (DEGREE, RANDOM) if state.choice.named(n) not in state.helped]
    if not missing:
        return ""
    return f"Ask pairs that were not fitted first. Not asked yet: {' and '.join(missing).lower()}."


def _why_report(state: Added, said: Answer) -> str:
    if said == to_report(state):
        return (
            "It tells pairs that no fit has seen, and better than its own values shuffled. The "
            "stress could not have told you that."
        )
    if said == ARROW:
        return (
            "It was read off this map, so of course it fits it. No chance can be given for it: it "
            "has seen all pairs already."
        )
    return "Look at the pairs held out: does it do better there than shuffled values do?"


def _told(state: Added) -> str:
    fall = percent(1 - state.after / state.before)
    words = (
        f"The stress falls from {state.before:.4f} to **{state.after:.4f}**, by **{fall}**. Did "
        "it help? "
    )
    one = state.helped.get(state.choice)
    if one is None:
        return words + "The stress cannot tell: it falls with whatever is added."
    held = (
        f"Of pairs that were not fitted, {percent(one.held_out_without)} was unexplained before "
        f"and {percent(one.held_out_with)} is now"
    )
    if one.p_value is None:
        return f"{words}{held}. There is no p-value for what was read off the map."
    return (
        f"{words}{held}. Grey dots are its values shuffled: p = {one.p_value:.2f} is the share "
        "that does as well, this one counted with them."
    )


LESSON = Lesson[Added](
    name="did-it-help",
    title="Did it help?",
    words=(
        "Gender is known. **Add** one thing more: the true degree of kinship, a column of random "
        "numbers, or an arrow that you draw on this map. The stress falls every time. Then ask "
        "the **pairs that were not fitted**, which nobody can flatter."
    ),
    cures=("The stress fell, so I discovered something.",),
    told=_told,
    checks=(
        Check(
            "most", "Which of the three lowers the stress most?", lowers_most, _why_most, CHOICES
        ),
        Check(
            "report",
            "Which of them would you report?",
            to_report,
            _why_report,
            (*CHOICES, NONE),
            not_yet=_not_yet,
        ),
    ),
    mathematics=r"""
Pairs are dealt into ten parts. Each part is left out in turn, the map and $B$ are fitted to the
rest, and its own $\delta_{ij}$ are told by the fitted $d_{ij}$. The share unexplained is
$\sum (\delta_{ij} - d_{ij})^2 / \sum \delta_{ij}^2$ over pairs left out. The same is done with the
feature's values dealt out to other objects; $p$ is the share of these that do as well, the feature
itself counted with them.
""",
    minutes=15,
    asks="Roll random numbers until the stress falls a lot. What would a journal have printed?",
    goes_wrong="The arrow wins the first question, and some want to report it for that.",
)
