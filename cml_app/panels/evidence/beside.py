"""What has been found out about the map that is shown, beside it."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from cml_app import evidence_requests, messages
from cml_app.workspace import Workspace
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import Helped
from cml_core.evidence.result import ResultKind

MOST_VERDICTS = 3


def show(workspace: Workspace) -> None:
    """The verdicts of tests that were run for this step, and the way to all others."""
    for verdict in _verdicts(workspace):
        st.caption(messages.plain(verdict))
    if workspace.evidence is not None:
        _under_way(workspace)
    # A page that runs by itself has no other to lead to.
    with suppress(StreamlitPageNotFoundError), st.container(key="evidence-link"):
        st.page_link("pages/3_Evidence.py", label="Evidence about this map", width="stretch")


@st.fragment(run_every=2.0)
def _under_way(workspace: Workspace) -> None:
    """A line on what is computed for this project; the whole page takes what was found."""
    job = evidence_requests.watch(workspace)
    if job is None or job.done:
        st.rerun()
    st.caption(messages.plain(f"Under way: {job.label}."))


def _verdicts(workspace: Workspace) -> list[str]:
    hidden = workspace.step.result(ResultKind(HiddenFeature))
    helped = workspace.step.result(ResultKind(Helped))
    found = [hidden.verdict] if hidden is not None else []
    if helped is not None:
        # Discoveries first: of what is read off a map it matters most.
        judged = sorted(helped.features, key=lambda one: not one.read_off_map)
        found += [one.verdict for one in judged[:MOST_VERDICTS]]
        more = len(judged) - MOST_VERDICTS
        found += [f"And {more} more known features were judged."] if more > 0 else []
    return found
