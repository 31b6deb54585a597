"""Choosing an example, bringing one's own data, and what becomes of them."""

from __future__ import annotations

import streamlit as st

from cml_app import messages, workspace
from cml_app.workspace import Workspace
from cml_core import Dissimilarities, FeatureTable, load_dataset
from cml_core.datasets import dataset_names
from cml_core.errors import TooManyObjects
from cml_core.journey import Journey
from cml_core.project_file import from_json
from cml_core.reading import read_features, read_square

DISCOVER = "pages/2_Discover.py"


def present(held: Workspace) -> None:
    """What is being looked at now."""
    journey = held.journey
    st.title("Data")
    st.markdown(
        f"You are looking at **{messages.plain(journey.title)}**: "
        f"{journey.dissimilarities.n_objects} objects, {len(journey.features)} features."
    )
    with st.expander("Look at the tables"):
        st.dataframe(journey.dissimilarities.to_frame(), height=260)
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
                workspace.begin_example(name)
                st.switch_page(DISCOVER)


def upload() -> None:
    """A table of dissimilarities and one of features, or a project."""
    st.header("Bring your own")
    left, middle, right = st.columns(3)
    most = workspace.settings().max_upload_mb
    table = left.file_uploader(
        "Dissimilarities (CSV)",
        type=["csv", "tsv", "txt"],
        max_upload_size=most,
        help="A square table: one row and one column for each object, names first.",
    )
    features = middle.file_uploader(
        "Features (CSV), if you have some",
        type=["csv", "tsv", "txt"],
        max_upload_size=most,
        help="One row for each object, its name first, then one column for each feature.",
    )
    project = right.file_uploader(
        "Or a project saved here before",
        type=["json"],
        max_upload_size=most,
        help="Opens with all its steps.",
    )
    if table is not None and st.button("Make a map", type="primary"):
        _open(_read(table, features))
    if project is not None and right.button("Open the project", type="primary"):
        text = project.getvalue().decode("utf-8", "replace")
        _open(from_json(text, most_objects=workspace.settings().max_objects))


def _read(table: object, features: object) -> Journey:
    values = read_square(table.getvalue())  # type: ignore[attr-defined]
    _check_size(values)
    known = FeatureTable(values.labels)
    if features is not None:
        known = read_features(features.getvalue()).for_objects(values.labels)  # type: ignore[attr-defined]
    title = str(table.name).rsplit(".", 1)[0]  # type: ignore[attr-defined]
    return Journey.begun(title, values, known, workspace.now())


def _check_size(values: Dissimilarities) -> None:
    most = workspace.settings().max_objects
    if values.n_objects > most:
        raise TooManyObjects(
            f"The table has {values.n_objects} objects.",
            remedy=f"This server takes up to {most}; the package cml_core has no such limit.",
        )


def _open(journey: Journey) -> None:
    with st.spinner("Drawing the first map…"):
        workspace.begin(journey)
    st.switch_page(DISCOVER)


def keeping(held: Workspace) -> None:
    """Where data are kept, and how to have them deleted."""
    st.header("What becomes of your data")
    chosen = workspace.settings()
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
    if not held.token:
        return
    with st.popover("Delete this project"):
        st.markdown("This cannot be undone. *Take it home* on the Discover page saves a copy.")
        if st.button("Delete it for good", type="primary"):
            held.forget()
            st.toast("The project was deleted.")
            st.switch_page(DISCOVER)
