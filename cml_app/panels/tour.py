"""A guided first journey through the kinship terms; what it claims, the maps show."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from cml_app.first_maps import OPENING_EXAMPLE, TO_BE_FOUND
from cml_app.visits import OFF, TOUR
from cml_app.workspace import Workspace
from cml_core import load_dataset
from cml_core.drawing.likeness import predictability
from cml_core.values.features import Feature
from cml_core.values.words import counted

SEEN = 0.93
GIVEN = {"Gender", "Degree"}
# Of generations apart: 0, 1 and 2.
LEVELS = 3


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
        "women, the other men. That is known already: **tick Gender** under “Known”. New to such "
        "maps? [Learn in short lessons](Learn).",
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
        "**Correct** in the table what anyone knows, or let it be done here: wrong values take out "
        "the wrong thing. Then name it and press **Add to known**.",
    ),
    Stop(
        5,
        "You found Generation",
        "Older terms lie on one side and younger ones on the other: grandparents, parents, aunts "
        "and uncles, then brother and sister, then children, nieces, nephews and grandchildren. "
        "You took out Gender, Degree and what you drew yourself; nobody told the program of "
        "*Generation*. What next?",
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
        with st.container():
            st.markdown(f"**{stop.number} of {len(STOPS)} · {stop.title}.** {stop.words}")
            if stop is STOPS[3]:
                _offer_corrections(workspace)
            elif stop is STOPS[4]:
                _what_next(workspace)
        st.button(
            "Close ✕",
            key="tour-close",
            help="Close the guided journey",
            type="tertiary",
            on_click=_close,
            args=(workspace,),
        )


def _offer_corrections(workspace: Workspace) -> None:
    """The values that anyone knows, once the draft has as many levels as there are generations."""
    draft = workspace.draft
    if draft is None or draft.edited.levels or np.unique(draft.edited.values).size > LEVELS:
        return
    wrong = _corrections(draft.base)
    still = [i for i, value in wrong.items() if draft.edited.values[i] != value]
    if still:
        st.button(
            f"Correct {counted(len(still), 'term')} for me",
            key="tour-correct",
            on_click=workspace.attempt,
            args=(_correct, workspace),
        )


def _corrections(drawn: Feature) -> dict[int, float]:
    """For each object that fell short, its generations apart, whichever way the arrow went."""
    told = np.abs(_generation().values)
    levels = np.unique(drawn.values)
    if levels.size != LEVELS:
        return {}
    rising = np.corrcoef(drawn.values, told)[0, 1] > 0
    right = levels[(told if rising else told.max() - told).astype(int)]
    return {int(i): float(right[i]) for i in np.flatnonzero(drawn.values != right)}


def _correct(workspace: Workspace) -> None:
    draft = workspace.draft
    assert draft is not None
    rows = {i: row for row, i in enumerate(draft.order)}
    cells = {rows[i]: value for i, value in _corrections(draft.base).items()}
    corrected = draft.corrected(workspace.step.fit.labels, cells)
    # Another table, which shows these values from the beginning.
    workspace.draft = replace(corrected, base=corrected.edited, number=draft.number + 1)


def _what_next(workspace: Workspace) -> None:
    """Where to go from what was found."""
    with st.container(horizontal=True, gap="small", key="tour-next"):
        if st.button("Is it real?", key="tour-real", icon=":material/fact_check:"):
            st.switch_page("pages/3_Evidence.py", query_params={"question": "Is anything left?"})
        st.button(
            "Colour by Generation",
            key="tour-colour",
            icon=":material/palette:",
            on_click=workspace.attempt,
            args=(_colour, workspace),
        )
        if st.button("Your own data", key="tour-data", icon=":material/upload:"):
            st.switch_page("pages/1_Data.py")
        if st.button("Learn", key="tour-learn", icon=":material/school:"):
            st.switch_page("pages/5_Learn.py")


def _colour(workspace: Workspace) -> None:
    """What was found becomes one of the features, and the colours of the map."""
    _reveal(workspace)
    workspace.colour = TO_BE_FOUND
    st.session_state[f"colour-{workspace.journey.created}"] = TO_BE_FOUND


def _reveal(workspace: Workspace) -> None:
    if TO_BE_FOUND not in workspace.journey.features:
        workspace.bring([_generation()])


def stop_of(workspace: Workspace) -> Stop | None:
    """Which stop the visitor has reached by what they have done so far; None off the way."""
    features, ticked = workspace.journey.features, set(workspace.step.problem.known.names)
    if not set(features.names) >= GIVEN or TO_BE_FOUND in ticked:
        return None
    # What one can tick is not to be found any more.
    if TO_BE_FOUND in features and not (ticked > GIVEN and _generation_shows(workspace)):
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
    return load_dataset(OPENING_EXAMPLE).feature_table()[TO_BE_FOUND]


def _is_kinship(workspace: Workspace) -> bool:
    return workspace.journey.dissimilarities.fingerprint == _fingerprint()


@st.cache_resource
def _fingerprint() -> str:
    return load_dataset(OPENING_EXAMPLE).values().fingerprint


def _close(workspace: Workspace) -> None:
    """Without a guide all features are there from the beginning."""
    st.query_params[TOUR] = OFF
    workspace.attempt(_reveal, workspace)
