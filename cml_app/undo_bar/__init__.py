"""Two buttons that take back what was done and do it again, and their keys.

A browser tells all that was pressed since the buttons appeared, because a page may be busy with
one press while the next ones come; so none is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from cml_app.joined_modules import joined

FOLDER = Path(__file__).parent
UNDO, REDO = "undo", "redo"
# The one entry of the component's state that the browser writes.
ENTRY = "pressed"


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


_mount = st.components.v2.component(
    "undo_bar", html=_text("bar.html"), css=_text("bar.css"), js=joined(FOLDER / "bar.js")
)


def undo_bar(undo: str, redo: str, on_press: Callable[[str], None], *, key: str) -> None:
    """Show the buttons; where any was pressed, the page begins again.

    Parameters
    ----------
    undo, redo : what would be undone and done again, in words; empty for nothing.
    on_press : called with `UNDO` or `REDO`, once for each press.
    """
    # A value of its own: whatever interrupts this run, a press is done once.
    done: dict[str, int] = st.session_state.setdefault(f"{key}-done", {})
    result = _mount(key=key, data={UNDO: undo, REDO: redo}, on_pressed_change=_nothing)
    bar, presses = presses_in(result.get(ENTRY))
    fresh = presses[done.get(bar, 0) :]
    for press in fresh:
        done[bar] = done.get(bar, 0) + 1
        on_press(press)
    if fresh:
        st.rerun()


def presses_in(sent: object) -> tuple[str, tuple[str, ...]]:
    """Which buttons on which page, and all their presses so far.

    Parameters
    ----------
    sent : `{"bar": …, "moves": […]}`; what is neither counts as no press.
    """
    told: Mapping[str, Any] = sent if isinstance(sent, Mapping) else {}
    moves = told.get("moves")
    known = (move for move in moves if move in (UNDO, REDO)) if isinstance(moves, list) else ()
    return str(told.get("bar")), tuple(known)


def _nothing() -> None:
    """A component keeps the state that the browser sends only where someone listens."""
