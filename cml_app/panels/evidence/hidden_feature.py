"""Is one more feature hidden: a test against data that have no more than the fit found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import Panel, Picture
from cml_app.panels.evidence.pictures import page_ink
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.pictures import evidence_figures
from cml_app.workspace import Workspace
from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.evidence.result import ResultKind
from cml_core.values.words import counted

_HOW = r"""
One more dimension always lowers what is unexplained, for it fits some of the errors. So the same
is done to data that have no further feature: the distances of this map with errors, which then
take on the very numbers that were observed, by rank. On each scale its curve is laid anew, but
for the power on the scale of powers, which stays that of the fit. Errors are the residuals of other
pairs, in units of $d^g$; their size and $g$ are chosen such that fits of these data leave as much,
and as unevenly, as the fit of the data did. Where single people's
answers are known, people are drawn anew instead, for they, not pairs, are independent. Where the
file holds measurements of 20 cases or more (columns), without gaps and not scaled, compared by
angles or correlations, measurements are made instead: cases are drawn anew,
with what the known features and as many directions as the map has dimensions say in each, along
straight lines, and errors that each object has by itself.

The chance (p-value) is the share of such data, these data counted among them, in which one more
dimension takes away as much. A small one says that something systematic is left. It does not say
what: a feature, but also **errors in the known features** show in this way. A large one does not
prove that nothing is left.

An alarm (a chance of 5 % or less) is shown only where nothing else explains the data as well: this
map with a bias of each object, with bent numbers, with a curve of a known feature, or with
differences that add up feature by feature, in place of the dimension. And pairs held out of the fit
must be told better with the dimension than without it, and more than twice as much better as with
what bends. Else that is said, and no chance given; nor where the residuals of this map follow one
of these without an alarm, nor of sortings, of distances by way of neighbours, or of correlations
and measurements without their cases, for their errors hang together.

How often it raises a false alarm, and how often it finds a feature that is there, was counted on
simulated data of many kinds: *How often the tests are right* in the documentation.
"""


def _work(workspace: Workspace, chosen: Chosen) -> Callable[..., HiddenFeature]:
    return partial(
        hidden_feature_test,
        workspace.step.fit,
        answers=workspace.journey.answers,
        cases=workspace.journey.cases,
        origin=workspace.journey.origin,
        resamples=chosen.count,
        seed=chosen.seed,
    )


def _about(workspace: Workspace, resamples: int) -> str:
    count = workspace.step.problem.n_components
    dimensions = f"{counted(count, 'hidden dimension is', 'hidden dimensions are')}"
    return (
        f"Asks whether {dimensions} enough, by comparing with {resamples} data sets that have no "
        "more."
    )


def _picture(_: Workspace, found: HiddenFeature) -> Picture | None:
    if not found.null.size:
        return None
    what = "Share of the unexplained that one more dimension takes away"
    return Picture(
        evidence_figures.null_histogram(found.lowered, found.null, page_ink(), what),
        "hidden-null",
        "What one more dimension takes away here, beside data without a further feature; the "
        "numbers are in the table.",
    )


ASKED = OnRequest(
    ResultKind(HiddenFeature),
    button="Test for one more",
    repeats=Repeats("Data sets to compare with", 199, 19, 1999, seconds=(2.0, 6.0, 30.0)),
    work=_work,
    about=_about,
)
PANEL = Panel(HiddenFeature, ASKED.found, picture=_picture, how=_HOW, lesson="not-proof")
