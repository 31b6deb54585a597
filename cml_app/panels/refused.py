"""A file that cannot be read: what would help, and its cells with the place marked."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cml_app import bringing, messages
from cml_app.intake import Intake
from cml_core.errors import ConditionalMappingError
from cml_core.files.preparation import Preparation
from cml_core.files.reading import Cells, Look
from cml_core.files.reading.raw import letters_of, place_named

# So many lines and columns are shown, around the place that is wrong.
_LINES, _COLUMNS = 12, 10
_AROUND, _BEFORE = 4, 2
_MARKED = "background-color: #d9730d; color: white; font-weight: bold"


def show(intake: Intake, look: Look, error: ConditionalMappingError) -> None:
    """Choices with which the file can be read, its grid, and a field for the table's corners."""
    ways_out(intake, look)
    if look.grid is not None:
        _grid(look.grid, place_named(error.fact))
        area(intake)


def ways_out(intake: Intake, look: Look) -> None:
    """A button for each choice with which pairs can be read."""
    for number, way in enumerate(look.ways_out):
        with st.container(key=f"way-out-{number}", gap="xxsmall"):
            st.button(
                messages.plain(way.choice.title),
                key=f"way-out-{intake.key}-{number}-{bringing.turn()}",
                icon=":material/lightbulb:",
                on_click=_choose,
                args=(way.field, way.choice.value),
            )
            st.caption(messages.plain(way.choice.about))


def _choose(field: str, value: object) -> None:
    bringing.change(lambda held: held.choosing(**{field: value}))


def area(intake: Intake) -> None:
    """The corners of the table, as spreadsheets call them."""
    key = f"area-{intake.key}-{intake.preparation.area}-{bringing.turn()}"
    st.text_input(
        "Cells of the table",
        value=intake.preparation.area,
        placeholder="B3:N15",
        key=key,
        max_chars=40,
        on_change=_chose_area,
        args=(key,),
        help="Where more stands in the file than one table: its upper left and its lower right "
        "cell. Empty looks for it.",
    )
    trouble = st.session_state.pop(f"{key}-trouble", None)
    if trouble is not None:
        messages.show(trouble)


def _chose_area(key: str) -> None:
    corners = st.session_state[key].strip()
    try:
        Preparation(area=corners)
    except ConditionalMappingError as error:
        st.session_state[f"{key}-trouble"] = error
        return
    _choose("area", corners)


def _grid(cells: Cells, place: tuple[int, int] | None) -> None:
    """The cells around the place, under the names that errors use for them."""
    line, column = place or (cells.lines[0], 0)
    at = next((k for k, number in enumerate(cells.lines) if number >= line), 0)
    top = max(at - _AROUND, 0)
    left = max(column - _BEFORE, 0)
    rows = range(top, min(top + _LINES, len(cells.rows)))
    width = max(len(cells.rows[k]) for k in rows)
    columns = range(left, min(left + _COLUMNS, width))
    table = pd.DataFrame(
        [[cells.rows[r][c] if c < len(cells.rows[r]) else "" for c in columns] for r in rows],
        index=[cells.lines[r] for r in rows],
        columns=[letters_of(cells.columns[c] if c < len(cells.columns) else c) for c in columns],
    )
    shown: object = table
    if place is not None and cells.lines[at] == line and column in columns:
        mark = (line, table.columns[column - left])
        shown = table.style.map(lambda _: _MARKED, subset=pd.IndexSlice[[mark[0]], [mark[1]]])
        st.caption(f"{cells.unit} {line}, column {mark[1]}, is marked.")
    st.dataframe(shown)
