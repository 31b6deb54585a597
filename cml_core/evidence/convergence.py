"""Has the fit arrived: what was left unexplained after every step of the best run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.evidence.result import Result
from cml_core.evidence.sketches import Sketch, Trace
from cml_core.evidence.table import COUNT, NEARLY_ALIKE_SHARE, TEXT, Column, Table
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted, percent

# Within this share of where it ended, a map is hardly told from the last one.
NEARLY = 0.01


@dataclass(frozen=True, eq=False, repr=False)
class Convergence(Result):
    """The way of the best run to its map.

    Parameters
    ----------
    path : (steps + 1,) the share unexplained at the start and after each step.
    converged : whether it ended where no small change lowers that share.
    stopped : why it stopped, in words.
    starts : how many starts there were.
    """

    path: FloatArray
    converged: bool
    stopped: str
    starts: int

    heading = "Has the fit arrived?"

    @property
    def steps(self) -> int:
        return self.path.size - 1

    @property
    def nearly_there(self) -> int:
        """After how many steps less than 1 % more was left than at the end."""
        return int(np.argmax(self.path <= self.path[-1] * (1 + NEARLY)))

    @property
    def verdict(self) -> str:
        end = percent(float(self.path[-1]), decimals=2)
        if not self.steps:
            return f"This map was computed at one go, without steps; it leaves {end} unexplained."
        way = f"from {percent(float(self.path[0]), decimals=2)} unexplained to {end}"
        if not self.converged:
            return (
                f"No: the best run was stopped ({self.stopped}) after "
                f"{counted(self.steps, 'step')}, {way}. A longer run would end lower."
            )
        return (
            f"Yes: {counted(self.steps, 'step')} led {way}, where no small change of the map "
            "lowers it any more."
        )

    @property
    def facts(self) -> tuple[str, ...]:
        if not self.steps:
            return ()
        return (
            "This is the run that ended lowest"
            + (f" of {self.starts:,} starts." if self.starts > 1 else "; there was one start."),
            f"After {counted(self.nearly_there, 'step')} less than 1 % more was left than at the "
            "end. A fit that is broken off early shows a map on the way, which may look different.",
        )

    @property
    def sketch(self) -> Sketch | None:
        if not self.steps:
            return None
        steps, shares = np.arange(self.path.size, dtype=np.float64), 100 * self.path
        there = self.nearly_there
        return Trace(
            "Share unexplained after every step of the best run",
            steps,
            shares,
            steps[there : there + 1],
            shares[there : there + 1],
            ("Steps; dot: less than 1 % above the end", "Unexplained, in %"),
        )

    def table(self) -> Table:
        return Table(
            (
                Column("Steps", [self.steps], COUNT),
                Column("Unexplained at the start", [float(self.path[0])], NEARLY_ALIKE_SHARE),
                Column("Unexplained at the end", [float(self.path[-1])], NEARLY_ALIKE_SHARE),
                Column("Steps to within 1 % of the end", [self.nearly_there], COUNT),
                Column("Why it stopped", [self.stopped], TEXT),
                Column("Starts", [self.starts], COUNT),
            ),
            names=0,
        )

    def __repr__(self) -> str:
        return f"Convergence({self.verdict})"


def convergence(fit: Fit) -> Convergence:
    """How the best run of a fit came to its map."""
    return Convergence(fit.stress_path, fit.converged, fit.stopped, fit.n_starts)
