"""New objects on the page of many: brought, placed, shown, told, taken home, and taken off."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest
from many_tools import bytes_of, settled, table, upload, visit_of
from page_tools import field, page_of, press, said, tick
from streamlit.testing.v1 import AppTest

from cml_app.many import placing
from cml_app.many.visit import Visit
from cml_app.panels.many import look, newcomers
from cml_app.point_map import NewPoints, PointMapState, PointScene
from cml_app.point_map.packing import packed_newcomers
from cml_core.errors import ConditionalMappingError, LengthMismatch, UnknownOption
from cml_core.many import take_home
from cml_core.many.newcomers import PlacedNewcomers


class Seen:
    """The last scene of the map."""

    scene: PointScene

    def __call__(self, scene: PointScene, **_: object) -> PointMapState:
        self.scene = scene
        return PointMapState(scene.map_id, scene.tool)

    @property
    def new(self) -> NewPoints | None:
        return self.scene.newcomers


@pytest.fixture
def seen(many: AppTest, monkeypatch: pytest.MonkeyPatch) -> Seen:
    """The map of some papers, with the field for new ones open."""
    found = Seen()
    monkeypatch.setattr(look, "point_map", found)
    many.session_state[newcomers.KEY] = True
    upload(many, "papers.parquet", bytes_of(table()))
    measure = next(one for one in many.selectbox if one.label == "Objects are compared by")
    measure.set_value("euclidean").run()
    settled(press(many, "Make the map"))
    assert "the map stays as it is" in said(many)
    return found


def new(count: int = 3) -> pa.Table:
    """Papers of the table, under no other name, the last one unlike all."""
    some = table().slice(10, count)
    vectors = np.array(some["embedding"].to_pylist(), dtype=float)
    vectors[-1] *= -40
    return some.set_column(
        some.column_names.index("embedding"), "embedding", pa.array(vectors.tolist())
    )


def bring(app: AppTest, content: bytes, name: str = "new.parquet") -> AppTest:
    given = next(one for one in app.file_uploader if one.label == "A table of new objects")
    return given.set_value((name, content, "application/octet-stream")).run()


def placed(visit: Visit) -> PlacedNewcomers:
    found = visit.newcomers.found
    assert isinstance(found, PlacedNewcomers)
    return found


def test_new_objects_are_placed_on_each_map_told_and_taken_off(many: AppTest, seen: Seen) -> None:
    visit = visit_of(many)
    assert seen.new is None
    bring(many, bytes_of(new()))
    assert not many.exception
    assert "**3 new objects** of new.parquet on the map, as hollow diamonds." in said(many)
    assert "Not used on this map: topic and year." in said(many).replace(", ", " and ")
    on_map = visit.map
    assert on_map is not None
    assert seen.new is not None
    np.testing.assert_allclose(seen.new.places[:2], on_map.places[10:12], atol=1e-5)
    before = seen.new
    many.run()
    assert seen.new is before
    settled(tick(many, "topic"))
    assert "With topic taken out" in said(many)
    assert "Not used on this map: year." in said(many)
    assert seen.new is not before
    on_map = visit.map
    assert on_map is not None
    np.testing.assert_allclose(seen.new.places[:2], on_map.places[10:12], atol=1e-5)
    home = csv.read_csv(io.BytesIO(take_home.newcomers_csv(placed(visit))))
    assert home["object"].to_pylist() == list(placed(visit).names)
    press(many, "Take them off")
    assert seen.new is None
    assert "hollow diamonds" not in said(many)


def test_strangers_are_named(many: AppTest, seen: Seen) -> None:
    named = new().append_column("called", pa.array(["One", "Two", "Someone else"]))
    visit = visit_of(many)
    bring(many, bytes_of(named))
    far = placed(visit).found.far
    assert far.tolist() == [False, False, True]
    assert "1 with a broken outline, unlike everything here, a guess: new object 3." in said(many)
    assert seen.new is not None
    assert seen.new.far.tolist() == far.tolist()
    shown = many.dataframe[0].value
    assert shown.index[0] == "new object 3"
    assert list(shown.columns) == ["Outside", "Unexplained"]


def test_by_their_path_as_well_and_a_reload_has_none_of_them(
    many: AppTest, seen: Seen, tmp_path: Path
) -> None:
    vectors = np.array(new(2)["embedding"].to_pylist())
    np.save(tmp_path / "new.npy", vectors)
    field(many, "Or its path on this computer").set_value(str(tmp_path / "new.npy")).run()
    assert "**2 new objects** of new.npy" in said(many)
    assert seen.new is not None
    again = page_of("pages/6_Many.py")
    again.query_params["many"] = visit_of(many).token
    again.session_state[newcomers.KEY] = True
    settled(again.run())
    assert seen.new is None
    assert "hollow diamonds" not in said(again)


WORDS = new().set_column(0, "embedding", pa.array(["far"] * 3))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.parquet", bytes_of(new().slice(0, 0)), "is empty"),
        ("cut.parquet", bytes_of(new())[:-30], "damaged, cut short"),
        ("text.csv", b"embedding 1,embedding 2\nx,1\n", "no column 'embedding'"),
        ("nothing.csv", b"", "is empty"),
        ("other.parquet", bytes_of(new().drop_columns(["embedding"])), "no column 'embedding'"),
    ],
)
def test_what_cannot_be_placed_is_told_and_the_map_stays(
    many: AppTest, seen: Seen, name: str, content: bytes, words: str
) -> None:
    before = visit_of(many).map
    bring(many, content, name)
    assert not many.exception
    assert words in many.error[0].value.replace("\\", "")
    assert isinstance(visit_of(many).newcomers.found, ConditionalMappingError)
    assert seen.new is None
    assert visit_of(many).map is before
    bring(many, bytes_of(new()))
    assert not many.error
    assert seen.new is not None


def test_what_is_unexpected_is_told_by_a_number(
    many: AppTest, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> PlacedNewcomers:
        raise RuntimeError

    monkeypatch.setattr(placing, "place_newcomers", broken)
    bring(many, bytes_of(new()))
    assert not many.exception
    assert "Something went wrong that should not have" in many.error[0].value


def test_of_very_many_some_are_drawn_and_those_outside_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cml_app.point_map.packing.MOST_MARKS", 50)
    far = np.zeros(1000, dtype=bool)
    far[[7, 800]] = True
    places = np.random.default_rng(0).normal(size=(1000, 2))
    names = tuple(f"New {k}" for k in range(1000))
    packed = packed_newcomers(NewPoints(places, far, names))
    assert (packed.told["count"], packed.told["total"], packed.told["far"]) == (50, 1000, 2)
    assert set(packed.told["names"][:2]) == {"New 7", "New 800"}  # type: ignore[index]
    drawn = np.frombuffer(packed.content, "<f4").reshape(-1, 2)
    assert {tuple(row) for row in drawn[:2]} == {tuple(row) for row in places[far].astype("f4")}
    left_out = newcomers.left_out(30_000)
    assert left_out[0].startswith("20,000 of them are drawn")


def test_new_points_need_a_place_and_a_name_each() -> None:
    far = np.zeros(1, dtype=bool)
    with pytest.raises(LengthMismatch, match="1 new objects, with places of the shape"):
        NewPoints(np.zeros((2, 2)), far, ("One",))
    with pytest.raises(UnknownOption, match="nowhere"):
        NewPoints(np.full((1, 2), np.nan), far, ("One",))
