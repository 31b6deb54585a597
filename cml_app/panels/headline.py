"""What has been taken out, how much is left, and how much chance would have left."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cml_app import messages
from cml_app.evidence_requests import look_up
from cml_app.panels.evidence import ahead
from cml_app.panels.evidence.ahead import LOOK_EVERY, STRUCTURE
from cml_app.panels.share_left import meaning, stress_1, unexplained
from cml_app.scenes import fit_shown, sentence
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.lowered import MOST_OBJECTS, Lowered, added_feature, left_by_chance
from cml_core.fitting.scales.registry import SCALES
from cml_core.journey.step import JourneyStep
from cml_core.values.words import in_a_sentence, percent, unbroken

_CHANCE = (
    "The same numbers dealt out to the pairs at random and fitted in the same way: what a map of "
    "nothing but chance leaves, on average. How much that differs stands on the Evidence page, "
    "under *Can I trust this map?*"
)


def show(workspace: Workspace) -> DeltaGenerator:
    """The title and what is left; the line that `by_chance` fills once the map is there."""
    step = workspace.step
    st.title(f"{messages.plain(workspace.journey.title)}, {messages.plain(sentence(step))}")
    st.container(key="summary").markdown(_unexplained(workspace), help=meaning(step.fit))
    ahead.go_on(workspace)
    added = _added(workspace)
    # Of what was read off a map there is so much to say that it takes a line of its own.
    with st.container(
        key="by-chance", horizontal=not (added and added.read_off_map), gap="xxsmall"
    ):
        waits = STRUCTURE.is_under_way(workspace)
        st.fragment(_without_structure, run_every=LOOK_EVERY if waits else None)(workspace)
        line = st.empty()
    if added is not None:
        # Its place from the beginning, so that the map stays where it is.
        line.caption("\N{NO-BREAK SPACE}")
    return line


def _without_structure(workspace: Workspace) -> None:
    """What data without structure would leave, as soon as that is known."""
    found = STRUCTURE.found(workspace)
    if found is not None:
        left = f"{percent(float(found.shuffled.mean()))}."
    elif STRUCTURE.is_under_way(workspace):
        left = "…"
    else:
        st.caption("\N{NO-BREAK SPACE}")
        return
    st.caption(unbroken(f"Data without any structure would leave {left}"), help=_CHANCE)


def by_chance(workspace: Workspace, line: DeltaGenerator) -> None:
    """What the feature that was added last would have left if it said nothing."""
    before = _before(workspace)
    if before is None or _added(workspace) is None:
        return
    after = workspace.step.fit
    # What is missing then is a remark beside a map, and no reason to explain an error.
    with suppress(ConditionalMappingError):
        found = look_up(
            workspace,
            Lowered,
            lambda: left_by_chance(before.fit, after, on_step=lambda _: _make_way(line)),
        )
        if found is not None:
            line.caption(unbroken(messages.plain(found.verdict)))


def _make_way(line: DeltaGenerator) -> bool:
    """Whoever does something meanwhile is heard at once: here Streamlit looks for it."""
    line.caption("\N{NO-BREAK SPACE}")
    return False


def _before(workspace: Workspace) -> JourneyStep | None:
    parent = workspace.step.parent
    return workspace.journey.step(parent) if parent else None


def _added(workspace: Workspace) -> Feature | None:
    """The one feature that the step before did not know, where objects are few enough."""
    before = _before(workspace)
    if before is None or workspace.journey.dissimilarities.n_objects > MOST_OBJECTS:
        return None
    return added_feature(before.problem, workspace.step.problem)


def _unexplained(workspace: Workspace) -> str:
    step, fit = workspace.step, fit_shown(workspace)
    before = _before(workspace)
    compared = _compared(step, before) if before else ""
    worst = int(fit.object_stress().argmax())
    invitation = (
        "Draw the direction, circle or groups that you see."
        if len(step.problem.known)
        else "Tick what you know already, and see what is left."
    )
    certain = "" if fit.converged else " **This map stopped early and may not be the best.**"
    return unbroken(
        f"{unexplained(fit)} ({stress_1(fit)}{compared}). "
        f"{messages.plain(in_a_sentence(fit.labels[worst]))} fits worst.{certain} {invitation}"
    )


def _compared(step: JourneyStep, parent: JourneyStep) -> str:
    """What was unexplained at the step before, where that can be compared."""
    if parent.problem.scale != step.problem.scale:
        scale = SCALES[parent.problem.scale].title.lower()
        return f"; the step before counted the numbers as *{scale}*: the shares cannot be compared"
    return f"; {percent(parent.fit.stress)} at the step before"
