"""What the tests of the store share."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event

from cml_app.keeping.puzzles import Sheet
from cml_app.keeping.store import (
    Store,
)

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
DAY = timedelta(days=1)
# What a process of its own begins with: the store and the project it is told of.
PROLOGUE = """
import json, os, sys
from datetime import UTC, datetime
from cml_app.keeping.store import Store
store = Store(sys.argv[1], 90)
token = sys.argv[2]
now = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
say = lambda *words: print(*words, flush=True)
"""


def address_of(place: Path | str) -> str:
    """A file is one of SQLite; any other place is an address."""
    return place if isinstance(place, str) else f"sqlite:///{place}"


def opened(place: Path | str, keep_days: int = 90, **options: Any) -> closing[Store]:
    return closing(Store(address_of(place), keep_days, **options))


def replaced_by(document: str) -> Callable[[str], str]:
    return lambda _: document


def appended(item: object) -> Callable[[str], str]:
    return lambda document: json.dumps([*json.loads(document), item])


def meddled_with(store: Store, token: str) -> Callable[[str], str]:
    """Appends a 1; when first asked to, someone else has appended a 2 just then."""
    asked = []

    def change(document: str) -> str:
        asked.append(document)
        if len(asked) == 1:
            store.update(token, appended(2), NOW)
        return appended(1)(document)

    return change


@contextmanager
def process(script: str, place: Path | str, token: str) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [sys.executable, "-c", PROLOGUE + script, address_of(place), token],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    with child:
        try:
            yield child
        finally:
            child.kill()


def heard(child: subprocess.Popen[str]) -> str:
    """The next line that the process says; waits for it."""
    assert child.stdout is not None
    return child.stdout.readline().strip()


def kill(child: subprocess.Popen[str]) -> None:
    child.kill()
    assert child.wait() == -signal.SIGKILL


def incompressible(size: int) -> str:
    return os.urandom(size // 2).hex()


# Kept and found again


def assert_sound(place: Path | str) -> None:
    """SQLite tells whether its file is whole; PostgreSQL would not have started."""
    if isinstance(place, str):
        return
    with closing(sqlite3.connect(place)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def through_a_lesson(store: Store, project: str) -> None:
    """A puzzle from its making to its end, with one student."""
    puzzles = store.puzzles()
    keys = puzzles.make("{}", NOW, 7, 20)
    puzzles.by_link(keys.puzzle, NOW)
    puzzles.sit_down(keys.puzzle, project, Sheet("[]"), NOW)
    puzzles.of_student(project, NOW)
    puzzles.hand_in(project, lambda sheet: replace(sheet, best=0.5), NOW)
    puzzles.close(keys, NOW)
    puzzles.sheets(keys, NOW)
    puzzles.sheets_when_closed(keys.puzzle, NOW)
    puzzles.delete(keys, NOW)


@contextmanager
def recorded(store: Store) -> Iterator[list[tuple[Any, dict[str, Any]]]]:
    """Every statement that is executed meanwhile, with its parameters."""
    statements: list[tuple[Any, dict[str, Any]]] = []

    def record(connection: Connection, statement: Any, many: Any, one: Any, _: object) -> None:
        if not isinstance(statement, str):
            each = many or [one or statement.compile().params or {}]
            statements.extend((statement, dict(parameters)) for parameters in each)

    event.listen(store._engine, "before_execute", record)
    yield statements
    event.remove(store._engine, "before_execute", record)
