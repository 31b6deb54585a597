"""The views of a step: what other methods made of its data, kept with its results."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

from cml_core.evidence.result import Result
from cml_core.evidence.table import COUNT, NUMBER, Column, Table
from cml_core.peers.quality import Quality
from cml_core.peers.registry import METHODS
from cml_core.peers.view import View
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.words import counted, enumerated

MOST_KEPT = 24


@dataclass(frozen=True, eq=False)
class KeptView(Value):
    """One view as a project keeps it.

    Parameters
    ----------
    method : its name in `METHODS`.
    hidden : with how many hidden dimensions the data were conditioned first; 0 is not at all.
    settings : by name, as JSON; with them and the seed the view is made again.
    places : (N, p).
    trustworthiness, continuity, far : see `Quality`; of what the picture stands for.
    """

    method: str
    hidden: int
    settings: str
    places: Annotated[FloatArray, "nv"]
    objective: float
    converged: bool
    seed: int
    trustworthiness: float
    continuity: float
    far: float

    @classmethod
    def of(cls, view: View, quality: Quality, hidden: int = 0) -> KeptView:
        """A view, how far it may be believed, and of how many hidden dimensions it is; 0: plain."""
        return cls(
            method=view.method,
            hidden=hidden,
            settings=json.dumps(dict(view.settings)),
            places=view.places,
            objective=view.objective.value,
            converged=view.converged,
            seed=view.seed,
            trustworthiness=quality.trustworthiness,
            continuity=quality.continuity,
            far=quality.far,
        )

    @property
    def title(self) -> str:
        """What people know the method by."""
        return METHODS[self.method].title if self.method in METHODS else self.method

    @property
    def chosen(self) -> dict[str, Any]:
        """The settings by name."""
        found: dict[str, Any] = json.loads(self.settings)
        return found

    @property
    def question(self) -> tuple[object, ...]:
        """What tells it from other views of the same data."""
        return self.method, self.hidden, self.settings, self.seed, self.places.shape[1]


@dataclass(frozen=True, eq=False, repr=False)
class Views(Result):
    """The same data through other eyes, 24 views at most.

    Parameters
    ----------
    views : in the order in which they were drawn.
    """

    views: tuple[KeptView, ...]

    heading = "What do other methods show?"

    def with_view(self, view: KeptView) -> Views:
        """With one more view, or this one in the place of the same; the oldest beyond 24 goes."""
        others = tuple(one for one in self.views if one.question != view.question)
        return Views((*others, view)[-MOST_KEPT:])

    @property
    def verdict(self) -> str:
        if not self.views:
            return "No other method has been asked."
        kept = max(self.views, key=lambda one: one.trustworthiness)
        far = max(self.views, key=lambda one: one.far)
        return (
            f"{counted(len(self.views), 'view')}, by {enumerated(self._methods())}. Neighbours are "
            f"kept best by {kept.title}{_of(kept)} (trustworthiness {kept.trustworthiness:.2f}), "
            f"far distances by {far.title}{_of(far)} ({far.far:.2f})."
        )

    def _methods(self) -> list[str]:
        return list(dict.fromkeys(one.title for one in self.views))

    @property
    def facts(self) -> tuple[str, ...]:
        return (
            "A view that was chosen because it looks best looks better than it is.",
            "After conditioning it is judged by what the known leaves of the dissimilarities.",
        )

    def table(self) -> Table:
        return Table(
            (
                Column("Method", [one.title for one in self.views]),
                Column(
                    "Hidden dimensions",
                    [one.hidden or None for one in self.views],
                    COUNT,
                    "Of which it draws the distances; none where it draws the data as they are.",
                ),
                Column(
                    "Trustworthiness",
                    [one.trustworthiness for one in self.views],
                    "%.3f",
                    "1: all that lie near each other are alike; a map at random has about 0.5.",
                ),
                Column(
                    "Continuity",
                    [one.continuity for one in self.views],
                    "%.3f",
                    "1: all that are alike lie near each other.",
                ),
                Column(
                    "Far distances",
                    [one.far for one in self.views],
                    "%.3f",
                    "Rank correlation of all distances on the picture and what they stand for.",
                ),
                Column("Objective", [one.objective for one in self.views], NUMBER),
                Column("Converged", [one.converged for one in self.views]),
            )
        )

    def __repr__(self) -> str:
        return f"Views({self.verdict})"


def _of(view: KeptView) -> str:
    return f" of {counted(view.hidden, 'hidden dimension')}" if view.hidden else ""
