"""A real PostgreSQL: from every schema, by many at once, and killed in the middle."""

import json
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from postgres import Cluster
from sqlalchemy import create_engine, insert, make_url
from store_tools import DAY, NOW, appended, heard, kill, meddled_with, opened, process

from cml_app.keeping.database import StoreDamaged, StoreUnavailable
from cml_app.keeping.document_lines import Lines
from cml_app.keeping.puzzles import Sheet
from cml_app.keeping.schema import (
    _FIRST_META,
    _FIRST_PROJECTS,
    LINES,
    META,
    MIGRATIONS,
    NewerStore,
    stamp,
)
from cml_app.keeping.store import NoSuchProject
from cml_app.keeping.tokens import digest, new_token

pytestmark = pytest.mark.slow

DOCUMENT = '["Gender",\n"Degree"]'


@pytest.fixture
def database(cluster: Cluster) -> str:
    return cluster.new_database()


def as_schema(version: int, address: str) -> str:
    """A database as an earlier version left it, with one project; its token."""
    token = new_token()
    row: dict[str, Any] = {"digest": digest(token), "version": 7, "changed": stamp(NOW)}
    engine = create_engine(address)
    with engine.begin() as connection:
        for migrate in MIGRATIONS[:version]:
            migrate(connection)
        if version == 1:
            row["document"] = zlib.compress(DOCUMENT.encode())
            connection.execute(insert(_FIRST_PROJECTS).values(row))
        else:
            lines = Lines.of(DOCUMENT.split("\n"))
            columns = "digest, version, changed, names"
            connection.exec_driver_sql(
                f"INSERT INTO cml_projects ({columns}) VALUES (%s, %s, %s, %s)",
                (row["digest"], 7, row["changed"], lines.index),
            )
            for name, content in lines.packed_without(()).items():
                line = {"digest": row["digest"], "name": name, "content": content}
                connection.execute(insert(LINES).values(line))
        connection.execute(insert(_FIRST_META).values(version=version))
    engine.dispose()
    return token


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_a_database_of_any_earlier_version_opens_with_its_projects(
    version: int, database: str
) -> None:
    token = as_schema(version, database)
    with opened(database) as store:
        saved = store.load(token, NOW)
        assert (saved.document, saved.version, saved.shared) == (DOCUMENT, 7, False)
        assert store.update(token, lambda _: "[]", NOW).version == 8
    with opened(database) as store:
        assert store.load(token, NOW).document == "[]"
        store.ping()


def test_a_newer_database_is_refused(database: str) -> None:
    with opened(database) as store, store._engine.begin() as connection:
        connection.execute(META.update().values(version=99))
    with pytest.raises(NewerStore):
        opened(database)


def test_a_project_lives_on_postgresql_as_it_does_in_a_file(database: str) -> None:
    with opened(database) as store, opened(database) as other:
        token = store.create("[]", NOW)
        store.update(token, meddled_with(other, token), NOW)
        assert json.loads(other.load(token, NOW).document) == [2, 1]
        reading = store.share(token, NOW, shared=True)
        assert not other.load(reading, NOW).may_change
        puzzles, keys = store.puzzles(), store.puzzles().make("{}", NOW, 7, 20)
        # PostgreSQL alone has no room in a text for what other databases keep.
        puzzles.sit_down(keys.puzzle, token, Sheet("[]", name="Zoë 🙂\x00" + "x" * 99), NOW)
        puzzles.hand_in(token, lambda sheet: replace(sheet, best=0.1 + 0.2), NOW)
        new = store.renew(token, NOW)
        found = puzzles.of_student(new, NOW)
        assert found is not None
        assert (found[1].best, found[1].tries) == (0.1 + 0.2, 1)
        assert found[1].name.startswith("Zoë 🙂x")
        with pytest.raises(NoSuchProject):
            other.load(token, NOW)
        assert store.expire(NOW + 90 * DAY) == 1
        with pytest.raises(NoSuchProject):
            other.load(new, NOW)


def test_a_large_project_is_found_as_it_was_kept(database: str) -> None:
    document = json.dumps([[k, "Zoë\u2028\x00"] for k in range(100_000)])
    with opened(database) as store:
        token = store.create(document, NOW)
        assert store.load(token, NOW).document == document


def test_many_servers_may_open_a_new_database_at_once(database: str) -> None:
    together = threading.Barrier(8)

    def work(_: int) -> str:
        together.wait()
        with opened(database) as store:
            return store.load(store.create("[]", NOW), NOW).document

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(work, range(8))) == ["[]"] * 8


def test_many_writers_of_one_project_lose_no_change(database: str) -> None:
    script = """
say("ready")
name = int(sys.stdin.readline())
for step in range(20):
    store.update(token, lambda d: json.dumps([*json.loads(d), [name, step]]), now)
say("done")
"""
    with opened(database) as store:
        token = store.create("[]", NOW)

        def work(name: int) -> None:
            for step in range(20):
                store.update(token, appended([name, step]), NOW)

        with process(script, database, token) as a, process(script, database, token) as b:
            assert [heard(child) for child in (a, b)] == ["ready"] * 2
            for name, child in enumerate((a, b)):
                assert child.stdin is not None
                child.stdin.write(f"{name}\n")
                child.stdin.flush()
            with ThreadPoolExecutor(4) as threads:
                list(threads.map(work, range(2, 6)))
            assert [heard(child) for child in (a, b)] == ["done"] * 2
        saved = store.load(token, NOW)
    assert sorted(json.loads(saved.document)) == [[n, step] for n in range(6) for step in range(20)]
    assert saved.version == 121


WRITES = """
while True:
    say(store.update(token, lambda _: os.urandom(20_000).hex(), now).version)
"""


def test_a_database_that_is_killed_while_many_write_has_lost_nothing_it_acknowledged(
    cluster: Cluster, database: str
) -> None:
    with opened(database) as store:
        token, untouched = store.create("[]", NOW), store.create("[1]", NOW)
        with process(WRITES, database, token) as child:
            reported = [int(heard(child)) for _ in range(20)]
            cluster.kill()
            # The server has words for it.
            with pytest.raises(StoreUnavailable, match="does not answer"):
                store.load(token, NOW)
            assert child.stdout is not None
            last = [*reported, *map(int, child.stdout.read().split())][-1]
        cluster.start()
        # The last change may have been committed without its being reported any more.
        assert store.load(token, NOW).version in {last, last + 1}
        assert store.load(untouched, NOW).document == "[1]"
        assert store.update(untouched, appended(2), NOW).document == "[1, 2]"
        store.ping()


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


def test_a_server_that_is_killed_before_the_commit_leaves_what_was_there(database: str) -> None:
    with opened(database) as store:
        token = store.create("[1]", NOW)
        with process(BEFORE_THE_COMMIT, database, token) as child:
            assert heard(child) == "2"
            kill(child)
        # Its lock is gone with it, so that no one waits.
        assert store.load(token, NOW).version == 1
        assert store.update(token, appended(2), NOW).document == "[1, 2]"


def test_a_server_that_is_killed_at_any_moment_has_kept_what_it_reported(database: str) -> None:
    with opened(database) as store:
        token = store.create("[]", NOW)
        with process(WRITES, database, token) as child:
            reported = [heard(child) for _ in range(7)]
            kill(child)
            assert child.stdout is not None
            last = int([*reported, *child.stdout.read().split()][-1])
        assert store.load(token, NOW).version in {last, last + 1}


def asked_of(cluster: Cluster, statement: str) -> None:
    with closing(psycopg.connect(cluster.told("postgres"), autocommit=True)) as connection:
        connection.execute(statement)


def test_a_database_that_may_only_be_read_says_so(cluster: Cluster, database: str) -> None:
    name = make_url(database).database
    with opened(database) as store:
        token = store.create("[1]", NOW)
        asked_of(cluster, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        store.close()
        assert store.load(token, NOW).document == "[1]"
        for attempt in (lambda: store.update(token, appended(2), NOW), store.ping):
            with pytest.raises(StoreUnavailable, match=r"cannot be written; nothing was changed"):
                attempt()
        asked_of(cluster, f"ALTER DATABASE {name} RESET default_transaction_read_only")
        store.close()
        assert store.update(token, appended(2), NOW).document == "[1, 2]"


def test_a_project_that_another_holds_is_said_to_be_busy_after_a_while(database: str) -> None:
    with opened(database, patience=0.05) as store, opened(database) as other:
        token = store.create("[1]", NOW)
        with other._engine.begin() as connection:
            connection.exec_driver_sql("SELECT version FROM cml_projects FOR UPDATE")
            for attempt in (
                lambda: store.update(token, appended(2), NOW),
                lambda: store.delete(token),
            ):
                with pytest.raises(StoreUnavailable, match="is busy; nothing was changed"):
                    attempt()
            assert store.load(token, NOW).document == "[1]"
        assert store.update(token, appended(2), NOW).document == "[1, 2]"


def test_a_database_that_takes_no_more_connections_says_so(cluster: Cluster, database: str) -> None:
    name = make_url(database).database
    asked_of(cluster, "CREATE ROLE ann LOGIN CONNECTION LIMIT 1")
    asked_of(cluster, f"ALTER DATABASE {name} OWNER TO ann")
    address = database.replace("postgres@", "ann@")
    with opened(address) as store:
        token = store.create("[1]", NOW)
        with (
            store._engine.connect(),
            pytest.raises(StoreUnavailable, match="takes no more connections"),
        ):
            store.update(token, appended(2), NOW)
        assert store.update(token, appended(2), NOW).document == "[1, 2]"


TROUBLES = {
    "53100": "has no room left; nothing was changed",
    "58030": "cannot be read or written; nothing was changed",
    "25006": "cannot be written; nothing was changed",
    "55P03": "is busy; nothing was changed",
    "40001": "is busy; nothing was changed",
    "53300": "takes no more connections; nothing was changed",
    "57P01": "is being stopped or started; nothing was changed",
    "XX001": "is damaged",
    "XX002": "is damaged",
}


@pytest.mark.parametrize("code", TROUBLES)
def test_each_trouble_of_the_database_has_its_sentence(code: str, database: str) -> None:
    """Raised where a line is written, as the real one would be."""
    with opened(database) as store:
        token = store.create("[1]", NOW)
        with store._engine.begin() as connection:
            connection.exec_driver_sql(
                "CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '{code}'; END $$"
            )
            connection.exec_driver_sql(
                "CREATE TRIGGER fails BEFORE INSERT ON cml_lines "
                "FOR EACH ROW EXECUTE FUNCTION fails()"
            )
        with pytest.raises((StoreUnavailable, StoreDamaged), match=TROUBLES[code]) as error:
            store.update(token, appended(2), NOW)
        assert "secret" not in str(error.value)
        assert store.load(token, NOW).document == "[1]"


def test_an_address_of_postgresql_that_nobody_answers_is_told_without_its_password() -> None:
    with pytest.raises(StoreUnavailable) as error:
        opened("postgresql+psycopg://ann:hush@/maps?host=/nowhere")
    assert "hush" not in str(error.value)
    assert "does not answer" in error.value.fact
