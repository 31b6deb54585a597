"""Projects kept in a database, so that a refresh, a lost connection or a crash loses nothing.

A project is a text that only the caller understands. It is found again under an unguessable
token, of which only a digest is stored: whoever reads the database cannot open projects in the
app, though their content is not encrypted.

SQLite by default, PostgreSQL, MySQL or MariaDB by address. A change is committed, and on SQLite
flushed to the disk, before the call that made it returns. The clock is handed in.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import weakref
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    Select,
    String,
    Table,
    Update,
    delete,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from cml_app.database import StoreDamaged, explained, open_engine
from cml_app.settings import Settings
from cml_core.errors import ConditionalMappingError

MEGABYTE = 2**20

_TABLES = MetaData()
_META = Table("cml_meta", _TABLES, Column("version", Integer, nullable=False))
_PROJECTS = Table(
    "cml_projects",
    _TABLES,
    Column("digest", String(64), primary_key=True),
    # MySQL chooses the column's type by this length; the others ignore it.
    Column("document", LargeBinary(2**32 - 1), nullable=False),
    Column("version", Integer, nullable=False),
    # As text, because SQLite has no time zones; of one format, so that it sorts by time.
    Column("changed", String(32), nullable=False, index=True),
)


class NoSuchProject(ConditionalMappingError):
    """No project is kept under this token: unknown, malformed, expired and deleted are one."""


class ProjectTooLarge(ConditionalMappingError):
    """The project takes more room than is allowed."""


class NewerStore(ConditionalMappingError):
    """The database was written by a later version of this app."""


@dataclass(frozen=True)
class Saved:
    """A project as it is kept; `version` counts its changes from 1."""

    document: str = field(repr=False)
    version: int
    changed: datetime
    expires: datetime


def open_store(settings: Settings, now: datetime) -> Store | NoStore:
    """The store that the settings ask for, cleared of what has expired."""
    if not settings.keep_projects:
        return NoStore()
    store = Store(
        settings.database_url,
        settings.keep_days,
        largest=settings.max_project_mb * MEGABYTE,
    )
    store.expire(now)
    return store


class NoStore:
    """What `Store` can do, keeping nothing: no project has a token, and none is found."""

    keeps = False

    def create(self, document: str, now: datetime) -> None:
        """There is no token."""

    def load(self, token: str, now: datetime) -> Saved:  # noqa: ARG002
        """Nothing is ever found."""
        raise _no_such_project()

    def update(self, token: str, change: Callable[[str], str], now: datetime) -> Saved:  # noqa: ARG002
        """Nothing is ever found."""
        raise _no_such_project()

    def delete(self, token: str) -> None:
        """There is nothing to forget."""

    def expire(self, now: datetime) -> int:  # noqa: ARG002
        """Nothing expires."""
        return 0

    def ping(self) -> None:
        """Always well."""

    def close(self) -> None:
        """Nothing is open."""


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

    keeps = True

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
        self._engine = open_engine(url, patience)
        _OPEN.add(self)
        try:
            self._migrate()
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"Store({self._engine.dialect.name}, keep_days={self.keep_days})"

    def create(self, document: str, now: datetime) -> str:
        """Keep a new project; the token under which it is found again."""
        row = {"document": self._packed(document), "version": 1, "changed": _stamp(now)}
        token = secrets.token_urlsafe(24)
        with self._transaction(writing=True) as connection:
            connection.execute(insert(_PROJECTS).values(digest=_digest(token), **row))
        return token

    def load(self, token: str, now: datetime) -> Saved:
        """The project kept under this token.

        Raises
        ------
        NoSuchProject : there is none, or none any more.
        """
        with self._transaction(writing=False) as connection:
            row = connection.execute(self._find(token, now)).one_or_none()
        return self._saved(row)

    def update(self, token: str, change: Callable[[str], str], now: datetime) -> Saved:
        """Replace a project by what `change` makes of its latest document.

        No other tab, thread or process writes between the two, so `change` may unite their
        work with its own. If another did, `change` is called again, with what they wrote. It
        should be quick and must not use the store. If it raises, nothing is changed.

        Raises
        ------
        NoSuchProject : there is none, or none any more.
        ProjectTooLarge : the new document; the old one stays.
        """
        before = self.load(token, now)
        document = change(before.document)
        # A large project takes seconds to compress: meanwhile others can write theirs.
        row = self._successor(before, document, now)
        if not self._replaced(token, before, row):
            with self._transaction(writing=True) as connection:
                found = connection.execute(self._find(token, now).with_for_update()).one_or_none()
                before = self._saved(found)
                document = change(before.document)
                row = self._successor(before, document, now)
                connection.execute(_replacing(token, row))
        changed = now.astimezone(UTC)
        return Saved(document, row["version"], changed, self._expires(changed))

    def _successor(self, before: Saved, document: str, now: datetime) -> dict[str, Any]:
        version = before.version + 1
        return {"document": self._packed(document), "version": version, "changed": _stamp(now)}

    def _replaced(self, token: str, before: Saved, row: dict[str, Any]) -> bool:
        """Whether the project was still what it was before, and is now this."""
        unchanged = _replacing(token, row).where(_PROJECTS.c.version == before.version)
        with self._transaction(writing=True) as connection:
            return connection.execute(unchanged).rowcount == 1

    def delete(self, token: str) -> None:
        """Forget a project; forgetting what is not there is no error."""
        with self._transaction(writing=True) as connection:
            connection.execute(delete(_PROJECTS).where(_PROJECTS.c.digest == _digest(token)))

    def expire(self, now: datetime) -> int:
        """Forget what is past its days; how many projects that were."""
        with self._transaction(writing=True) as connection:
            gone = connection.execute(
                delete(_PROJECTS).where(_PROJECTS.c.changed <= self._horizon(now))
            )
            return gone.rowcount

    def ping(self) -> None:
        """Raise unless projects can be read."""
        with self._transaction(writing=False) as connection:
            connection.execute(select(func.count()).select_from(_META))

    def close(self) -> None:
        """Let go of the database; the next call opens it again."""
        self._engine.dispose()

    def _find(self, token: str, now: datetime) -> Select[Any]:
        return select(_PROJECTS.c.document, _PROJECTS.c.version, _PROJECTS.c.changed).where(
            _PROJECTS.c.digest == _digest(token), _PROJECTS.c.changed > self._horizon(now)
        )

    def _saved(self, row: Row[Any] | None) -> Saved:
        if row is None:
            raise _no_such_project()
        try:
            document = zlib.decompress(row.document).decode("utf-8", "surrogatepass")
            changed = datetime.fromisoformat(row.changed)
        except (zlib.error, ValueError, TypeError):
            # A decoding error carries the bytes it failed on: it goes no further.
            raise StoreDamaged(
                "The project is kept but can no longer be read.",
                remedy="Start anew, or ask whoever runs this app to restore a backup.",
            ) from None
        return Saved(document, row.version, changed, self._expires(changed))

    def _packed(self, document: str) -> bytes:
        # JSON may hold half a surrogate pair; it too comes back as it went.
        content = document.encode("utf-8", "surrogatepass")
        if len(content) > self.largest:
            raise ProjectTooLarge(
                f"The project takes {len(content) / MEGABYTE:.1f} MB; "
                f"at most {self.largest / MEGABYTE:.1f} MB are kept.",
                remedy="Download it to keep it, or go on with fewer objects or steps.",
            )
        # Every change waits for this; a higher level takes five times as long and saves a tenth.
        return zlib.compress(content, level=1)

    def _expires(self, changed: datetime) -> datetime:
        return changed + timedelta(days=self.keep_days)

    def _horizon(self, now: datetime) -> str:
        return _stamp(now - timedelta(days=self.keep_days))

    def _migrate(self) -> None:
        with self._transaction(writing=True) as connection:
            version = 0
            if inspect(connection).has_table(_META.name):
                version = connection.execute(select(_META.c.version).with_for_update()).scalar_one()
            if version > len(MIGRATIONS):
                raise NewerStore(
                    f"The database has schema {version}; this version of the app knows "
                    f"{len(MIGRATIONS)}.",
                    remedy="Run the newer version of the app, or set CML_DATABASE_URL "
                    "to another database.",
                )
            for step in MIGRATIONS[version:]:
                step(connection)
            if version < len(MIGRATIONS):
                connection.execute(delete(_META))
                connection.execute(insert(_META).values(version=len(MIGRATIONS)))

    @contextmanager
    def _transaction(self, *, writing: bool) -> Iterator[Connection]:
        """All or nothing; the database's errors become this module's."""
        try:
            with self._engine.connect() as connection:
                connection.execution_options(cml_writing=writing)
                with connection.begin():
                    yield connection
        except SQLAlchemyError as error:
            raise explained(error) from error


def _create_tables(connection: Connection) -> None:
    """Schema 1. Once the tables change, this keeps a copy of what they were."""
    _TABLES.create_all(connection)


# Each takes the schema one further; the number of those applied is stored.
MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_create_tables,)


def _replacing(token: str, row: dict[str, Any]) -> Update:
    return update(_PROJECTS).where(_PROJECTS.c.digest == _digest(token)).values(row)


def _digest(token: str) -> str:
    # The tokens are random, so a plain digest cannot be guessed back.
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _stamp(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise ValueError("The store's clock needs a time zone.")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _no_such_project() -> NoSuchProject:
    return NoSuchProject(
        "No project is kept under this address.",
        remedy="Check that the address is complete; a project goes when its days are over or "
        "someone deletes it. "
        "Or start anew.",
    )


_OPEN: weakref.WeakSet[Store] = weakref.WeakSet()


def _forget_connections() -> None:
    for store in _OPEN:
        store._engine.dispose(close=False)


# A forked child must not speak through its parent's connections.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_connections)
