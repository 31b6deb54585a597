"""The puzzle beside the map: clue cards, how the last answer did, and handing in."""

from __future__ import annotations

import streamlit as st

from cml_app import class_mode, messages
from cml_app.class_mode import Seat
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.puzzles.scoring import whole_percent
from cml_core.values.words import counted


def show(workspace: Workspace) -> None:
    """Only in a project that was begun for a puzzle."""
    mine = class_mode.seat(workspace)
    if mine is None:
        return
    with st.container(border=True, key="puzzle"):
        st.header("The puzzle")
        _so_far(mine)
        with st.container(horizontal=True, gap="xsmall"):
            with st.popover(counted(len(mine.task.puzzle.cards), "clue card")):
                st.markdown(_cards(mine))
            _added_before(workspace, mine)


def is_asked(workspace: Workspace) -> bool:
    """Whether what is drawn may be handed in."""
    return class_mode.seat(workspace) is not None


def hand_in(workspace: Workspace, feature: Feature) -> None:
    """Hand in, and say what came of it."""
    class_mode.hand_in(workspace, feature)
    mine = class_mode.seat(workspace)
    if mine is not None and mine.score is not None:
        st.toast(f"**{mine.score.percent} %** {messages.plain(mine.score.hint.value)}")


def _so_far(mine: Seat) -> None:
    hidden, found = mine.task.puzzle.hidden, len(mine.sheet.found)
    if mine.score is not None:
        show = st.success if mine.score.solved else st.info
        show(f"**{mine.score.percent} %** {messages.plain(mine.score.hint.value)}")
    if mine.sheet.best is None:
        st.markdown(
            f"{counted(hidden, 'feature')} hidden. Draw an arrow, name what you see, and hand it "
            "in: as often as you like, the best counts, and from 90 % it counts as found."
        )
    else:
        st.caption(
            f"Best {whole_percent(mine.sheet.best)} %, {counted(mine.tries, 'try', 'tries')}, "
            f"{found} of {hidden} found."
        )


def _cards(mine: Seat) -> str:
    cards = [
        f"- **{messages.plain(card.brand)}**: {messages.plain(card.said)}"
        for card in mine.task.puzzle.cards
    ]
    wrong = "\n\nOne card in ten is wrong." if mine.task.puzzle.level == "hard" else ""
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
                args=(hand_in, workspace, feature),
            )
