"""The store, on real database files: what was finished is found again, whatever happens.

PostgreSQL, MySQL and MariaDB are not run here; every statement is compiled for their dialects.
"""

import json
import logging
import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import Connection, event
from sqlalchemy.dialects import mysql, postgresql

from cml_app import database
from cml_app import store as module
from cml_app.database import StoreDamaged, StoreUnavailable
from cml_app.settings import Settings
from cml_app.store import (
    MEGABYTE,
    NewerStore,
    NoStore,
    NoSuchProject,
    ProjectTooLarge,
    Saved,
    Store,
    open_store,
)
from cml_core.errors import ConditionalMappingError

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
DAY = timedelta(days=1)
# What a process of its own begins with: the store and the project it is told of.
PROLOGUE = """
import json, os, sys
from datetime import UTC, datetime
from cml_app.store import Store
store = Store(sys.argv[1], 90)
token = sys.argv[2]
now = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
say = lambda *words: print(*words, flush=True)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "projects.sqlite3"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with opened(file) as store:
        yield store


def opened(file: Path, keep_days: int = 90, **options: Any) -> closing[Store]:
    return closing(Store(f"sqlite:///{file}", keep_days, **options))


def replaced_by(document: str) -> Callable[[str], str]:
    return lambda _: document


def appended(item: object) -> Callable[[str], str]:
    return lambda document: json.dumps([*json.loads(document), item])


@contextmanager
def process(script: str, file: Path, token: str) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [sys.executable, "-c", PROLOGUE + script, f"sqlite:///{file}", token],
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


def test_what_was_created_is_found_again_under_its_token(store: Store) -> None:
    token = store.create('{"a": 1}', NOW)
    assert store.load(token, NOW) == Saved('{"a": 1}', 1, NOW, NOW + 90 * DAY)


def test_what_was_kept_is_found_by_the_next_process(file: Path) -> None:
    with opened(file) as store:
        token = store.create("[1]", NOW)
    with opened(file) as store:
        assert store.load(token, NOW).document == "[1]"


def test_an_update_replaces_the_document_and_counts_it(store: Store) -> None:
    token = store.create("[1]", NOW)
    later = NOW + DAY
    saved = store.update(token, appended(2), later)
    assert saved == Saved("[1, 2]", 2, later, later + 90 * DAY)
    assert store.load(token, later) == saved


def test_projects_do_not_touch_each_other(store: Store) -> None:
    first, second = store.create("[1]", NOW), store.create("[2]", NOW)
    store.update(first, appended(3), NOW)
    store.delete(first)
    assert store.load(second, NOW) == Saved("[2]", 1, NOW, NOW + 90 * DAY)


def test_a_deleted_project_is_gone_and_may_be_deleted_again(store: Store) -> None:
    token = store.create("[]", NOW)
    store.delete(token)
    store.delete(token)
    with pytest.raises(NoSuchProject):
        store.load(token, NOW)


def test_a_second_tab_unites_its_work_with_that_of_the_first(file: Path) -> None:
    def united(work: set[str]) -> Callable[[str], str]:
        return lambda document: json.dumps(sorted(set(json.loads(document)) | work))

    with opened(file) as one, opened(file) as other:
        token = one.create("[]", NOW)
        assert other.load(token, NOW).version == 1
        one.update(token, united({"Gender"}), NOW)
        saved = other.update(token, united({"Degree"}), NOW)
        assert json.loads(saved.document) == ["Degree", "Gender"]
        assert one.load(token, NOW) == saved


def test_an_update_that_fails_changes_nothing(store: Store) -> None:
    token = store.create("[1]", NOW)
    with pytest.raises(ZeroDivisionError):
        store.update(token, lambda _: str(1 // 0), NOW)
    assert store.load(token, NOW).document == "[1]"
    assert store.update(token, appended(2), NOW).version == 2


@hypothesis_settings(deadline=None, max_examples=50)
@given(document=st.text() | st.text(st.characters()))
def test_any_text_comes_back_as_it_went(
    document: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with opened(tmp_path_factory.mktemp("any") / "p.sqlite3") as store:
        token = store.create(document, NOW)
        assert store.load(token, NOW).document == document


def test_a_document_of_five_megabytes_comes_back_as_it_went(store: Store) -> None:
    document = json.dumps({"Tante 👵🏽": incompressible(5 * MEGABYTE)}, ensure_ascii=False)
    token = store.create("{}", NOW)
    store.update(token, replaced_by(document), NOW)
    assert store.load(token, NOW).document == document


def test_moments_are_kept_in_universal_time(store: Store) -> None:
    eastern = NOW.astimezone(timezone(timedelta(hours=-5)))
    saved = store.load(store.create("[]", eastern), NOW)
    assert saved.changed == NOW
    assert saved.changed.tzinfo is UTC


def test_a_clock_without_a_time_zone_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="time zone"):
        store.create("[]", NOW.replace(tzinfo=None))


# Forgotten in time


def test_a_project_expires_when_its_days_after_the_last_change_are_over(store: Store) -> None:
    token = store.create("[]", NOW)
    store.update(token, appended(1), NOW + 50 * DAY)
    almost = NOW + 140 * DAY - timedelta(microseconds=1)
    assert store.load(token, almost).document == "[1]"
    with pytest.raises(NoSuchProject):
        store.load(token, NOW + 140 * DAY)
    with pytest.raises(NoSuchProject):
        store.update(token, appended(2), NOW + 140 * DAY)


def test_expiring_removes_what_is_past_its_days_and_nothing_else(store: Store) -> None:
    old = store.create("[]", NOW)
    young = store.create("[]", NOW + DAY)
    assert store.expire(NOW + 89 * DAY) == 0
    assert store.expire(NOW + 90 * DAY) == 1
    assert store.expire(NOW + 90 * DAY) == 0
    assert store.load(young, NOW + 90 * DAY).version == 1
    with pytest.raises(NoSuchProject):
        store.load(old, NOW)


def test_fewer_days_hold_for_what_is_already_kept(file: Path) -> None:
    with opened(file) as store:
        token = store.create("[]", NOW)
    with opened(file, keep_days=7) as store:
        assert store.load(token, NOW).expires == NOW + 7 * DAY
        assert store.expire(NOW + 7 * DAY) == 1


def test_what_was_deleted_or_replaced_is_overwritten_in_the_file(file: Path) -> None:
    with opened(file) as store:
        gone, kept = store.create("[]", NOW), store.create("[]", NOW)
        with recorded(store) as statements:
            store.update(gone, replaced_by(incompressible(50_000)), NOW)
            store.update(kept, replaced_by(incompressible(50_000)), NOW)
    stored = [parameters["document"] for _, parameters in statements if "document" in parameters]
    assert [piece[1000:1050] in file.read_bytes() for piece in stored] == [True, True]
    with opened(file) as store:
        store.delete(gone)
        store.update(kept, replaced_by("[]"), NOW)
    assert [piece[1000:1050] in file.read_bytes() for piece in stored] == [False, False]


# Found by nobody else


def foreign(store: Store, tmp_path: Path) -> str:
    with opened(tmp_path / "other.sqlite3") as other:
        return other.create('"private"', NOW)


def expired(store: Store, tmp_path: Path) -> str:
    return store.create('"private"', NOW - 90 * DAY)


def deleted(store: Store, tmp_path: Path) -> str:
    token = store.create('"private"', NOW)
    store.delete(token)
    return token


def incomplete(store: Store, tmp_path: Path) -> str:
    return store.create('"private"', NOW)[:-1]


def in_other_letters(store: Store, tmp_path: Path) -> str:
    return store.create('"private"', NOW).swapcase()


def its_digest(store: Store, tmp_path: Path) -> str:
    return module._digest(store.create('"private"', NOW))


WRONG: list[Callable[[Store, Path], str]] = [
    foreign,
    expired,
    deleted,
    incomplete,
    in_other_letters,
    its_digest,
    lambda *_: "",
    lambda *_: "%",
    lambda *_: "' OR 1=1 --",
    lambda *_: "\x00\ud800ü" * 10_000,
]


@pytest.mark.parametrize("wrong", WRONG)
def test_every_wrong_token_gives_one_and_the_same_answer(
    wrong: Callable[[Store, Path], str], store: Store, tmp_path: Path
) -> None:
    token = wrong(store, tmp_path)
    expected = module._no_such_project()
    with pytest.raises(NoSuchProject) as loading:
        store.load(token, NOW)
    with pytest.raises(NoSuchProject) as updating:
        store.update(token, replaced_by("[]"), NOW)
    assert str(loading.value) == str(updating.value) == str(expected)


def test_tokens_are_long_differ_and_fit_into_an_address(store: Store) -> None:
    tokens = {store.create("[]", NOW) for _ in range(20)}
    assert len(tokens) == 20
    for token in tokens:
        assert len(token) == 32  # 24 random bytes
        assert all(sign.isascii() and (sign.isalnum() or sign in "-_") for sign in token)


def test_the_files_hold_a_digest_of_the_token_and_never_the_token(file: Path) -> None:
    with opened(file) as store:
        token = store.create("[]", NOW)
        store.update(token, appended(1), NOW)
        during = b"".join(path.read_bytes() for path in file.parent.iterdir())
    for content in (during, file.read_bytes()):
        assert module._digest(token).encode() in content
        assert token.encode() not in content


def test_only_the_owner_may_read_the_file_and_the_folders_made_for_it(tmp_path: Path) -> None:
    file = tmp_path / "one" / "two" / "projects.sqlite3"
    before = os.umask(0)
    try:
        with opened(file) as store:
            store.create("[]", NOW)
            names = {path.name: mode(path) for path in file.parent.iterdir()}
    finally:
        os.umask(before)
    assert names == dict.fromkeys([file.name, f"{file.name}-wal", f"{file.name}-shm"], 0o600)
    assert [mode(folder) for folder in (file.parent, file.parent.parent)] == [0o700, 0o700]


def test_a_file_that_others_can_read_is_closed_to_them_and_its_folder_is_left_alone(
    tmp_path: Path,
) -> None:
    file = tmp_path / "projects.sqlite3"
    file.touch(0o644)
    file.chmod(0o644)
    tmp_path.chmod(0o755)
    with opened(file):
        assert mode(file) == 0o600
    assert mode(tmp_path) == 0o755


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# Several at once


def test_eight_threads_lose_no_update(store: Store) -> None:
    token = store.create("[]", NOW)
    together = threading.Barrier(8)

    def work(name: int) -> None:
        together.wait()
        for step in range(10):
            store.update(token, appended([name, step]), NOW)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    saved = store.load(token, NOW)
    assert sorted(json.loads(saved.document)) == [[n, step] for n in range(8) for step in range(10)]
    assert saved.version == 81


def test_four_processes_lose_no_update(file: Path) -> None:
    script = """
say("ready")
name = int(sys.stdin.readline())
for step in range(25):
    store.update(token, lambda d: json.dumps([*json.loads(d), [name, step]]), now)
say("done")
"""
    with opened(file) as store:
        token = store.create("[]", NOW)
        with (
            process(script, file, token) as a,
            process(script, file, token) as b,
            process(script, file, token) as c,
            process(script, file, token) as d,
        ):
            children = [a, b, c, d]
            assert [heard(child) for child in children] == ["ready"] * 4
            for name, child in enumerate(children):
                assert child.stdin is not None
                child.stdin.write(f"{name}\n")
                child.stdin.flush()
            assert [heard(child) for child in children] == ["done"] * 4
        saved = store.load(token, NOW)
    steps = sorted(json.loads(saved.document))
    assert steps == [[name, step] for name in range(4) for step in range(25)]
    assert saved.version == 101


def test_many_may_open_a_new_database_at_once(file: Path) -> None:
    together = threading.Barrier(8)

    def work(_: int) -> str:
        together.wait()
        with opened(file) as store:
            return store.load(store.create("[]", NOW), NOW).document

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(work, range(8))) == ["[]"] * 8


def test_turning_a_new_file_to_its_log_is_tried_again_while_others_are_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "new.sqlite3"
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as other,
        closing(sqlite3.connect(file, timeout=0)) as mine,
    ):
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            database._log_ahead(mine, patience=-1)
        monkeypatch.setattr(database.time, "sleep", lambda _: other.execute("ROLLBACK"))
        database._log_ahead(mine, patience=60)
        assert mine.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_project_can_be_read_while_another_tab_writes(store: Store) -> None:
    token = store.create("[1]", NOW)
    seen = []

    def change(document: str) -> str:
        seen.append(store.load(token, NOW).document)
        return "[2]"

    store.update(token, change, NOW)
    assert seen == ["[1]"]


def test_a_forked_child_opens_a_connection_of_its_own(file: Path) -> None:
    script = """
mine = store._engine.pool
child = os.fork()
if not child:
    store.update(token, lambda _: "[2]", now)
    os._exit(mine is store._engine.pool)
say(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
store.update(token, lambda d: d + " ", now)
say("done")
"""
    with opened(file) as store:
        token = store.create("[1]", NOW)
        with process(script, file, token) as child:
            assert [heard(child), heard(child)] == ["0", "done"]
        assert store.load(token, NOW).document == "[2] "


# Whatever happens


def test_a_writer_killed_between_reading_and_writing_leaves_what_was_there(file: Path) -> None:
    script = """
def change(document):
    say(document)
    sys.stdin.read()
store.update(token, change, now)
"""
    with opened(file) as store:
        token = store.create("[1]", NOW)
        with process(script, file, token) as child:
            assert heard(child) == "[1]"
            kill(child)
        assert store.load(token, NOW) == Saved("[1]", 1, NOW, NOW + 90 * DAY)
        assert store.update(token, appended(2), NOW).document == "[1, 2]"
    assert_sound(file)


def test_a_writer_killed_after_writing_but_before_the_commit_leaves_what_was_there(
    file: Path,
) -> None:
    script = """
from sqlalchemy import event
@event.listens_for(store._engine, "commit")
def _(connection):
    say(connection.exec_driver_sql("select version from cml_projects").scalar())
    sys.stdin.read()
store.update(token, lambda _: os.urandom(5_000_000).hex(), now)
"""
    with opened(file) as store:
        token = store.create("[1]", NOW)
        with process(script, file, token) as child:
            assert heard(child) == "2"
            kill(child)
        assert store.load(token, NOW) == Saved("[1]", 1, NOW, NOW + 90 * DAY)
        assert store.update(token, appended(2), NOW).document == "[1, 2]"
    assert_sound(file)


def test_a_writer_killed_right_after_an_update_has_kept_it(file: Path) -> None:
    script = """
store.update(token, lambda _: "[2]", now)
say("saved")
sys.stdin.read()
"""
    with opened(file) as store:
        token = store.create("[1]", NOW)
    with process(script, file, token) as child:
        assert heard(child) == "saved"
        kill(child)
    with opened(file) as store:
        assert store.load(token, NOW).document == "[2]"
    assert_sound(file)


@pytest.mark.parametrize("acknowledged", [1, 7, 40])
def test_a_writer_killed_at_any_moment_loses_nothing_it_reported(
    acknowledged: int, file: Path
) -> None:
    script = """
while True:
    say(store.update(token, lambda _: os.urandom(20_000).hex(), now).version)
"""
    with opened(file) as store:
        token = store.create("[]", NOW)
    with process(script, file, token) as child:
        reported = [heard(child) for _ in range(acknowledged)]
        kill(child)
        assert child.stdout is not None
        last = int([*reported, *child.stdout.read().split()][-1])
    with opened(file) as store:
        # The last change may have been committed without its being reported any more.
        assert store.load(token, NOW).version in {last, last + 1}
    assert_sound(file)


def assert_sound(file: Path) -> None:
    with closing(sqlite3.connect(file)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


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
    assert store.load(token, NOW) == Saved("[1]", 1, NOW, NOW + 90 * DAY)
    assert store.update(token, appended(2), NOW).document == "[1, 2]"


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
            "UPDATE cml_projects SET document = ? WHERE digest = ?",
            (content, module._digest(token)),
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
        assert store.load(token, NOW) == Saved("[1]", 1, NOW, NOW + 90 * DAY)
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
            other.execute("UPDATE cml_projects SET document = ?", (secret.encode(),))
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
        assert module._digest(token) not in text


def told(cause: Callable[[], object]) -> str:
    """Everything that an error and those behind it say."""
    with pytest.raises(ConditionalMappingError) as error:
        cause()
    return "".join(traceback.format_exception(error.value))


# Schemas


def version_of(file: Path) -> list[tuple[int]]:
    with closing(sqlite3.connect(file)) as raw:
        return raw.execute("SELECT version FROM cml_meta").fetchall()


def with_a_note(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE cml_projects ADD COLUMN note VARCHAR(10)")


def test_an_older_database_is_brought_up_to_date_once_and_keeps_its_projects(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(file) as store:
        token = store.create("[1]", NOW)
    assert version_of(file) == [(1,)]
    monkeypatch.setattr(module, "MIGRATIONS", (*module.MIGRATIONS, with_a_note))
    for _ in range(2):
        with opened(file) as store:
            assert store.load(token, NOW).document == "[1]"
        assert version_of(file) == [(2,)]


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(file) as store:
        token = store.create("[1]", NOW)
    with monkeypatch.context() as patched:
        patched.setattr(module, "MIGRATIONS", (*module.MIGRATIONS, with_a_note, with_a_note))
        with pytest.raises(StoreUnavailable):
            Store(f"sqlite:///{file}", 90)
    assert version_of(file) == [(1,)]
    with opened(file) as store:
        assert store.load(token, NOW).document == "[1]"


def test_a_newer_database_is_refused_and_left_alone(file: Path) -> None:
    with opened(file) as store:
        store.create("[]", NOW)
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("UPDATE cml_meta SET version = 99")
    content = file.read_bytes()
    with pytest.raises(NewerStore) as error:
        Store(f"sqlite:///{file}", 90)
    assert error.value.fact == "The database has schema 99; this version of the app knows 1."
    assert file.read_bytes() == content


# Other databases and other addresses


@contextmanager
def recorded(store: Store) -> Iterator[list[tuple[Any, dict[str, Any]]]]:
    """Every statement that is executed meanwhile, with its parameters."""
    statements: list[tuple[Any, dict[str, Any]]] = []

    def record(connection: Connection, statement: Any, *_: object) -> None:
        if not isinstance(statement, str):
            statements.append((statement, dict(statement.compile().params or {})))

    event.listen(store._engine, "before_execute", record)
    yield statements
    event.remove(store._engine, "before_execute", record)


@pytest.mark.parametrize(
    ("dialect", "blob"), [(postgresql.dialect(), "BYTEA"), (mysql.dialect(), "BLOB(4294967295)")]
)
def test_every_statement_can_be_said_to_other_databases(
    dialect: Any, blob: str, store: Store, file: Path
) -> None:
    with recorded(store) as statements:
        token = store.create("[]", NOW)
        store.load(token, NOW)
        store.update(token, appended(1), NOW)
        store.expire(NOW)
        store.delete(token)
        store.ping()
        store._engine.dispose()
        file.unlink()
        store._migrate()
        store._migrate()
    said = [
        " ".join(str(statement.compile(dialect=dialect)).split()) for statement, _ in statements
    ]
    tables = [text for text in said if text.startswith("CREATE TABLE")]
    assert len(tables) == 2
    assert f"document {blob} NOT NULL" in tables[1]
    # The first is by load, the second by update, which no one may interleave.
    reads = [text for text in said if text.startswith("SELECT cml_projects.document")]
    assert [text.endswith("FOR UPDATE") for text in reads] == [False, True]
    assert {text.split()[0] for text in said} == {"CREATE", "SELECT", "INSERT", "UPDATE", "DELETE"}


@pytest.mark.parametrize(
    ("url", "fact"),
    [
        ("nonsense", "cannot be understood"),
        ("nosuch://host/name", "cannot be understood"),
        ("postgresql://ann:hush@host:hush/name", "cannot be understood"),
        ("oracle://ann:hush@host/name", "names a database or a driver that is not supported"),
        ("sqlite+aiosqlite:////tmp/x", "names a database or a driver that is not supported"),
        ("postgresql+psycopg2://ann:hush@host/name", "needs the Python package psycopg2"),
        ("sqlite://", "does not name a file"),
        ("sqlite:///:memory:", "does not name a file"),
        ("sqlite:///file:x?uri=true", "does not name a file"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_repeating_it(
    url: str, fact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg2", None)
    with pytest.raises(StoreUnavailable) as error:
        Store(url, 90)
    assert error.value.fact.startswith(f"The database address in CML_DATABASE_URL {fact}")
    assert "hush" not in "".join(traceback.format_exception(error.value))


def test_a_folder_that_cannot_be_made_is_reported_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(StoreUnavailable) as error:
        Store(f"sqlite:///{tmp_path}/taken/projects.sqlite3", 90)
    assert error.value.fact.startswith("The database file cannot be opened (")
    assert "taken" not in str(error.value)


def test_a_file_that_is_a_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"\(Is a directory\)"):
        Store(f"sqlite:///{tmp_path}", 90)


def test_a_tilde_stands_for_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with closing(Store("sqlite:///~/projects.sqlite3", 90)):
        assert (tmp_path / "projects.sqlite3").is_file()


# As the settings ask


def test_the_default_settings_keep_projects_in_the_data_folder(tmp_path: Path) -> None:
    settings = Settings.from_environment({"XDG_DATA_HOME": str(tmp_path)})
    with closing(open_store(settings, NOW)) as store:
        assert store.keeps
        token = store.create("[]", NOW)
        assert token
        assert store.load(token, NOW).expires == NOW + 90 * DAY
    assert (tmp_path / "cml" / "projects.sqlite3").is_file()


def test_opening_the_store_forgets_what_has_expired(file: Path) -> None:
    with opened(file) as store:
        token = store.create("[]", NOW)
    settings = Settings(database_url=f"sqlite:///{file}")
    with closing(open_store(settings, NOW + 90 * DAY)) as store, pytest.raises(NoSuchProject):
        store.load(token, NOW)


def test_the_largest_project_is_a_setting(file: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{file}", max_project_mb=1)
    with closing(open_store(settings, NOW)) as store, pytest.raises(ProjectTooLarge):
        store.create("x" * (MEGABYTE + 1), NOW)


def test_keeping_turned_off_writes_nothing_and_finds_nothing(tmp_path: Path) -> None:
    settings = Settings.from_environment(
        {"CML_KEEP_PROJECTS": "off", "XDG_DATA_HOME": str(tmp_path)}
    )
    with closing(open_store(settings, NOW)) as store:
        assert not store.keeps
        assert store.create("[]", NOW) is None
        for attempt in (
            lambda: store.load("any", NOW),
            lambda: store.update("any", appended(1), NOW),
        ):
            with pytest.raises(NoSuchProject):
                attempt()
        store.delete("any")
        store.ping()
        assert store.expire(NOW) == 0
    assert list(tmp_path.iterdir()) == []


def test_both_stores_can_do_the_same() -> None:
    def able(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert able(Store) == able(NoStore)
