"""Did it help, with as many dimensions as held-out pairs choose, where that is another number."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence import importance
from cml_app.panels.evidence.panel import Panel, nothing_known
from cml_app.panels.evidence.running import OnRequest
from cml_app.workspace import Workspace
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.importance_as_chosen import HelpedAsChosen, did_it_help_as_chosen
from cml_core.evidence.result import ResultKind
from cml_core.values.words import counted

_HOW = """
What a feature adds depends on the dimensions beside it: on a map of too few, what is left out hides
it. So the same is asked with the number of hidden dimensions that held-out pairs choose (*How many
dimensions are left?*).
"""


def chosen_dimensions(workspace: Workspace) -> int | None:
    """How many held-out pairs choose, once that was asked and can be told."""
    found = workspace.step.result(ResultKind(Dimensions))
    return None if found is None or found.bent else found.chosen


def differs(workspace: Workspace) -> bool:
    """Whether held-out pairs choose another number of dimensions than the map has."""
    chosen = chosen_dimensions(workspace)
    return chosen is not None and chosen != workspace.step.problem.n_components


def _why_not(workspace: Workspace) -> str:
    if why_not := nothing_known(workspace):
        return why_not
    if chosen_dimensions(workspace) is None:
        return (
            "What a feature adds depends on the dimensions beside it. How many held-out pairs "
            "choose is not known: see *Is anything left?*"
        )
    if not differs(workspace):
        return (
            "Held-out pairs choose as many dimensions as this map has, so there is no other number "
            "to judge the features with."
        )
    return ""


def work(
    workspace: Workspace, chosen: Chosen, names: tuple[str, ...] | None = None
) -> Callable[..., HelpedAsChosen]:
    """What judges these known features, or all, beside the dimensions that are chosen."""
    dimensions = chosen_dimensions(workspace)
    assert dimensions is not None
    options = importance.options(workspace, chosen)
    return partial(did_it_help_as_chosen, workspace.step.problem, dimensions, names, **options)


def _about(workspace: Workspace, shuffles: int) -> str:
    count = counted(chosen_dimensions(workspace) or 0, "hidden dimension")
    return f"The same as above with {count}, and {shuffles} shuffled features in each one's place."


ASKED = OnRequest(
    ResultKind(HelpedAsChosen),
    button="Judge them with these",
    repeats=importance.SHUFFLES,
    work=work,
    about=_about,
    times=importance.times,
    is_whole=importance.judges_all,
)
PANEL = Panel(
    HelpedAsChosen,
    ASKED.found,
    why_not=_why_not,
    body=importance.body,
    how=_HOW,
    lesson="did-it-help",
)
