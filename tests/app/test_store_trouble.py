"""Locked, full, damaged: what goes wrong is said, and nothing is lost."""

import asyncio
import json
import logging
import resource
import sqlite3
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, event
from starlette.requests import Request
from store_tools import (
    DAY,
    NOW,
    appended,
    assert_sound,
    incompressible,
    opened,
    replaced_by,
)

from cml_app import server, this_server
from cml_app.keeping.backup import back_up, restore
from cml_app.keeping.database import StoreDamaged, StoreUnavailable
from cml_app.keeping.saved import Saved
from cml_app.keeping.store import MEGABYTE, ProjectTooLarge, Store
from cml_app.keeping.tokens import digest
from cml_core.errors import ConditionalMappingError


def test_a_locked_database_is_said_to_be_busy_and_loses_nothing(file: Path) -> None:
    with opened(file, patience=0) as store:
        token = store.create("[1]", NOW)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for attempt in (
                lambda: store.update(token, appended(2), NOW),
                lambda: store.create("[]", NOW),
                lambda: store.delete(token),
                lambda: store.expire(NOW),
            ):
                with pytest.raises(StoreUnavailable, match=r"is busy; nothing was changed\."):
                    attempt()
            assert store.load(token, NOW).document == "[1]"
            other.execute("ROLLBACK")
        assert store.update(token, appended(2), NOW).document == "[1, 2]"


def test_a_full_database_says_so_and_loses_nothing(store: Store) -> None:
    token = store.create("[1]", NOW)

    def capped(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count=20")

    event.listen(store._engine, "begin", capped)
    with pytest.raises(StoreUnavailable, match=r"has no room left; nothing was changed\."):
        store.update(token, replaced_by(incompressible(MEGABYTE)), NOW)
    assert store.load(token, NOW) == Saved(("[1]",), 1, NOW, NOW + 90 * DAY)
    assert store.update(token, appended(2), NOW).document == "[1, 2]"


def test_a_database_near_its_largest_size_is_not_healthy(store: Store) -> None:
    store.ping()

    def capped(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count=20")

    event.listen(store._engine, "begin", capped)
    with pytest.raises(StoreUnavailable, match="hardly any room left") as error:
        store.ping()
    assert "raise the limit" in error.value.remedy
    event.remove(store._engine, "begin", capped)
    store.close()
    store.ping()


def test_a_database_that_may_grow_no_more_is_not_healthy(store: Store) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, hard))
    try:
        with pytest.raises(StoreUnavailable, match="hardly any room left"):
            store.ping()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    store.ping()


def test_damaged_pages_are_found_by_looking_and_told_until_they_are_mended(
    file: Path, tmp_path: Path
) -> None:
    with opened(file) as store:
        store.create(incompressible(MEGABYTE), NOW)
        store.look_through()
        copy = tmp_path / "copy"
        back_up(file, copy)
    _damage(file)
    with opened(file) as store:
        store.ping()
        with pytest.raises(StoreDamaged, match="is damaged"):
            store.look_through()
        with pytest.raises(StoreDamaged, match="is damaged"):
            store.ping()
        restore(copy, file)
        store.ping()


def _damage(file: Path) -> None:
    """Where a project is: what is read on opening stays whole."""
    with file.open("r+b") as content:
        content.seek(file.stat().st_size - 100 * 4096)
        content.write(b"\xff" * 40_000)


def test_a_server_looks_for_damage_and_tells_it_in_its_log_and_its_health(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(file) as store:
        store.create(incompressible(MEGABYTE), NOW)
    with opened(file) as store:
        monkeypatch.setattr(this_server, "store", lambda: store)
        server.look_through_projects()
        assert not caplog.records
        assert asyncio.run(server.health(Request({"type": "http"}))).status_code == 200
    _damage(file)
    with opened(file) as store:
        monkeypatch.setattr(this_server, "store", lambda: store)
        server.look_through_projects()
        (told,) = caplog.records
        assert told.levelname == "ERROR"
        assert "was not found to be whole" in told.getMessage()
        assert asyncio.run(server.health(Request({"type": "http"}))).status_code == 503


def test_a_file_that_cannot_grow_loses_nothing(store: Store, file: Path) -> None:
    token = store.create("[1]", NOW)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        with pytest.raises(StoreUnavailable, match=r"nothing was changed\."):
            store.update(token, replaced_by(incompressible(MEGABYTE)), NOW)
        assert store.load(token, NOW).document == "[1]"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert store.update(token, appended(2), NOW).document == "[1, 2]"
    assert_sound(file)


def test_a_file_that_is_no_database_is_said_to_be_damaged_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    content = b"Dear aunt, this is not a database. " * 100
    file.write_bytes(content)
    with pytest.raises(StoreDamaged, match="is damaged, or is not a database"):
        Store(f"sqlite:///{file}", 90)
    assert file.read_bytes() == content


def test_a_damaged_database_is_said_to_be_damaged(file: Path) -> None:
    with opened(file) as store:
        token = store.create(incompressible(MEGABYTE), NOW)
    with file.open("r+b") as content:
        content.seek(4096)
        content.write(b"\xff" * 40_000)
    with pytest.raises(StoreDamaged), opened(file) as store:
        store.load(token, NOW)


@pytest.mark.parametrize("content", [b"", b"not compressed", b"x\x9cK\x04\x00\x00b\x00c"])
def test_a_damaged_project_is_said_to_be_damaged_and_stops_no_other(
    content: bytes, store: Store, file: Path
) -> None:
    token, other = store.create("[1]", NOW), store.create("[2]", NOW)
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute(
            "UPDATE cml_lines SET content = ? WHERE digest = ?",
            (content, digest(token)),
        )
    with pytest.raises(StoreDamaged, match=r"can no longer be read\."):
        store.load(token, NOW)
    with pytest.raises(StoreDamaged):
        store.update(token, appended(1), NOW)
    assert store.load(other, NOW).document == "[2]"


def test_the_health_check_passes_on_a_working_store_and_fails_on_a_broken_one(
    store: Store, file: Path
) -> None:
    store.ping()
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("DROP TABLE cml_meta")
    with pytest.raises(StoreUnavailable, match="does not answer"):
        store.ping()


def test_a_document_beyond_the_limit_is_refused_and_the_old_one_stays(file: Path) -> None:
    with opened(file, largest=MEGABYTE) as store:
        token = store.create("[1]", NOW)
        at_the_limit, beyond = "é" * (MEGABYTE // 2), "é" * (MEGABYTE // 2) + "e"
        with pytest.raises(ProjectTooLarge, match=r"takes 1\.0 MB; at most 1\.0 MB are kept"):
            store.update(token, replaced_by(beyond), NOW)
        with pytest.raises(ProjectTooLarge):
            store.create(beyond, NOW)
        assert store.load(token, NOW) == Saved(("[1]",), 1, NOW, NOW + 90 * DAY)
        assert store.update(token, replaced_by(at_the_limit), NOW).version == 2


def test_nothing_of_a_visitor_appears_in_messages_or_logs(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="sqlalchemy")
    secret = "Grandmother"
    with opened(file, patience=0, largest=MEGABYTE) as store:
        token = store.create(json.dumps([secret]), NOW)
        saved = store.load(token, NOW)
        causes: list[Callable[[], object]] = [
            lambda: store.load(token, NOW + 90 * DAY),
            lambda: store.create(secret * MEGABYTE, NOW),
            lambda: store.update(token, replaced_by(secret * MEGABYTE), NOW),
        ]
        texts = [repr(saved), repr(store), *map(told, causes)]
        with closing(sqlite3.connect(file)) as other, other:
            other.execute("UPDATE cml_lines SET content = ?", (secret.encode(),))
            texts += [told(lambda: store.update(token, appended(secret), NOW))]
        texts += [told(lambda: store.load(token, NOW))]
        with closing(sqlite3.connect(file)) as other, other:
            other.execute("DROP TABLE cml_projects")
        texts += [told(lambda: store.load(token, NOW)), told(lambda: store.create(secret, NOW))]
    texts += [caplog.text]
    assert "sqlalchemy.pool" in caplog.text
    for text in texts:
        assert secret not in text
        assert token not in text
        assert digest(token) not in text


def told(cause: Callable[[], object]) -> str:
    """Everything that an error and those behind it say."""
    with pytest.raises(ConditionalMappingError) as error:
        cause()
    return "".join(traceback.format_exception(error.value))


# Schemas
