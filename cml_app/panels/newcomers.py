"""Place new objects: a file of them, where they lie on the map, and how far outside."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cml_app import bringing, messages, this_server
from cml_app.placements import Placement, placement
from cml_app.workspace import Workspace
from cml_core.errors import ConditionalMappingError
from cml_core.files.newcomers import template
from cml_core.files.source import RawFile
from cml_core.fitting.scales.registry import RATIO
from cml_core.report import tables
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted

TABLE_HEIGHT = 248
_HELP = """
One row for each new object, its name first. Then either a column for each object here, called as
it is, with how dissimilar the two are; or, where this map was made of measurements, the same
columns as those. Known features are taken out as of all others; an empty one is found together
with the place.
"""
_OUTSIDE = (
    "How dissimilar it is to the object here that it is most like. 1 is as much as only one object "
    "in a hundred is to its next; far above 1 nothing here is like it, and its place is a guess."
)
_UNEXPLAINED = "The share of its squared dissimilarities that its place leaves unexplained."


def show(workspace: Workspace) -> None:
    """What is asked for, and what became of it."""
    # A field for files brings scripts of its own, which the first map does not wait for.
    with st.expander("Place new objects", key="newcomers", on_change="rerun") as panel:
        if not panel.open:
            return
        scale = workspace.step.problem.scale
        if scale != RATIO:
            st.caption(
                "Not on this map: on its scale the numbers are bent, and how new numbers would "
                "be bent is not known. Let the numbers count as distances, and place them there."
            )
            return
        st.caption(
            "Objects that were not fitted are put where they suit the others best; the map stays "
            "as it is."
        )
        key = f"newcomers-{workspace.revision}"
        st.file_uploader(
            "A table of new objects",
            max_upload_size=this_server.settings().max_upload_mb,
            key=key,
            on_change=workspace.attempt,
            args=(_take, workspace, key),
            help=_HELP,
        )
        found = placement(workspace)
        if isinstance(found, ConditionalMappingError):
            messages.show(found)
        if isinstance(found, Placement):
            _placed(workspace, found)
        else:
            _template(workspace)


def _take(workspace: Workspace, key: str) -> None:
    (given,) = bringing.files_in(key) or [None]
    workspace.newcomers = RawFile(given.name, given.getvalue()) if given else None


def _template(workspace: Workspace) -> None:
    journey, known = workspace.journey, workspace.step.problem.known
    st.download_button(
        "An empty table",
        data=lambda: template(journey.dissimilarities, known, journey.source),
        file_name="new-objects.csv",
        mime="text/csv",
        on_click="ignore",
        help="With all columns, to be filled in.",
    )


def _placed(workspace: Workspace, found: Placement) -> None:
    placed = found.placed
    far = int(placed.far.sum())
    st.markdown(
        f"**{counted(len(placed.labels), 'new object')}** on the map, as hollow diamonds."
        + (f" {far} with a broken outline: unlike everything here, a guess." if far else "")
    )
    for note in found.told.notes:
        st.caption(messages.plain(note))
    table(placed.labels, placed.outside, placed.unexplained)
    with st.container(horizontal=True, gap="xsmall"):
        st.download_button(
            "Their places",
            data=lambda: tables.newcomers_csv(found.fit, placed),
            file_name="new-objects-placed.csv",
            mime="text/csv",
            on_click="ignore",
            help="As CSV. The project does not keep them.",
        )
        st.button("Take them off", on_click=workspace.attempt, args=(_take_off, workspace))


def table(names: Sequence[str], outside: FloatArray, unexplained: FloatArray) -> None:
    """How far outside new objects lie, and how much of them is unexplained."""
    told = {"Outside": outside, "Unexplained": 100 * unexplained}
    st.dataframe(
        pd.DataFrame(told, index=pd.Index(names, name="New object")),
        column_config={
            "Outside": st.column_config.NumberColumn(format="%.2f", help=_OUTSIDE, width=70),
            "Unexplained": st.column_config.NumberColumn(
                format="%.1f %%", help=_UNEXPLAINED, width=90
            ),
        },
        height=min(38 + 35 * len(names), TABLE_HEIGHT),
    )


def _take_off(workspace: Workspace) -> None:
    workspace.newcomers = None
    # The field forgets its file as well.
    workspace.revision += 1
