"""What a solver is: one module with a `Solver`, and one line in `registry.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cml_core.fitting.solvers.objective import Objective
from cml_core.fitting.solvers.parts import Parts
from cml_core.fitting.solvers.run import Run, Watch
from cml_core.values.arrays import BoolArray, FloatArray

# More than `fit` ever makes of its own accord.
NO_LIMIT = 2**31


@dataclass(frozen=True, eq=False)
class Start:
    """Where a run begins.

    Parameters
    ----------
    variables : as `Objective.variables` lays them out; empty for a solver that takes no start.
    missing : condensed, which pairs are gaps; empty where none is.
    own : (U0, B0), and VB0 where the solver takes it, as someone gave them; empty otherwise.
    """

    variables: FloatArray
    missing: BoolArray
    own: tuple[FloatArray, ...] = ()


@dataclass(frozen=True)
class StoppingRule:
    """When a run ends at the latest, and what counts as no gain; see `fit`."""

    max_iter: int
    tolerance: float


@dataclass(frozen=True)
class Solver:
    """A way to minimise the conditional stress.

    Parameters
    ----------
    name : what it is asked for by.
    run : from one start to where it ends.
    most_starts : so many starts at most are worth their time; 0 where it takes no start.
    own_arrays : how many arrays a start of one's own may have: U0, B0, VB0.
    as_it_ended : whether the map from a start of one's own is shown just as the last step left it.
    in_parts : the same in parts, where several short runs may share the threads; else None.
    many_threads : whether its linear algebra is large enough to be shared among threads.
    over_scales : whether it can change the dissimilarities as their scale admits.
    remark_on_gaps : what to know where features have missing entries; empty for nothing.
    """

    name: str
    run: Callable[[Objective, Start, StoppingRule, Watch | None], Run]
    most_starts: int = NO_LIMIT
    own_arrays: int = 2
    as_it_ended: bool = False
    in_parts: Callable[[Objective, Start, StoppingRule], Parts[Run]] | None = None
    many_threads: bool = False
    over_scales: bool = False
    remark_on_gaps: str = ""
