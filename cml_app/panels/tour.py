"""A guided first journey through the kinship terms; what it claims, the maps show."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from cml_app.first_maps import OPENING_EXAMPLE
from cml_app.workspace import Workspace
from cml_core import load_dataset
from cml_core.drawing.likeness import predictability
from cml_core.values.features import Feature

SEEN = 0.93
GIVEN = {"Gender", "Degree"}
# In the address, so that a guide who was sent away stays away after a refresh.
TOUR, OFF = "tour", "off"


@dataclass(frozen=True)
class Stop:
    """One thing to do, and why."""

    number: int
    title: str
    words: str


STOPS = (
    Stop(
        1,
        "Take out what everyone sees",
        "This map places kinship terms that people sort together near each other. One side is "
        "women, the other men. That is known already: **tick Gender** under “Known”.",
    ),
    Stop(
        2,
        "Look at what is left",
        "The pairs fall together: Aunt and Uncle, Niece and Nephew. With gender taken out, one "
        "direction goes from close to distant kin. That too is known: **tick Degree**.",
    ),
    Stop(
        3,
        "Draw what you see",
        "From one side to the other: Brother · Sister, then parents and children, then "
        "grandparents and grandchildren: *how many generations apart*. Choose **Arrow** and "
        "**drag it** from Brother · Sister towards the grandparents and grandchildren.",
    ),
    Stop(
        4,
        "Round, correct, name, add",
        "Generations are whole, so press **Round**, to 3 levels, and **Equal steps**: 0, 1 and 2 "
        "generations. Maps are made of people's judgements, so some terms fall a level short. "
        "Correct in the table what anyone knows: only Brother and Sister are 0; sons, daughters, "
        "nieces and nephews are 1. It matters: "
        "wrong values take out the wrong thing. Then name it and press **Add to known**.",
    ),
    Stop(
        5,
        "Something new shows",
        "With generations apart taken out, older and younger part: grandparents, parents, aunts "
        "and uncles on one side, children, nieces, nephews and grandchildren on the other. "
        "That is *Generation*, which no one put in.",
    ),
)


NOT_YET = Stop(
    4,
    "Not quite yet",
    "Generation does not show: the values that were added are not yet right. Return to the step "
    "before in the *Journey* and draw again, or open *Features*, choose **Correct values**, and "
    "make Brother and Sister 0, grandparents and grandchildren 2, and all others 1.",
)


def show(workspace: Workspace) -> None:
    """The present stop, as long as the visitor wants to be guided and stays on the way."""
    if st.query_params.get(TOUR) == OFF or not _is_kinship(workspace):
        return
    stop = stop_of(workspace)
    # It is about doing; whoever only looks can do nothing of it.
    if stop is None or not workspace.may_change:
        return
    with st.container(border=True, horizontal=True, wrap=False, gap="xsmall", key="tour"):
        st.markdown(
            f"**{stop.number} of {len(STOPS)} · {stop.title}.** {stop.words}", width="stretch"
        )
        st.button(
            "Close ✕",
            key="tour-close",
            help="Close the guided journey",
            type="tertiary",
            on_click=_close,
        )


def stop_of(workspace: Workspace) -> Stop | None:
    """Which stop the visitor has reached by what they have done so far; None off the way."""
    features, ticked = workspace.journey.features, set(workspace.step.problem.known.names)
    if not set(features.names) >= GIVEN or "Generation" in ticked:
        return None
    if not ticked >= GIVEN:
        return STOPS[1 if "Gender" in ticked else 0]
    if ticked == GIVEN:
        return STOPS[3 if workspace.draft else 2]
    return STOPS[4] if _generation_shows(workspace) else NOT_YET


def _generation_shows(workspace: Workspace) -> bool:
    return predictability(_generation(), workspace.step.embedding) >= SEEN


@st.cache_resource
def _generation() -> Feature:
    return load_dataset(OPENING_EXAMPLE).feature_table()["Generation"]


def _is_kinship(workspace: Workspace) -> bool:
    return workspace.journey.dissimilarities.fingerprint == _fingerprint()


@st.cache_resource
def _fingerprint() -> str:
    return load_dataset(OPENING_EXAMPLE).values().fingerprint


def _close() -> None:
    st.query_params[TOUR] = OFF
