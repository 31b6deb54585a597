"""A document is kept in lines: only what is new is written, and what is gone is forgotten."""

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from store_tools import DAY, NOW, opened, recorded, replaced_by

from cml_app.keeping.database import StoreDamaged
from cml_app.keeping.document_lines import Lines
from cml_app.keeping.saved import Saved
from cml_app.keeping.schema import stamp
from cml_app.keeping.store import NoSuchProject, Store
from cml_app.keeping.tokens import digest
from cml_core.journey.lines import Line

SCHEMA_1 = """
CREATE TABLE cml_meta (version INTEGER NOT NULL);
CREATE TABLE cml_projects (
    digest VARCHAR(64) NOT NULL PRIMARY KEY, document BLOB NOT NULL,
    version INTEGER NOT NULL, changed VARCHAR(32) NOT NULL
);
CREATE INDEX ix_cml_projects_changed ON cml_projects (changed);
INSERT INTO cml_meta VALUES (1);
"""


def in_the_file(file: Path) -> list[str]:
    """What all lines say, in no order."""
    with closing(sqlite3.connect(file)) as raw:
        found = raw.execute("SELECT content FROM cml_lines").fetchall()
    return sorted(zlib.decompress(content).decode() for (content,) in found)


def test_an_update_writes_only_the_lines_that_are_new(store: Store) -> None:
    token = store.create("one\ntwo\nthree", NOW)
    with recorded(store) as statements:
        store.update(token, replaced_by("one\n2\nthree\nfour"), NOW)
    written = [zlib.decompress(row["content"]) for _, row in statements if "content" in row]
    assert written == [b"2", b"four"]
    assert store.load(token, NOW).document == "one\n2\nthree\nfour"


def test_lines_that_are_gone_are_forgotten(store: Store, file: Path) -> None:
    token = store.create("one\ntwo\ntwo\nthree", NOW)
    assert in_the_file(file) == ["one", "three", "two"]
    store.update(token, replaced_by("two\none\ntwo"), NOW)
    assert in_the_file(file) == ["one", "two"]
    assert store.load(token, NOW).document == "two\none\ntwo"


def test_no_line_outlives_its_project(store: Store, file: Path) -> None:
    deleted, kept = store.create("a\nb", NOW), store.create("a\nc", NOW + DAY)
    store.create("a\nd", NOW)
    store.delete(deleted)
    assert in_the_file(file) == ["a", "a", "c", "d"]
    store.expire(NOW + 90 * DAY)
    assert in_the_file(file) == ["a", "c"]
    assert store.load(kept, NOW + DAY).document == "a\nc"


def test_what_was_seen_last_is_not_read_again(store: Store) -> None:
    token = store.create("[1]", NOW)
    seen = store.load(token, NOW)
    with recorded(store) as statements:
        seen = store.update(token, lambda document: f"{document}\n[2]", NOW, seen)
        seen = store.update(token, lambda document: f"{document}\n[3]", NOW, seen)
    assert not [text for text, _ in statements if str(text).startswith("SELECT")]
    assert seen == store.load(token, NOW) == Saved(("[1]", "[2]", "[3]"), 3, NOW, NOW + 90 * DAY)


def test_lines_are_united_with_what_was_written_meanwhile(store: Store, file: Path) -> None:
    token = store.create("one\n\ud800", NOW)
    seen = store.load(token, NOW)
    store.update_lines(token, lambda latest: [*latest.lines, "two"], NOW)
    given = []

    def three(latest: Saved) -> list[str]:
        given.append(latest.lines)
        return [*latest.lines, "three"]

    saved = store.update_lines(token, three, NOW, seen)
    assert given == [("one", "\ud800"), ("one", "\ud800", "two")]
    assert saved == store.load(token, NOW)
    assert saved.document == "one\n\ud800\ntwo\nthree"
    assert saved.bare.names == saved.names
    assert not saved.bare.lines


class Told:
    """Something that never changes, and how often it was written."""

    times = 0

    def write(self) -> str:
        self.times += 1
        return "how it is"


def test_what_never_changes_is_written_once_and_its_text_not_held() -> None:
    told = Told()
    line = Line(told, told.write)
    first = Lines.of([line, "new", "how it is"])
    assert first.names == Lines.of(["how it is", "new", "how it is"]).names
    assert first.size == len("how it is\nnew\nhow it is")
    assert list(first.packed_without([])) == list(first.names[:2])
    assert told.times == 1
    again = Lines.of([Line(told, told.write), "newer"])
    assert list(again.packed_without(first.names)) == [again.names[1]]
    assert again.size == len("how it is\nnewer")
    assert told.times == 1
    assert again.said[again.names[0]] is not str(line)
    # Elsewhere it is not kept yet.
    assert len(again.packed_without([])) == 2


def test_what_was_written_since_is_read_before_it_is_replaced(store: Store, file: Path) -> None:
    token = store.create("[1]", NOW)
    seen = store.load(token, NOW)
    store.update(token, lambda document: f"{document}\n[2]", NOW)
    saved = store.update(token, lambda document: f"{document}\n[3]", NOW, seen)
    assert saved == store.load(token, NOW) == Saved(("[1]", "[2]", "[3]"), 3, NOW, NOW + 90 * DAY)
    assert in_the_file(file) == ["[1]", "[2]", "[3]"]


def test_what_was_seen_before_it_expired_or_was_deleted_is_not_kept_again(
    store: Store, file: Path
) -> None:
    token = store.create("[1]", NOW)
    seen = store.load(token, NOW)
    with pytest.raises(NoSuchProject):
        store.update(token, replaced_by("[2]"), NOW + 90 * DAY, seen)
    store.delete(token)
    with pytest.raises(NoSuchProject):
        store.update(token, replaced_by("[2]"), NOW, seen)
    assert in_the_file(file) == []


def test_a_project_that_lost_a_line_is_said_to_be_damaged(store: Store, file: Path) -> None:
    token = store.create("one\ntwo", NOW)
    for _ in range(2):
        with closing(sqlite3.connect(file)) as raw, raw:
            raw.execute("DELETE FROM cml_lines WHERE rowid = (SELECT min(rowid) FROM cml_lines)")
        with pytest.raises(StoreDamaged, match=r"can no longer be read\."):
            store.load(token, NOW)


def test_projects_of_the_first_schema_are_found_changed_and_kept_in_lines(file: Path) -> None:
    file.parent.mkdir()
    token, document = "token", "[1]\n[2]"
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.executescript(SCHEMA_1)
        raw.execute(
            "INSERT INTO cml_projects VALUES (?, ?, 7, ?)",
            (digest(token), zlib.compress(document.encode()), stamp(NOW)),
        )
    for _ in range(2):
        with opened(file) as store:
            saved = store.load(token, NOW)
            assert (saved.document, saved.version, saved.changed) == (document, 7, NOW)
            assert saved.may_change
            assert not saved.shared
    with opened(file) as store:
        saved = store.update(token, lambda text: f"{text}\n[3]", NOW)
        assert saved == store.load(token, NOW) == Saved(("[1]", "[2]", "[3]"), 8, NOW)
    assert in_the_file(file) == ["[1]", "[2]", "[3]"]
