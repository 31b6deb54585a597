"""Did it help: what each known feature does for pairs that the fit has not seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from cml_app import messages
from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import (
    PEOPLE_TOO,
    TOLD_ON_SCALES,
    Panel,
    nothing_known,
    numbers,
    slower,
    who_judges,
)
from cml_app.panels.evidence.pictures import page_ink, picture
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.pictures import evidence_figures
from cml_app.workspace import Workspace
from cml_core.errors import listing
from cml_core.evidence.importance import Helped, did_it_help
from cml_core.evidence.result import ResultKind, kind_of

_HOW = rf"""
A feature that is added always lowers what is unexplained, above all one that was read off the very
map. So the pairs are dealt into parts, each is held out of the fit in turn, and what counts is the
share of *its* squared dissimilarities that the fit does not explain,
$\sum w (\delta - d)^2 / \sum w \delta^2$, averaged over the parts.
{TOLD_ON_SCALES}{PEOPLE_TOO}
- **Shuffled in its place**: the same with the feature's values dealt out to the objects at random,
  as far as the other known features do not predict them, $m$ times. By chance:
  $p = (1 + \text{{as good by chance}}) / (1 + m)$, the p-value.
- **One dimension fewer**: a map with as many dimensions as are hidden holds a hidden feature
  already, and its values add nothing. So the same is done with one hidden dimension fewer. A
  feature *takes the place of a dimension* where the map with it and one dimension fewer tells
  held-out pairs as well as the map with all dimensions and without it (within one standard error
  of the difference over the parts), and better than with it shuffled ($p \le .05$); of one read
  off a map, by more than two standard errors.
- **Read off a map**: the feature is read off anew from the map of the other pairs, for each part.
- **Already in the others**: the share of its variation that the other known features predict. What
  nearly all is said by the others cannot be judged by itself.
"""


def work(
    workspace: Workspace, chosen: Chosen, names: tuple[str, ...] | None = None
) -> Callable[..., Helped]:
    """What judges these known features of the current step, or all of them."""
    return partial(did_it_help, workspace.step.problem, names, **options(workspace, chosen))


def options(workspace: Workspace, chosen: Chosen) -> dict[str, Any]:
    """What else features are judged with."""
    known, drawn = workspace.step.problem.known.names, workspace.journey.drawn_on()
    return {
        "shuffles": chosen.count,
        "seed": chosen.seed,
        "read_off": {name: drawn[name] for name in known if name in drawn},
        "answers": workspace.journey.answers,
    }


def _about(workspace: Workspace, shuffles: int) -> str:
    fewer = " The same with one hidden dimension fewer." if _has_fewer(workspace) else ""
    return (
        f"Holds pairs out of the fit, with each feature, without it, and with {shuffles} shuffled "
        f"ones in its place.{fewer}{who_judges(workspace)}"
    )


def _has_fewer(workspace: Workspace) -> bool:
    return workspace.step.problem.n_components > 0


def times(workspace: Workspace) -> int:
    """Each feature is judged by itself, beside the dimensions and in the place of one."""
    features = len(workspace.step.problem.known.names)
    return features * (1 + _has_fewer(workspace)) * slower(workspace)


def judges_all(workspace: Workspace, found: Helped) -> bool:
    """Whether every known feature was judged, not only what was added last."""
    return {one.name for one in found.features} >= set(workspace.step.problem.known.names)


def body(workspace: Workspace, found: Helped) -> None:
    """The features as bars, and their numbers."""
    if not judges_all(workspace, found):
        names = listing([one.name for one in found.features])
        st.caption(messages.plain(f"So far only what was added last was judged: {names}."))
    picture(
        evidence_figures.helped(found, page_ink()),
        f"helped-{kind_of(found)}",
        "Held-out pairs unexplained with and without each feature; the numbers are in the table.",
    )
    numbers(found)


SHUFFLES = Repeats("Shuffles", 99, 19, 999, seconds=(8.0, 15.0, 120.0))
ASKED = OnRequest(
    ResultKind(Helped),
    button="Judge the known features",
    repeats=SHUFFLES,
    work=work,
    about=_about,
    times=times,
    is_whole=judges_all,
)
PANEL = Panel(
    Helped,
    ASKED.found,
    why_not=nothing_known,
    body=body,
    how=_HOW,
    lesson="did-it-help",
)
