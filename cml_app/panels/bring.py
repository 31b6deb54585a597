"""Bringing one's own data: files or pasted text, and a project saved before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from cml_app import bringing, messages, this_server, visits
from cml_app.intake import PASTED, Intake
from cml_app.panels import doctor
from cml_app.small_pictures import small_pictures
from cml_core.errors import ConditionalMappingError
from cml_core.files.reading.picture_files import PICTURE_ENDINGS
from cml_core.files.source import FeatureSource, RawFile
from cml_core.journey.file import from_json
from cml_core.journey.journey import Journey
from cml_core.values.pictures import Pictures
from cml_core.values.words import counted

DISCOVER = "pages/2_Discover.py"
_PLACEHOLDER = ",a,b,c\na,0,1,2\nb,1,0,3\n…"
_FILES, _FEATURES, _PASTE = "bring-files", "bring-features", "bring-paste"
_PICTURES, _REFUSED = "bring-pictures", "bring-pictures-refused"


def _key(name: str) -> str:
    """Of a field; another one once what was in it is done with."""
    return f"{name}-{bringing.visit()}"


def show() -> None:
    """The fields, and what the doctor says of what was brought."""
    st.header("Bring your own", anchor="bring")
    st.caption(_limits())
    _fields()
    intake = bringing.intake()
    if intake is None and _features_at_hand():
        st.info("Features alone make no map: bring the dissimilarities as well.")
    if intake and (journey := doctor.show(intake)):
        _open(journey)


def _limits() -> str:
    chosen = this_server.settings()
    return (
        f"A file may have up to {chosen.max_upload_mb} MB, {chosen.max_objects:,} objects and "
        f"{chosen.max_columns:,} columns, and names up to {chosen.max_label_length:,} letters."
    )


def _fields() -> None:
    left, middle, right = st.columns(3)
    most = this_server.settings().max_upload_mb
    # Any file may be brought: what is in it decides, and the reader says why where it is none.
    left.file_uploader(
        "Dissimilarities, similarities or measurements",
        accept_multiple_files=True,
        max_upload_size=most,
        key=_key(_FILES),
        on_change=_took_files,
        args=(_key(_FILES),),
        help="A table of pairs in any of the formats below, a list of what people said, or a "
        "table of measurements to compare objects by. Several files are taken for several "
        "people's judgements of the same objects.",
    )
    intake = bringing.intake()
    if intake and not st.session_state.get(_key(_FILES)):
        held = messages.plain(", ".join(file.name for file in intake.files))
        left.caption(f"You are bringing {held}; another file takes its place.")
    with left.expander("… or paste a table", key="paste"):
        st.text_area("Table", key=_key(_PASTE), height=160, placeholder=_PLACEHOLDER)
        st.button("Read it", on_click=_took_paste)
    middle.file_uploader(
        "Features, if you have some",
        max_upload_size=most,
        key=_key(_FEATURES),
        on_change=_took_features,
        help="One row for each object, its name first, then one column for each feature.",
    )
    with middle.expander("… and pictures of the objects", key="pictures"):
        st.file_uploader(
            "Pictures",
            type=list(PICTURE_ENDINGS),
            accept_multiple_files=True,
            max_upload_size=most,
            key=_key(_PICTURES),
            on_change=_took_pictures,
            help="PNG, JPEG or WebP files named like the objects, or a ZIP file of them. Small "
            "copies are kept with the project and stand on the map in place of dots.",
        )
        if trouble := st.session_state.get(_key(_REFUSED)):
            messages.show(trouble)
    project = right.file_uploader(
        "Or a project saved here before",
        type=["json"],
        max_upload_size=most,
        help="Opens with all its steps.",
    )
    if project is not None and right.button("Open the project", type="primary"):
        text = project.getvalue().decode("utf-8", "replace")
        _open(from_json(text, most_objects=this_server.settings().max_objects))


def _took_files(field: str) -> None:
    """Take in what is in a field, which may be the one before: it stays until the page is drawn."""
    files = bringing.files_in(field)
    if files is not None:
        _bring([RawFile(file.name, file.getvalue()) for file in files])


def _took_paste() -> None:
    text = st.session_state[_key(_PASTE)]
    if text.strip():
        _bring([RawFile(PASTED, text.encode("utf-8", "replace"))])


def _bring(files: Sequence[RawFile]) -> None:
    before = bringing.intake()
    if not files:
        bringing.let_go()
    elif before:
        bringing.take_in(before.brought(tuple(files)))
    else:
        bringing.take_in(
            Intake(tuple(files), features=_features_at_hand(), pictures=_pictures_at_hand())
        )


def _features_at_hand() -> FeatureSource | None:
    (file,) = bringing.files_in(_key(_FEATURES)) or [None]
    return FeatureSource(RawFile(file.name, file.getvalue())) if file else None


def _took_features() -> None:
    intake = bringing.intake()
    if intake:
        # What objects are called came from the file of features.
        bringing.take_in(replace(intake, features=_features_at_hand()).choosing(names=()))


def _pictures_at_hand() -> Pictures:
    """Small ones of what is in the field; what is refused is said below it."""
    files = bringing.files_in(_key(_PICTURES)) or []
    st.session_state.pop(_key(_REFUSED), None)
    try:
        return small_pictures(
            ((file.name, file.getvalue()) for file in files), this_server.limits()
        )
    except ConditionalMappingError as error:
        st.session_state[_key(_REFUSED)] = error
        return Pictures()


def _took_pictures() -> None:
    pictures = _pictures_at_hand()
    bringing.change(lambda held: replace(held, pictures=pictures))


def _open(journey: Journey) -> None:
    """Make a project of it and go to its map."""
    objects = counted(journey.dissimilarities.n_objects, "object")
    with st.spinner(f"Drawing the first map, of {objects}…", show_time=True):
        visits.begin(journey)
    bringing.let_go()
    bringing.let_go_of_files()
    st.switch_page(DISCOVER)
