"""What has been taken out, how much is left, and how much chance would have left."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cml_app import messages
from cml_app.evidence_requests import look_up
from cml_app.scenes import sentence
from cml_app.workspace import Workspace
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.lowered import MOST_OBJECTS, Lowered, added_feature, left_by_chance
from cml_core.fitting.scales.registry import SCALES
from cml_core.journey.step import JourneyStep
from cml_core.values.words import percent, unbroken


def show(workspace: Workspace) -> DeltaGenerator:
    """The title and what is left; the line that `by_chance` fills once the map is there."""
    step = workspace.step
    st.title(f"{messages.plain(workspace.journey.title)}, {messages.plain(sentence(step))}")
    st.container(key="summary").markdown(_unexplained(workspace))
    line = st.container(key="by-chance").empty()
    if _has_grown(workspace):
        # A line of its own from the beginning, so that the map stays where it is.
        line.caption("\N{NO-BREAK SPACE}")
    return line


def by_chance(workspace: Workspace, line: DeltaGenerator) -> None:
    """What the feature that was added last would have left if it said nothing."""
    before = _before(workspace)
    if before is None or not _has_grown(workspace):
        return
    after = workspace.step.fit
    # What is missing then is a remark beside a map, and no reason to explain an error.
    with suppress(ConditionalMappingError):
        found = look_up(workspace, Lowered, lambda: left_by_chance(before.fit, after))
        if found is not None:
            line.caption(unbroken(messages.plain(found.verdict)))


def _before(workspace: Workspace) -> JourneyStep | None:
    parent = workspace.step.parent
    return workspace.journey.step(parent) if parent else None


def _has_grown(workspace: Workspace) -> bool:
    """Whether the step knows one feature more than that before it, and few enough objects."""
    before = _before(workspace)
    if before is None or workspace.journey.dissimilarities.n_objects > MOST_OBJECTS:
        return False
    return added_feature(before.problem, workspace.step.problem) is not None


def _unexplained(workspace: Workspace) -> str:
    step = workspace.step
    before = _before(workspace)
    compared = _compared(step, before) if before else ""
    worst = int(step.fit.object_stress().argmax())
    invitation = (
        "Draw the direction, circle or groups that you see."
        if len(step.problem.known)
        else "Tick what you know already, and see what is left."
    )
    certain = "" if step.fit.converged else " **This map stopped early and may not be the best.**"
    return unbroken(
        f"**{percent(step.fit.stress)}** of the dissimilarity is unexplained{compared}. "
        f"{messages.plain(step.fit.labels[worst])} fits worst.{certain} {invitation}"
    )


def _compared(step: JourneyStep, parent: JourneyStep) -> str:
    """What was unexplained at the step before, where that can be compared."""
    if parent.problem.scale != step.problem.scale:
        scale = SCALES[parent.problem.scale].title.lower()
        return f" (the step before counted the numbers as *{scale}*: the shares cannot be compared)"
    return f" ({percent(parent.fit.stress)} at the step before)"
