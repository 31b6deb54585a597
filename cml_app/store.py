"""Projects kept in a database, so that a refresh, a lost connection or a crash loses nothing.

A project is a text that only the caller understands. It is found again under an unguessable
token, of which only a digest is stored: whoever reads the database cannot open projects in the
app, though their content is not encrypted.

SQLite by default, PostgreSQL, MySQL or MariaDB by address. A change is committed, and on SQLite
flushed to the disk, before the call that made it returns. The clock is handed in.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import sqlite3
import time
import weakref
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    Select,
    String,
    Table,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    make_url,
    select,
    update,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from cml_app.settings import Settings
from cml_core.errors import ConditionalMappingError

MEGABYTE = 2**20
# Read-modify-write relies on BEGIN IMMEDIATE or SELECT … FOR UPDATE, which these honour.
DIALECTS = ("sqlite", "postgresql", "mysql", "mariadb")

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


class StoreUnavailable(ConditionalMappingError):
    """The database cannot be opened, is busy, is full, or does not answer."""


class StoreDamaged(ConditionalMappingError):
    """What the database holds cannot be read."""


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
        self._engine = _engine(url, patience)
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

        No other tab, thread or process can write between the two, so `change` may unite their
        work with its own. It runs inside the transaction: it should be quick and must not use
        the store. If it raises, nothing is changed.

        Raises
        ------
        NoSuchProject : there is none, or none any more.
        ProjectTooLarge : the new document; the old one stays.
        """
        with self._transaction(writing=True) as connection:
            row = connection.execute(self._find(token, now).with_for_update()).one_or_none()
            before = self._saved(row)
            document = change(before.document)
            new = {
                "document": self._packed(document),
                "version": before.version + 1,
                "changed": _stamp(now),
            }
            connection.execute(
                update(_PROJECTS).where(_PROJECTS.c.digest == _digest(token)).values(new)
            )
        changed = now.astimezone(UTC)
        return Saved(document, before.version + 1, changed, self._expires(changed))

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
        return zlib.compress(content)

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
            raise _explained(error) from error


def _create_tables(connection: Connection) -> None:
    """Schema 1. Once the tables change, this keeps a copy of what they were."""
    _TABLES.create_all(connection)


# Each takes the schema one further; the number of those applied is stored.
MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_create_tables,)


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
        remedy="Check that the address is complete; a project is deleted when its days are over. "
        "Or start anew.",
    )


def _engine(url: str, patience: float) -> Engine:
    address = _supported(url)
    sqlite = address.get_backend_name() == "sqlite"
    if sqlite:
        address = _private_file(address)
    # What visitors made appears in no message and no log: neither as parameters of a statement
    # nor as rows of a result, whatever level SQLAlchemy is told to log at.
    logging.getLogger("sqlalchemy.engine.Engine.cml").setLevel(logging.WARNING)
    try:
        engine = create_engine(
            address, hide_parameters=True, logging_name="cml", pool_pre_ping=True
        )
    except ModuleNotFoundError as error:
        raise _unusable(
            f"needs the Python package {error.name}, which is not installed",
            "Install it, or name another driver.",
        ) from error
    if sqlite:
        _set_up_sqlite(engine, patience)
    return engine


def _supported(url: str) -> URL:
    try:
        address = make_url(url)
        dialect = address.get_dialect()
    except (ArgumentError, ValueError):
        # The cause may repeat a part of the address, and so of the password in it.
        raise _unusable(
            "cannot be understood", "Write it like sqlite:////folder/projects.sqlite3."
        ) from None
    if dialect.name not in DIALECTS or dialect.is_async:
        raise _unusable(
            "names a database or a driver that is not supported",
            f"Use one of {', '.join(DIALECTS)}, with a driver that is not asynchronous.",
        )
    return address


def _unusable(what: str, remedy: str) -> StoreUnavailable:
    return StoreUnavailable(f"The database address in CML_DATABASE_URL {what}.", remedy=remedy)


def _private_file(address: URL) -> URL:
    """Create the file and missing folders so that only their owner can read them."""
    database = address.database or ""
    if database in {"", ":memory:"} or database.startswith("file:"):
        raise _unusable(
            "does not name a file",
            "Write it like sqlite:////folder/projects.sqlite3; "
            "to keep nothing, set CML_KEEP_PROJECTS to off.",
        )
    path = Path(database).expanduser()
    try:
        for folder in reversed(path.parents):
            folder.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        # The path stays in the log: a visitor has no use for it.
        raise StoreUnavailable(
            f"The database file cannot be opened ({error.strerror}).",
            remedy="Let CML_DATABASE_URL name a file in a folder that the app may write to, "
            "or set CML_KEEP_PROJECTS to off.",
        ) from error
    # Someone else's file may be readable to us without being ours to protect.
    with suppress(PermissionError):
        path.chmod(0o600)
    return address.set(database=str(path))


def _set_up_sqlite(engine: Engine, patience: float) -> None:
    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _: object) -> None:
        # The driver begins no transactions of its own: it would begin them too late.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={round(patience * 1000)}")
        _log_ahead(connection, patience)
        connection.execute("PRAGMA synchronous=FULL")
        # What is deleted is overwritten.
        connection.execute("PRAGMA secure_delete=ON")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("cml_writing")
        # A reader that turns writer can be refused halfway; whoever will write says so first.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _log_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Turn to a write-ahead log, so that readers and a writer do not wait for each other."""
    deadline = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            # When several turn a new file at once, SQLite refuses all but one without waiting.
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


_OPEN: weakref.WeakSet[Store] = weakref.WeakSet()


def _forget_connections() -> None:
    for store in _OPEN:
        store._engine.dispose(close=False)


# A forked child must not speak through its parent's connections.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_connections)


_CAUSES = {
    "SQLITE_BUSY": ("is busy; nothing was changed", "Try again in a moment."),
    "SQLITE_FULL": (
        "has no room left; nothing was changed",
        "Ask whoever runs this app to free space on its disk.",
    ),
    "SQLITE_IOERR": (
        "cannot be read or written; nothing was changed",
        "Ask whoever runs this app to look at its disk.",
    ),
    "SQLITE_READONLY": (
        "cannot be written; nothing was changed",
        "Ask whoever runs this app to make it writable.",
    ),
    "SQLITE_CANTOPEN": ("cannot be opened", "Ask whoever runs this app whether it is there."),
}


def _explained(error: SQLAlchemyError) -> ConditionalMappingError:
    """The same in words; what the driver said stays in the chain, for the log."""
    # An extended code such as SQLITE_BUSY_SNAPSHOT begins with the plain one.
    code = "_".join(getattr(getattr(error, "orig", None), "sqlite_errorname", "").split("_")[:2])
    if code in {"SQLITE_CORRUPT", "SQLITE_NOTADB"}:
        return StoreDamaged(
            "The database of projects is damaged, or is not a database.",
            remedy="Ask whoever runs this app to restore a backup, "
            "or to let CML_DATABASE_URL name another file.",
        )
    what, remedy = _CAUSES.get(
        code, ("does not answer", "Try again in a moment, or tell whoever runs this app.")
    )
    return StoreUnavailable(f"The database of projects {what}.", remedy=remedy)
