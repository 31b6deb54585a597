"""New objects on a map of very many: where they lie, what is known of them, what is refused."""

from __future__ import annotations

import io
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as parquet
import pytest

from cml_core.errors import (
    ConditionalMappingError,
    NotNumeric,
    TooManyObjects,
    UnreadableFile,
    UnsuitableFeature,
    UnsuitableMeasurements,
)
from cml_core.many import newcomers, take_home
from cml_core.many.loop import Candidate, Loop
from cml_core.many.maps import ManyMap, feature, make_map, told
from cml_core.many.newcomers import PlacedNewcomers, place_newcomers
from cml_core.many.opened import Opened, opened
from cml_core.many.origins import Whence
from cml_core.many.text_tables import to_arrow
from cml_core.values.rows.registry import rows_of

N, WIDTH = 500, 6
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
CANDIDATES = (
    Candidate("topic", "categorical"),
    Candidate("year", "numeric"),
    Candidate("month", "circular"),
    Candidate("grade", "ordinal", order=("low", "middle", "high")),
)
ARROW = {"kind": "arrow", "start": [0.0, 0.0], "end": [1.0, 0.5]}
REGION = {"kind": "region", "points": [[-9.0, -9.0], [0.0, -9.0], [0.0, 9.0], [-9.0, 9.0]]}


def papers(n: int = N, seed: int = 0) -> pa.Table:
    """Vectors, of which topic, year and month explain a part; the last rows are strangers."""
    random = np.random.default_rng(seed)
    topic, month = random.integers(3, size=n), random.integers(12, size=n)
    year, grade = random.uniform(1990, 2020, n).round(), random.integers(3, size=n)
    turn = 2 * np.pi * month / 12
    ways = np.random.default_rng(5).normal(size=(6, WIDTH))
    inner = np.column_stack(
        [random.normal(size=(n, 2)), topic == 0, topic == 1, np.cos(turn), (year - 2005) / 10]
    )
    vectors = inner @ ways + 0.1 * random.normal(size=(n, WIDTH))
    return pa.table(
        {
            "title": [f"Paper {k}" for k in range(n)],
            "embedding": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), WIDTH),
            "topic": [("physics", "poetry", "plants")[k] for k in topic],
            "year": year,
            "month": [MONTHS[k] for k in month],
            "grade": [("low", "middle", "high")[k] for k in grade],
        }
    )


class World:
    """A table on disk, its loop, and the maps of its steps."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.table = folder, papers()
        self.path = self.written(self.table, "papers")
        whence = Whence("path", str(self.path))
        self.loop = Loop(
            whence, ("embedding",), candidates=CANDIDATES, called="title", n_landmarks=120
        )
        self.opened: Opened = opened(self.loop)
        self.held: dict[str, ManyMap] = {}

    def written(self, table: pa.Table, name: str = "new") -> Path:
        path = self.folder / f"{name}.parquet"
        parquet.write_table(table, path)
        return path

    def map_of(self, step: str) -> ManyMap:
        if step not in self.held:
            self.held[step] = make_map(self.opened, self.loop, step, self.map_of)
            self.loop = told(self.loop, step, self.held[step])
        return self.held[step]

    def knowing(self, *names: str) -> str:
        self.loop = self.loop.knowing(names)
        return self.loop.current

    def placed(self, new: pa.Table | Path, step: str, **options: Any) -> PlacedNewcomers:
        path = new if isinstance(new, Path) else self.written(new)
        rows = rows_of(path)
        return place_newcomers(self.opened, self.loop, step, rows, self.map_of, **options)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("papers"))


def test_objects_of_the_map_brought_as_new_lie_where_they_lie(world: World) -> None:
    step = world.knowing("topic", "year", "month", "grade")
    on_map = world.map_of(step)
    found = world.placed(world.table, step)
    scale = np.abs(on_map.places).max()
    np.testing.assert_allclose(found.places, on_map.places, atol=1e-5 * scale)
    np.testing.assert_allclose(found.found.known_values, on_map.fit.known_values, atol=1e-6)
    assert found.names[7] == "Paper 7"
    assert found.notes == ()
    assert not found.places.flags.writeable


def test_what_was_drawn_is_read_off_the_map_it_was_drawn_on(world: World) -> None:
    first = world.knowing("topic")
    world.map_of(first)
    world.loop = world.loop.with_discovery("slope", ARROW)
    world.loop = world.loop.visiting(first).with_discovery("side", REGION)
    step = world.knowing("topic", "slope", "side")
    new = papers(30, seed=3)
    found = world.placed(new, step)
    there = world.placed(new, first)
    columns = dict(zip(found.columns, found.found.known_values.T, strict=True))
    along = there.places @ np.array([1.0, 0.5]) / 1.25
    np.testing.assert_allclose(columns["slope"], along, atol=1e-6)
    sides = columns["side [1]"]
    left = there.places[:, 0] < 0
    assert len(np.unique(sides[left])) == len(np.unique(sides[~left])) == 1
    assert sides[left][0] != sides[~left][0]
    assert any(note.startswith("slope and side were drawn") for note in found.notes)
    # Of one object alone nothing varies, and it has its value nevertheless.
    (alone,) = world.placed(new.slice(4, 1), step).places
    np.testing.assert_allclose(alone, found.places[4], atol=1e-6)


def test_what_is_missing_is_told_and_found_with_each_place(world: World) -> None:
    step = world.knowing("topic", "year")
    new = papers(60, seed=4)
    whole = world.placed(new, step)
    without = world.placed(new.drop_columns(["topic"]), step)
    assert "The table has no topic, so that is found with each place." in without.notes
    assert np.isfinite(without.places).all()
    aged = world.placed(new.drop_columns(["year"]), step)
    years = dict(zip(aged.columns, aged.found.known_values.T, strict=True))["year"]
    assert np.corrcoef(years, new["year"].to_numpy())[0, 1] > 0.8
    gappy = new.set_column(
        new.column_names.index("year"), "year", pa.array([None, *new["year"].to_pylist()[1:]])
    )
    some = world.placed(gappy, step)
    np.testing.assert_allclose(some.places[1:], whole.places[1:], atol=1e-9)
    assert any(note.startswith("Of 1 object not all") for note in some.notes)
    nothing = world.placed(
        new.set_column(new.column_names.index("topic"), "topic", pa.nulls(60)), step
    )
    np.testing.assert_allclose(nothing.places, without.places, atol=1e-9)


def test_strangers_are_told_by_how_far_outside_they_lie(world: World) -> None:
    step = world.knowing("topic")
    new = papers(20, seed=6)
    vectors = np.array(new["embedding"].to_pylist())
    vectors[3] += 200
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), WIDTH)
    found = world.placed(new.set_column(1, "embedding", column), step)
    assert found.found.far[3]
    assert found.found.outside.argmax() == 3
    # Of those far off the direction is drawn, and the map stays large enough to be seen.
    on_map = world.map_of(step).places
    assert found.beyond.tolist() == [k == 3 for k in range(20)]
    np.testing.assert_array_equal(found.drawn[~found.beyond], found.places[~found.beyond])
    middle, size = (on_map.min(axis=0) + on_map.max(axis=0)) / 2, np.ptp(on_map, axis=0)
    true, seen = found.places[3] - middle, found.drawn[3] - middle
    assert np.abs(true / size).max() > 2
    assert np.abs(seen / size).max() == pytest.approx(0.75)
    np.testing.assert_allclose(seen / np.linalg.norm(seen), true / np.linalg.norm(true))
    assert "1 lies further off than is drawn" in found.notes[-1]


def test_text_and_arrays_place_as_the_table_does(world: World, tmp_path: Path) -> None:
    step = world.knowing("year")
    new = papers(40, seed=7)
    vectors = np.array(new["embedding"].to_pylist())
    wanted = world.placed(new, step)
    spread = {f"embedding {k + 1}": vectors[:, k] for k in range(WIDTH)}
    csv.write_csv(pa.table({**spread, "year": new["year"]}), tmp_path / "new.csv")
    by_text = world.placed(to_arrow(tmp_path / "new.csv", "new.csv"), step)
    np.testing.assert_allclose(by_text.places, wanted.places, atol=1e-6)
    assert by_text.names[:2] == ("new object 1", "new object 2")
    np.save(tmp_path / "new.npy", vectors)
    by_array = world.placed(tmp_path / "new.npy", step)
    assert by_array.notes == ("The table has no year, so that is found with each place.",)
    without = world.placed(new.drop_columns(["year"]), step)
    np.testing.assert_allclose(by_array.places, without.places, atol=1e-9)
    np.save(tmp_path / "wide.npy", vectors[:, :4])
    with pytest.raises(UnsuitableMeasurements, match="has 4 columns; objects here are"):
        world.placed(tmp_path / "wide.npy", step)


def test_a_column_of_an_array_is_not_taken_for_another_that_has_its_number(
    tmp_path: Path,
) -> None:
    random = np.random.default_rng(0)
    known = random.normal(size=(200, 1))
    vectors = random.normal(size=(200, 4)) + known
    np.save(tmp_path / "all.npy", np.hstack([known, vectors]))
    names = tuple(f"column {k}" for k in range(2, 6))
    candidates = (Candidate("column 1", "numeric"),)
    loop = Loop(Whence("path", str(tmp_path / "all.npy")), names, candidates=candidates,
                n_landmarks=60).knowing(["column 1"])  # fmt: skip
    table = opened(loop)
    on_map = make_map(table, loop, loop.current, {}.__getitem__)
    whole = place_newcomers(
        table, loop, loop.current, rows_of(tmp_path / "all.npy"), lambda _: on_map
    )
    np.testing.assert_allclose(whole.places, on_map.places, atol=1e-5)
    np.save(tmp_path / "vectors.npy", vectors)
    found = place_newcomers(
        table, loop, loop.current, rows_of(tmp_path / "vectors.npy"), lambda _: on_map
    )
    assert found.notes == ("The table has no column 1, so that is found with each place.",)


def test_months_are_the_same_however_few_of_them_occur(world: World) -> None:
    step = world.knowing("month")
    new = papers(50, seed=8)
    whole = world.placed(new, step)
    march = [k for k, month in enumerate(new["month"].to_pylist()) if month == "Mar"]
    few = world.placed(new.take(march), step)
    np.testing.assert_allclose(few.places, whole.places[march], atol=1e-9)


def put(table: pa.Table, name: str, values: Any) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, pa.array(values))


NEW = papers(8, seed=9)
SHORT = pa.array([[1.0, 2.0]] * 8)
HOLE = [[*row[:5], None if k == 2 else 0.0] for k, row in enumerate(NEW["embedding"].to_pylist())]


@pytest.mark.parametrize(
    ("new", "error", "words"),
    [
        (NEW.slice(0, 0), UnreadableFile, "is empty"),
        (NEW.drop_columns(["embedding"]), UnsuitableMeasurements, "no column 'embedding'"),
        (put(NEW, "embedding", SHORT), UnsuitableMeasurements, "has 2 columns"),
        (put(NEW, "embedding", HOLE), UnsuitableMeasurements, "object 3 in 'embedding 6' is miss"),
        (put(NEW, "embedding", ["far"] * 8), NotNumeric, "'embedding' of the new .* holds 'far'"),
        (put(NEW, "topic", ["physics", "cooking"] * 4), UnsuitableFeature, "topic .* 'cooking'"),
        (put(NEW, "topic", SHORT), UnsuitableFeature, "holds lists"),
        (put(NEW, "year", ["long ago"] * 8), UnsuitableFeature, "'long ago'.* is an amount here"),
        (put(NEW, "year", np.array(["2001-01-01"] * 8, "M8[D]")), UnsuitableFeature, "a date"),
        (put(NEW, "month", ["Mar", "soon"] * 4), UnsuitableFeature, "month"),
        (put(NEW, "grade", ["low", "best"] * 4), UnsuitableFeature, "'best'; here it is low"),
    ],
)
def test_what_cannot_be_placed_is_refused_in_words(
    world: World, new: pa.Table, error: type[ConditionalMappingError], words: str
) -> None:
    step = world.knowing("topic", "year", "month", "grade")
    with pytest.raises(error, match=words) as caught:
        world.placed(new, step)
    assert caught.value.remedy


def test_too_many_at_a_time_are_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newcomers, "MOST_NEW", 7)
    with pytest.raises(TooManyObjects, match="8 new objects; 7 are placed at a time"):
        world.placed(NEW, "1")


def test_it_is_told_how_many_are_placed_and_may_end(world: World) -> None:
    done: list[int] = []
    world.placed(NEW, "1", on_block=done.append)
    assert done == [8]

    def stop(_: int) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        world.placed(NEW, "1", on_block=stop)


def test_their_places_go_home(world: World) -> None:
    step = world.knowing("topic")
    found = world.placed(NEW, step)
    home = parquet.read_table(io.BytesIO(take_home.newcomers_parquet(found)))
    assert home.column_names == [
        "object", "dimension 1", "dimension 2", "unexplained", "outside", "far outside",
        "topic [1]", "topic [2]",
    ]  # fmt: skip
    assert home["object"].to_pylist() == NEW["title"].to_pylist()
    np.testing.assert_array_equal(home["dimension 2"].to_numpy(), found.places[:, 1])
    text = csv.read_csv(io.BytesIO(take_home.newcomers_csv(found)))
    assert text.column_names == home.column_names
    named = replace(found, columns=("outside", "object"))
    assert take_home.newcomers_csv(named).startswith(b'"object","dimension 1"')


def test_features_of_the_map_are_as_they_were(world: World) -> None:
    step = world.knowing("topic")
    before = feature(world.opened, world.loop, "topic", world.map_of).values.copy()
    places = world.map_of(step).places.copy()
    world.placed(NEW, step)
    np.testing.assert_array_equal(world.map_of(step).places, places)
    now = feature(world.opened, world.loop, "topic", world.map_of).values
    np.testing.assert_array_equal(now, before)
