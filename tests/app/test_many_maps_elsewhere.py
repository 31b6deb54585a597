"""Maps of many objects on several servers: made once, watched and stopped from wherever one is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from evidence_tools import SECONDS, SETTINGS
from test_many_elsewhere import there, until

from cml_app import background, elsewhere
from cml_app.background import Presence
from cml_app.keeping.computing import STALE, Told
from cml_app.keeping.schema import MAPS
from cml_app.keeping.store import Store
from cml_app.many import job, kept_maps, uploads
from cml_app.many import visit as visits
from cml_app.many.held import Held
from cml_app.many.job import ManyPlaces
from cml_app.many.visit import Visit
from cml_app.this_server import moment
from cml_core import Progress
from cml_core.many.loop import Candidate, Loop
from cml_core.many.origins import Whence


class Gate:
    """Maps are made once it is open; of each it is noted whether it was only read."""

    def __init__(self) -> None:
        self.open, self.begun = threading.Event(), threading.Event()
        self.read: list[bool] = []

    def make_map(self, *asked: Any, on_step: Callable[[Progress], bool], **more: Any) -> Any:
        self.read.append(more["again"] is not None)
        self.begun.set()
        while not self.open.wait(0.01) and not on_step(Progress(1, 1, 10, 0.5, 100)):
            pass
        return make_map(*asked, on_step=on_step, **more)


make_map = job.make_map


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate()
    monkeypatch.setattr(job, "make_map", gate.make_map)
    yield gate
    gate.open.set()


@pytest.fixture
def turn_to(
    store: Store, gate: Gate, begun_anew: None, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Be one server or another of the same database and the same folder of files."""
    places = {name: ManyPlaces(SETTINGS) for name in ("one", "other")}
    people = {name: Presence() for name in places}
    at_hand = {name: Held(10**9, 10**6, uploads.folder()) for name in places}
    for module in (elsewhere, visits):
        monkeypatch.setattr(module, "store", lambda: store)
    monkeypatch.setattr(visits, "show_token", lambda _: None)
    monkeypatch.setattr(job, "TOLD_FROM", 200)
    monkeypatch.setattr(elsewhere, "TELL_EVERY", 0.02)
    monkeypatch.setattr(elsewhere, "ASK_EVERY", 0.0)

    def turn(name: str) -> None:
        monkeypatch.setattr(elsewhere, "THIS_SERVER", name)
        monkeypatch.setattr(job, "places", lambda: places[name])
        monkeypatch.setattr(background, "presence", lambda: people[name])
        monkeypatch.setattr(visits, "held", lambda: at_hand[name])

    turn("one")
    return turn


def begun(turn_to: Callable[[str], None], gate: Gate) -> tuple[Visit, Visit]:
    """The first map is being made on one server; the address is opened on another."""
    things = tuple(f"thing {k + 1}" for k in range(50))
    asked = Visit()
    asked.begin(
        Loop(Whence("buyers", n_objects=200), things, candidates=(Candidate("Age", "numeric"),))
    )
    assert gate.begun.wait(SECONDS)
    turn_to("other")
    return asked, there(asked)


def waits(visit: Visit) -> bool:
    """Whether it shows what another server makes."""
    assert visit.job is not None
    return visit.job.progress[1] == "Placed 100 of 200 objects (asked for on another page)"


def test_a_map_that_another_server_makes_is_watched_and_not_made_again(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, other = begun(turn_to, gate)
    other.ensure()
    until(lambda: waits(other))
    assert asked.job is not None
    # Who waits there is there.
    until(lambda: len(asked.job.presences) == 2)
    assert not kept_maps.of(other.made, "1")
    gate.open.set()
    until(other.take)
    assert gate.read == [False, True]
    turn_to("one")
    until(asked.take)
    assert asked.map is not None
    places = asked.map.places
    turn_to("other")
    assert other.map is not None
    np.testing.assert_array_equal(other.map.places, places)


def test_it_is_stopped_from_another_server_which_can_ask_again(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, other = begun(turn_to, gate)
    other.ensure()
    until(lambda: waits(other))
    assert asked.job is not None
    assert other.job is not None
    other.job.stop()
    other.attempt_quietly(lambda: until(other.take))
    assert other.trouble is not None
    assert "stopped before there was anything to see" in other.trouble.fact
    until(lambda: asked.job.done)
    gate.open.set()
    other.trouble = None
    other.ensure()
    until(other.take)
    assert other.map is not None
    assert other.map.whole


def test_who_looks_at_something_else_stops_it_for_nobody(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, other = begun(turn_to, gate)
    other.ensure()
    until(lambda: waits(other))
    gate.begun.clear()
    other.know(("Age",))
    # Another map is made beside it, and not told.
    assert gate.begun.wait(SECONDS)
    assert asked.job is not None
    assert asked.job.wanted
    gate.open.set()
    until(other.take)
    assert gate.read == [False, False]
    assert other.made.step.known == ("Age",)


def test_another_tab_of_its_own_server_watches_the_same_and_stops_it_for_nobody(
    turn_to: Callable[[str], None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, _ = begun(turn_to, gate)
    turn_to("one")
    tab = there(asked)
    monkeypatch.setattr(background, "presence", Presence)
    tab.ensure()
    assert asked.job is not None
    assert tab.job is asked.job
    tab.know(("Age",))
    assert tab.job is not asked.job
    assert asked.job.wanted
    again = there(asked)
    again.visit("1")
    assert again.job is asked.job
    gate.open.set()
    for one in (asked, again, tab):
        until(one.take)
        assert one.map is not None
    assert gate.read == [False, False]
    until(lambda: job.places().of(asked.token or "") is None)


def test_where_the_server_has_died_it_is_made_anew(
    turn_to: Callable[[str], None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, other = begun(turn_to, gate)
    gate.open.set()
    assert asked.job is not None
    until(lambda: asked.job.done)
    for file in (uploads.folder() / uploads.MAPS).glob("*.npz"):
        file.unlink()
    assert other.token
    dead = Told("dead", "job", other.shown, job.KIND, job.LABEL)
    computing = visits.store().computing(MAPS)
    until(lambda: computing.begin(other.token, dead, moment()) is None)
    other.ensure()
    until(lambda: other.job is not None and other.job.made_there is not None)
    monkeypatch.setattr(elsewhere, "moment", lambda: moment() + 2 * STALE)
    until(other.take)
    assert gate.read == [False, False]
    assert other.map is not None


@pytest.mark.parametrize("without", ["a common folder", "so many objects"])
def test_of_what_cannot_be_handed_on_or_is_quick_nobody_is_told(
    without: str, turn_to: Callable[[str], None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without == "a common folder":
        monkeypatch.setattr(uploads, "lasting_folder", lambda: None)
    else:
        monkeypatch.setattr(job, "TOLD_FROM", 201)
    _, other = begun(turn_to, gate)
    gate.begun.clear()
    other.ensure()
    assert gate.begun.wait(SECONDS)
    gate.open.set()
    until(other.take)
    assert gate.read == [False, False]
