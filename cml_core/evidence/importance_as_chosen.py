"""Did a feature help, with as many hidden dimensions as held-out pairs choose?

What a feature adds depends on the dimensions beside it: on a map of too few, what is left out
hides it. So it is judged with the number that `dimensions` chooses as well, where that is
another than the map's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from cml_core.evidence.importance import Helped, did_it_help
from cml_core.fitting.problem import Problem


@dataclass(frozen=True, eq=False)
class HelpedAsChosen(Helped):
    """What known features do for held-out pairs, with the dimensions that these choose."""

    heading = "Did it help, with the dimensions that held-out pairs choose?"


def did_it_help_as_chosen(
    problem: Problem, n_components: int, names: Sequence[str] | None = None, **options: Any
) -> HelpedAsChosen:
    """Judge known features beside another number of hidden dimensions than the problem's.

    Parameters
    ----------
    n_components : how many hidden dimensions held-out pairs choose, see `dimensions`.
    names, options : as of `did_it_help`.
    """
    found = did_it_help(replace(problem, n_components=n_components), names, **options)
    return HelpedAsChosen(**{field.name: getattr(found, field.name) for field in fields(found)})
