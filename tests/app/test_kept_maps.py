"""Maps of many objects as files: whoever asks the same later need not have all placed again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from many_tools import buyers, settled, visit_of
from page_tools import page_of, tick
from streamlit.testing.v1 import AppTest

from cml_app.many import held, kept_maps, uploads
from cml_core.fitting.landmarks import fit as fitting
from cml_core.fitting.landmarks.placing import Placed
from cml_core.fitting.landmarks.result import Everyone, Sampled
from cml_core.many.loop import Loop
from cml_core.many.origins import PATH, UPLOAD, Whence

LOOP = Loop(Whence("buyers", n_objects=200), ("thing 1", "thing 2"))


def files() -> list[Path]:
    return sorted((uploads.folder() / uploads.MAPS).glob("*"))


def found(size: int = 200) -> Everyone:
    places = np.random.default_rng(size).normal(size=(size, 2))
    placed = Placed(places, places[:, :1], places[:, 0] ** 2, places[:, 1] ** 2)
    return Everyone(placed, Sampled(100, 0.25, 0.01, float("nan")))


def test_what_is_kept_is_found_as_it_was_by_whoever_asks_the_same(begun_anew: None) -> None:
    assert kept_maps.of(LOOP, "1") is None
    kept_maps.keep(LOOP, "1", found())
    assert [one.stat().st_mode & 0o077 for one in (uploads.folder(), files()[0].parent)] == [0, 0]
    again = kept_maps.of(LOOP, "1")
    assert again is not None
    np.testing.assert_array_equal(again.placed.embedding, found().placed.embedding)
    np.testing.assert_array_equal(again.placed.known_values, found().placed.known_values)
    np.testing.assert_equal(tuple(vars(again.sampled).values()), (100, 0.25, 0.01, float("nan")))
    other = Loop(Whence("buyers", n_objects=201), LOOP.vectors)
    assert kept_maps.of(other, "1") is None


def test_a_file_that_was_cut_short_is_as_none(begun_anew: None) -> None:
    kept_maps.keep(LOOP, "1", found())
    (file,) = files()
    for size in (0, 10, file.stat().st_size // 2):
        file.write_bytes(file.read_bytes()[:size])
        assert kept_maps.of(LOOP, "1") is None
    kept_maps.keep(LOOP, "1", found())
    assert kept_maps.of(LOOP, "1") is not None
    uploads.expire()
    assert files()


def test_of_a_table_that_may_become_another_one_nothing_is_kept(begun_anew: None) -> None:
    here = Whence(PATH, "/data/rows.npy")
    for whence in (here, Whence(UPLOAD, "digest", beside=here)):
        kept_maps.keep(Loop(whence, ("a", "b")), "1", found())
    assert not files()


def test_nothing_is_written_where_nothing_outlasts_the_server(
    begun_anew: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CML_KEEP_PROJECTS", "off")
    uploads.settings.clear()
    kept_maps.keep(LOOP, "1", found())
    assert kept_maps.of(LOOP, "1") is None
    assert not files()


def test_files_take_no_more_room_than_maps_at_hand_may(
    begun_anew: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_maps, "MEGABYTE", 10)
    for n_objects in range(200, 210):
        loop = Loop(Whence("buyers", n_objects=n_objects), LOOP.vectors)
        kept_maps.keep(loop, "1", found())
    most = 10 * uploads.settings().many_memory_mb
    assert files()
    assert sum(file.stat().st_size for file in files()) <= max(most, files()[-1].stat().st_size)
    assert kept_maps.of(loop, "1") is not None


def test_a_server_begun_anew_places_nobody_again_and_shows_the_same(
    many: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit = visit_of(tick(settled(buyers(many)), "Age"))
    settled(many)
    places = visit.map.places if visit.map is not None else None
    held.held.clear()
    monkeypatch.setattr(fitting, "everyone", lambda *_: pytest.fail("all are placed again"))
    page = page_of("pages/6_Many.py")
    page.query_params["many"] = visit.token
    again = visit_of(settled(page.run()))
    assert not page.exception
    assert again.map is not None
    assert again.made.step.known == ("Age",)
    np.testing.assert_array_equal(again.map.places, places)
