"""Evidence: is anything left, did it help, and can the map be trusted."""

import streamlit as st

from cml_app.panels import journey, take_home
from cml_app.panels.evidence import anything_left, candidates, helped, judged, trust, weights
from cml_app.shell import open_page

QUESTIONS = {
    "Is anything left?": anything_left.show,
    "Did it help?": helped.show,
    "What weighs how much?": weights.show,
    "What might it be?": candidates.show,
    "Can I trust this map?": trust.show,
}

with open_page("Evidence") as workspace:
    judged.show(workspace)
    question = st.pills(
        "Question",
        list(QUESTIONS),
        default="Is anything left?",
        required=True,
        key="question",
        label_visibility="collapsed",
        bind="query-params",
    )
    QUESTIONS[question](workspace)
    with st.sidebar:
        journey.show(workspace)
        take_home.show(workspace)
