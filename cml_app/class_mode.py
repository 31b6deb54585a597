"""A visitor's place at a puzzle: beginning it, handing in, and what came of it.

Where projects are kept, a project begun for a puzzle is found in the store as that of a student;
otherwise the visitor's session holds everything. What is hidden stays on this side of the page.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import streamlit as st

from cml_app import first_maps, visits
from cml_app.keeping.puzzles import LONGEST_NAME, KeptPuzzle, Puzzles, Sheet
from cml_app.this_server import moment, now, store
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.errors import ConditionalMappingError
from cml_core.journey.journey import Journey
from cml_core.puzzles.puzzle import LEVELS, Puzzle
from cml_core.puzzles.scoring import Score
from cml_core.puzzles.sheet import AnswerSheet

# In the address: the secret of a puzzle, and that of whoever made it.
PUZZLE, TEACHER = "puzzle", "teacher"
_SEAT = "seat"
# Without a server's memory a link says itself which puzzle it is.
_FROM_LINK = re.compile(rf"({'|'.join(LEVELS)})-([0-9]{{1,15}})")


@dataclass(frozen=True)
class Task:
    """What a teacher made: a puzzle, and whether students are asked for a name."""

    puzzle: Puzzle = field(repr=False)
    asks_names: bool = False

    def to_json(self) -> str:
        """The task as the store keeps it."""
        return json.dumps({"puzzle": asdict(self.puzzle), "asks_names": self.asks_names})

    @classmethod
    def of(cls, kept: KeptPuzzle) -> Task:
        """The task that is kept."""
        told: dict[str, Any] = json.loads(kept.content)
        return cls(Puzzle(**told["puzzle"]), bool(told["asks_names"]))


@dataclass(frozen=True)
class Seat:
    """A student's place at a puzzle.

    Parameters
    ----------
    project : names the project that was begun for it.
    tries : how often something was handed in.
    answered, score : what was handed in last, and how it did; None before the first in this
        session.
    kept : whether the store knows of it.
    """

    project: str
    task: Task
    sheet: AnswerSheet = field(repr=False)
    tries: int = 0
    answered: Feature | None = field(default=None, repr=False)
    score: Score | None = field(default=None, repr=False)
    kept: bool = True


def puzzles() -> Puzzles | None:
    """Where puzzles are kept; None on a server that keeps nothing."""
    return store().puzzles()


def from_link(token: str) -> Puzzle | None:
    """The puzzle that a link without a server's memory says itself."""
    told = _FROM_LINK.fullmatch(token)
    return Puzzle.at(told[1], int(told[2])) if told else None


def begin(token: str, task: Task, nickname: str = "") -> None:
    """A new project of the visitor's own, with the data of a puzzle.

    Raises
    ------
    NoSuchPuzzle, PuzzleClosed, PuzzleFull : nobody can sit down any more.
    """
    puzzle, sheet = task.puzzle, AnswerSheet(now())
    journey = Journey.begun(_title(puzzle), puzzle.dissimilarities, puzzle.given, now())
    held = visits.begin(first_maps.shared(journey, puzzle.given.names))
    where = puzzles()
    if where is not None and held.token is not None:
        name = printable(nickname) if task.asks_names else ""
        try:
            where.sit_down(token, held.token, Sheet(sheet.to_json(), name=name), moment())
        except ConditionalMappingError:
            visits.forget(held)
            raise
    st.session_state[_SEAT] = _project(held), Seat(_project(held), task, sheet, kept=bool(where))


def seat(held: Workspace) -> Seat | None:
    """The place at a puzzle that a project was begun for; None for all other projects."""
    project = _project(held)
    known, found = st.session_state.get(_SEAT, ("", None))
    if known != project:
        found = _kept_seat(held)
        st.session_state[_SEAT] = project, found
    mine: Seat | None = found
    return mine


def hand_in(held: Workspace, feature: Feature) -> None:
    """Have a feature scored, and keep what came of it.

    Raises
    ------
    LabelMismatch, UnsuitableFeature : it is no answer to this puzzle.
    NoSuchPuzzle, PuzzleClosed, PuzzleFull : nothing can be handed in any more.
    """
    held.check_may_change()
    mine = seat(held)
    assert mine is not None
    labels = held.journey.dissimilarities.labels
    sheet, reached = mine.sheet.handed_in(mine.task.puzzle, feature, labels, now())
    tries, where = mine.tries + 1, puzzles()
    if mine.kept and where is not None and held.token is not None:
        # By now the maps that scores need are there, so nobody waits for them in the store.
        reached_last = [reached]

        def change(kept: Sheet) -> Sheet:
            before = AnswerSheet.from_json(kept.content)
            after, reached_last[0] = before.handed_in(mine.task.puzzle, feature, labels, now())
            return replace(kept, content=after.to_json(), best=after.best)

        kept = where.hand_in(held.token, change, moment())
        sheet, tries, reached = AnswerSheet.from_json(kept.content), kept.tries, reached_last[0]
    after = replace(mine, sheet=sheet, tries=tries, answered=feature, score=reached)
    st.session_state[_SEAT] = after.project, after


def _kept_seat(held: Workspace) -> Seat | None:
    where = puzzles()
    if where is None or held.token is None or not held.may_change:
        return None
    found = where.of_student(held.token, moment())
    if found is None:
        return None
    kept, sheet = found
    read = AnswerSheet.from_json(sheet.content)
    return Seat(_project(held), Task.of(kept), read, sheet.tries)


def _project(held: Workspace) -> str:
    return held.token or held.journey.created


def _title(puzzle: Puzzle) -> str:
    return f"Puzzle of {puzzle.n_objects} cars"


def printable(name: str) -> str:
    """A nickname on one line, without what cannot be seen."""
    seen = "".join(letter for letter in name if letter.isprintable())
    return " ".join(seen.split())[:LONGEST_NAME]
