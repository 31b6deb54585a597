"""Puzzles for a class, and what students handed in, kept beside the projects.

What a puzzle and a sheet hold is text that only the caller understands. A puzzle is found by the
secret of its link, a sheet by a secret made of that of the student's project.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, delete, func, insert, select, update

from cml_app.keeping.database import transaction
from cml_app.keeping.schema import ANSWERS, PUZZLES, stamp
from cml_app.keeping.tokens import digest, link_token, student_token
from cml_core.errors import ConditionalMappingError

# Open for so many days at most; with them a puzzle goes, and all that was handed in.
MOST_DAYS = 30
MOST_STUDENTS = 200
MOST_TRIES = 500
LONGEST_NAME = 30


class NoSuchPuzzle(ConditionalMappingError):
    """No puzzle has this link: unknown, malformed, expired and deleted are one."""


class PuzzleClosed(ConditionalMappingError):
    """Nothing more can be handed in."""


class PuzzleFull(ConditionalMappingError):
    """A puzzle has as many students, or a student as many tries, as there may be."""


class TooManyPuzzles(ConditionalMappingError):
    """As many puzzles were made within an hour as this server lets be made."""


@dataclass(frozen=True)
class Keys:
    """The secrets of a puzzle: of its link, and of whoever made it."""

    puzzle: str
    teacher: str


@dataclass(frozen=True)
class KeptPuzzle:
    """A puzzle as it is kept; `key` names it in here and opens nothing."""

    key: str
    content: str = field(repr=False)
    made: datetime
    closes: datetime

    def is_open(self, now: datetime) -> bool:
        """Whether answers may be handed in."""
        return now < self.closes


@dataclass(frozen=True)
class Sheet:
    """What a student has done: `best` is None until something was handed in."""

    content: str = field(repr=False)
    best: float | None = None
    tries: int = 0
    name: str = ""


class Puzzles:
    """Puzzles in the database of a store.

    Raises
    ------
    StoreUnavailable, StoreDamaged : from every method.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def make(self, content: str, now: datetime, days: int, per_hour: int) -> Keys:
        """Keep a new puzzle, open for so many days.

        Raises
        ------
        TooManyPuzzles : there were as many within the last hour.
        """
        keys = Keys(link_token(), link_token())
        row = {
            "digest": digest(keys.puzzle),
            "teacher": digest(keys.teacher),
            "content": content.encode(),
            "made": stamp(now),
            "closes": stamp(now + timedelta(days=min(days, MOST_DAYS))),
        }
        lately = select(func.count()).where(PUZZLES.c.made > stamp(now - timedelta(hours=1)))
        with transaction(self._engine, writing=True) as connection:
            forget_expired(connection, now)
            if connection.execute(lately).scalar_one() >= per_hour:
                raise TooManyPuzzles(
                    f"{per_hour} puzzles were made on this server within the last hour, "
                    "which is all that it allows.",
                    remedy="Try again later, or ask whoever runs it to allow more.",
                )
            connection.execute(insert(PUZZLES).values(row))
        return keys

    def by_link(self, token: str, now: datetime) -> KeptPuzzle:
        """The puzzle that a student's link opens.

        Raises
        ------
        NoSuchPuzzle : there is none, or none any more.
        """
        with transaction(self._engine, writing=False) as connection:
            return _found(connection, digest(token), now)

    def by_teacher(self, keys: Keys, now: datetime) -> KeptPuzzle:
        """The puzzle, for whoever made it.

        Raises
        ------
        NoSuchPuzzle : there is none, or the second secret is another's.
        """
        with transaction(self._engine, writing=False) as connection:
            return _taught(connection, keys, now)

    def sit_down(self, token: str, project: str, sheet: Sheet, now: datetime) -> None:
        """One more student of a puzzle, with the project of this token.

        Raises
        ------
        NoSuchPuzzle, PuzzleClosed, PuzzleFull : no more students.
        """
        key = digest(token)
        with transaction(self._engine, writing=True) as connection:
            _check_open(_found(connection, key, now, lock=True), now)
            students = select(func.count()).where(ANSWERS.c.puzzle == key)
            if connection.execute(students).scalar_one() >= MOST_STUDENTS:
                raise PuzzleFull(
                    f"{MOST_STUDENTS} students have this puzzle, which is all there may be.",
                    remedy="Ask your teacher for another link.",
                )
            connection.execute(
                insert(ANSWERS).values(puzzle=key, student=_student(project), **_row_of(sheet, now))
            )

    def of_student(self, project: str, now: datetime) -> tuple[KeptPuzzle, Sheet] | None:
        """The puzzle that a project was begun for, and its sheet; None for all other projects."""
        with transaction(self._engine, writing=False) as connection:
            row = connection.execute(_sheet_of(project)).first()
            kept = row and connection.execute(_asked(row.puzzle, now)).first()
            return (_kept(kept), _sheet(row)) if row and kept else None

    def hand_in(self, project: str, change: Callable[[Sheet], Sheet], now: datetime) -> Sheet:
        """Replace a student's sheet by what `change` makes of the latest; a try is counted.

        Nobody else writes between the two. If `change` raises, nothing is changed.

        Raises
        ------
        NoSuchPuzzle, PuzzleClosed, PuzzleFull : nothing can be handed in.
        """
        mine = ANSWERS.c.student == _student(project)
        with transaction(self._engine, writing=True) as connection:
            row = connection.execute(_sheet_of(project).with_for_update()).first()
            if row is None:
                raise no_such_puzzle()
            _check_open(_found(connection, row.puzzle, now), now)
            if row.tries >= MOST_TRIES:
                raise PuzzleFull(
                    f"You have handed in {MOST_TRIES} times, which is all there may be.",
                    remedy="Your best score counts.",
                )
            sheet = change(_sheet(row))
            changed = _row_of(sheet, now) | {"tries": row.tries + 1}
            connection.execute(update(ANSWERS).where(mine).values(changed))
        return Sheet(sheet.content, sheet.best, row.tries + 1, sheet.name)

    def sheets(self, keys: Keys, now: datetime) -> tuple[KeptPuzzle, tuple[Sheet, ...]]:
        """The puzzle and all sheets, for whoever made it; once it is closed, for everyone."""
        with transaction(self._engine, writing=False) as connection:
            kept = _taught(connection, keys, now)
            return kept, _sheets(connection, kept.key)

    def sheets_when_closed(
        self, token: str, now: datetime
    ) -> tuple[KeptPuzzle, tuple[Sheet, ...] | None]:
        """The puzzle of a link, with all sheets once it is closed."""
        with transaction(self._engine, writing=False) as connection:
            kept = _found(connection, digest(token), now)
            return kept, None if kept.is_open(now) else _sheets(connection, kept.key)

    def close(self, keys: Keys, now: datetime) -> None:
        """Let nothing more be handed in."""
        with transaction(self._engine, writing=True) as connection:
            kept = _taught(connection, keys, now)
            if kept.is_open(now):
                this = PUZZLES.c.digest == kept.key
                connection.execute(update(PUZZLES).where(this).values(closes=stamp(now)))

    def delete(self, keys: Keys, now: datetime) -> None:
        """Forget a puzzle and all that was handed in."""
        with transaction(self._engine, writing=True) as connection:
            kept = _taught(connection, keys, now)
            connection.execute(delete(ANSWERS).where(ANSWERS.c.puzzle == kept.key))
            connection.execute(delete(PUZZLES).where(PUZZLES.c.digest == kept.key))


def forget_expired(connection: Connection, now: datetime) -> None:
    """Puzzles past their days, and what was handed in for them."""
    connection.execute(delete(PUZZLES).where(PUZZLES.c.made <= _horizon(now)))
    kept = select(PUZZLES.c.digest)
    connection.execute(delete(ANSWERS).where(ANSWERS.c.puzzle.not_in(kept)))


def forget_student(connection: Connection, project: str) -> None:
    """What was handed in from a project."""
    connection.execute(delete(ANSWERS).where(ANSWERS.c.student == _student(project)))


def move_student(connection: Connection, project: str, to: str) -> None:
    """What was handed in from a project belongs to the same under its new token."""
    mine = ANSWERS.c.student == _student(project)
    connection.execute(update(ANSWERS).where(mine).values(student=_student(to)))


def _asked(key: str, now: datetime) -> Select[Any]:
    return select(PUZZLES).where(PUZZLES.c.digest == key, PUZZLES.c.made > _horizon(now))


def _found(connection: Connection, key: str, now: datetime, *, lock: bool = False) -> KeptPuzzle:
    asked = _asked(key, now)
    row = connection.execute(asked.with_for_update() if lock else asked).first()
    if row is None:
        raise no_such_puzzle()
    return _kept(row)


def _taught(connection: Connection, keys: Keys, now: datetime) -> KeptPuzzle:
    asked = _asked(digest(keys.puzzle), now).where(PUZZLES.c.teacher == digest(keys.teacher))
    row = connection.execute(asked).first()
    if row is None:
        raise no_such_puzzle()
    return _kept(row)


def _kept(row: Row[Any]) -> KeptPuzzle:
    made, closes = datetime.fromisoformat(row.made), datetime.fromisoformat(row.closes)
    return KeptPuzzle(row.digest, row.content.decode(), made, closes)


def _sheets(connection: Connection, key: str) -> tuple[Sheet, ...]:
    asked = select(ANSWERS).where(ANSWERS.c.puzzle == key).order_by(ANSWERS.c.student)
    return tuple(_sheet(row) for row in connection.execute(asked))


def _sheet_of(project: str) -> Select[Any]:
    return select(ANSWERS).where(ANSWERS.c.student == _student(project))


def _sheet(row: Row[Any]) -> Sheet:
    return Sheet(row.content.decode(), row.best, row.tries, row.name)


def _row_of(sheet: Sheet, now: datetime) -> dict[str, object]:
    return {
        "best": sheet.best,
        "tries": sheet.tries,
        # PostgreSQL has no room for this one character.
        "name": sheet.name.replace("\0", "")[:LONGEST_NAME],
        "content": sheet.content.encode(),
        "changed": stamp(now),
    }


def _student(project: str) -> str:
    return digest(student_token(project))


def _horizon(now: datetime) -> str:
    return stamp(now - timedelta(days=MOST_DAYS))


def _check_open(kept: KeptPuzzle, now: datetime) -> None:
    if not kept.is_open(now):
        raise PuzzleClosed(
            "This puzzle is closed: nothing more can be handed in.",
            remedy="Its link now shows what was hidden.",
        )


def no_such_puzzle() -> NoSuchPuzzle:
    """One answer to every link that opens nothing."""
    return NoSuchPuzzle(
        "There is no puzzle under this link.",
        remedy="Check that the link is complete, or ask your teacher: a puzzle goes after "
        f"{MOST_DAYS} days at the latest.",
    )
