"""Making a puzzle for a class."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

import streamlit as st

from cml_app import class_mode, messages
from cml_app.class_mode import PUZZLE, TEACHER, Task
from cml_app.keeping.puzzles import MOST_DAYS, Puzzles
from cml_app.panels.class_mode import links
from cml_app.this_server import moment, settings
from cml_app.workspace import Workspace
from cml_core.datasets import CAR_FEATURES
from cml_core.drawing.likeness import predictability
from cml_core.errors import UnknownOption
from cml_core.puzzles.puzzle import FEWEST, LEVELS, MOST, MOST_HIDDEN, Puzzle
from cml_core.values.words import counted, percent

USUAL_DAYS = 7
# A seed by lot is one of so many, so that nobody tries them all.
LOTS = 2**63
# A link says its seed itself, and should be short.
SHORT_LOTS = 10**6
# So many are drawn until one is as clear as its level promises.
MOST_DRAWN = 30
_WHAT = """
Cars that nobody makes differ in seven features. Some features are given; the others are hidden, and
have to be found on the map: with an arrow, a name and *Hand in*. Everyone gets a project of their
own with the same cars, and a few clue cards.
"""
_WITHOUT_MEMORY = """
This server keeps nothing, so a puzzle is made from its link alone: answers are scored at once, but
there is no class view. **A curious student could compute the answer from the link.**
"""


@dataclass(frozen=True)
class _Wish:
    """What a teacher set."""

    level: str
    n_objects: int
    known: int
    seed: str
    days: int
    asks_names: bool


def show(workspace: Workspace) -> None:
    """Choose a level and go; everything else has a usual value."""
    st.container(key="lesson-words").markdown(_WHAT)
    level = st.radio(
        "Level",
        list(LEVELS),
        format_func=str.capitalize,
        captions=[_in_words(name) for name in LEVELS],
        key="puzzle-level",
    )
    where = class_mode.puzzles()
    if where is None:
        _from_link(level)
        return
    wish = _wished(level)
    # Not by a callback, which would be told what stood here in the last run.
    if st.button("Make the puzzle", type="primary", key="make-puzzle"):
        workspace.attempt(_make, where, wish)
        if workspace.trouble is None:
            st.rerun()
    if workspace.trouble:
        messages.show(workspace.trouble)


def _in_words(level: str) -> str:
    usual = LEVELS[level]
    hidden = counted(usual.hidden, "feature")
    blurred = ", what is given is blurred, one clue card in ten is wrong" if usual.wrong else ""
    return f"{usual.n_objects} cars, {hidden} hidden, {percent(usual.noise, 0)} noise{blurred}"


def _wished(level: str) -> _Wish:
    usual, features = LEVELS[level], len(CAR_FEATURES)
    with st.expander("More settings"):
        n_objects = st.number_input(
            "Cars", FEWEST, MOST, usual.n_objects, key=f"puzzle-cars-{level}", width=220
        )
        known = st.number_input(
            f"Features known, of {features}",
            features - MOST_HIDDEN,
            features - 1,
            features - usual.hidden,
            key=f"puzzle-known-{level}",
            help="The others are hidden; which ones is drawn by lot.",
            width=220,
        )
        days = st.number_input(
            "Open for so many days",
            1,
            MOST_DAYS,
            USUAL_DAYS,
            key="puzzle-days",
            help=f"You can close it earlier. {MOST_DAYS} days after it was made it is deleted, "
            "with all that was handed in.",
            width=220,
        )
        seed = st.text_input(
            "Seed, a whole number; empty: by lot",
            key="puzzle-seed",
            max_chars=15,
            help="The same seed makes the same puzzle again. Whoever guesses a small one can "
            "compute the answer; one by lot cannot be guessed.",
            width=220,
        )
        asks_names = st.toggle(
            "Ask students for a name",
            key="puzzle-names",
            help="They may leave it empty, or take a nickname. Only you see it.",
        )
    return _Wish(level, int(n_objects), int(known), seed, int(days), asks_names)


def _make(where: Puzzles, wish: _Wish) -> None:
    task = Task(_puzzle(wish), wish.asks_names)
    keys = where.make(task.to_json(), moment(), wish.days, settings().puzzles_per_hour)
    st.query_params[PUZZLE] = keys.puzzle
    st.query_params[TEACHER] = keys.teacher


def _puzzle(wish: _Wish) -> Puzzle:
    """The one with the seed that was set, or else one by lot in which something can be found."""
    told = wish.seed.strip()
    if told and not (told.isascii() and told.isdigit()):
        raise UnknownOption(
            f"The seed is {told!r}.", remedy="Give a whole number, or leave it empty."
        )
    usual = Puzzle.at(
        wish.level, 0, n_objects=wish.n_objects, hidden=len(CAR_FEATURES) - wish.known
    )
    return replace(usual, seed=int(told)) if told else _by_lot(usual, LOTS)


def _by_lot(usual: Puzzle, lots: int) -> Puzzle:
    """A puzzle like this one in which as much shows as its level promises, or nearly."""
    drawn = [replace(usual, seed=secrets.randbelow(lots)) for _ in range(MOST_DRAWN)]
    clear = (puzzle for puzzle in drawn if clearness(puzzle) >= LEVELS[usual.level].visible)
    return next(clear, None) or max(drawn, key=clearness)


def clearness(puzzle: Puzzle) -> float:
    """How well the best arrow follows a hidden feature on the map with all that is given: R."""
    embedding = puzzle.map().embedding
    return max(predictability(feature, embedding) for feature in puzzle.truth.features)


def _from_link(level: str) -> None:
    st.markdown(_WITHOUT_MEMORY)
    key = f"puzzle-link-seed-{level}"
    if key not in st.session_state:
        _another(level, key)
    links.share(f"{level}-{st.session_state[key]}")
    st.button("Another one", on_click=_another, args=(level, key))


def _another(level: str, key: str) -> None:
    st.session_state[key] = _by_lot(Puzzle.at(level, 0), SHORT_LOTS).seed
