"""How steady are the places: an outline around each, from data drawn again or left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import Panel, Picture, no_map
from cml_app.panels.evidence.pictures import page_ink
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.pictures.evidence_maps import evidence_map
from cml_app.scenes import plane
from cml_app.workspace import Workspace
from cml_core.evidence.result import ResultKind
from cml_core.evidence.stability import LEFT_OUT, Stability, stability

_HOW = r"""
**People drawn again**: as many people as answered, drawn with replacement; the map of the mean of
their answers. **Pairs drawn again**: as many pairs as there are, drawn with replacement, each
counting as often as it was drawn; the map is fitted again from where it stands (the bootstrap).
**Cases drawn again**: of Euclidean distances between measurements in 40 columns or more, without
gaps and not scaled, as many columns as there are, drawn with replacement, and distances computed
from them.
**One object left out**: the map of all others; the covariance of the places is that of the
jackknife. Each new map is turned to match the first (Procrustes). An outline holds 95 % of a normal
distribution with the mean and covariance of an object's places:
$(x - \bar x)^\top C^{-1} (x - \bar x) \le \chi^2_2(0.95)$; of $K$ people, or cases, around the
place on the map, with $K/(K-1)\,C$ and $2(K-1)/(K-2)\,F_{2,K-2}(0.95)$. Where data were made in
ways in which outlines did not hold the true places of simulated objects, none is drawn.
"""


def _work(left_out: str) -> Callable[[Workspace, Chosen], Callable[..., Stability]]:
    def work(workspace: Workspace, chosen: Chosen) -> Callable[..., Stability]:
        return partial(
            stability,
            workspace.step.fit,
            refits=chosen.count,
            left_out=left_out,
            answers=workspace.journey.answers,
            cases=workspace.journey.cases,
            origin=workspace.journey.origin,
            seed=chosen.seed,
        )

    return work


def _about_pairs(_: Workspace, refits: int) -> str:
    return f"Fits the map {refits} times to pairs drawn again."


def _about_people(workspace: Workspace, refits: int) -> str:
    answers = workspace.journey.answers
    people = "" if answers is None else f"{answers.n_people} "
    return f"Fits the map {refits} times to the mean answer of {people}people drawn again."


def _about_cases(workspace: Workspace, refits: int) -> str:
    cases = workspace.journey.cases
    columns = "" if cases is None else f"{cases.n_cases} "
    return f"Fits the map {refits} times to distances over {columns}cases (columns) drawn again."


def _about_objects(workspace: Workspace, refits: int) -> str:
    n_objects = _objects(workspace)
    if n_objects <= refits:
        return f"Fits the map {n_objects} times, each time without another object."
    return (
        f"Fits the map {refits} times, each time without another object; which of the "
        f"{n_objects} is drawn by lot."
    )


def _objects(workspace: Workspace) -> int:
    return len(workspace.step.fit.labels)


BUTTON, SECONDS = "Test the steadiness", (1.0, 2.0, 5.0)
ASKED = {
    "pairs": OnRequest(
        ResultKind(Stability, "pairs"),
        button=BUTTON,
        repeats=Repeats("Refits", 200, 20, 2000, SECONDS),
        work=_work("pairs"),
        about=_about_pairs,
    ),
    "people": OnRequest(
        ResultKind(Stability, "people"),
        button=BUTTON,
        repeats=Repeats("Refits", 200, 20, 2000, SECONDS),
        work=_work("people"),
        about=_about_people,
    ),
    "cases": OnRequest(
        ResultKind(Stability, "cases"),
        button=BUTTON,
        repeats=Repeats("Refits", 200, 20, 2000, SECONDS),
        work=_work("cases"),
        about=_about_cases,
    ),
    "objects": OnRequest(
        ResultKind(Stability, "objects"),
        button=BUTTON,
        repeats=Repeats("Objects to leave out", 200, 20, 2000, SECONDS),
        work=_work("objects"),
        about=_about_objects,
        all_there_are=_objects,
    ),
}


def _found(workspace: Workspace) -> Stability | None:
    left_out = st.radio(
        "What is changed",
        [*_independent(workspace), "pairs", "objects"],
        format_func=LEFT_OUT.__getitem__,
        horizontal=True,
        key="steady-what",
        persist_state="session",
        help="People drawn again: would other people give the same map? Cases drawn again: would "
        "other measurements of the kind? Pairs drawn again: would "
        "other judgements of the same objects give the same map? "
        "One object left out: does the map hang on a single object?",
    )
    return ASKED[left_out].found(workspace)


def _independent(workspace: Workspace) -> list[str]:
    """What, rather than pairs, is independent of each other; it stands first, for it is right."""
    journey = workspace.journey
    if workspace.step.problem.neighbourhood is not None:
        return []
    by_cases = journey.cases is not None and journey.cases.outlined
    return [
        *(["people"] if journey.answers is not None else []),
        *(["cases"] if by_cases else []),
    ]


def _picture(workspace: Workspace, found: Stability) -> Picture:
    fit = workspace.step.fit
    drawn = None if found.why_no_outlines else found.ellipses()
    return Picture(
        evidence_map(fit.labels, plane(fit.embedding), page_ink(), ellipses=drawn),
        f"steady-map-{found.left_out}",
        "The map, without outlines."
        if drawn is None
        else "The map with an outline around every object; their sizes are in the table.",
        found.meaning,
    )


PANEL = Panel(Stability, _found, why_not=no_map, picture=_picture, how=_HOW)
