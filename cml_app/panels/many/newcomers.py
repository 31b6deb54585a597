"""Place new objects on a map of very many: a file of them, where they lie, and how far outside."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from cml_app import background, messages
from cml_app.many import local, uploads
from cml_app.many.visit import Visit
from cml_app.panels import newcomers as of_few
from cml_app.point_map import MOST_MARKS
from cml_core.errors import ConditionalMappingError, listing
from cml_core.many import take_home
from cml_core.many.newcomers import MOST_NEW, PlacedNewcomers
from cml_core.many.origins import PATH, Whence
from cml_core.values.words import counted

KEY = "many-newcomers"
LOOK_EVERY = 0.5
# So many rows of a table are looked through; the file has all of them.
MOST_LISTED = 200
_HELP = f"""
One row for each new object, up to {MOST_NEW:,}. The columns that objects here are compared by,
called as in their table; in a NumPy array as many, in the same order. Known features are taken out
as of all others; an empty or absent one is found together with the place.
"""
_HOME = "Where each lies, how far outside, and what is known of it. What is kept has none of them."
_KINDS = {"CSV": take_home.newcomers_csv, "Parquet": take_home.newcomers_parquet}


def show(visit: Visit) -> None:
    """What is asked for, and what became of it."""
    on_map = visit.map
    # A field for files brings scripts of its own, which the first map does not wait for. It stays
    # open while another map is made.
    with st.expander("Place new objects", key=KEY, on_change="rerun") as panel:
        if not panel.open:
            return
        if on_map is None or not on_map.whole:
            st.caption("They are placed once every object here has its place.")
            return
        st.caption(
            "Objects that are not in the table are put where they suit the landmarks best; the map "
            "stays as it is."
        )
        _field(visit)
        found = visit.newcomers.found
        if isinstance(found, ConditionalMappingError):
            messages.show(found)
        if isinstance(found, PlacedNewcomers):
            _placed(visit, found)
        elif visit.newcomers.job is not None:
            _progress(visit)


def _field(visit: Visit) -> None:
    key = f"many-new-{visit.newcomers.number}"
    st.file_uploader(
        "A table of new objects",
        type=[ending.removeprefix(".") for ending in uploads.ENDINGS],
        key=key,
        on_change=_bring_file,
        args=(visit, key),
        help=_HELP,
    )
    if local.allowed():
        path = f"{key}-path"
        st.text_input(
            "Or its path on this computer",
            key=path,
            placeholder="/data/new.parquet",
            on_change=_bring_path,
            args=(visit, path),
        )


def _bring_file(visit: Visit, key: str) -> None:
    given = st.session_state[key]
    if given is not None:
        visit.newcomers.bring(lambda: uploads.bring(given.name, given))


def _bring_path(visit: Visit, key: str) -> None:
    written = st.session_state[key]
    if written:
        visit.newcomers.bring(lambda: _at(written))


def _at(written: str) -> Whence:
    found = local.checked(written)
    return Whence(PATH, str(found), found.name)


@st.fragment(run_every=LOOK_EVERY)
def _progress(visit: Visit) -> None:
    job = visit.newcomers.job
    if job is None or job.done:
        st.rerun()
    job.seen_by(background.presence())
    st.caption(messages.plain(job.words))
    st.button("Stop", key="many-stop-placing", on_click=job.cancel)


def _placed(visit: Visit, placed: PlacedNewcomers) -> None:
    whence, found = visit.newcomers.whence, placed.found
    assert whence is not None
    far = [placed.names[i] for i in np.flatnonzero(found.far)]
    st.markdown(
        f"**{counted(len(placed.names), 'new object')}** of {messages.plain(whence.name)} on the "
        "map, as hollow diamonds."
        + (
            f" {len(far):,} with a broken outline, unlike everything here, a guess: "
            f"{messages.plain(listing(far))}."
            if far
            else ""
        )
    )
    for note in (*placed.notes, *left_out(len(placed.names))):
        st.caption(messages.plain(note))
    first = np.argsort(-found.outside, kind="stable")[:MOST_LISTED]
    names = [placed.names[i] for i in first]
    of_few.table(names, found.outside[first], found.unexplained[first])
    with st.container(horizontal=True, gap="xsmall"):
        for kind, made in _KINDS.items():
            st.download_button(
                f"Their places ({kind})",
                data=partial(made, placed),
                file_name=f"new-objects-placed.{kind.lower()}",
                on_click="ignore",
                help=_HOME,
            )
        st.button("Take them off", on_click=visit.newcomers.take_off)


def left_out(count: int) -> list[str]:
    """What of so many new objects is not seen here."""
    told = []
    if count > MOST_MARKS:
        told.append(f"{MOST_MARKS:,} of them are drawn, those that lie outside first.")
    if count > MOST_LISTED:
        told.append(f"The {MOST_LISTED} that lie furthest outside; the files have all.")
    return told
