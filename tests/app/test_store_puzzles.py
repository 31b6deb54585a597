"""Puzzles in the store: found by their links alone, limited, and gone in time."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from store_tools import DAY, NOW, heard, kill, opened, process

from cml_app.keeping import puzzles as module
from cml_app.keeping.puzzles import (
    Keys,
    NoSuchPuzzle,
    PuzzleClosed,
    PuzzleFull,
    Puzzles,
    Sheet,
    TooManyPuzzles,
)
from cml_app.keeping.store import Store
from cml_app.keeping.tokens import digest

STORED = Path(__file__).parents[1] / "stored"
MANY = 1000


@pytest.fixture
def puzzles(store: Store) -> Puzzles:
    return store.puzzles()


@pytest.fixture
def keys(puzzles: Puzzles) -> Keys:
    return puzzles.make("content", NOW, 7, MANY)


def better(best: float) -> Callable[[Sheet], Sheet]:
    return lambda sheet: replace(sheet, best=max(best, sheet.best or 0.0), content="handed in")


def test_a_puzzle_is_found_by_its_link_and_taught_by_both_secrets(
    puzzles: Puzzles, keys: Keys
) -> None:
    kept = puzzles.by_link(keys.puzzle, NOW)
    assert (kept.content, kept.made, kept.closes) == ("content", NOW, NOW + 7 * DAY)
    assert puzzles.by_teacher(keys, NOW) == kept
    other = puzzles.make("other", NOW, 7, MANY)
    for wrong in (
        Keys(keys.puzzle, keys.puzzle),
        Keys(keys.puzzle, other.teacher),
        Keys(keys.puzzle, digest(keys.teacher)),
        Keys(keys.puzzle, ""),
    ):
        for asked in (puzzles.by_teacher, puzzles.sheets, puzzles.close, puzzles.delete):
            with pytest.raises(NoSuchPuzzle):
                asked(wrong, NOW)
    for link in (keys.teacher, kept.key, keys.puzzle[:-1], "", "\x00\ud800", "' OR 1=1 --"):
        with pytest.raises(NoSuchPuzzle):
            puzzles.by_link(link, NOW)


def test_secrets_have_128_bits_and_no_copy_of_them_is_kept(
    puzzles: Puzzles, keys: Keys, file: Path
) -> None:
    puzzles.sit_down(keys.puzzle, "project", Sheet(""), NOW)
    assert {len(keys.puzzle), len(keys.teacher)} == {22}
    written = file.read_bytes() + file.with_name(f"{file.name}-wal").read_bytes()
    assert digest(keys.puzzle).encode() in written
    for secret in (keys.puzzle, keys.teacher, digest("project")):
        assert secret.encode() not in written


def test_what_a_student_hands_in_is_counted_and_found_by_the_project(
    puzzles: Puzzles, keys: Keys
) -> None:
    puzzles.sit_down(keys.puzzle, "one", Sheet("opened", name="Ann"), NOW)
    puzzles.sit_down(keys.puzzle, "two", Sheet("opened"), NOW)
    assert puzzles.hand_in("one", better(0.7), NOW).tries == 1
    puzzles.hand_in("one", better(0.4), NOW)
    found = puzzles.of_student("one", NOW)
    assert found is not None
    assert found[1] == Sheet("handed in", 0.7, 2, "Ann")
    _, sheets = puzzles.sheets(keys, NOW)
    assert set(sheets) == {found[1], Sheet("opened")}
    assert puzzles.of_student("three", NOW) is None
    with pytest.raises(NoSuchPuzzle):
        puzzles.hand_in("three", better(1.0), NOW)


def test_a_change_that_fails_changes_nothing_and_counts_no_try(
    puzzles: Puzzles, keys: Keys
) -> None:
    puzzles.sit_down(keys.puzzle, "one", Sheet(""), NOW)

    def fail(_: Sheet) -> Sheet:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        puzzles.hand_in("one", fail, NOW)
    assert puzzles.sheets(keys, NOW)[1] == (Sheet(""),)


def test_a_closed_puzzle_takes_nothing_more_and_shows_all_sheets_to_everyone(
    puzzles: Puzzles, keys: Keys
) -> None:
    puzzles.sit_down(keys.puzzle, "one", Sheet(""), NOW)
    assert puzzles.sheets_when_closed(keys.puzzle, NOW)[1] is None
    puzzles.close(keys, NOW)
    for late in (
        lambda: puzzles.hand_in("one", better(1.0), NOW),
        lambda: puzzles.sit_down(keys.puzzle, "two", Sheet(""), NOW),
    ):
        with pytest.raises(PuzzleClosed):
            late()
    assert puzzles.sheets_when_closed(keys.puzzle, NOW)[1] == (Sheet(""),)


def test_a_puzzle_closes_by_itself_when_its_time_is_over(puzzles: Puzzles, keys: Keys) -> None:
    puzzles.sit_down(keys.puzzle, "one", Sheet(""), NOW)
    puzzles.hand_in("one", better(0.1), NOW + 7 * DAY - timedelta(seconds=1))
    with pytest.raises(PuzzleClosed):
        puzzles.hand_in("one", better(0.2), NOW + 7 * DAY)


def test_after_thirty_days_a_puzzle_and_its_answers_are_gone_from_the_file(
    store: Store, puzzles: Puzzles, file: Path
) -> None:
    keys = puzzles.make("content", NOW, 90, MANY)
    assert puzzles.by_link(keys.puzzle, NOW).closes == NOW + 30 * DAY
    puzzles.sit_down(keys.puzzle, "one", Sheet(""), NOW)
    assert puzzles.of_student("one", NOW + 29 * DAY) is not None
    with pytest.raises(NoSuchPuzzle):
        puzzles.by_link(keys.puzzle, NOW + 30 * DAY)
    assert puzzles.of_student("one", NOW + 30 * DAY) is None
    store.expire(NOW + 30 * DAY)
    with closing(sqlite3.connect(file)) as raw:
        for table in ("cml_puzzles", "cml_answers"):
            assert raw.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_deleting_takes_the_answers_along_and_leaves_other_puzzles(
    store: Store, puzzles: Puzzles, keys: Keys
) -> None:
    other = puzzles.make("other", NOW, 7, MANY)
    puzzles.sit_down(keys.puzzle, "one", Sheet(""), NOW)
    puzzles.sit_down(other.puzzle, "two", Sheet(""), NOW)
    puzzles.sit_down(other.puzzle, "three", Sheet(""), NOW)
    puzzles.delete(keys, NOW)
    assert puzzles.of_student("one", NOW) is None
    # Whoever deletes the project deletes what was handed in from it.
    store.delete("two")
    assert len(puzzles.sheets(other, NOW)[1]) == 1


def test_there_is_an_end_to_students_to_tries_and_to_puzzles_within_an_hour(
    puzzles: Puzzles, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (module.MOST_STUDENTS, module.MOST_TRIES, module.MOST_DAYS) == (200, 500, 30)
    monkeypatch.setattr(module, "MOST_STUDENTS", 2)
    monkeypatch.setattr(module, "MOST_TRIES", 3)
    keys = puzzles.make("", NOW, 7, 2)
    puzzles.make("", NOW, 7, 2)
    with pytest.raises(TooManyPuzzles, match="2 puzzles were made"):
        puzzles.make("", NOW + timedelta(minutes=59), 7, 2)
    puzzles.make("", NOW + timedelta(hours=1), 7, 2)
    for student in ("one", "two"):
        puzzles.sit_down(keys.puzzle, student, Sheet(""), NOW)
    with pytest.raises(PuzzleFull, match="2 students"):
        puzzles.sit_down(keys.puzzle, "three", Sheet(""), NOW)
    for _ in range(3):
        puzzles.hand_in("one", better(0.1), NOW)
    with pytest.raises(PuzzleFull, match="3 times"):
        puzzles.hand_in("one", better(0.2), NOW)


def test_what_was_handed_in_survives_kill_9(store: Store, keys: Keys, file: Path) -> None:
    store.puzzles().sit_down(keys.puzzle, "one", Sheet(""), NOW)
    script = """
from dataclasses import replace
puzzles = store.puzzles()
for number in range(10_000):
    puzzles.hand_in(token, lambda sheet: replace(sheet, best=number / 10_000), now)
    say(number)
"""
    with process(script, file, "one") as child:
        last = [int(heard(child)) for _ in range(20)][-1]
        kill(child)
    with opened(file) as again:
        _, (sheet,) = again.puzzles().sheets(keys, NOW)
    assert sheet.tries >= last + 1
    assert sheet.best == (sheet.tries - 1) / 10_000


def test_a_database_of_before_there_were_puzzles_takes_them(tmp_path: Path) -> None:
    file = tmp_path / "kept.sqlite"
    shutil.copy(STORED / "schema2.sqlite", file)
    with closing(sqlite3.connect(file)) as raw:
        before = raw.execute("SELECT digest, names, changed FROM cml_projects").fetchall()
    with opened(file, 36500) as store:
        keys = store.puzzles().make("content", NOW, 7, MANY)
        assert store.puzzles().by_link(keys.puzzle, NOW).content == "content"
    with closing(sqlite3.connect(file)) as raw:
        after = raw.execute("SELECT digest, names, changed FROM cml_projects").fetchall()
    assert after == before
