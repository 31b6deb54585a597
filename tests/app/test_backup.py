"""Copies of the database: made while it is used, whole or not there, and brought back."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_tools import NOW, opened

from cml_app.keeping.backup import BackupFailed, Checked, back_up, checked, file_of, restore
from cml_app.keeping.store import Store

TEXT = '{"title": "Kin"}\n[1, 2, 3]'


@pytest.fixture
def kept(file: Path) -> Iterator[tuple[Store, str]]:
    with opened(file) as store:
        yield store, store.create(TEXT, NOW)


def test_a_copy_holds_what_was_kept_and_only_its_owner_can_read_it(
    kept: tuple[Store, str], file: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert back_up(file, copy) == Checked(projects=1, unreadable=0)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with opened(copy) as other:
        assert other.load(kept[1], NOW).document == TEXT


def test_a_copy_made_while_others_write_is_whole(
    kept: tuple[Store, str], file: Path, tmp_path: Path
) -> None:
    store, token = kept
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            store.update(token, lambda text: text + "\nx" * 50, NOW)

    writing = threading.Thread(target=write)
    writing.start()
    try:
        found = [back_up(file, tmp_path / f"{k}.sqlite3") for k in range(5)]
    finally:
        done.set()
        writing.join()
    assert found == [Checked(1, 0)] * 5


def test_what_was_deleted_comes_back_to_an_app_that_goes_on(
    kept: tuple[Store, str], file: Path, tmp_path: Path
) -> None:
    store, token = kept
    copy = tmp_path / "copy.sqlite3"
    back_up(file, copy)
    store.delete(token)
    late = store.create("made since", NOW)
    assert restore(copy, file) == Checked(1, 0)
    assert store.load(token, NOW).document == TEXT
    with pytest.raises(Exception, match="No project"):
        store.load(late, NOW)


def test_a_damaged_line_is_counted_and_no_such_copy_is_restored(
    kept: tuple[Store, str], file: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite3"
    back_up(file, copy)
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE cml_lines SET content = x'00'")
    assert checked(copy) == Checked(1, 1)
    with pytest.raises(BackupFailed, match="1 of the 1 projects"):
        restore(copy, file)
    assert kept[0].load(kept[1], NOW).document == TEXT


def test_what_is_no_database_of_this_app_is_refused_and_nothing_changes(
    kept: tuple[Store, str], file: Path, tmp_path: Path
) -> None:
    for content in (b"", b"not a database, but a letter of some length" * 40):
        other = tmp_path / "other"
        other.write_bytes(content)
        with pytest.raises(BackupFailed, match="damaged, or is no database"):
            restore(other, file)
    with pytest.raises(BackupFailed, match="There is no file"):
        restore(tmp_path / "nowhere", file)
    assert kept[0].load(kept[1], NOW).document == TEXT


def test_a_copy_never_takes_the_place_of_another_file(
    kept: tuple[Store, str], file: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite3"
    copy.write_text("mine")
    with pytest.raises(BackupFailed, match="exists"):
        back_up(file, copy)
    with pytest.raises(BackupFailed, match="cannot be written"):
        back_up(file, tmp_path / "no folder" / "copy.sqlite3")
    assert copy.read_text() == "mine"


def test_a_database_server_has_tools_of_its_own() -> None:
    with pytest.raises(BackupFailed, match="kept by postgresql") as error:
        file_of("postgresql://host/projects")
    assert "pg_dump" in error.value.remedy


def test_the_command_says_what_it_found(
    kept: tuple[Store, str], file: Path, tmp_path: Path
) -> None:
    environment = {**os.environ, "CML_DATABASE_URL": f"sqlite:///{file}"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cml_app.keeping", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert run("check").stdout == "1 project; all can be read.\n"
    copy = str(tmp_path / "copy.sqlite3")
    assert run("backup", copy).returncode == 0
    again = run("backup", copy)
    assert again.returncode == 1
    assert "exists. Name a file that does not." in again.stderr
    assert "Traceback" not in again.stderr
    assert run("restore", copy).stdout == "1 project; all can be read.\n"
