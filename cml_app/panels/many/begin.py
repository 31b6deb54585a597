"""Where many objects come from: made up, an example, a file that is brought, or a path."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from cml_app import this_server
from cml_app.many import local, uploads
from cml_app.many.visit import Visit
from cml_core.many.opened import check_size
from cml_core.many.origins import BUYERS, EXAMPLE, PATH, Whence
from cml_core.many.sight import sight

SIZES = (10_000, 100_000, 1_000_000)
EXAMPLES = {"verses": "10,000 verses of the King James Bible"}
_WHAT = (
    "Up to {most:,} objects that you have vectors of: embeddings of texts or pictures, cells, "
    "answers to a survey; and beside them columns of what is known. Take out what you know, and "
    "see what is left. Some objects are fitted together, each other one is placed among them."
)


def show(visit: Visit) -> None:
    """All ways to begin."""
    most = this_server.settings().many_objects
    st.markdown(_WHAT.format(most=most))
    try_out, bring = st.columns(2, gap="large")
    with try_out:
        _try(visit, most)
    with bring:
        _bring(visit)


def _try(visit: Visit, most: int) -> None:
    st.header("Try it")
    for size in SIZES:
        if size <= most:
            whence = Whence(BUYERS, n_objects=size)
            st.button(
                whence.name.capitalize(),
                key=f"buyers-{size}",
                on_click=visit.attempt,
                args=(choose, visit, whence),
            )
    st.caption(
        "What each spends on fifty things hangs on age, region and channel, and on two things "
        "that are kept back."
    )
    for name, title in EXAMPLES.items():
        st.button(
            title,
            key=f"example-{name}",
            on_click=visit.attempt,
            args=(choose, visit, Whence(EXAMPLE, name, title)),
        )
    st.caption(
        "What a language model makes of each verse, with its book, kind, place and length: what "
        "is left once these are out?"
    )


def _bring(visit: Visit) -> None:
    st.header("Bring your own")
    endings = [ending.removeprefix(".") for ending in uploads.ENDINGS]
    given = st.file_uploader(
        "A table, one row for each object",
        type=endings,
        key="many-file",
        # What went wrong with another file is no word on this one.
        on_change=visit.attempt,
        args=(lambda: None,),
    )
    if given is not None:
        st.button(
            f"Look at {given.name}",
            type="primary",
            on_click=visit.attempt,
            args=(_bring_file, visit, given),
        )
    st.caption(
        "Parquet or Arrow with a column of lists or many columns of numbers, a NumPy array, or "
        "text. A column that holds nothing but numbers, or dates, may be a vector's part or known."
    )
    if local.allowed():
        path = st.text_input(
            "Or a file or folder on this computer",
            key="many-path",
            placeholder="/data/embeddings.parquet",
            help="It stays where it is and is read block by block. Files of a folder stand one "
            "below the other.",
        )
        st.button("Look at it", key="many-look", on_click=visit.attempt, args=(_path, visit, path))


def _bring_file(visit: Visit, given: object) -> None:
    choose(visit, uploads.bring(given.name, given))  # type: ignore[attr-defined, arg-type]


def _path(visit: Visit, path: str) -> None:
    found = local.checked(st.session_state.get("many-path", path))
    choose(visit, Whence(PATH, str(found), Path(found).name))


def choose(visit: Visit, whence: Whence) -> None:
    """Look at the columns of a table."""
    rows = whence.rows(uploads.folder())
    check_size(rows, this_server.settings().many_objects)
    visit.choosing = (whence, sight(rows))
