"""What the link of a puzzle opens: for a student, for whoever made it, and once it is closed."""

from __future__ import annotations

import streamlit as st

from cml_app import class_mode, messages
from cml_app.class_mode import PUZZLE, TEACHER, Task
from cml_app.keeping.puzzles import LONGEST_NAME, MOST_DAYS, Keys, no_such_puzzle
from cml_app.panels.class_mode import class_view, closed, links
from cml_app.this_server import moment
from cml_app.tries import counted
from cml_app.workspace import TOKEN, Workspace
from cml_core.errors import ConditionalMappingError
from cml_core.puzzles.puzzle import Puzzle
from cml_core.values.words import enumerated

_MORE = {
    1: "One more feature sets",
    2: "Two more features set",
    3: "Three more features set",
}
DISCOVER = "pages/2_Discover.py"
_HOW = """
1. Everything that is known has been taken out of your map. What still sets cars apart is hidden.
2. Draw an **Arrow** across the map, in the direction that you believe in. Clue cards help.
3. Name what you see, and press **Hand in**: you are told your score, and what to try next.
"""


def show(held: Workspace) -> None:
    """The puzzle that the address names; a link that opens nothing says so."""
    token = st.query_params[PUZZLE]
    st.button("Learn", icon=":material/arrow_back:", type="tertiary", on_click=links.leave)
    try:
        with counted():
            if TEACHER in st.query_params:
                class_view.show(Keys(token, st.query_params[TEACHER]))
            else:
                _for_students(held, token)
    except ConditionalMappingError as error:
        messages.show(error)


def _for_students(held: Workspace, token: str) -> None:
    where = class_mode.puzzles()
    if where is None:
        puzzle = class_mode.from_link(token)
        if puzzle is None:
            raise no_such_puzzle()
        _introduce(held, token, Task(puzzle))
        return
    kept, sheets = where.sheets_when_closed(token, moment())
    task = Task.of(kept)
    if sheets is None:
        _introduce(held, token, task)
    else:
        st.title("This puzzle is closed")
        closed.show(task.puzzle, sheets)


def _introduce(held: Workspace, token: str, task: Task) -> None:
    puzzle = task.puzzle
    hidden = _MORE[puzzle.hidden]
    st.title(f"Find what is hidden in {puzzle.n_objects} cars")
    st.container(key="lesson-words").markdown(
        f"Nobody makes these cars. You are told how different they are, their "
        f"{_listed(puzzle)}, and what owners say of some. **{hidden} them apart: which cars have "
        f"much of it, and which little?**\n{_HOW}"
    )
    mine = class_mode.seat(held)
    if mine is not None and mine.task == task:
        st.info("You have begun this puzzle.")
        if st.button("Go on", type="primary"):
            _to_the_map(held.token)
        return
    nickname = ""
    if task.asks_names:
        nickname = st.text_input(
            "A name for your teacher to see, if you like",
            max_chars=LONGEST_NAME,
            key="nickname",
            width=320,
        )
    if st.button("Begin", type="primary"):
        class_mode.begin(token, task, nickname)
        _to_the_map(st.query_params.get(TOKEN))
    if class_mode.puzzles() is not None:
        st.caption(
            f"Your teacher sees your answers, and your name only if you give one. They are deleted "
            f"after {MOST_DAYS} days at the latest. You began before, in this browser? Go on from "
            "*My projects*, in the sidebar."
        )


def _listed(puzzle: Puzzle) -> str:
    return enumerated([name.lower() for name in puzzle.given.names])


def _to_the_map(project: str | None) -> None:
    st.switch_page(DISCOVER, query_params={TOKEN: project} if project else {})
