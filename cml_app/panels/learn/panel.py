"""How a lesson stands on the page; a module for each lesson declares only what differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

from streamlit.delta_generator import DeltaGenerator

from cml_app.pictures.lesson_sketches import Dots
from cml_app.workspace import Workspace
from cml_core.lessons.lesson import Lesson, State

DISCOVER, EVIDENCE, COMPARE = (
    f"pages/{name}.py" for name in ("2_Discover", "3_Evidence", "4_Compare")
)


class Stage(NamedTuple):
    """Where a lesson stands: the picture, two thirds of the page, and beside it the numbers."""

    picture: DeltaGenerator
    numbers: DeltaGenerator


def nothing_more(_: Workspace) -> None:
    """The page that is opened needs no preparation."""


def ticking(*names: str) -> Callable[[Workspace], None]:
    """What is known in the lesson is known there as well, as far as the data have it."""

    def prepare(workspace: Workspace) -> None:
        question = workspace.question
        for name in names:
            if name in workspace.journey.features.names:
                question = question.knowing(name)
        if question != workspace.question:
            workspace.ask(question)

    return prepare


@dataclass(frozen=True)
class Own:
    """The same on the visitor's own data.

    Parameters
    ----------
    words : what is to be seen there; a button says so.
    page : where it is seen.
    query : in which state.
    prepare : asks of the project what has to be asked first.
    """

    words: str
    page: str
    query: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[Workspace], None] = nothing_more


@dataclass(frozen=True, eq=False)
class LessonPanel(Generic[State]):
    """A lesson, how it is shown, and its small picture.

    Parameters
    ----------
    show : draws picture and controls, and answers what is on the screen. Controls are bound to the
        address (`bind="query-params"`), so that a link opens the same state.
    sketch : is looked at before the lesson is chosen; computed as well.
    entries : of the address that no control is bound to; they are left behind with the lesson.
    """

    lesson: Lesson[State]
    show: Callable[[Stage], State]
    own: Own
    sketch: Callable[[], Dots]
    entries: tuple[str, ...] = ()


AnyLessonPanel = LessonPanel[Any]
