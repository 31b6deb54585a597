"""A second table of the same objects, with what is known of them: for vectors that have nothing."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from cml_app import messages
from cml_app.many import local, uploads
from cml_app.many.visit import Visit
from cml_app.panels.many.begin import choose
from cml_core.errors import ConditionalMappingError
from cml_core.many.origins import PATH, UPLOAD, Whence
from cml_core.values.rows.beside import BesideRows, TakenRows, field_names

KEY = "many-beside-key"
_FILE, _PATH = "many-beside-file", "many-beside-path"
IN_ORDER = ""


def show(visit: Visit, whence: Whence) -> None:
    """What stands beside the table, and how to join it; or a way to bring it."""
    if whence.kind not in (PATH, UPLOAD):
        return
    if whence.beside is None:
        with st.expander("What is known of them stands in another table"):
            _bring(visit, whence)
    else:
        _joined(visit, whence, whence.beside)


def _bring(visit: Visit, whence: Whence) -> None:
    """Joined as soon as it is there: a table that waits for a button is forgotten by the next."""
    endings = [ending.removeprefix(".") for ending in uploads.ENDINGS]
    st.file_uploader(
        "A table of the same objects: one row for each in the same order, or with a column of the "
        "same name in both that joins them",
        type=endings,
        key=_FILE,
        on_change=_bring_file,
        args=(visit, whence),
    )
    if local.allowed():
        st.text_input(
            "Or its path on this computer",
            key=_PATH,
            placeholder="/data/about.parquet",
            on_change=_bring_path,
            args=(visit, whence),
        )


def _bring_file(visit: Visit, whence: Whence) -> None:
    given = st.session_state[_FILE]
    if given is not None:
        visit.attempt(lambda: join(visit, whence, uploads.bring(given.name, given)))


def _bring_path(visit: Visit, whence: Whence) -> None:
    written = st.session_state[_PATH]
    if written:
        visit.attempt(lambda: join(visit, whence, _at(written)))


def _at(written: str) -> Whence:
    found = local.checked(written)
    return Whence(PATH, str(found), found.name)


def join(visit: Visit, whence: Whence, other: Whence) -> None:
    """Look at both tables together: by the first column of both that joins them, or in order."""
    folder = uploads.folder()
    named = field_names(other.rows(folder))
    both = [name for name in field_names(whence.rows(folder)) if name in named]
    for key in both:
        try:
            choose(visit, replace(whence, beside=other, key=key))
        except ConditionalMappingError:
            continue
        return
    choose(visit, replace(whence, beside=other, key=IN_ORDER))


def _joined(visit: Visit, whence: Whence, other: Whence) -> None:
    told = visit.once("beside", repr(whence), lambda: _looked_at(whence))
    both, matched, n_objects = told
    name = messages.plain(other.name)
    if whence.key:
        st.markdown(f"Beside it {name}, which has {matched:,} of the {n_objects:,} objects.")
    else:
        st.markdown(f"Beside it {name}, row by row.")
    if both:
        st.selectbox(
            "They are joined",
            [*both, IN_ORDER],
            index=[*both, IN_ORDER].index(whence.key),
            format_func=lambda key: f"by {key}" if key else "row by row, in the same order",
            key=f"{KEY}-{visit.revision}",
            on_change=visit.attempt,
            args=(_by_another, visit, whence, f"{KEY}-{visit.revision}"),
        )
    st.button("Leave it out", on_click=visit.attempt, args=(_without, visit, whence))


def _looked_at(whence: Whence) -> tuple[list[str], int, int]:
    """Columns of both, how many objects have a row in the second, and how many there are."""
    rows = whence.rows(uploads.folder())
    assert isinstance(rows, BesideRows)
    first, second = rows.each
    both = [name for name in field_names(first) if name in field_names(second)]
    matched = second.matched if isinstance(second, TakenRows) else rows.n_rows
    return both, matched, rows.n_rows


def _by_another(visit: Visit, whence: Whence, control: str) -> None:
    choose(visit, replace(whence, key=st.session_state[control]))


def _without(visit: Visit, whence: Whence) -> None:
    choose(visit, replace(whence, beside=None, key=IN_ORDER))
