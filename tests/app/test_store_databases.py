"""Schemas, other databases, addresses and settings."""

import json
import shutil
import sqlite3
import sys
import traceback
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.dialects import mysql, postgresql
from store_tools import DAY, NOW, appended, meddled_with, opened, recorded, through_a_lesson

from cml_app.keeping import schema as module
from cml_app.keeping.database import StoreUnavailable
from cml_app.keeping.opening import NoStore, open_store
from cml_app.keeping.schema import NewerStore, migrate
from cml_app.keeping.store import (
    MEGABYTE,
    NoSuchProject,
    ProjectTooLarge,
    Store,
)
from cml_app.settings import Settings
from cml_core.journey.file import from_json

STORED = Path(__file__).parents[1] / "stored"


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
    assert version_of(file) == [(6,)]
    monkeypatch.setattr(module, "MIGRATIONS", (*module.MIGRATIONS, with_a_note))
    for _ in range(2):
        with opened(file) as store:
            assert store.load(token, NOW).document == "[1]"
        assert version_of(file) == [(7,)]


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(file) as store:
        token = store.create("[1]", NOW)
    with monkeypatch.context() as patched:
        patched.setattr(module, "MIGRATIONS", (*module.MIGRATIONS, with_a_note, with_a_note))
        with pytest.raises(StoreUnavailable):
            Store(f"sqlite:///{file}", 90)
    assert version_of(file) == [(6,)]
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
    assert error.value.fact == "The database has schema 99; this version of the app knows 6."
    assert file.read_bytes() == content


# Other databases and other addresses


@pytest.mark.parametrize(
    ("dialect", "blob"), [(postgresql.dialect(), "BYTEA"), (mysql.dialect(), "BLOB(4294967295)")]
)
def test_every_statement_can_be_said_to_other_databases(
    dialect: Any, blob: str, store: Store, file: Path
) -> None:
    with recorded(store) as statements:
        token = store.create("[]", NOW)
        store.load(token, NOW)
        store.update(token, meddled_with(store, token), NOW)
        store.expire(NOW)
        through_a_lesson(store, token)
        store.delete(token)
        store.ping()
        store._engine.dispose()
        file.write_bytes(b"")
        migrate(store._engine)
        migrate(store._engine)
    said = [
        " ".join(str(statement.compile(dialect=dialect)).split()) for statement, _ in statements
    ]
    tables = [text for text in said if text.startswith("CREATE TABLE")]
    assert len(tables) == 7
    assert f"document {blob} NOT NULL" in tables[1]
    assert all(f"content {blob} NOT NULL" in table for table in tables[2:5])
    # By load, by update, by who interferes with it, and at last so that no one may.
    reads = [text for text in said if text.startswith("SELECT cml_projects.")]
    locks = [text.endswith("FOR UPDATE") for text in reads]
    assert locks == [False, False, False, True, False]
    verbs = {"CREATE", "ALTER", "SELECT", "INSERT", "UPDATE", "DELETE"}
    assert {text.split()[0] for text in said} == verbs


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
        token = store.create("[]", NOW)
        assert token
        assert store.load(token, NOW + 89 * DAY)
        with pytest.raises(NoSuchProject):
            store.load(token, NOW + 90 * DAY)
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
        assert store.create("[]", NOW) is None
        for attempt in (
            lambda: store.load("any", NOW),
            lambda: store.update("any", appended(1), NOW),
            lambda: store.update_lines("any", lambda latest: latest.lines, NOW),
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


def test_a_database_of_an_earlier_version_opens_with_its_projects(tmp_path: Path) -> None:
    file = tmp_path / "kept.sqlite"
    shutil.copy(STORED / "schema2.sqlite", file)
    expected = json.loads((STORED / "expected.json").read_text(encoding="utf-8"))
    tokens = json.loads((STORED / "tokens.json").read_text(encoding="utf-8"))
    with closing(Store(f"sqlite:///{file}", 36500)) as store:
        for name, token in tokens.items():
            journey = from_json(store.load(token, NOW).document)
            assert journey.title == expected[name]["title"]
            assert {step.id for step in journey.steps} == set(expected[name]["steps"])
