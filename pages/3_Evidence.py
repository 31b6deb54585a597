"""Evidence: is anything left, did it help, and can the map be trusted."""

import streamlit as st

from cml_app.panels import journey, take_home
from cml_app.panels.evidence import judged, topics
from cml_app.shell import open_page

with open_page("Evidence") as workspace:
    judged.show(workspace)
    topic = st.pills(
        "Question",
        list(topics.TOPICS),
        default=next(iter(topics.TOPICS)),
        required=True,
        key="question",
        label_visibility="collapsed",
        bind="query-params",
    )
    topics.show(workspace, topic)
    with st.sidebar:
        journey.show(workspace)
        take_home.show(workspace)
