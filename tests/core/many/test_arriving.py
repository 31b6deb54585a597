"""Places that arrive while a map is made: each told once, and turned as the whole map is."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.many.arriving import Arriving
from cml_core.many.loop import Loop
from cml_core.many.maps import ManyMap, make_map
from cml_core.many.opened import opened
from cml_core.many.origins import Whence
from cml_core.values.measures import comparison

THINGS = tuple(f"thing {k + 1}" for k in range(50))


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few hundred objects come in several blocks."""
    monkeypatch.setattr(comparison, "BLOCK", 100)


class Watched:
    """What one sees who looks after each block."""

    def __init__(self) -> None:
        self.arriving: Arriving | None = None
        self.seen: list[tuple[np.ndarray, np.ndarray]] = []
        self.pieces = 0

    def __call__(self, arriving: Arriving) -> None:
        assert self.arriving is None
        self.arriving = arriving
        self.look()

    def look(self, *_: object) -> bool:
        if self.arriving is not None:
            now = self.arriving.pieces
            new = self.arriving.since(self.pieces, now)
            self.seen.append((new, self.arriving.places[new].copy()))
            self.pieces = now
        return False


def made(loop: Loop, before: ManyMap | None = None) -> tuple[ManyMap, Watched]:
    watched = Watched()
    found = make_map(
        opened(loop),
        loop,
        loop.current,
        {}.__getitem__,
        before,
        on_step=watched.look,
        on_places=watched,
    )
    watched.look()
    return found, watched


def test_landmarks_come_first_and_every_other_object_once_where_it_will_lie(
    small_blocks: None,
) -> None:
    loop = Loop(Whence("buyers", n_objects=730), THINGS, n_landmarks=150)
    found, watched = made(loop)
    first, *others = [new for new, _ in watched.seen if new.size]
    np.testing.assert_array_equal(first, found.fit.chosen)
    assert len(others) == 8
    assert sorted(np.concatenate([first, *others])) == list(range(730))
    for new, places in watched.seen:
        np.testing.assert_allclose(places, found.places[new], atol=1e-9)
    turned = found.turned(found.fit.embedding)
    np.testing.assert_allclose(found.places, turned, atol=1e-9)
    assert watched.arriving is not None
    assert watched.arriving.places is found.places
    assert not found.places.flags.writeable
    assert (len(watched.arriving), watched.arriving.placed) == (730, 730)


def test_what_arrives_is_turned_to_match_the_map_before(small_blocks: None) -> None:
    loop = Loop(Whence("buyers", n_objects=400), THINGS, n_landmarks=150)
    before, _ = made(loop)
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    aside = ManyMap(before.fit, before.places @ quarter, before.turn @ quarter)
    found, watched = made(loop, aside)
    off = 1e-3 * np.abs(found.places).max()
    for new, places in watched.seen:
        np.testing.assert_allclose(places, aside.places[new], atol=off)
    np.testing.assert_allclose(found.places, aside.places, atol=off)


def test_a_map_that_is_stopped_has_what_arrived_and_nothing_else(small_blocks: None) -> None:
    loop = Loop(Whence("buyers", n_objects=730), THINGS, n_landmarks=150)
    found = make_map(
        opened(loop), loop, "1", {}.__getitem__, on_step=lambda reached: reached.placed >= 300
    )
    assert not found.whole
    there = ~np.isnan(found.fit.placed.unexplained)
    assert there.sum() == 300
    known = ~np.isnan(found.places[:, 0])
    there[found.fit.chosen] = True
    np.testing.assert_array_equal(known, there)


def test_pieces_are_told_from_any_one_on() -> None:
    arriving = Arriving(10, np.array([2, 7]), np.zeros((2, 2)))
    arriving.put(5, np.ones((5, 2)))
    arriving.put(0, np.full((5, 2), 2.0))
    assert [arriving.since(k, 3).tolist() for k in range(4)] == [
        [2, 7, 5, 6, 8, 9, 0, 1, 3, 4], [5, 6, 8, 9, 0, 1, 3, 4], [0, 1, 3, 4], [],
    ]  # fmt: skip
    assert arriving.since(0, 1).tolist() == [2, 7]
    assert arriving.since(1, 2).tolist() == [5, 6, 8, 9]
