"""What a visitor is bringing, in their session: it is held until it becomes a project."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile

from cml_app.intake import Intake, LastResults
from cml_app.trail import Trail
from cml_core.files.preparation import Preparation

_TRAIL = "intake"
_MEMORY = "memory"
_VISIT, _TURN = "visit", "turn"
# So many states are remembered where files came and went: they are large.
FEW = 3

_CHOICES = {
    "format": "choose how the file is read",
    "sheet": "choose the part of the file",
    "encoding": "choose how letters are read",
    "decimal": "choose the decimal mark",
    "missing": "take words as unknown",
    "area": "choose the cells of the table",
    "roles": "say what the columns are",
    "metric": "choose how objects are compared",
    "scaling": "choose how columns are scaled",
    "columns": "choose the columns that count",
    "without": "leave objects out",
    "unknown_pairs": "take pairs as unknown",
    "conversion": "choose the conversion",
    "scale": "choose the scale of the conversion",
    "asymmetry": "choose between the two directions",
    "negatives": "choose for values below zero",
    "diagonal": "choose for the diagonal",
    "added": "add a constant",
}

Brought = Trail[Intake | None]


def files_in(field: str) -> list[Any] | None:
    """The files in a field of one or of several; None where there is none, or one is not here.

    A browser may still speak of files that were let go, or that another server had.
    """
    held = st.session_state.get(field)
    if held is None:
        return None
    files = held if isinstance(held, list) else [held]
    return None if any(isinstance(file, DeletedFile) for file in files) else files


def trail() -> Brought:
    """What is being brought, with the choices made before and those undone."""
    held: Brought = st.session_state.get(_TRAIL, Trail(None))
    return held


def intake() -> Intake | None:
    """What this visitor is bringing, until it becomes a project."""
    return trail().now


def take_in(brought: Intake) -> None:
    """Hold what is being brought, with the choices made so far."""
    held, further = trail(), trail().on(brought)
    if held.now is not None and held.now.files != brought.files:
        further = replace(further, past=further.past[-FEW:])
    st.session_state[_TRAIL] = further


def change(made: Callable[[Intake], Intake]) -> None:
    """Change what is held now; several controls may speak in one run of the page."""
    held = intake()
    if held is not None:
        take_in(made(held))


def let_go() -> None:
    """Forget what was brought, its past as well; the fields are empty again."""
    for held in (_TRAIL, _MEMORY):
        st.session_state.pop(held, None)
    _raise(_VISIT)


def let_go_of_files() -> None:
    """Forget what this visitor has uploaded, where all that matters of it has become a project.

    Streamlit would hold it until they leave.
    """
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_session_files(context.session_id)


def undo() -> None:
    """Take the last choice back."""
    _go(trail().back())


def redo() -> None:
    """Choose again what was taken back."""
    _go(trail().forth())


def _go(there: Brought) -> None:
    if _files(there.now) != _files(intake()):
        _raise(_VISIT)
    _raise(_TURN)
    st.session_state[_TRAIL] = there


def in_words() -> tuple[str, str]:
    """What would be undone, and what would be done again; empty for nothing."""
    held = trail()
    back = _done(held.past[-1], held.now) if held.past else ""
    return back, _done(held.now, held.future[0]) if held.future else ""


def _done(before: Intake | None, after: Intake | None) -> str:
    """What made one of the other, beginning with a verb."""
    if before is None or after is None or before.files != after.files:
        return "bring files"
    if before.title != after.title:
        return "name the project"
    if before.pictures != after.pictures:
        return "bring pictures"
    if before.preparation == after.preparation:
        return "change the features"
    changed = [
        field.name
        for field in fields(Preparation)
        if getattr(before.preparation, field.name) != getattr(after.preparation, field.name)
    ]
    return next((_CHOICES[name] for name in changed if name in _CHOICES), "choose about the data")


def _files(brought: Intake | None) -> tuple[object, ...]:
    if brought is None:
        return ()
    return brought.files, brought.features and brought.features.file, brought.pictures


def visit() -> int:
    """Raised when the fields for files no longer say what is held; they are empty then."""
    return _count(_VISIT)


def turn() -> int:
    """Raised when a choice was undone or redone; every control shows what holds then."""
    return _count(_TURN)


def titled(titles: Iterable[str]) -> str:
    """Names the titles of a control's options, so that other titles make another control.

    A tab says what was chosen by its title, and one of before would be taken for a new choice.
    """
    return f"{zlib.crc32(chr(0).join(titles).encode()):x}"


def _count(name: str) -> int:
    return int(st.session_state.get(name, 0))


def _raise(name: str) -> None:
    st.session_state[name] = _count(name) + 1


def memory() -> LastResults:
    """What was worked out for the intake."""
    held: LastResults = st.session_state.setdefault(_MEMORY, LastResults())
    return held
