"""Pairs that were not fitted are asked on the page: with progress, one visitor at a time."""

from __future__ import annotations

from threading import Lock

import streamlit as st

from cml_core.evidence import work
from cml_core.evidence.feature_help import FeatureHelp
from cml_core.lessons import did_it_help
from cml_core.lessons.did_it_help import Choice

_HELPED = "lesson-helped"
_ONE_AT_A_TIME = Lock()


def asked(choice: Choice) -> dict[Choice, FeatureHelp]:
    """What pairs held out have said so far; a press asks them of what is on the screen."""
    helped: dict[Choice, FeatureHelp] = st.session_state.setdefault(_HELPED, {})
    wanted = st.button(
        "Ask pairs that were not fitted",
        type="primary",
        disabled=choice in helped,
        help="Takes some seconds; whatever else you do stops it.",
    )
    if wanted:
        if not _ONE_AT_A_TIME.acquire(timeout=0.2):
            st.info("Another visitor is asking at this moment. Try again in some seconds.")
            return helped
        try:
            helped[choice] = _answer(choice)
        finally:
            _ONE_AT_A_TIME.release()
        st.rerun()
    return helped


@st.cache_data(show_spinner=False, max_entries=64)
def _remembered(choice: Choice, _progress: object) -> FeatureHelp:
    def told(step: work.Stage) -> bool:
        # Here Streamlit looks whether the visitor has done something else.
        _progress.progress(step.done / step.total, f"{step.done} of {step.total} parts")  # type: ignore[attr-defined]
        return False

    return did_it_help.asked(choice, told)


def _answer(choice: Choice) -> FeatureHelp:
    progress = st.progress(0.0, "Holding pairs out")
    found: FeatureHelp = _remembered(choice, progress)
    progress.empty()
    return found
