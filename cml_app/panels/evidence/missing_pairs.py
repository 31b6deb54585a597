"""What is expected of missing pairs, and how well pairs are told that were held out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from cml_app import messages
from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import TOLD_ON_SCALES, Panel, numbers, slower
from cml_app.panels.evidence.pictures import table, verdict
from cml_app.panels.evidence.running import AtOnce, OnRequest, Repeats
from cml_app.workspace import Workspace
from cml_core.evidence.expected import Expected, expected
from cml_core.evidence.result import ResultKind
from cml_core.evidence.told_pairs import ToldPairs, told_pairs
from cml_core.report.tables import expected_csv

_HOW = rf"""
A fit leaves missing pairs out. What it expects of one is the distance that it fitted between the
two objects, $d_{{ij}}^2 = \lVert u_i - u_j \rVert^2 + \lVert (v_i - v_j)^\top B \rVert^2$.
{TOLD_ON_SCALES}
How well that does cannot be seen on missing pairs. So known ones are dealt into parts at random,
and each part is told by a fit of all others. *Off by* is
$\sqrt{{\operatorname{{mean}} (\delta_{{ij}} - \hat\delta_{{ij}})^2}}$ over all pairs, each told by
a fit that has not seen it.
"""


def _work(workspace: Workspace, chosen: Chosen) -> Callable[..., ToldPairs]:
    return partial(told_pairs, workspace.step.problem, folds=chosen.count, seed=chosen.seed)


def _about(_: Workspace, folds: int) -> str:
    return f"Makes this map {folds} times without a part of the known pairs, and has it tell them."


def _gaps(workspace: Workspace) -> bool:
    return not workspace.journey.dissimilarities.complete


def _why_not(workspace: Workspace) -> str:
    if workspace.step.problem.neighbourhood is None:
        return ""
    return (
        "This map draws ways through neighbours, which have no gaps. To see what is expected of "
        "missing pairs, let distances be as given (Settings, on the Discover page)."
    )


def _body(workspace: Workspace, found: Expected) -> None:
    left, right = st.columns([1.2, 1], gap="medium")
    with left:
        table(found.table(), "expected-table")
        fit, told = workspace.step.fit, workspace.step.result(_TOLD.kind)
        st.download_button(
            "Missing pairs as CSV",
            data=lambda: expected_csv(fit, told),
            file_name="missing_pairs.csv",
            mime="text/csv",
            on_click="ignore",
        )
        st.caption(messages.plain(found.remarks))
    with right:
        st.markdown(f"**{ToldPairs.heading}**")
        shown = _TOLD.found(workspace)
        if shown is not None:
            verdict(shown.verdict)
            numbers(shown)


_TOLD = OnRequest(
    ResultKind(ToldPairs),
    button="Hold out known pairs",
    repeats=Repeats("Parts held out in turn", 10, 3, 20, seconds=(0.5, 1.5, 12.0)),
    work=_work,
    about=_about,
    times=slower,
)
# The fit itself keeps them.
_EXPECTED = AtOnce(ResultKind(Expected), lambda workspace: expected(workspace.step.fit), keep=False)
PANEL = Panel(Expected, _EXPECTED.found, arises=_gaps, why_not=_why_not, body=_body, how=_HOW)
