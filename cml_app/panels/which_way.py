"""Which pair lies closest, and a way back for whoever knows that it should lie farthest."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cml_app import messages, this_server, visits
from cml_app.intake import turned_round
from cml_app.workspace import Workspace
from cml_core.files.doctor import most_alike
from cml_core.values.arrays import pair_of

_WHY = "So the numbers were taken. If these two are the least alike, the map is inside out."
_KEPT = "All features stay, and what is known is asked again. The steps so far stay with this map."


def show(held: Workspace) -> None:
    """The most alike by the data of one's own, to be corrected; of computed ones there is none."""
    source = held.journey.source
    if source is None or source.preparation.metric:
        return
    values = held.journey.dissimilarities
    first, second = pair_of(int(np.nanargmin(values.condensed)), values.n_objects)
    title = messages.plain(most_alike((values.labels[first], values.labels[second])))
    with st.popover(title.removesuffix("\\."), width="stretch", key="which-way"):
        st.markdown(_WHY)
        if not source.repeatable:
            st.markdown("The file was too large to be kept: bring it again on the Data page.")
            return
        st.caption(_KEPT)
        st.button(
            "The other way round",
            on_click=held.attempt,
            args=(_turn, held),
            disabled=not held.may_change,
        )


def _turn(held: Workspace) -> None:
    """The same data the other way round, as a project of its own."""
    journey = turned_round(held.journey, this_server.limits(), this_server.now())
    question = held.question
    fresh = visits.begin(journey)
    fresh.attempt(fresh.ask, question)
    if held.token:
        st.toast("Turned round. The map before is kept under the address it had.")
