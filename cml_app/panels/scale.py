"""What the numbers mean: the scale of a fit, and how it bends the dissimilarities."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from cml_app import messages
from cml_app.evidence_requests import look_up
from cml_app.panels import origin
from cml_app.pictures.figures import ink
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core import Fit
from cml_core.errors import FlexibleScale
from cml_core.evidence.advised_scale import AdvisedScale
from cml_core.evidence.calibrated import as_told
from cml_core.evidence.result import ResultKind
from cml_core.files.scale_by_origin import scale_by_origin
from cml_core.fitting.scales import ordinal
from cml_core.fitting.scales.registry import SCALES
from cml_core.journey.step import TIES_IN_WORDS
from cml_core.report.curve_svg import curve_in_words, curve_svg

_HELP = """
People who rate, sort or confuse things do not tell distances. Say what of the numbers you take at
their word; the rest is bent until it fits the map best.

- **Distances**: twice the number is twice as far.
- **Differences**: from 2 to 3 is as far as from 5 to 6, but zero may lie anywhere.
- **A power**: the numbers are, say, squares or roots of distances.
- **A smooth curve**: larger is farther, in one smooth bend.
- **Only the order**: larger is farther, no more.

The less you take at its word, the less is left unexplained, and the less the map is held by the
data. So shares unexplained can be compared only on the same scale.
"""
_TIES_HELP = (
    "What happens to pairs that were given the same number. On a coarse scale, such as seven "
    "points, let ties stay ties; else nearly anything fits."
)


def show(workspace: Workspace) -> None:
    """The scale, what it believes, and every pair as given and as drawn."""
    with st.container(border=True, key="scale-block", gap="xsmall"):
        st.header("What the numbers mean", help=_HELP)
        origin.beside_the_map(workspace)
        key = f"scale-{workspace.revision}"
        scale = workspace.question.scale
        st.selectbox(
            "The numbers count as",
            list(SCALES),
            index=list(SCALES).index(scale),
            format_func=lambda name: SCALES[name].title,
            key=key,
            on_change=_chosen,
            args=(workspace, key),
            disabled=not workspace.may_change,
            label_visibility="collapsed",
        )
        st.caption(SCALES[scale].believed)
        if scale == ordinal.SCALE.name:
            _ties(workspace)
        fit = workspace.step.fit
        colour = ink(is_dark()).text
        curve = look_up(workspace, "curve", lambda: curve_svg(fit, colour), of=colour)
        st.image(curve, width="stretch", alt=curve_in_words(fit))
        if SCALES[fit.problem.scale].to_a_power:
            st.caption(f"Drawn: the numbers to the power {fit.power:.2g}.")
        for told in (_advice(workspace), *_remarks(fit)):
            st.caption(messages.plain(told))


def _advice(workspace: Workspace) -> str:
    """What held-out pairs say, or else how the data were made, or else where to ask."""
    found = workspace.step.result(ResultKind(AdvisedScale))
    if found is not None:
        return f"{found.verdict} {where_else(workspace, found)}".strip()
    journey = workspace.journey
    told = look_up(
        workspace,
        "origin",
        lambda: scale_by_origin(
            journey.dissimilarities, journey.source, journey.origin, journey.answers
        ),
        of=journey.origin,
    )
    if told is not None and told.scale == workspace.step.problem.scale:
        return told.why
    asked = 'Unsure? "Can I trust this map?" on the Evidence page tries them on pairs held out.'
    return asked if told is None else f"{told.advice} {asked}"


def where_else(workspace: Workspace, found: AdvisedScale) -> str:
    """What cannot be told on the scale that is advised, so that nobody is sent to and fro."""
    rated = as_told(workspace.journey.origin, workspace.journey.answers).kind == "ratings"
    if not rated or found.advised in ("", ordinal.SCALE.name):
        return ""
    return (
        "It tells pairs best; but whether one more feature is hidden, and how far places may "
        f'stray, can be told of ratings by "{ordinal.SCALE.title}" alone.'
    )


def _remarks(fit: Fit) -> list[str]:
    return [remark.text for remark in fit.remarks if remark.category is FlexibleScale]


def _chosen(workspace: Workspace, key: str) -> None:
    workspace.hear(key, workspace.ask, replace(workspace.question, scale=st.session_state[key]))


def count_as(workspace: Workspace, scale: str) -> None:
    """The same question on another scale."""
    workspace.revision += 1
    workspace.ask(replace(workspace.question, scale=scale))


def _ties(workspace: Workspace) -> None:
    key = f"ties-{workspace.revision}"
    ties = workspace.question.ties
    st.selectbox(
        "Equal numbers",
        list(TIES_IN_WORDS),
        index=list(TIES_IN_WORDS).index(ties),
        format_func=lambda name: TIES_IN_WORDS[name],
        key=key,
        on_change=_chosen_ties,
        args=(workspace, key),
        disabled=not workspace.may_change,
        help=_TIES_HELP,
    )


def _chosen_ties(workspace: Workspace, key: str) -> None:
    workspace.hear(key, workspace.ask, replace(workspace.question, ties=st.session_state[key]))
