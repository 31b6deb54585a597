"""Which scale the numbers bear: how well pairs held out are told on each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import Panel, Picture
from cml_app.panels.evidence.pictures import page_ink
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.panels.scale import where_else
from cml_app.pictures.evidence_scales import scale_errors
from cml_app.workspace import Workspace
from cml_core.evidence.advised_scale import AdvisedScale, advised_scale
from cml_core.evidence.result import ResultKind
from cml_core.files.scale_by_origin import scale_by_origin

_HOW = r"""
The pairs are dealt into parts at random, so that every object stays connected. On each scale the
map is fitted to all pairs but those of one part. Through the dissimilarities of these other pairs,
over their fitted distances, goes a curve of the scale's own family: proportion, a straight line, a
power, a monotone spline, or rising steps. It tells the dissimilarities of the pairs held out in the
unit of the data. Shown is the mean squared error of what it tells, as a share of the variance of
all dissimilarities, averaged over the parts.

Advised is the scale that believes most among those whose error is within one standard error of the
least, part by part: what is not believed has to be estimated, and costs something. Where even the
least is no smaller than one, the mean of all dissimilarities would tell as much, and none is.
"""


def _work(workspace: Workspace, chosen: Chosen) -> Callable[..., AdvisedScale]:
    return partial(advised_scale, workspace.step.problem, folds=chosen.count, seed=chosen.seed)


def _about(workspace: Workspace, folds: int) -> str:
    journey = workspace.journey
    origin = scale_by_origin(
        journey.dissimilarities, journey.source, journey.origin, journey.answers
    )
    how_made = f"How the dissimilarities were made: {origin.advice} " if origin else ""
    return (
        f"{how_made}Fits this map on every scale, {folds} times without a part of the pairs, and "
        "asks each about those."
    )


def _picture(workspace: Workspace, found: AdvisedScale) -> Picture:
    return Picture(
        scale_errors(found, page_ink()),
        "scale-errors",
        "What is not told of pairs held out, by scale; the numbers are in the table.",
        where_else(workspace, found),
    )


ASKED = OnRequest(
    ResultKind(AdvisedScale),
    button="Try every scale",
    repeats=Repeats("Parts held out in turn", 10, 3, 20, seconds=(1.0, 1.5, 9.0)),
    work=_work,
    about=_about,
)
PANEL = Panel(AdvisedScale, ASKED.found, picture=_picture, how=_HOW)
