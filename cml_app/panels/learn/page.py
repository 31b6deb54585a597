"""Which part of the Learn page an address asks for; a further part is a line in one of two tables.

`ASKED` has what an address names (`?lesson=stress`), `PARTS` what stands side by side without.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from cml_app import messages
from cml_app.class_mode import PUZZLE
from cml_app.panels.class_mode import making, opening
from cml_app.panels.learn import frame, overview
from cml_app.panels.learn.looks import STYLE
from cml_app.panels.learn.registry import PANELS
from cml_app.workspace import Workspace

Part = Callable[[Workspace], None]
# In the address: which part.
PART = "part"


def _lesson(workspace: Workspace) -> None:
    name = st.query_params[frame.LESSON]
    if name in PANELS:
        frame.show(workspace, PANELS[name])
        return
    st.warning(messages.plain(f"There is no lesson called “{name}”. These are the lessons:"))
    overview.show(workspace)


ASKED: dict[str, Part] = {PUZZLE: opening.show, frame.LESSON: _lesson}
PARTS: dict[str, Part] = {"Lessons": overview.show, "Make a puzzle": making.show}


def show(workspace: Workspace) -> None:
    """What the address asks for; all lessons where it asks for nothing."""
    st.html(STYLE)
    for asked, part in ASKED.items():
        if asked in st.query_params:
            part(workspace)
            return
    st.title("Learn")
    first = next(iter(PARTS))
    chosen = first
    if len(PARTS) > 1:
        chosen = st.pills(
            "Part",
            list(PARTS),
            default=first,
            required=True,
            key=PART,
            label_visibility="collapsed",
            bind="query-params",
        )
    PARTS[chosen](workspace)
