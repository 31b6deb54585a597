"""Projects are kept, found again, united and forgotten."""

import json
from collections.abc import Callable
from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from store_tools import (
    DAY,
    NOW,
    appended,
    incompressible,
    opened,
    recorded,
    replaced_by,
)

from cml_app.keeping.saved import Saved
from cml_app.keeping.store import MEGABYTE, NoSuchProject, Store


def test_what_was_created_is_found_again_under_its_token(store: Store) -> None:
    token = store.create('{"a": 1}', NOW)
    assert store.load(token, NOW) == Saved(('{"a": 1}',), 1, NOW, NOW + 90 * DAY)


def test_what_was_kept_is_found_by_the_next_process(file: Path) -> None:
    with opened(file) as store:
        token = store.create("[1]", NOW)
    with opened(file) as store:
        assert store.load(token, NOW).document == "[1]"


def test_an_update_replaces_the_document_and_counts_it(store: Store) -> None:
    token = store.create("[1]", NOW)
    later = NOW + DAY
    saved = store.update(token, appended(2), later)
    assert saved == Saved(("[1, 2]",), 2, later, later + 90 * DAY)
    assert store.load(token, later) == saved


def test_projects_do_not_touch_each_other(store: Store) -> None:
    first, second = store.create("[1]", NOW), store.create("[2]", NOW)
    store.update(first, appended(3), NOW)
    store.delete(first)
    assert store.load(second, NOW) == Saved(("[2]",), 1, NOW, NOW + 90 * DAY)


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


@pytest.mark.slow
@hypothesis_settings(max_examples=50)
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
        assert store.load(token, NOW + 6 * DAY)
        assert store.expire(NOW + 7 * DAY) == 1


def test_what_was_deleted_or_replaced_is_overwritten_in_the_file(file: Path) -> None:
    with opened(file) as store:
        gone, kept = store.create("[]", NOW), store.create("[]", NOW)
        with recorded(store) as statements:
            store.update(gone, replaced_by(incompressible(50_000)), NOW)
            store.update(kept, replaced_by(incompressible(50_000)), NOW)
    stored = [parameters["content"] for _, parameters in statements if "content" in parameters]
    assert [piece[1000:1050] in file.read_bytes() for piece in stored] == [True, True]
    with opened(file) as store:
        store.delete(gone)
        store.update(kept, replaced_by("[]"), NOW)
    assert [piece[1000:1050] in file.read_bytes() for piece in stored] == [False, False]


# Found by nobody else
