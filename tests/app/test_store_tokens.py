"""Only who has the token finds a project, and only the owner of the server its file."""

import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from store_tools import DAY, NOW, appended, opened, replaced_by

from cml_app.keeping import store as module
from cml_app.keeping.store import (
    NoSuchProject,
    ReadOnlyProject,
    Store,
)
from cml_app.keeping.tokens import digest, reading_token


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
    return digest(store.create('"private"', NOW))


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
    expected = module.no_such_project()
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
        assert digest(token).encode() in content
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


def test_a_reader_sees_a_shared_project_and_changes_nothing(store: Store) -> None:
    token = store.create("[1]", NOW)
    reading = store.share(token, NOW, shared=True)
    seen = store.load(reading, NOW)
    assert (seen.document, seen.may_change) == ("[1]", False)
    for known in (None, seen):
        with pytest.raises(ReadOnlyProject) as error:
            store.update(reading, appended(2), NOW, known)
    assert "Duplicate it" in error.value.remedy
    with pytest.raises(NoSuchProject):
        store.share(reading, NOW, shared=False)
    store.delete(reading)
    mine = store.load(token, NOW)
    assert (mine.document, mine.may_change, mine.shared) == ("[1]", True, True)
    store.update(token, appended(2), NOW, mine)
    assert store.load(reading, NOW).document == "[1, 2]"


def test_a_forged_permission_does_not_let_a_reader_write(store: Store) -> None:
    token = store.create("[1]", NOW)
    reading = store.share(token, NOW, shared=True)
    forged = replace(store.load(reading, NOW), may_change=True)
    with pytest.raises((ReadOnlyProject, NoSuchProject)):
        store.update(reading, appended(2), NOW, forged)
    assert store.load(token, NOW).document == "[1]"


def test_nobody_reads_what_was_never_shared_or_is_no_longer(store: Store) -> None:
    token = store.create("[1]", NOW)
    for _ in range(2):
        with pytest.raises(NoSuchProject):
            store.load(reading_token(token), NOW)
        reading = store.share(token, NOW, shared=True)
        assert store.load(reading, NOW).document == "[1]"
        store.share(token, NOW, shared=False)
    with pytest.raises(NoSuchProject):
        store.load(reading, NOW + 90 * DAY)


def test_a_readers_token_is_another_secret_and_is_kept_as_a_digest(file: Path) -> None:
    with opened(file) as store:
        token = store.create("[]", NOW)
        reading = store.share(token, NOW, shared=True)
        content = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert len(reading) == len(token)
    assert reading not in token
    assert reading_token(reading) not in (token, reading)
    assert digest(reading).encode() in content
    assert reading.encode() not in content
