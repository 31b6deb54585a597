"""Does it act along a curve: whether held-out pairs are told better if a known quantity bends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from cml_app import messages
from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import (
    TOLD_ON_SCALES,
    Panel,
    nothing_known,
    numbers,
    slower,
)
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.panels.features import bend
from cml_app.workspace import Workspace
from cml_core.evidence.curvature import Curvature, curvature, may_bend
from cml_core.evidence.result import ResultKind

_HOW = rf"""
A quantity takes one column, and along a curve up to three: a natural cubic spline of it with knots
at the 5, 35, 65 and 95 % quantiles of its different values. More columns always lower what is
unexplained, so the pairs are dealt into parts, each is held out of the fit in turn, and what counts
is the share of *its* squared dissimilarities that the fit does not explain,
$\sum w (\delta - d)^2 / \sum w \delta^2$.
{TOLD_ON_SCALES}
One feature at a time is bent, the others stay as they are. Its gain is the mean over the parts of
the error along a straight line less that along a curve. It is called clear where it is more than
twice its standard error over the parts.
"""


def _why_not(workspace: Workspace) -> str:
    problem = workspace.step.problem
    if may_bend(problem):
        return ""
    if why_not := nothing_known(workspace):
        return why_not
    if problem.coef_kind != "full":
        return (
            "With one weight for each feature none can bend. Let known features act freely in the "
            "settings of the Discover page, to ask whether one acts along a curve."
        )
    return (
        "No quantity with three values or more is known that was not read off a map, so there is "
        "none that could act along a curve."
    )


def _work(workspace: Workspace, chosen: Chosen) -> Callable[..., Curvature]:
    return partial(curvature, workspace.step.problem, folds=chosen.count, seed=chosen.seed)


def _about(_: Workspace, folds: int) -> str:
    return (
        f"Holds pairs out of the fit, {folds} times, with each quantity along a straight line and "
        "along a curve."
    )


def _body(workspace: Workspace, found: Curvature) -> None:
    if found.advised:
        name = found.advised[0]
        st.button(
            messages.plain(f"Let {name} act along a curve"),
            key="bend-advised",
            help="Asks the same question with it, as the next step of the journey.",
            on_click=workspace.attempt,
            args=(_bend, workspace, name),
        )
    numbers(found)


def _bend(workspace: Workspace, name: str) -> None:
    bend(workspace, name, bent=True)


ASKED = OnRequest(
    ResultKind(Curvature),
    button="Try curves",
    repeats=Repeats("Parts held out in turn", 10, 3, 20, seconds=(0.5, 1.0, 4.0)),
    work=_work,
    about=_about,
    # Each quantity is bent by itself, and all are straight once.
    times=lambda workspace: slower(workspace) * (1 + len(may_bend(workspace.step.problem))),
)
PANEL = Panel(
    Curvature,
    ASKED.found,
    why_not=_why_not,
    body=_body,
    how=_HOW,
)
