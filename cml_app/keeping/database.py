"""Opening the database that projects are kept in, and its errors in words."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError

from cml_app.system_limits import largest_file
from cml_core.errors import ConditionalMappingError

# Read-modify-write relies on BEGIN IMMEDIATE or SELECT … FOR UPDATE, which these honour.
DIALECTS = ("sqlite", "postgresql", "mysql", "mariadb")
# In bytes. With less on its disk a database of projects is about to fail, though it may still write
# the few bytes by which its health is found out.
ROOM = 16 * 2**20
# In bytes. Of a larger SQLite file a look through all of it would hold up its disk for too long.
LOOKED_THROUGH_UP_TO = 2**30
# Under this number servers wait for each other; any would do.
_TABLES_OF_CML = 0x636D6C


class StoreUnavailable(ConditionalMappingError):
    """The database cannot be opened, is busy, is full, or does not answer."""


class StoreDamaged(ConditionalMappingError):
    """What the database holds cannot be read."""


def open_engine(url: str, patience: float) -> Engine:
    """An engine for an address; a SQLite file is made private, and created where missing."""
    address = _supported(url)
    file = ""
    if address.get_backend_name() == "sqlite":
        address = _private_file(address)
        file = address.database or ""
        address = _as_it_is(address)
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
    if file:
        _set_up_sqlite(engine, patience, file)
    elif address.get_backend_name() == "postgresql":
        _set_up_postgresql(engine, patience)
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


def _as_it_is(address: URL) -> URL:
    """The same file, which is not made anew where it has gone: that would hide the loss."""
    file = f"file:{quote(address.database or '')}"
    return address.set(database=file, query={**address.query, "mode": "rw", "uri": "true"})


def _identity(file: str) -> tuple[int, int] | None:
    """What tells a file from another one of its name; None where there is none."""
    try:
        found = Path(file).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _set_up_sqlite(engine: Engine, patience: float, file: str) -> None:
    @event.listens_for(engine, "checkout")
    def _on_checkout(_connection: object, record: Any, _proxy: object) -> None:
        # A connection goes on with a file that was deleted or replaced, and all would be lost.
        if record.info["file"] != _identity(file):
            engine.dispose()
            raise DisconnectionError

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, record: Any) -> None:
        record.info["file"] = _identity(file)
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


def _set_up_postgresql(engine: Engine, patience: float) -> None:
    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        # By itself it waits for a lock for as long as another holds it.
        cursor = connection.cursor()
        cursor.execute(f"SET lock_timeout = {round(patience * 1000)}")
        cursor.close()
        connection.commit()


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


def wait_for_other_servers(connection: Connection) -> None:
    """Until this transaction ends, no other server is here; SQLite has let none in anyway."""
    if connection.dialect.name == "postgresql":
        # A table that is not there yet cannot be locked.
        connection.execute(select(func.pg_advisory_xact_lock(_TABLES_OF_CML)))


def check_room(connection: Connection) -> None:
    """Raise where a SQLite file can hardly grow; servers look at their own disks."""
    if connection.dialect.name != "sqlite":
        return
    if min(_room_on_disk(connection), _room_in_limits(connection)) < ROOM:
        raise StoreUnavailable(
            "The database of projects has hardly any room left.",
            remedy="Free space on its disk, or raise the limit to its size.",
        )


def _file(connection: Connection) -> Path:
    return Path(unquote((connection.engine.url.database or "").removeprefix("file:")))


def _room_on_disk(connection: Connection) -> int:
    return shutil.disk_usage(_file(connection).parent).free


def _room_in_limits(connection: Connection) -> float:
    """What it may still take by its own limit, and by that of the process to any file."""
    told = ("page_size", "max_page_count", "page_count", "freelist_count")
    size, most, pages, free = (
        int(connection.exec_driver_sql(f"PRAGMA {one}").scalar_one()) for one in told
    )
    room = size * (most - pages + free)
    return min(room, largest_file() - size * (pages - free))


def check_pages(engine: Engine) -> None:
    """Raise where pages of a SQLite file are damaged; a large one is looked through by hand."""
    if engine.dialect.name != "sqlite":
        return
    with transaction(engine, writing=False) as connection:
        if _file(connection).stat().st_size > LOOKED_THROUGH_UP_TO:
            return
        if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() != "ok":
            raise _damaged()


@contextmanager
def transaction(engine: Engine, *, writing: bool) -> Iterator[Connection]:
    """All or nothing; the database's errors become this module's."""
    try:
        with engine.connect() as connection:
            connection.execution_options(cml_writing=writing)
            with connection.begin():
                yield connection
    except SQLAlchemyError as error:
        raise in_our_words(error) from error


_BUSY = "is busy; nothing was changed", "Try again in a moment."
_FULL = (
    "has no room left; nothing was changed",
    "Ask whoever runs this app to free space on its disk.",
)
_DISK = (
    "cannot be read or written; nothing was changed",
    "Ask whoever runs this app to look at its disk.",
)
_READ_ONLY = (
    "cannot be written; nothing was changed",
    "Ask whoever runs this app to make it writable.",
)
_CROWDED = (
    "takes no more connections; nothing was changed",
    "Try again in a moment, or ask whoever runs this app to let it take more.",
)
_ENDING = "is being stopped or started; nothing was changed", "Try again in a moment."
_SILENT = "does not answer", "Try again in a moment, or tell whoever runs this app."
# By the codes of SQLite, and those that PostgreSQL and the SQL standard call SQLSTATE.
_CAUSES = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR": _DISK,
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_CANTOPEN": ("cannot be opened", "Ask whoever runs this app whether it is there."),
    "55P03": _BUSY,
    "40001": _BUSY,
    "40P01": _BUSY,
    "53100": _FULL,
    "58030": _DISK,
    "25006": _READ_ONLY,
    "53300": _CROWDED,
    "57P01": _ENDING,
    "57P02": _ENDING,
    "57P03": _ENDING,
}
_DAMAGED = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002"}


def in_our_words(error: SQLAlchemyError) -> ConditionalMappingError:
    """The same in words; what the driver said stays in the chain, for the log."""
    code = _code(getattr(error, "orig", None))
    if code in _DAMAGED:
        return _damaged()
    what, remedy = _CAUSES.get(code, _SILENT)
    return StoreUnavailable(f"The database of projects {what}.", remedy=remedy)


# Of a connection that PostgreSQL refused, drivers tell no code.
_REFUSALS = {
    "too many clients": "53300",
    "too many connections": "53300",
    "remaining connection slots": "53300",
    "the database system is": "57P03",
}


def _code(error: BaseException | None) -> str:
    """What the driver calls it."""
    # An extended code such as SQLITE_BUSY_SNAPSHOT begins with the plain one.
    if name := getattr(error, "sqlite_errorname", ""):
        return "_".join(name.split("_")[:2])
    told = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None)
    refused = (code for words, code in _REFUSALS.items() if words in str(error))
    return told or next(refused, "")


def _damaged() -> StoreDamaged:
    return StoreDamaged(
        "The database of projects is damaged, or is not a database.",
        remedy="Ask whoever runs this app to restore a backup, "
        "or to let CML_DATABASE_URL name another file.",
    )
