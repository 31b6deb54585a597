"""Bringing one's own data: files or pasted text, and a project saved before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from cml_app import messages, workspace
from cml_app.intake import PASTED, Intake
from cml_app.panels import doctor
from cml_core.files import reading
from cml_core.files.source import FeatureSource, RawFile
from cml_core.journey.file import from_json
from cml_core.journey.journey import Journey

DISCOVER = "pages/2_Discover.py"
_PLACEHOLDER = ",a,b,c\na,0,1,2\nb,1,0,3\n…"
_FILES, _FEATURES, _PASTE = "bring-files", "bring-features", "bring-paste"


def _key(name: str) -> str:
    """Of a field; another one once what was in it is done with."""
    return f"{name}-{workspace.visit()}"


def show() -> None:
    """The fields, and what the doctor says of what was brought."""
    st.header("Bring your own", anchor="bring")
    st.caption(_limits())
    _fields()
    intake = workspace.intake()
    if intake is None and _features_at_hand():
        st.info("Features alone make no map: bring the dissimilarities as well.")
    if intake and (journey := doctor.show(intake)):
        _open(journey)


def _limits() -> str:
    chosen = workspace.settings()
    return (
        f"A file may have up to {chosen.max_upload_mb} MB, {chosen.max_objects:,} objects and "
        f"{chosen.max_columns:,} columns, and names up to {chosen.max_label_length:,} letters."
    )


def _fields() -> None:
    left, middle, right = st.columns(3)
    most = workspace.settings().max_upload_mb
    left.file_uploader(
        "Dissimilarities, similarities or measurements",
        type=list(reading.endings()),
        accept_multiple_files=True,
        max_upload_size=most,
        key=_key(_FILES),
        on_change=_took_files,
        help="A table of pairs in any of the formats below, a list of what people said, or a "
        "table of measurements to compare objects by. Several files are taken for several "
        "people's judgements of the same objects.",
    )
    intake = workspace.intake()
    if intake and not st.session_state.get(_key(_FILES)):
        held = messages.plain(", ".join(file.name for file in intake.files))
        left.caption(f"You are bringing {held}; another file takes its place.")
    with left.expander("… or paste a table", key="paste"):
        st.text_area("Table", key=_key(_PASTE), height=160, placeholder=_PLACEHOLDER)
        st.button("Read it", on_click=_took_paste)
    middle.file_uploader(
        "Features, if you have some",
        type=list(reading.TABLE_ENDINGS),
        max_upload_size=most,
        key=_key(_FEATURES),
        on_change=_took_features,
        help="One row for each object, its name first, then one column for each feature.",
    )
    project = right.file_uploader(
        "Or a project saved here before",
        type=["json"],
        max_upload_size=most,
        help="Opens with all its steps.",
    )
    if project is not None and right.button("Open the project", type="primary"):
        text = project.getvalue().decode("utf-8", "replace")
        _open(from_json(text, most_objects=workspace.settings().max_objects))


def _took_files() -> None:
    _bring([RawFile(file.name, file.getvalue()) for file in st.session_state[_key(_FILES)]])


def _took_paste() -> None:
    text = st.session_state[_key(_PASTE)]
    if text.strip():
        _bring([RawFile(PASTED, text.encode("utf-8", "replace"))])


def _bring(files: Sequence[RawFile]) -> None:
    before = workspace.intake()
    if not files:
        workspace.let_go()
    elif before:
        workspace.take_in(before.brought(tuple(files)))
    else:
        workspace.take_in(Intake(tuple(files), features=_features_at_hand()))


def _features_at_hand() -> FeatureSource | None:
    file: Any = st.session_state.get(_key(_FEATURES))
    return FeatureSource(RawFile(file.name, file.getvalue())) if file else None


def _took_features() -> None:
    intake = workspace.intake()
    if intake:
        workspace.take_in(replace(intake, features=_features_at_hand()))


def _open(journey: Journey) -> None:
    """Make a project of it and go to its map."""
    with st.spinner("Drawing the first map…"):
        workspace.begin(journey)
    workspace.let_go()
    st.switch_page(DISCOVER)
