"""Threads, processes and killed writers lose nothing."""

import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from store_tools import (
    DAY,
    NOW,
    appended,
    assert_sound,
    heard,
    kill,
    meddled_with,
    opened,
    process,
)

from cml_app.keeping import database
from cml_app.keeping.saved import Saved
from cml_app.keeping.store import Store

pytestmark = pytest.mark.slow


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


BEFORE_WRITING = """
def change(document):
    say(document)
    sys.stdin.read()
store.update(token, change, now)
"""
BEFORE_THE_COMMIT = """
from sqlalchemy import event
@event.listens_for(store._engine, "commit")
def _(connection):
    if not connection.get_execution_options().get("cml_writing"):
        return
    say(connection.exec_driver_sql("select version from cml_projects").scalar())
    sys.stdin.read()
store.update(token, lambda _: os.urandom(5_000_000).hex(), now)
"""


@pytest.mark.parametrize(
    ("script", "says"),
    [(BEFORE_WRITING, "[1]"), (BEFORE_THE_COMMIT, "2")],
    ids=["before writing", "before the commit"],
)
def test_a_writer_killed_before_it_is_done_leaves_what_was_there(
    script: str, says: str, file: Path
) -> None:
    with opened(file) as store:
        token = store.create("[1]", NOW)
        with process(script, file, token) as child:
            assert heard(child) == says
            kill(child)
        assert store.load(token, NOW) == Saved(("[1]",), 1, NOW, NOW + 90 * DAY)
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


def test_a_change_is_made_again_on_what_someone_wrote_meanwhile(store: Store) -> None:
    token = store.create("[]", NOW)
    saved = store.update(token, meddled_with(store, token), NOW)
    assert saved == store.load(token, NOW)
    assert json.loads(saved.document) == [2, 1]
    assert saved.version == 3
