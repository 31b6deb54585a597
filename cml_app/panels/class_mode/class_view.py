"""The class view: who opened the puzzle, handed in and solved it, as it happens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pandas as pd
import streamlit as st

from cml_app import class_mode
from cml_app.class_mode import Task
from cml_app.keeping.puzzles import KeptPuzzle, Keys, Puzzles, Sheet, no_such_puzzle
from cml_app.panels.class_mode import closed, links, making
from cml_app.pictures.figures import ink
from cml_app.pictures.score_strip import score_strip
from cml_app.shell import is_dark
from cml_app.this_server import moment
from cml_core.puzzles.puzzle import LEVELS, Puzzle
from cml_core.puzzles.scoring import SOLVED, whole_percent
from cml_core.puzzles.sheet import AnswerSheet

# In seconds; a class looks at this while it works.
LOOK_EVERY = 2.0


def show(keys: Keys) -> None:
    """For whoever made the puzzle."""
    where = class_mode.puzzles()
    if where is None:
        raise no_such_puzzle()
    kept, sheets = where.sheets(keys, moment())
    task = Task.of(kept)
    is_open = kept.is_open(moment())
    st.title("Your puzzle" if is_open else "Your puzzle, closed")
    if is_open:
        left, right = st.columns([2, 1], gap="medium")
        with left:
            _about(task.puzzle, kept)
            st.fragment(_live, run_every=LOOK_EVERY)(where, keys, task.puzzle)
        with right:
            links.share(keys.puzzle)
    else:
        closed.show(task.puzzle, sheets)
        st.header("Who did what")
        _counts(task.puzzle, sheets)
    _manage(where, keys, is_open=is_open)


def _about(puzzle: Puzzle, kept: KeptPuzzle) -> None:
    known = len(puzzle.given)
    st.markdown(
        f"{puzzle.n_objects} cars, level {puzzle.level}, {known} features known and "
        f"{puzzle.hidden} hidden. Open until {kept.closes:%d %B %Y, %H:%M} UTC."
    )
    if making.clearness(puzzle) < LEVELS[puzzle.level].visible:
        st.warning(
            "With this seed what is hidden shows less clearly on the map than it should at this "
            "level. Another seed, or one by lot, makes a fairer puzzle."
        )


def _live(where: Puzzles, keys: Keys, puzzle: Puzzle) -> None:
    kept, sheets = where.sheets(keys, moment())
    if not kept.is_open(moment()):
        st.rerun()
    _counts(puzzle, sheets)


def _counts(puzzle: Puzzle, sheets: Sequence[Sheet]) -> None:
    handed_in = [sheet for sheet in sheets if sheet.best is not None]
    scores = [sheet.best for sheet in handed_in if sheet.best is not None]
    works = [AnswerSheet.from_json(sheet.content) for sheet in sheets]
    with st.container(horizontal=True, key="class-counts"):
        st.metric("Opened", len(sheets))
        st.metric("Handed in", len(handed_in))
        st.metric("Solved", sum(best >= SOLVED for best in scores))
        if puzzle.hidden > 1:
            st.metric("Found all", sum(len(work.found) == puzzle.hidden for work in works))
    if not sheets:
        st.caption("Nobody has opened it yet. This page follows by itself.")
        return
    if scores:
        st.caption("Best scores; from 90 % on it counts as solved:")
        st.html(score_strip(scores, ink(is_dark())))
    st.dataframe(_table(sheets, works, puzzle), hide_index=True, width="stretch")


def _table(sheets: Sequence[Sheet], works: Sequence[AnswerSheet], puzzle: Puzzle) -> pd.DataFrame:
    """A row for each student, in the order of coming."""
    order = sorted(range(len(sheets)), key=lambda k: works[k].opened)
    rows = [
        {
            "Student": sheets[k].name or f"Student {number}",
            "Best": _percent(works[k].best),
            "Found": f"{len(works[k].found)} of {puzzle.hidden}",
            "Tries": sheets[k].tries,
            "Minutes to the first": _minutes(works[k]),
            "Called": ", ".join(answer.called for answer in works[k].answers),
        }
        for number, k in enumerate(order, 1)
    ]
    return pd.DataFrame(rows)


def _percent(best: float | None) -> str:
    return "" if best is None else f"{whole_percent(best)} %"


def _minutes(work: AnswerSheet) -> str:
    if work.solved is None:
        return ""
    spent = datetime.fromisoformat(work.solved) - datetime.fromisoformat(work.opened)
    return f"{spent.total_seconds() / 60:.1f}"


def _manage(where: Puzzles, keys: Keys, *, is_open: bool) -> None:
    with st.container(horizontal=True):
        # Not in sight: this page is shown to classes.
        with st.popover("Link back to this page"):
            st.markdown(
                "The only way back, for you alone: whoever has it sees this page and can close "
                "and delete the puzzle."
            )
            st.code(links.of_teacher(keys), language=None, wrap_lines=True)
        if is_open:
            with st.popover("Close"):
                st.markdown(
                    "Nothing more can be handed in. The link shows everyone what was hidden, and "
                    "all arrows on one map, without names."
                )
                st.button("Close it now", type="primary", on_click=_close, args=(where, keys))
        with st.popover("Delete"):
            st.markdown(
                "The puzzle and all that was handed in are gone at once. Students keep their "
                "projects."
            )
            st.button("Delete it now", type="primary", on_click=_delete, args=(where, keys))


def _close(where: Puzzles, keys: Keys) -> None:
    where.close(keys, moment())


def _delete(where: Puzzles, keys: Keys) -> None:
    where.delete(keys, moment())
    links.leave()
