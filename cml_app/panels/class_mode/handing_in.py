"""The puzzle beside the map: clue cards, how the last answer did, and handing in."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cml_app import class_mode, messages
from cml_app.class_mode import Seat
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.puzzles.puzzle import LEVELS
from cml_core.puzzles.scoring import whole_percent
from cml_core.values.words import counted


def show(workspace: Workspace) -> None:
    """Only in a project that was begun for a puzzle."""
    mine = class_mode.seat(workspace)
    if mine is None:
        return
    with st.container(key="puzzle"):
        st.header("The puzzle")
        _so_far(workspace, mine)
        with st.container(horizontal=True, gap="xsmall"):
            with st.popover(counted(len(mine.task.puzzle.cards), "clue card")):
                st.markdown(_cards(mine))
            _added_before(workspace, mine)


def is_asked(workspace: Workspace) -> bool:
    """Whether what is drawn may be handed in."""
    return class_mode.seat(workspace) is not None


def said(workspace: Workspace, feature: Feature) -> None:
    """How it did, beside the button, as long as it is what was handed in last."""
    mine = class_mode.seat(workspace)
    if mine is not None and _is_last(mine, feature):
        _score(mine)


def _is_last(mine: Seat, feature: Feature) -> bool:
    last = mine.answered
    return last is not None and np.array_equal(last.values, feature.values, equal_nan=True)


def _score(mine: Seat) -> None:
    assert mine.score is not None
    show = st.success if mine.score.solved else st.info
    show(f"**{mine.score.percent} %.** {messages.plain(mine.score.hint.value)}")


def _so_far(workspace: Workspace, mine: Seat) -> None:
    hidden, found = mine.task.puzzle.hidden, len(mine.sheet.found)
    if mine.sheet.best is None:
        st.markdown(
            f"{counted(hidden, 'feature')} hidden. Draw an arrow on the map, name what you see, "
            "and hand it in: as often as you like, the best counts, and from 90 % it is found."
        )
        return
    st.markdown(
        f"**{found} of {hidden} found.** Best {whole_percent(mine.sheet.best)} % in "
        f"{counted(mine.tries, 'try', 'tries')}."
    )
    draft = workspace.draft
    if mine.score is not None and not (draft and _is_last(mine, draft.edited)):
        st.caption(f"Last: {mine.score.percent} %. {messages.plain(mine.score.hint.value)}")


def _cards(mine: Seat) -> str:
    cards = [
        f"- **{messages.plain(card.brand)}**: {messages.plain(card.said)}"
        for card in mine.task.puzzle.cards
    ]
    wrong = "\n\nOne card in ten is wrong." if LEVELS[mine.task.puzzle.level].wrong else ""
    return "Owners say:\n\n" + "\n".join(cards) + wrong


def _added_before(workspace: Workspace, mine: Seat) -> None:
    """What was added to the known can be handed in as well."""
    given = mine.task.puzzle.given.names
    own = [one for one in workspace.journey.features.features if one.name not in given]
    if not own:
        return
    with st.popover("Hand in what you added"):
        for feature in own:
            st.button(
                messages.plain(feature.name),
                key=f"hand-in-{feature.name}",
                on_click=workspace.attempt,
                args=(class_mode.hand_in, workspace, feature),
            )
