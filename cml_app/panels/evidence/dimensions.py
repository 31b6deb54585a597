"""How many dimensions are left: the unexplained share of pairs that were held out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import (
    PEOPLE_TOO,
    TOLD_ON_SCALES,
    Panel,
    Picture,
    slower,
    who_judges,
)
from cml_app.panels.evidence.pictures import page_ink
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.pictures import evidence_figures
from cml_app.workspace import Workspace
from cml_core.evidence.dimensions import Dimensions, dimensions
from cml_core.evidence.result import ResultKind

_HOW = rf"""
The pairs are dealt into parts at random, so that every object stays connected. For each number of
hidden dimensions the map is fitted to all pairs but those of one part, and then asked for their
dissimilarities. What it does not explain of them is
$\sum w (\delta - d)^2 / \sum w \delta^2$ over the held-out pairs; shown are the mean over the
parts and its standard error.
{TOLD_ON_SCALES}{PEOPLE_TOO}
Chosen are the fewest dimensions whose error lies within one standard error of the lowest. All
that lie as near are told as open: the data cannot tell them apart. Where people are held out it is
the standard error of the difference to the lowest, part by part: some people are hard to tell with
any number of dimensions.
"""


def _work(workspace: Workspace, chosen: Chosen) -> Callable[..., Dimensions]:
    return partial(
        dimensions,
        workspace.step.problem,
        folds=chosen.count,
        seed=chosen.seed,
        answers=workspace.journey.answers,
        origin=workspace.journey.origin,
    )


def _about(workspace: Workspace, folds: int) -> str:
    return (
        "Fits maps of more and more dimensions with the same features known, and asks each about "
        f"pairs that it has not seen, {folds} times.{who_judges(workspace)}"
    )


def _picture(_: Workspace, found: Dimensions) -> Picture:
    return Picture(
        evidence_figures.scree(found, page_ink()),
        "scree",
        "The unexplained share by hidden dimensions; the numbers are in the table.",
    )


ASKED = OnRequest(
    ResultKind(Dimensions),
    button="Try 0, 1, 2, …",
    repeats=Repeats("Parts held out in turn", 10, 3, 20, seconds=(1.0, 2.0, 8.0)),
    work=_work,
    about=_about,
    times=slower,
)
PANEL = Panel(Dimensions, ASKED.found, picture=_picture, how=_HOW, lesson="dimensions")
