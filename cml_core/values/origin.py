"""How a table of dissimilarities came about, as far as its owner says."""

from __future__ import annotations

from dataclasses import dataclass

from cml_core.errors import UnknownOption, check_option
from cml_core.values.real_numbers import real_number, whole_number
from cml_core.values.simulation import Simulation

UNKNOWN = "unknown"
# What each kind is called where a visitor is asked.
ORIGINS = {
    UNKNOWN: "I do not know, or something else",
    "pairs": "Each pair was judged or measured by itself",
    "ratings": "People rated pairs on a scale",
    "sorting": "People sorted objects into groups",
    "confusions": "How often one was taken for another was counted (confusions)",
    "triads": "People said which of three is the odd one (triads)",
    "counts": "How often things happened together, or were chosen, was counted",
    "correlations": "Correlations over cases",
    "measurements": "Computed from measurements of each object",
}


@dataclass(frozen=True)
class Origin:
    """What is known of how a table was made.

    Parameters
    ----------
    kind : key of `ORIGINS`.
    people : whose answers the table sums up; 0 where that is not known.
    lowest, highest : the ends of the scale of ratings, in units of the table; equal where
        they are not known.
    cases : over how many cases correlations were taken; 0 where that is not known.
    simulation : by which settings they were made up; None of what was observed.
    """

    kind: str = UNKNOWN
    people: int = 0
    lowest: float = 0.0
    highest: float = 0.0
    cases: int = 0
    simulation: Simulation | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", check_option("kind", self.kind, tuple(ORIGINS)))
        for name in ("people", "cases"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))
        for name in ("lowest", "highest"):
            value = real_number(
                name, getattr(self, name), lambda v: abs(v) < float("inf"), "finite"
            )
            object.__setattr__(self, name, value)
        if self.highest < self.lowest:
            raise UnknownOption(
                f"The scale of ratings ends at {self.highest:g}, below {self.lowest:g}.",
                remedy="Give the lower end first.",
            )

    @property
    def in_words(self) -> str:
        """What is known, in a sentence; empty where nothing is."""
        if self.simulation is not None:
            return self.simulation.in_words
        who = f"{self.people:,} people" if self.people > 1 else "One person"
        who = who if self.people else "People"
        scale = "" if self.lowest == self.highest else f" from {self.lowest:g} to {self.highest:g}"
        over = f"over {self.cases:,} cases" if self.cases else "over cases"
        by = f", with {self.people:,} people" if self.people else ""
        return {
            UNKNOWN: "",
            "pairs": "Each pair was judged or measured by itself.",
            "ratings": f"{who} rated pairs on a scale{scale}.",
            "sorting": f"{who} sorted objects into groups.",
            "confusions": f"How often one was taken for another was counted{by}.",
            "triads": f"{who} said which of three is the odd one.",
            "counts": f"How often things happened was counted{by}.",
            "correlations": f"They are correlations {over}.",
            "measurements": "They were computed from measurements of each object.",
        }[self.kind]
