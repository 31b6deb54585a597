"""Do other maps fit as well: where else the starts of a fit ended, and what differs there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cml_core.errors import listing
from cml_core.evidence.convergence import convergence
from cml_core.evidence.map_size import as_share
from cml_core.evidence.result import Result
from cml_core.evidence.table import COUNT, NEARLY_ALIKE_SHARE, SHARE, Column, Table
from cml_core.fitting.configuration import Solution
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.words import counted, percent

# An object that lies farther off than this share of the map's spread lies elsewhere.
ELSEWHERE = 0.25
MOST_NAMED = 3
# Another optimum within this share of the best explains the data as well, for all we know.
AS_GOOD = 0.1
# Below this share unexplained a fit is exact, and what is relative to it says nothing.
EXACT = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Optimum(Value):
    """Another map that the solver ended at, beside the best.

    Parameters
    ----------
    stress : the share it leaves unexplained.
    above : by what share that is more than the best map leaves.
    starts : how many starts led to it.
    moved : (N,), how far each object lies from where the best map has it, as a share of the
        best map's spread (the root mean square distance from its centre).
    most_moved : names of those that lie farthest from there, if far at all.
    """

    stress: float
    above: float
    starts: int
    moved: Annotated[FloatArray, "n"]
    most_moved: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """How it differs from the best map, in words."""
        if not self.most_moved:
            where = "every object lies about where the best map has it"
        else:
            where = f"farthest from their places on the best map: {listing(self.most_moved)}"
        led = counted(self.starts, "start")
        return f"Leaves {percent(self.stress)} unexplained; {led} led to it; {where}."

    def __repr__(self) -> str:
        return f"Optimum({self.verdict})"


@dataclass(frozen=True, eq=False, repr=False)
class OtherOptima(Result):
    """The other maps at which starts ended, in the order of `fit.alternatives`.

    Parameters
    ----------
    stress : the share that the best map leaves unexplained.
    starts : how many starts led to it.
    tried : how many starts there were.
    optima : the others, best first.
    """

    stress: float
    starts: int
    tried: int
    optima: tuple[Optimum, ...]

    heading = "Other maps that fit, too"

    @property
    def verdict(self) -> str:
        """Whether another map explains the data as well, in words."""
        if self.tried == 1:
            return "Only one start was tried, so no other map could be found."
        found = f"The best map was reached from {self.starts} of {self.tried} starts"
        if not self.optima:
            return f"{found}, and no other was found."
        best = percent(self.stress)
        rivals = [other for other in self.optima if other.above <= AS_GOOD]
        differing = next((other for other in rivals if other.most_moved), None)
        if differing is not None:
            return (
                f"{found}. It leaves {best} unexplained, but another one leaves hardly more "
                f"({percent(differing.stress)}) and has other places for "
                f"{listing(differing.most_moved)}, so do not rely on where these stand."
            )
        if rivals:
            return f"{found}. Those nearly as good put all objects in about the same places."
        return (
            f"{found}. It leaves {best} unexplained; the next best leaves "
            f"{percent(self.optima[0].stress)}, clearly more."
        )

    @property
    def names(self) -> tuple[str, ...]:
        """What the maps are called, the best first."""
        return ("The best map", *(f"Other {k}" for k in range(1, len(self.optima) + 1)))

    def shown_with(self, fit: Fit) -> tuple[Result, ...]:
        return (convergence(fit),)

    def table(self) -> Table:
        others = self.optima
        return Table(
            (
                Column("Map", self.names),
                Column(
                    "Unexplained", [self.stress, *(o.stress for o in others)], NEARLY_ALIKE_SHARE
                ),
                Column(
                    "More than the best",
                    [0.0, *(one.above for one in others)],
                    SHARE,
                    "As a share of what the best map leaves unexplained.",
                ),
                Column(
                    "Starts that led to it", [self.starts, *(one.starts for one in others)], COUNT
                ),
                Column("Lies elsewhere", [(), *(one.most_moved for one in others)]),
            )
        )

    def __repr__(self) -> str:
        return f"OtherOptima({self.verdict})"


def other_optima(fit: Fit) -> OtherOptima:
    """The other maps at which the starts of a fit ended, and what differs on them."""
    return OtherOptima(
        stress=fit.stress,
        starts=fit.best.starts,
        tried=fit.n_starts,
        optima=tuple(_optimum(fit, other) for other in fit.alternatives),
    )


def _optimum(fit: Fit, other: Solution) -> Optimum:
    lengths = np.linalg.norm(other.embedding - fit.embedding, axis=1)
    # Alternatives are turned onto the best map already, so that what is left is a real difference.
    moved = as_share(lengths, fit.embedding)
    far = np.argsort(-moved, kind="stable")[:MOST_NAMED]
    return Optimum(
        stress=other.stress,
        above=(other.stress - fit.stress) / max(fit.stress, EXACT),
        starts=other.starts,
        moved=frozen(moved),
        most_moved=tuple(fit.labels[i] for i in far if moved[i] > ELSEWHERE),
    )
