"""Small maps side by side, with one selection, one colouring and one pointer for all.

chosen = peer_maps(Grid("step 1", labels, panels), key="peers")
if chosen.asked: ...
"""

from __future__ import annotations

import streamlit as st

from cml_app.peer_maps import assets
from cml_app.peer_maps.grid import (
    AGAIN,
    BY_LOT,
    DRAW,
    Asked,
    Bar,
    Grid,
    GridState,
    Panel,
    Score,
    Try,
    encoded,
    parse_asked,
    parse_state,
)

__all__ = [
    "AGAIN",
    "BY_LOT",
    "DRAW",
    "Asked",
    "Bar",
    "Grid",
    "GridState",
    "Panel",
    "Score",
    "Try",
    "parse_asked",
    "parse_state",
    "peer_maps",
]

_mount = st.components.v2.component(
    "peer_maps", html=assets.html(), css=assets.css(), js=assets.javascript()
)


def peer_maps(grid: Grid, *, key: str) -> GridState:
    """Show the panels, and tell what is selected and what was asked of one of them.

    Parameters
    ----------
    key : names the component, and the entry of the session state where its state is kept.
    """
    before = parse_state(st.session_state.get(key), grid)
    result = _mount(
        key=key,
        data=encoded(grid, before.selected),
        on_grid_change=_nothing,
        on_asked_change=_nothing,
    )
    state = parse_state(result, grid)
    if state.asked is None or st.session_state.get(f"{key}-answered") == state.asked.press:
        return GridState(state.selected)
    st.session_state[f"{key}-answered"] = state.asked.press
    return state


def _nothing() -> None:
    """A component keeps the state that the browser sends only where someone listens."""
