"""The steps of the loop with very many objects, to be returned to."""

from __future__ import annotations

import math

import streamlit as st

from cml_app import messages
from cml_app.many.visit import Visit
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
        st.button("Delete this", on_click=visit.forget)
