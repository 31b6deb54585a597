"""What is being looked at, the examples, and what becomes of one's data."""

from __future__ import annotations

import streamlit as st

from cml_app import messages, this_server, visits
from cml_app.panels import origin, simulating
from cml_app.panels.bring import DISCOVER
from cml_app.workspace import Workspace
from cml_core import load_dataset
from cml_core.datasets import SIMULATED, dataset_names

_CHOOSE = "How many brands, how much error, and what is known of them"


def present(held: Workspace) -> None:
    """What is being looked at now."""
    journey = held.journey
    st.title("Data")
    st.markdown(
        f"You are looking at **{messages.plain(journey.title)}**: "
        f"{journey.dissimilarities.n_objects} objects, {len(journey.features)} features."
    )


def at_hand(held: Workspace) -> None:
    """Where its numbers come from, and its tables."""
    journey = held.journey
    st.header("The data that you are looking at")
    origin.show(held)
    with st.expander("Look at the tables"):
        st.dataframe(journey.dissimilarities.to_frame(), height=260)
        if len(journey.features):
            st.dataframe(journey.features.to_frame(), height=260)


def examples() -> None:
    """Every example dataset with its card."""
    st.header("Start from an example")
    for column, name in zip(st.columns(len(dataset_names())), dataset_names(), strict=True):
        data = load_dataset(name)
        with column.container(border=True, height="stretch", key=f"example-{name}"):
            st.markdown(f"**{messages.plain(data.title)}**")
            about = f"{messages.plain(data.about)}\n\n{messages.plain(data.source)}"
            st.caption(messages.plain(data.look_for), help=about)
            if st.button("Open", key=f"open-{name}", width="stretch"):
                visits.begin_example(name, guided=True)
                st.switch_page(DISCOVER)
            if name == SIMULATED:
                with st.popover("Choose", width="stretch", help=_CHOOSE):
                    simulating.show()


def keeping(held: Workspace) -> None:
    """Where data are kept, and how to have them deleted."""
    st.header("What becomes of your data")
    chosen = this_server.settings()
    if not chosen.keep_projects:
        st.markdown(
            "This server keeps nothing: your work is gone when you close or reload the page."
        )
        return
    st.markdown(
        "Your project is kept in this server's own database, under the secret in this page's "
        f"address, until {chosen.keep_days} days after its last change. Whoever has the address "
        "can open it; nobody else can."
    )
    if not held.token or not held.may_change:
        return
    with st.popover("New address"):
        st.markdown(
            "For when someone has this address who should not, or this browser is not yours alone: "
            "its history holds the address. The project goes on under a new one; the old one, and "
            "the link for readers, open nothing any more."
        )
        if st.button("Give it a new address", type="primary"):
            held.renew()
            st.toast("The project has a new address. Keep it, and let go of the old one.")
            st.rerun()
    with st.popover("Delete this project"):
        st.markdown("This cannot be undone. *Take it home* on the Discover page saves a copy.")
        if st.button("Delete it for good", type="primary"):
            visits.forget(held)
            st.toast("The project was deleted.")
            st.switch_page(DISCOVER)
