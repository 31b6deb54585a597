"""Only who has the token finds a project, and only the owner of the server its file."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from store_tools import DAY, NOW, appended, opened, replaced_by

from cml_app.keeping import store as module
from cml_app.keeping.store import (
    NoSuchProject,
    Store,
)


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
