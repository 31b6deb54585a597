"""A database that was deleted, replaced, closed to writers, filled up or damaged while in use."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import Connection, event
from store_tools import NOW, appended, assert_sound, incompressible, opened, replaced_by

from cml_app.keeping.backup import back_up, restore
from cml_app.keeping.database import ROOM, StoreDamaged, StoreUnavailable
from cml_app.keeping.store import MEGABYTE, Store

NOBODY = 65534
Trouble = Callable[[Store, Path], AbstractContextManager[None]]


@contextmanager
def away(_store: Store, file: Path) -> Iterator[None]:
    """Someone has moved the file, and puts it back."""
    elsewhere = file.with_name("elsewhere")
    for end in ("", "-wal", "-shm"):
        if Path(f"{file}{end}").exists():
            Path(f"{file}{end}").rename(f"{elsewhere}{end}")
    yield
    assert not file.exists()
    for end in ("", "-wal", "-shm"):
        if Path(f"{elsewhere}{end}").exists():
            Path(f"{elsewhere}{end}").rename(f"{file}{end}")


@contextmanager
def locked(_store: Store, file: Path) -> Iterator[None]:
    """Another program holds the lock."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def read_only(store: Store, file: Path) -> Iterator[None]:
    """Nobody may write to the file; of the superuser, who may all the same, by another name."""
    store.close()
    file.chmod(0o444)
    file.parent.chmod(0o555)
    was = os.geteuid()
    if was == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        store.close()
        os.seteuid(was)
        file.parent.chmod(0o700)
        file.chmod(0o600)


@contextmanager
def no_room(store: Store, _file: Path) -> Iterator[None]:
    """The database cannot grow."""

    def capped(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count=1")

    event.listen(store._engine, "begin", capped)
    yield
    event.remove(store._engine, "begin", capped)
    store.close()


@contextmanager
def overwritten(store: Store, file: Path) -> Iterator[None]:
    """Something else was written over the file."""
    store.close()
    kept = file.with_name("kept")
    shutil.copy(file, kept)
    file.write_bytes(b"Dear aunt, this is not a database. " * 1000)
    yield
    assert file.read_bytes().startswith(b"Dear aunt")
    shutil.copy(kept, file)


TROUBLES: dict[Trouble, str] = {
    away: "cannot be opened",
    locked: "is busy; nothing was changed",
    read_only: "cannot be written; nothing was changed",
    no_room: "has no room left; nothing was changed",
    overwritten: "is damaged, or is not a database",
}


@pytest.fixture
def file() -> Iterator[Path]:
    """In a folder that anybody may look into."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "data" / "projects.sqlite3"


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
def test_it_is_said_in_one_sentence_nothing_is_half_written_and_work_goes_on_once_it_is_mended(
    trouble: Trouble, file: Path
) -> None:
    large = replaced_by(incompressible(MEGABYTE))
    with opened(file, patience=0) as store:
        file.parent.chmod(0o755)
        token = store.create("[1]", NOW)
        with trouble(store, file):
            attempts = [
                lambda: store.update(token, large, NOW),
                lambda: store.create(incompressible(MEGABYTE), NOW),
            ]
            for attempt in attempts:
                with pytest.raises((StoreUnavailable, StoreDamaged), match=TROUBLES[trouble]):
                    attempt()
            if trouble is not no_room:
                with pytest.raises((StoreUnavailable, StoreDamaged), match=TROUBLES[trouble]):
                    store.ping()
        assert store.load(token, NOW).document == "[1]"
        assert store.update(token, appended(2), NOW).document == "[1, 2]"
        store.ping()
    assert_sound(file)


def test_a_file_that_was_deleted_is_missed_and_not_made_anew(file: Path) -> None:
    with opened(file, patience=0) as store:
        token = store.create("[1]", NOW)
        copy = file.with_name("copy")
        back_up(file, copy)
        store.update(token, appended(2), NOW)
        for end in ("", "-wal", "-shm"):
            Path(f"{file}{end}").unlink(missing_ok=True)
        for attempt in (lambda: store.load(token, NOW), store.ping):
            with pytest.raises(StoreUnavailable, match="cannot be opened"):
                attempt()
        assert not file.exists()
        restore(copy, file)
        store.ping()
        assert store.load(token, NOW).document == "[1]"
        assert store.update(token, appended(3), NOW).document == "[1, 3]"
    assert_sound(file)


def test_an_empty_file_in_place_of_the_projects_is_not_healthy(file: Path) -> None:
    with opened(file, patience=0) as store:
        store.create("[1]", NOW)
        store.close()
        for end in ("", "-wal", "-shm"):
            Path(f"{file}{end}").unlink(missing_ok=True)
        file.touch(0o600)
        with pytest.raises((StoreUnavailable, StoreDamaged)):
            store.ping()


def test_a_disk_that_is_as_good_as_full_is_not_healthy_before_a_project_is_lost(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(file, patience=0) as store:
        looked_at: list[Path] = []

        def hardly_any(folder: Path) -> SimpleNamespace:
            looked_at.append(folder)
            return SimpleNamespace(free=ROOM - 1)

        monkeypatch.setattr(shutil, "disk_usage", hardly_any)
        with pytest.raises(StoreUnavailable, match="has hardly any room left"):
            store.ping()
        assert looked_at == [file.parent]
        # Whoever is at work has the rest of it.
        assert store.load(store.create("[1]", NOW), NOW).document == "[1]"
        monkeypatch.undo()
        store.ping()
