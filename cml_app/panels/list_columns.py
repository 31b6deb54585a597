"""A role for each column of a list that was not understood: who judged, which objects, what."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cml_app import bringing, messages, this_server
from cml_app.intake import Intake, read_with
from cml_core.errors import ConditionalMappingError, listing
from cml_core.files.reading import FORMATS, Cells, Look, RawTable
from cml_core.files.reading.people.likely_roles import likely_roles
from cml_core.files.reading.roles import ROLES, Roles, column_titles, has_heads
from cml_core.values.words import counted

# More columns than this make no list that is worth a control each; a table of surveys has more.
MOST_COLUMNS = 24
_LINES, _EXAMPLES = 4, 3
_OF_LISTS = ("pairs", "rater_list", "rater_columns", "sorting", "triads", "confusion_list")


def may_be_list(look: Look) -> bool:
    """Whether a person may mean a list although, or as, it was read."""
    grid = look.grid
    if grid is None or not 3 <= max(map(len, grid.rows)) <= MOST_COLUMNS or len(grid.rows) < 3:
        return False
    return not isinstance(look.table, RawTable) or look.table.format in _OF_LISTS


def show(intake: Intake, look: Look) -> None:
    """A control for each column, what the list would be, and a button to read it so."""
    grid = look.grid
    assert grid is not None
    said = intake.preparation.roles
    with st.expander(
        "Say what the columns are", expanded=bool(said), icon=":material/view_column:"
    ):
        st.caption(
            "For a list: one line for each answer. Several columns of values are several people."
        )
        roles = _controls(intake, grid, dict(said or likely_roles(grid)))
        st.dataframe(_first_lines(grid), hide_index=True)
        fits = _outcome(intake, roles)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Read it so",
                type="primary" if fits and not said else "secondary",
                disabled=not fits or roles == said,
                on_click=lambda: bringing.change(
                    lambda held: held.choosing(roles=roles, format="auto")
                ),
            )
            if said:
                st.button(
                    "Forget it",
                    on_click=lambda: bringing.change(lambda held: held.choosing(roles=())),
                )


def _controls(intake: Intake, grid: Cells, now: dict[str, str]) -> Roles:
    """What is chosen for each column."""
    titles = column_titles(grid)
    begin = int(has_heads(grid))
    chosen = []
    places: list[DeltaGenerator] = []
    for k, title in enumerate(titles):
        # Two in each row, so that on a phone they still stand in the order of the file.
        places = places if k % 2 else list(st.columns(2))
        entries = dict.fromkeys(row[k] for row in grid.rows[begin:] if k < len(row) and row[k])
        options = list(ROLES)
        role = places[k % 2].selectbox(
            messages.plain(f"{title} — {', '.join(list(entries)[:_EXAMPLES])} …"),
            options,
            index=options.index(now.get(title, "ignore")),
            format_func=lambda role: ROLES[role],
            key=f"role-{intake.key}-{k}-{intake.preparation.roles!r}-{bringing.turn()}",
        )
        chosen.append((title, role))
    return tuple(chosen)


def _first_lines(grid: Cells) -> pd.DataFrame:
    """The list as it stands in the file."""
    begin = int(has_heads(grid))
    titles = column_titles(grid)
    lines = [[*row, *[""] * len(titles)][: len(titles)] for row in grid.rows[begin:][:_LINES]]
    return pd.DataFrame(lines, columns=list(titles))


def _outcome(intake: Intake, roles: Roles) -> bool:
    """What would be read, or what lacks, in a sentence; whether it can be read."""
    limits, memory = this_server.limits(), bringing.memory()
    preparation = replace(intake.preparation, roles=roles, format="auto")
    try:
        table = read_with(intake, preparation, limits, memory)
    except ConditionalMappingError as error:
        st.markdown(messages.plain(f"{error.fact} {error.remedy}"))
        return False
    if not isinstance(table, RawTable):
        return False
    people = "" if table.by_person is None else f", {table.by_person.n_people} people"
    st.markdown(
        ":material/check_circle: "
        + messages.plain(
            f"{FORMATS[table.format].title}: {counted(table.n_objects, 'object')} "
            f"({listing(table.labels, 3)}){people}."
        )
    )
    return True
