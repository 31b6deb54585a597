"""The steps of the loop with very many objects, to be returned to."""

from __future__ import annotations

import math

import streamlit as st

from cml_app import messages
from cml_app.many import visit as visits
from cml_app.many.visit import Visit
from cml_app.panels.many import begin
from cml_core.values.words import enumerated, percent


def show(visit: Visit) -> None:
    """Each step with what it leaves; and a way to other objects."""
    loop = visit.made
    st.header("Steps")
    for step in loop.steps:
        name = f"Without {enumerated(list(step.known))}" if step.known else "Nothing known"
        share = "" if math.isnan(step.unexplained) else f"{percent(step.unexplained)} unexplained"
        here = "you are here" if step.id == loop.current else ""
        told = " · ".join(part for part in (messages.plain(share), here) if part)
        st.button(
            f"**{messages.plain(name)}**" + (f"  \n:small[{told}]" if told else ""),
            key=f"step-many-{step.id}",
            type="secondary" if step.id == loop.current else "tertiary",
            width="stretch",
            on_click=visit.attempt,
            args=(visit.visit, step.id),
        )
    with st.container(horizontal=True):
        st.button(
            "Other objects",
            on_click=visit.leave,
            help="What you made stays under the address of this page.",
        )
        other_columns(visit)
        with st.popover("Delete this"):
            st.markdown("This cannot be undone. *Take it home* saves what you want to keep.")
            st.button("Delete it for good", type="primary", on_click=visit.forget)


def other_columns(visit: Visit, key: str = "steps") -> None:
    """The way back to the columns of the same table, which need not be brought again."""
    st.button(
        "Other columns",
        key=f"many-columns-{key}",
        on_click=_choose_again,
        args=(visit,),
        help="Choose anew what these objects are compared by, and what may be known of them. What "
        "you made stays under the address of this page.",
    )


def _choose_again(visit: Visit) -> None:
    whence = visit.made.whence
    visit.leave()
    anew = visits.current()
    anew.attempt(begin.choose, anew, whence)
