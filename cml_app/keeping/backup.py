"""Copies of a SQLite database of projects, made and brought back while the app runs, and checked.

Only what is whole is called a backup: a copy is looked through before it gets its name.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import make_url

from cml_app.keeping.document_lines import document_of, names_in
from cml_core.errors import ConditionalMappingError

# Others write meanwhile: a copy takes so many pages at a time, and lets them have a turn.
_PAGES = 1000
_SECONDS_TO_WAIT = 15.0


class BackupFailed(ConditionalMappingError):
    """There is no copy, or it cannot be used."""


@dataclass(frozen=True)
class Checked:
    """What a look through a whole database found."""

    projects: int
    unreadable: int


def file_of(url: str) -> Path:
    """The file that an address names.

    Raises
    ------
    BackupFailed : it names a server, which has tools of its own for this.
    """
    address = make_url(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        raise BackupFailed(
            f"The projects are kept by {address.get_backend_name()}, not in a file.",
            remedy="Use its own tools, such as pg_dump or mysqldump.",
        )
    return Path(address.database).expanduser()


def checked(file: Path) -> Checked:
    """Look through the pages of a database, and read every project in it.

    Raises
    ------
    BackupFailed : it is not there, is no database of this app, or has damaged pages.
    """
    with _opened(file) as connection:
        try:
            (found, *others) = connection.execute("PRAGMA integrity_check").fetchall()
            if found != ("ok",) or others:
                raise _damaged(file)
            projects = connection.execute("SELECT digest, names FROM cml_projects").fetchall()
            unreadable = sum(not _readable(connection, *project) for project in projects)
        except sqlite3.DatabaseError as error:
            raise _damaged(file) from error
    return Checked(len(projects), unreadable)


def _readable(connection: sqlite3.Connection, digest: str, index: bytes) -> bool:
    lines = "SELECT name, content FROM cml_lines WHERE digest = ?"
    try:
        document_of(names_in(index), dict(connection.execute(lines, (digest,)).fetchall()))
    except (zlib.error, ValueError, TypeError, KeyError):
        return False
    return True


def back_up(database: Path, copy: Path) -> Checked:
    """Copy a database that may be in use; the copy is private, and whole or not there.

    Raises
    ------
    BackupFailed : there is such a file already, no room for it, or the database is damaged.
    """
    if copy.exists():
        raise BackupFailed(f"{copy} exists.", remedy="Name a file that does not.")
    partial = copy.with_name(f".{copy.name}.partial")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        _copy(database, partial)
        found = checked(partial)
        partial.rename(copy)
    except OSError as error:
        raise BackupFailed(
            f"{copy} cannot be written ({error.strerror}).", remedy="Name another place."
        ) from error
    finally:
        partial.unlink(missing_ok=True)
    return found


def restore(copy: Path, database: Path) -> Checked:
    """Bring the projects of a copy back, in place of those that there are.

    Raises
    ------
    BackupFailed : the copy is not whole; the database stays as it is.
    """
    found = checked(copy)
    if found.unreadable:
        raise BackupFailed(
            f"{found.unreadable} of the {found.projects} projects in {copy} cannot be read.",
            remedy="Restore an earlier copy.",
        )
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(database, os.O_CREAT | os.O_RDWR, 0o600))
    _copy(copy, database)
    return found


def _copy(source: Path, target: Path) -> None:
    with _opened(source) as read, closing(sqlite3.connect(target)) as written:
        try:
            read.backup(written, pages=_PAGES)
        except sqlite3.Error as error:
            raise BackupFailed(
                f"{source} could not be copied ({error}).",
                remedy="Look whether there is room on the disk and whether both can be read.",
            ) from error


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    if not file.is_file():
        raise BackupFailed(f"There is no file {file}.", remedy="Look how it is called.")
    with closing(sqlite3.connect(file, timeout=_SECONDS_TO_WAIT)) as connection:
        yield connection


def _damaged(file: Path) -> BackupFailed:
    return BackupFailed(
        f"{file} is damaged, or is no database of this app.", remedy="Restore a backup."
    )
