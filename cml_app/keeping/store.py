"""Projects kept in a database, so that a refresh, a lost connection or a crash loses nothing.

A project is a text that only the caller understands; a line of it that did not change is not
written again. It is found again under an unguessable token, of which only a digest is stored:
whoever reads the database cannot open projects in the app, though their content is not encrypted.

SQLite by default, PostgreSQL, MySQL or MariaDB by address. A change is committed, and on SQLite
flushed to the disk, before the call that made it returns. The clock is handed in.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    delete,
    insert,
    select,
    update,
)

from cml_app.keeping.computing import Computing
from cml_app.keeping.database import (
    StoreDamaged,
    check_pages,
    check_room,
    open_engine,
    transaction,
)
from cml_app.keeping.document_lines import Lines
from cml_app.keeping.puzzles import Puzzles, forget_expired, forget_student, move_student
from cml_app.keeping.saved import Saved, all_of, found_by, saved_of
from cml_app.keeping.schema import EVIDENCE, LINES, META, PROJECTS, UNDER_WAY, migrate, stamp
from cml_app.keeping.tokens import digest, new_token, reading_token
from cml_app.settings import MEGABYTE
from cml_core.errors import ConditionalMappingError
from cml_core.journey.lines import Line

# What goes with a project.
_OF_A_PROJECT = (LINES, *UNDER_WAY.values())


class NoSuchProject(ConditionalMappingError):
    """No project is kept under this token: unknown, malformed, expired and deleted are one."""


class ProjectTooLarge(ConditionalMappingError):
    """The project takes more room than is allowed."""


class ReadOnlyProject(ConditionalMappingError):
    """The token opens the project to be looked at, not to be changed."""


@dataclass(frozen=True)
class _Successor:
    """What comes after a saved project, ready to be written."""

    saved: Saved
    index: bytes
    new_lines: Mapping[str, bytes]


class Store:
    """Projects in a database; one for each process, safe to share between its threads.

    Parameters
    ----------
    url : the database, as an SQLAlchemy address; a SQLite file is created when missing.
    keep_days : how many days after its last change a project is found.
    largest : the largest document that is kept, in bytes of UTF-8.
    patience : seconds to wait for others who are writing to a SQLite file.

    Raises
    ------
    StoreUnavailable, StoreDamaged, NewerStore : here and from every method.
    """

    def __init__(
        self,
        url: str,
        keep_days: int,
        *,
        largest: int = 50 * MEGABYTE,
        patience: float = 15.0,
    ) -> None:
        self.keep_days = keep_days
        self.largest = largest
        self._damaged = False
        self._engine = open_engine(url, patience)
        _OPEN.add(self)
        try:
            migrate(self._engine)
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"Store({self._engine.dialect.name}, keep_days={self.keep_days})"

    def create(self, document: str, now: datetime) -> str:
        """Keep a new project; the token under which it is found again."""
        lines = self._checked(Lines.of(document.split("\n")))
        packed = lines.packed_without(())
        token = new_token()
        row = {"names": lines.index, "version": 1, "changed": stamp(now)}
        with transaction(self._engine, writing=True) as connection:
            connection.execute(insert(PROJECTS).values(digest=digest(token), **row))
            _write_lines(connection, token, packed)
        return token

    def load(self, token: str, now: datetime) -> Saved:
        """The project kept under this token.

        Raises
        ------
        NoSuchProject : there is none, or none any more.
        """
        with transaction(self._engine, writing=False) as connection:
            rows = connection.execute(all_of(token, self._horizon(now))).all()
        return _saved(rows, token)

    def check_is_there(self, token: str, now: datetime) -> None:
        """Whoever looks at a project may go on, as long as its owner lets them.

        Raises
        ------
        NoSuchProject : it is not there, not shared, or not any more.
        """
        there = select(PROJECTS.c.digest).where(*found_by(token, self._horizon(now)))
        with transaction(self._engine, writing=False) as connection:
            if connection.execute(there).first() is None:
                raise no_such_project()

    def update(
        self, token: str, change: Callable[[str], str], now: datetime, seen: Saved | None = None
    ) -> Saved:
        """Replace a project by what `change` makes of its latest document, as `update_lines`."""
        return self.update_lines(
            token, lambda latest: change(latest.document).split("\n"), now, seen
        )

    def update_lines(
        self,
        token: str,
        change: Callable[[Saved], Sequence[str | Line]],
        now: datetime,
        seen: Saved | None = None,
    ) -> Saved:
        """Replace a project by the lines that `change` makes of it as it is kept.

        Lines about what was told before are not written again, however long they are.

        No other tab, thread or process writes between the two, so `change` may unite their
        work with its own. If another did, `change` is called again, with what they wrote. It
        should be quick and must not use the store. If it raises, nothing is changed.

        Parameters
        ----------
        seen : what was loaded or updated last; it is not read again if it is still the latest.

        Raises
        ------
        NoSuchProject : there is none, or none any more.
        ReadOnlyProject : the token is one for readers.
        ProjectTooLarge : the new document; the old one stays.
        """
        before = seen or self.load(token, now)
        _check_may_change(before)
        # A large project takes seconds to compress: meanwhile others can write theirs.
        after = self._successor(before, change(before), now)
        with transaction(self._engine, writing=True) as connection:
            if self._replaced(connection, token, before, after, now):
                return after.saved
        with transaction(self._engine, writing=True) as connection:
            # First the lock, then a look: no one can write between the two.
            latest = select(PROJECTS.c.version).where(PROJECTS.c.digest == digest(token))
            connection.execute(latest.with_for_update())
            rows = connection.execute(all_of(token, self._horizon(now))).all()
            before = _saved(rows, token)
            _check_may_change(before)
            after = self._successor(before, change(before), now)
            self._replaced(connection, token, before, after, now)
        return after.saved

    def _successor(self, before: Saved, said: Sequence[str | Line], now: datetime) -> _Successor:
        lines = self._checked(Lines.of(said))
        changed = now.astimezone(UTC)
        saved = replace(
            before,
            lines=tuple(said),
            version=before.version + 1,
            changed=changed,
            names=lines.names,
        )
        return _Successor(saved, lines.index, lines.packed_without(frozenset(before.names)))

    def _replaced(
        self,
        connection: Connection,
        token: str,
        before: Saved,
        after: _Successor,
        now: datetime,
    ) -> bool:
        """Whether the project was still what it was before, and is now what comes after."""
        saved = after.saved
        unchanged = PROJECTS.c.version == before.version
        row = {"names": after.index, "version": saved.version, "changed": stamp(saved.changed)}
        done = connection.execute(
            update(PROJECTS).where(*self._kept(token, now), unchanged).values(row)
        )
        if done.rowcount != 1:
            return False
        gone = set(before.names) - set(saved.names)
        if gone:
            this = LINES.c.digest == digest(token)
            connection.execute(delete(LINES).where(this, LINES.c.name.in_(sorted(gone))))
        _write_lines(connection, token, after.new_lines)
        return True

    def share(self, token: str, now: datetime, *, shared: bool) -> str:
        """Let others look at a project, or no longer; the token under which readers find it.

        Raises
        ------
        NoSuchProject : there is none that this token may change.
        """
        reading = reading_token(token)
        row = {"reader": digest(reading) if shared else None}
        with transaction(self._engine, writing=True) as connection:
            done = connection.execute(update(PROJECTS).where(*self._kept(token, now)).values(row))
        if done.rowcount != 1:
            raise no_such_project()
        return reading

    def renew(self, token: str, now: datetime) -> str:
        """Have a project found under a new token, which it returns, and no longer under this one.

        The token of readers is made of the owner's: theirs is new as well.

        Raises
        ------
        NoSuchProject : there is none that this token may change.
        """
        new = new_token()
        shared = select(PROJECTS.c.reader).where(*self._kept(token, now)).with_for_update()
        with transaction(self._engine, writing=True) as connection:
            project = connection.execute(shared).first()
            if project is None:
                raise no_such_project()
            reader = None if project.reader is None else digest(reading_token(new))
            row = {"digest": digest(new), "reader": reader}
            connection.execute(update(PROJECTS).where(*self._kept(token, now)).values(row))
            for table in _OF_A_PROJECT:
                this = table.c.digest == digest(token)
                connection.execute(update(table).where(this).values(digest=digest(new)))
            move_student(connection, token, new)
        return new

    def delete(self, token: str) -> None:
        """Forget a project; forgetting what is not there is no error."""
        with transaction(self._engine, writing=True) as connection:
            for table in (PROJECTS, *_OF_A_PROJECT):
                connection.execute(delete(table).where(table.c.digest == digest(token)))
            forget_student(connection, token)

    def expire(self, now: datetime) -> int:
        """Forget what is past its days; how many projects that were."""
        with transaction(self._engine, writing=True) as connection:
            gone = connection.execute(
                delete(PROJECTS).where(PROJECTS.c.changed <= self._horizon(now))
            )
            kept = select(PROJECTS.c.digest)
            for table in _OF_A_PROJECT:
                connection.execute(delete(table).where(table.c.digest.not_in(kept)))
            forget_expired(connection, now)
            return gone.rowcount

    def puzzles(self) -> Puzzles:
        """Puzzles for a class, kept beside the projects."""
        return Puzzles(self._engine)

    def computing(self, sort: str = EVIDENCE) -> Computing:
        """What is under way, on whichever server, kept beside the projects."""
        return Computing(self._engine, UNDER_WAY[sort])

    def ping(self) -> None:
        """Raise unless projects can be kept, for which there is but one way to find out."""
        if self._damaged:
            self.look_through()
        with transaction(self._engine, writing=True) as connection:
            if connection.execute(update(META).values(version=META.c.version)).rowcount != 1:
                raise StoreDamaged("The database of projects is empty.", remedy="Restore a backup.")
            check_room(connection)

    def look_through(self) -> None:
        """Raise where pages of a SQLite file are damaged; `ping` then does, until they are not."""
        try:
            check_pages(self._engine)
        except StoreDamaged:
            self._damaged = True
            raise
        self._damaged = False

    def close(self) -> None:
        """Let go of the database; the next call opens it again."""
        self._engine.dispose()

    def _kept(self, token: str, now: datetime) -> tuple[ColumnElement[bool], ...]:
        return PROJECTS.c.digest == digest(token), PROJECTS.c.changed > self._horizon(now)

    def _checked(self, lines: Lines) -> Lines:
        if lines.size > self.largest:
            raise ProjectTooLarge(
                f"The project takes {lines.size / MEGABYTE:.1f} MB; "
                f"at most {self.largest / MEGABYTE:.1f} MB are kept.",
                remedy="Download it to keep it, or go on with fewer objects or steps.",
            )
        return lines

    def _horizon(self, now: datetime) -> str:
        return stamp(now - timedelta(days=self.keep_days))


def _saved(rows: Sequence[Row[Any]], token: str) -> Saved:
    if not rows:
        raise no_such_project()
    return saved_of(rows, token)


def _write_lines(connection: Connection, token: str, packed: Mapping[str, bytes]) -> None:
    key = digest(token)
    rows = [{"digest": key, "name": name, "content": line} for name, line in packed.items()]
    if rows:
        connection.execute(insert(LINES), rows)


def _check_may_change(saved: Saved) -> None:
    if not saved.may_change:
        raise read_only_project()


def no_such_project() -> NoSuchProject:
    """One answer to every token that opens nothing."""
    return NoSuchProject(
        "No project is kept under this address.",
        remedy="Check that the address is complete; a project goes when its days are over or "
        "someone deletes it. "
        "Or start anew.",
    )


def read_only_project() -> ReadOnlyProject:
    """What whoever came to look and tries to change something is told."""
    return ReadOnlyProject(
        "You are looking at someone's project.", remedy="Duplicate it to work on it."
    )


_OPEN: weakref.WeakSet[Store] = weakref.WeakSet()


def _forget_connections() -> None:
    for store in _OPEN:
        store._engine.dispose(close=False)


# A forked child must not speak through its parent's connections.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_connections)
