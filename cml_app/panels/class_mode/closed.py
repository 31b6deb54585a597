"""What was hidden, and what one map said to everyone: shown once a puzzle is closed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cml_app.keeping.puzzles import Sheet
from cml_app.pictures.class_figures import arrows_of_class
from cml_app.pictures.figures import ink
from cml_app.shell import is_dark
from cml_core.puzzles.puzzle import Puzzle
from cml_core.puzzles.scatter import Scatter, scatter
from cml_core.puzzles.sheet import AnswerSheet
from cml_core.values.words import counted, enumerated


def show(puzzle: Puzzle, sheets: Sequence[Sheet]) -> None:
    """The hidden features, each with everyone's arrow on one map."""
    names, verb = enumerated(puzzle.hidden_names), "was" if puzzle.hidden == 1 else "were"
    st.markdown(f"**Hidden {verb} {names}.** {counted(len(sheets), 'student')} opened it.")
    answers = [
        answer for sheet in sheets for answer in AnswerSheet.from_json(sheet.content).answers
    ]
    for name in puzzle.hidden_names:
        told = scatter(puzzle, name, [one.values for one in answers if one.fits == name])
        st.header(name)
        _one(puzzle, told)
    with st.expander("All values of what was hidden"):
        st.dataframe(puzzle.truth.to_frame(), width="stretch")


def _one(puzzle: Puzzle, told: Scatter) -> None:
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    figure = arrows_of_class(puzzle.labels, puzzle.map().embedding, told, ink(is_dark()))
    left.plotly_chart(
        figure,
        key=f"scatter-{told.feature}",
        theme=None,
        config={"displayModeBar": False},
        alt=told.verdict,
    )
    right.markdown(told.verdict)
    right.caption(
        f"The map with all that was given taken out. Thick: where {told.feature} itself increases. "
        "Thin: everyone's best answer. The better the map tells it, the longer an arrow."
    )
