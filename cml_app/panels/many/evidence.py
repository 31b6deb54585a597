"""What is to be believed of a map of very many objects, and the truth of simulated ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from cml_app import background, messages
from cml_app.elsewhere import Elsewhere
from cml_app.many.held import held
from cml_app.many.judging import LABEL, Judging
from cml_app.many.visit import Visit
from cml_app.panels.evidence import pictures
from cml_core.errors import ConditionalMappingError
from cml_core.evidence.result import Result
from cml_core.fitting.geometry import canonical_correlations

LOOK_EVERY = 0.5


def show(visit: Visit) -> None:
    """The button, and what was found of the map that is shown."""
    found = visit.map
    if found is None or not found.whole:
        return
    st.header("Evidence")
    job = visit.judging
    if job is not None and job.step_id == visit.shown:
        found_so_far = list(_found(visit, job))
        for one in found_so_far:
            _told(one)
        if not job.done:
            _progress(visit, len(found_so_far))
    else:
        for one in visit.made.step.found:
            _told(one)
        st.button(
            "Judge it again" if visit.made.step.found else LABEL,
            on_click=visit.attempt,
            args=(visit.judge,),
            help="Pairs that were never looked at, regression beside the map, what it might show, "
            "and whether the known features help.",
        )
    _truth(visit)


def _found(visit: Visit, job: Judging | Elsewhere) -> Sequence[Result | ConditionalMappingError]:
    """What is known by now; another server keeps what it finds once it has all."""
    return job.found if isinstance(job, Judging) else visit.made.step.found


def _told(one: Result | ConditionalMappingError) -> None:
    if isinstance(one, ConditionalMappingError):
        messages.show(one)
        return
    st.markdown(f"**{messages.plain(one.heading)}** {messages.plain(one.verdict)}")
    with st.expander("Numbers"):
        pictures.table(one.table(), f"many-{type(one).__name__}")
        st.caption(messages.plain(one.remarks))


@st.fragment(run_every=LOOK_EVERY)
def _progress(visit: Visit, before: int) -> None:
    job = visit.judging
    if job is None:
        return
    if job.done or len(_found(visit, job)) != before:
        st.rerun()
    job.seen_by(background.presence())
    share, words = job.progress
    st.progress(min(share, 1.0), messages.plain(words))
    st.button("Stop", key="many-stop-judging", on_click=job.cancel)


def _truth(visit: Visit) -> None:
    """What is hidden in simulated objects, once someone asks for it."""
    found = visit.map
    if not visit.made.whence.is_simulated or found is None:
        return
    if not visit.uncovered:
        st.button("Uncover what is hidden", on_click=visit.attempt, args=(_uncover, visit))
        return
    hidden = visit.once("truth", visit.made.table(), held().opened(visit.made).truth)
    agree = visit.once(
        "agreement",
        visit.shown,
        lambda: canonical_correlations(
            found.places, np.column_stack([one.values for one in hidden])
        ),
    )
    names = " and ".join(one.name for one in hidden)
    shares = ", ".join(f"{one:.3f}" for one in agree)
    st.markdown(
        messages.plain(
            f"{names} are hidden. Direction by direction, map and truth agree by {shares} "
            "(canonical correlations; 1 is perfect). Colour the map by them to see where."
        )
    )


def _uncover(visit: Visit) -> None:
    visit.uncovered = True
