"""While a map of many objects is made, those that are placed are shown, each sent once."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from many_tools import N, settled, visit_of
from page_tools import SECONDS, press, said
from streamlit.testing.v1 import AppTest

from cml_app.many import job as jobs
from cml_app.many.held import held
from cml_app.many.job import ManyJob
from cml_app.panels.many import known, look
from cml_app.point_map import PointMapState, PointScene
from cml_app.point_map.sending import Sent
from cml_core import Progress
from cml_core.fitting.landmarks import fit as by_landmarks
from cml_core.many.arriving import Arriving
from cml_core.many.loop import Loop
from cml_core.many.origins import Whence
from cml_core.values.measures import comparison

LANDMARKS, BLOCK = 60, 50


class Shown:
    """What the page shows, and what a browser is sent of it."""

    def __init__(self) -> None:
        self.sent = Sent()
        self.scenes: list[PointScene] = []

    def __call__(self, scene: PointScene, **_: object) -> PointMapState:
        self.scenes.append(scene)
        self.sent = self.sent.after(scene)
        return PointMapState(scene.map_id, scene.tool)

    @property
    def counts(self) -> list[object]:
        return [part.told["count"] for part in self.sent.parts]


@pytest.fixture
def shown(many: AppTest, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """A map of few landmarks, placed in blocks of a few objects."""
    monkeypatch.setattr(by_landmarks, "MORE_LANDMARKS", LANDMARKS)
    monkeypatch.setattr(comparison, "BLOCK", BLOCK)
    found = Shown()
    monkeypatch.setattr(look, "point_map", found)
    return found


class Halts:
    """Has a job wait once so many objects are placed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *at: int) -> None:
        self.reached = {count: threading.Event() for count in at}
        self.go_on = {count: threading.Event() for count in at}
        plain = ManyJob._on_step

        def on_step(job: ManyJob, reached: Progress) -> bool:
            if reached.placed in self.reached:
                self.reached[reached.placed].set()
                assert self.go_on[reached.placed].wait(SECONDS)
            return plain(job, reached)

        monkeypatch.setattr(jobs.ManyJob, "_on_step", on_step)


def test_more_and_more_objects_are_shown_each_once_until_the_map_is_whole(
    many: AppTest, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    halts = Halts(monkeypatch, 100, 250)
    press(many, f"{N} simulated buyers")
    press(many, "Make the map")
    assert halts.reached[100].wait(SECONDS)
    many.run()
    assert not many.exception
    assert "The map is being made" in said(many)
    (first,) = shown.counts
    assert isinstance(first, int)
    arriving = shown.scenes[-1].places
    assert isinstance(arriving, Arriving)
    assert LANDMARKS < first < 100 + LANDMARKS
    assert first == (~np.isnan(arriving.places[:, 0])).sum()
    before = shown.sent.parts
    halts.go_on[100].set()
    assert halts.reached[250].wait(SECONDS)
    many.run()
    assert shown.sent.parts[:1] == before
    assert len(shown.counts) == 2
    halts.go_on[250].set()
    settled(many)
    found = visit_of(many).map
    assert found is not None
    assert found.whole
    assert shown.scenes[-1].places is found.places
    assert shown.sent.parts[:1] == before
    # Each object has travelled once, and none of them twice.
    assert sum(part.told["count"] for part in shown.sent.parts) == N  # type: ignore[misc]
    slots = [
        np.frombuffer(part.held.content, "<u4", count=part.told["count"])  # type: ignore[call-overload]
        for part in shown.sent.parts
    ]
    assert sorted(np.concatenate(slots)) == list(range(N))
    many.run()
    assert len(shown.counts) == len(slots)


def test_who_stops_keeps_what_was_sent_and_goes_on_with_all(
    many: AppTest, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    halts = Halts(monkeypatch, 150)
    press(many, f"{N} simulated buyers")
    press(many, "Make the map")
    assert halts.reached[150].wait(SECONDS)
    many.run()
    before, job = shown.sent.parts, visit_of(many).job
    assert job is not None
    job.cancel()
    halts.go_on[150].set()
    settled(many)
    assert "objects have no place yet" in said(many)
    # What the stopped map shows is what had come.
    assert shown.sent.parts[: len(before)] == before
    assert sum(part.told["count"] for part in shown.sent.parts) < N  # type: ignore[misc]
    settled(press(many, "Go on"))
    assert "this map leaves" in said(many)
    assert sum(part.told["count"] for part in shown.sent.parts) == N  # type: ignore[misc]


def test_who_comes_when_the_map_is_whole_is_sent_it_in_one_piece(
    many: AppTest, shown: Shown
) -> None:
    press(many, f"{N} simulated buyers")
    settled(press(many, "Make the map"))
    shown.sent = Sent()
    many.run()
    assert shown.counts == [N]
    assert shown.sent.parts[0].told["all"]


def test_a_page_is_drawn_anew_only_for_enough_more_objects_and_not_too_often(
    begun_anew: None,
) -> None:
    loop = Loop(Whence("buyers", n_objects=1000), ("thing 1",))
    job = ManyJob(loop=loop, step="1", at_hand=held(), n_objects=1000)
    assert not known.worth_showing(job, -1, 5.0)
    job.arriving = Arriving(1000, np.arange(10), np.zeros((10, 2)))
    assert known.worth_showing(job, -1, 0.1)
    assert not known.worth_showing(job, 0, 5.0)
    job.arriving.put(0, np.zeros((99, 2)))
    assert not known.worth_showing(job, 0, 5.0)
    job.arriving.put(99, np.zeros((1, 2)))
    assert known.worth_showing(job, 0, 5.0)
    assert not known.worth_showing(job, 0, 0.4)
    assert not known.worth_showing(job, 100, 5.0)
