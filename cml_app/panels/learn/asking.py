"""Pairs that were not fitted are asked in the background: with progress, Stop, and once for all."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass

import streamlit as st

from cml_app import messages
from cml_app.background import SOME_TABS, Background, Presence, Queue, ServerBusy, presence
from cml_core.evidence.feature_help import FeatureHelp
from cml_core.evidence.work import Cancelled, Stage
from cml_core.lessons import did_it_help
from cml_core.lessons.did_it_help import Choice

_HELPED, _JOB = "lesson-helped", "lesson-asking"
LOOK_EVERY = 0.3
# Of a class each may ask something else; what many ask is computed once and kept for them.
_WAITING, _KEPT = 60, 64


@dataclass(eq=False, kw_only=True)
class Asking(Background[FeatureHelp]):
    """Pairs held out are being asked about a choice."""

    choice: Choice
    latest: Stage | None = None

    def _work(self) -> FeatureHelp:
        return did_it_help.asked(self.choice, self._on_step)

    def _on_step(self, stage: Stage) -> bool:
        self.latest = stage
        return self._must_stop()

    @property
    def progress(self) -> tuple[float, str]:
        """A share, and where it stands in words."""
        stage, what = self.latest, self.choice.name
        if stage is None:
            return 0.0, f"{what}: {'waiting for others' if self.began is None else 'getting ready'}"
        return stage.done / stage.total, f"{what}: {stage.done} of {stage.total} parts"

    @property
    def found(self) -> FeatureHelp | None:
        """What they said; nothing where it was stopped."""
        assert self._future is not None
        try:
            return self._future.result()
        except (CancelledError, Cancelled):
            return None


class Askings:
    """Whatever visitors ask, one after the other."""

    def __init__(self) -> None:
        self._queue = Queue[Asking](1, _WAITING, "questions of lessons", each=SOME_TABS)
        self._of: dict[Choice, Asking] = {}

    def begin(self, choice: Choice, visitor: Presence) -> Asking:
        """Begun, or as others have asked it already.

        Raises
        ------
        ServerBusy : too many are waiting.
        """
        held = self._of.get(choice)
        if held is not None and (held.wanted or (held.done and held.found is not None)):
            held.seen_by(visitor)
            return held
        job = self._queue.begin(Asking(choice=choice, presences=(visitor,)))
        latest = list(self._of.items())[1 - _KEPT :]
        self._of = {**dict(latest), choice: job}
        return job


@st.cache_resource(show_spinner=False)
def askings() -> Askings:
    """Those of this server."""
    return Askings()


def asked(choice: Choice) -> Mapping[Choice, FeatureHelp]:
    """What pairs held out have said so far; a press asks them of what is on the screen."""
    helped: dict[Choice, FeatureHelp] = st.session_state.setdefault(_HELPED, {})
    _take(helped)
    job: Asking | None = st.session_state.get(_JOB)
    wanted = st.button(
        "Ask pairs that were not fitted",
        type="primary",
        disabled=choice in helped or job is not None,
        help="Takes some seconds.",
    )
    if wanted:
        try:
            st.session_state[_JOB] = askings().begin(choice, presence())
        except ServerBusy as busy:
            messages.show(busy)
            return helped
        st.rerun()
    if job is not None:
        _progress(job)
    return helped


def _take(helped: dict[Choice, FeatureHelp]) -> None:
    """Keep what a question that has ended was answered."""
    job: Asking | None = st.session_state.get(_JOB)
    if job is None or not job.done:
        return
    del st.session_state[_JOB]
    if job.found is not None:
        helped[job.choice] = job.found


@st.fragment(run_every=LOOK_EVERY)
def _progress(job: Asking) -> None:
    if job.done or st.session_state.get(_JOB) is not job:
        st.rerun()
    share, words = job.progress
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.progress(share, words)
        st.button("Stop", key="stop-asking", on_click=_stop, args=(job,))


def _stop(job: Asking) -> None:
    job.left_by(presence())
    st.session_state.pop(_JOB, None)
