"""Fits have bounds: how many run and wait, for how long, and for whom."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_app import background, compute
from cml_app.background import Presence, ServerBusy, StoppedEarly
from cml_app.compute import Courtesy, Job, Places
from cml_app.settings import Settings
from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, Progress, fit
from cml_core.fitting.cost import expected_seconds

SETTINGS = replace(Settings.from_environment({"HOME": "/nowhere"}), jobs_at_once=1, jobs_waiting=1)
# Waiting for an event that is sure to come; only a test that fails waits so long.
SECONDS = 30


def problem_of(n_objects: int) -> Problem:
    points = np.random.default_rng(n_objects).normal(size=(n_objects, 3))
    labels = tuple(f"object {i}" for i in range(n_objects))
    return Problem(Dissimilarities(labels, pdist(points)), FeatureTable(labels))


SMALL = problem_of(12)
LONG = problem_of(13)


class Gate:
    """A fit that takes its steps until it is let go, or told to stop."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.begun = threading.Event()

    def fit(
        self, problem: Problem, *, on_step: Callable[[Progress], bool] | None = None, **_: Any
    ) -> Fit:
        self.begun.set()
        if on_step is None:
            assert self.open.wait(SECONDS)
            return fit(problem, seed=0)
        iteration = 0
        while not self.open.wait(0.001):
            iteration += 1
            if on_step(Progress(1, 2, iteration, 0.5)):
                return fit(problem, seed=0, on_step=lambda _: True)
        return fit(problem, seed=0)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate()
    monkeypatch.setattr(compute, "fit", gate.fit)
    yield gate
    gate.open.set()


@pytest.fixture
def places() -> Places:
    return Places(SETTINGS)


@pytest.fixture
def all_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even the quickest fit is taken for one that is not."""
    monkeypatch.setattr(compute, "QUICK_SECONDS", 0.0)


def test_a_job_answers_as_the_fit_itself_would(places: Places) -> None:
    job = places.begin(SMALL, Presence())
    assert job.result().stress == fit(SMALL, seed=compute.SEED).stress
    assert job.done
    assert job.remark is None


@pytest.mark.usefixtures("all_large")
def test_a_large_fit_answers_as_the_fit_itself_would(places: Places) -> None:
    np.testing.assert_array_equal(
        places.begin(SMALL, Presence()).result().embedding,
        fit(SMALL, seed=compute.SEED).embedding,
    )


def test_an_error_of_a_fit_reaches_who_asked_for_it(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> Fit:
        raise ServerBusy("It is broken.", remedy="Mend it.")

    monkeypatch.setattr(compute, "fit", broken)
    with pytest.raises(ServerBusy, match="broken"):
        places.begin(SMALL, Presence()).result()


@pytest.mark.usefixtures("all_large")
def test_more_jobs_than_may_run_and_wait_are_refused_in_words(places: Places, gate: Gate) -> None:
    running, waiting = (places.begin(SMALL, Presence()) for _ in range(2))
    with pytest.raises(ServerBusy) as error:
        places.begin(SMALL, Presence())
    assert error.value.fact == "The server is busy: 2 large fits are running or waiting."
    assert "Nothing is lost" in error.value.remedy
    assert waiting.progress == (0.0, "Waiting for another fit to end")
    gate.open.set()
    assert running.result().converged
    assert waiting.result().converged
    assert places.begin(SMALL, Presence()).result().converged


@pytest.mark.usefixtures("all_large")
def test_a_new_question_takes_the_place_of_the_visitors_old_one(places: Places, gate: Gate) -> None:
    first = places.begin(SMALL, Presence())
    other = places.begin(SMALL, Presence())
    second = places.begin(SMALL, Presence(), replacing=first)
    assert first.result().stopped == "cancelled"
    gate.open.set()
    assert other.result().converged
    assert second.result().converged


@pytest.mark.usefixtures("all_large")
def test_one_visitor_cannot_hold_several_places_by_several_tabs(places: Places, gate: Gate) -> None:
    first = places.begin(SMALL, Presence("ann"))
    with pytest.raises(ServerBusy, match="Another of your tabs"):
        places.begin(SMALL, Presence("ann"))
    # Of whom nothing is told, nobody knows that they are one.
    waiting = places.begin(SMALL, Presence("ben"))
    instead = places.begin(SMALL, ann := Presence("ann"), replacing=first)
    # Whoever loads the page anew is not kept waiting by the one that is gone.
    ann.leave()
    waiting.cancel()
    waiting = places.begin(SMALL, Presence("ann"))
    gate.open.set()
    assert waiting.result().converged
    assert instead.result().converged
    assert places.begin(SMALL, Presence("ann")).result().converged


@pytest.mark.usefixtures("all_large")
def test_a_job_is_not_given_up_for_one_that_is_refused(places: Places, gate: Gate) -> None:
    kept = Job(SMALL)
    for _ in range(2):
        places.begin(SMALL, Presence())
    with pytest.raises(ServerBusy):
        places.begin(SMALL, Presence(), replacing=kept)
    assert kept.wanted


def test_stopping_a_job_keeps_the_best_map_so_far(places: Places, gate: Gate) -> None:
    job = places.begin(SMALL, Presence())
    assert gate.begun.wait(SECONDS)
    job.cancel()
    assert job.result().stopped == "cancelled"
    assert job.result().embedding.shape == (12, 2)
    assert job.remark is None


@pytest.mark.usefixtures("all_large")
def test_a_job_stopped_before_it_began_says_that_there_is_no_map(
    places: Places, gate: Gate
) -> None:
    places.begin(SMALL, Presence())
    waiting = places.begin(SMALL, Presence())
    waiting.cancel()
    assert waiting.done
    with pytest.raises(StoppedEarly, match="before it began"):
        waiting.result()


def test_at_the_limit_of_time_the_best_map_so_far_is_shown_and_said_to_be_that(
    gate: Gate,
) -> None:
    job = Places(replace(SETTINGS, job_seconds=0)).begin(SMALL, Presence())
    assert job.result().stopped == "cancelled"
    assert job.result().embedding.shape == (12, 2)
    assert job.remark is not None
    assert job.remark.fact.startswith("The fit was stopped after 0 seconds")


def test_a_fit_that_ended_as_time_did_is_not_said_to_be_stopped() -> None:
    places = Places(replace(SETTINGS, job_seconds=0))
    job = places.begin(problem_of(700), Presence())
    assert job.result().converged == (job.remark is None)


@pytest.mark.usefixtures("all_large")
def test_who_has_left_stops_costing(
    places: Places, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "ABSENT_AFTER", 0.0)
    here, gone = Presence(), Presence()
    running = places.begin(SMALL, gone)
    waiting = places.begin(SMALL, gone)
    gone.leave()
    assert running.result().stopped == "cancelled"
    with pytest.raises(StoppedEarly):
        waiting.result()
    # Nor does it take a place in the queue.
    one, two = (places.begin(SMALL, here) for _ in range(2))
    gate.open.set()
    assert one.result().converged
    assert two.result().converged


def test_a_visitor_who_is_back_soon_finds_the_job_still_running(places: Places, gate: Gate) -> None:
    before, after = Presence(), Presence()
    job = places.begin(SMALL, before)
    assert gate.begun.wait(SECONDS)
    before.leave()
    assert not before.gone
    job.seen_by(after)
    assert job.wanted
    gate.open.set()
    assert job.result().converged


def test_a_quick_fit_waits_its_turn_and_can_be_watched_meanwhile(gate: Gate) -> None:
    places = Places(replace(SETTINGS, quick_at_once=1))
    first, second = (places.begin(SMALL, Presence()) for _ in range(2))
    assert gate.begun.wait(SECONDS)
    assert not second.ends_within(0.01)
    assert second.progress == (0.0, "Waiting for another fit to end")
    gate.open.set()
    assert first.ends_within(SECONDS)
    assert second.ends_within(SECONDS)
    assert second.result().converged


def test_one_visitors_long_fits_leave_room_for_the_quick_ones_of_others(
    places: Places, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compute, "expected_seconds", lambda problem: float(problem is LONG))
    begun = [places.begin(LONG, Presence()) for _ in range(2)]
    assert gate.begun.wait(SECONDS)
    monkeypatch.setattr(compute, "fit", fit)
    assert places.begin(SMALL, Presence()).result().converged
    assert not any(job.done for job in begun)


def test_many_known_features_make_a_fit_as_long_as_many_objects_do() -> None:
    few = problem_of(400)
    noise = np.random.default_rng(0).normal(size=(400, 40))
    columns = [Feature.numeric(f"feature {k}", noise[:, k]) for k in range(40)]
    many = replace(few, known=FeatureTable(few.dissimilarities.labels, columns), n_components=8)
    assert expected_seconds(few) < compute.QUICK_SECONDS < expected_seconds(many)


def test_a_fit_taken_for_quick_begins_anew_among_the_large_and_answers_the_same(
    places: Places, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compute, "OUTGROWN_AFTER", -1.0)
    job = places.begin(SMALL, Presence())
    monkeypatch.setattr(compute, "fit", fit)
    assert job.result().converged
    assert job.result().stress == fit(SMALL, seed=compute.SEED).stress
    assert places.courtesy.quiet


def test_a_fit_that_takes_long_in_other_threads_begins_anew_among_the_large(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = problem_of(300)
    noise = np.random.default_rng(0).normal(size=(300, 60))
    columns = [Feature.numeric(f"feature {k}", noise[:, k]) for k in range(60)]
    known = FeatureTable(few.dissimilarities.labels, columns)
    costly = replace(few, known=known, n_components=8, scale="ordinal")
    monkeypatch.setattr(compute, "expected_seconds", lambda _: 0.0)
    job = places.begin(costly, Presence())
    while job.larger is not None and not job.done:
        time.sleep(0.01)
    try:
        assert job.larger is None
        assert not job.done
        assert places.courtesy.quiet
    finally:
        job.cancel()


@pytest.mark.parametrize("full", [True, False])
def test_a_fit_that_outgrows_its_place_goes_no_further_than_any_large_one(
    full: bool, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = Places(replace(SETTINGS, jobs_waiting=1 if full else 9))
    monkeypatch.setattr(compute, "expected_seconds", lambda problem: float(problem is LONG))
    whose = ("ben", "eva") if full else ("ann",)
    large = [places.begin(LONG, Presence(one)) for one in whose]
    monkeypatch.setattr(compute, "OUTGROWN_AFTER", -1.0)
    job = places.begin(SMALL, Presence("ann"))
    assert job.result().stopped == "cancelled"
    assert job.remark is not None
    said = "The server is busy: 2 large fits" if full else "Another of your tabs has something"
    assert said in job.remark.fact
    assert "best map" in job.remark.fact
    assert places._quick.load.running == 0
    monkeypatch.setattr(compute, "OUTGROWN_AFTER", 100.0)
    gate.open.set()
    assert all(one.result().converged for one in large)


def test_a_fit_that_was_stopped_does_not_begin_anew(
    places: Places, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = places.begin(SMALL, Presence())
    assert gate.begun.wait(SECONDS)
    job.cancel()
    monkeypatch.setattr(compute, "OUTGROWN_AFTER", -1.0)
    assert job.result().stopped == "cancelled"


@pytest.mark.usefixtures("all_large")
def test_a_queue_tells_how_much_runs_waits_and_was_done(places: Places, gate: Gate) -> None:
    running, waiting = (places.begin(SMALL, Presence()) for _ in range(2))
    assert gate.begun.wait(SECONDS)
    load = places._large.load
    assert (load.what, load.running, load.waiting, load.ended) == ("large fits", 1, 1, 0)
    gate.open.set()
    assert running.ends_within(SECONDS)
    assert waiting.ends_within(SECONDS)
    while places._large.load.ended < 2:
        time.sleep(0.001)
    after = places._large.load
    assert (after.running, after.waiting, after.ended) == (0, 0, 2)
    assert after.seconds > 0
    whose = [weakref.ref(running), weakref.ref(waiting)]
    del running, waiting
    background.forget_ended()
    gc.collect()
    assert [one() for one in whose] == [None, None]
    assert after.ended <= {one.what: one for one in background.loads()}["large fits"].ended


def test_progress_is_a_share_and_words(gate: Gate, places: Places) -> None:
    job = places.begin(SMALL, Presence())
    assert gate.begun.wait(SECONDS)
    while job.latest is None:
        time.sleep(0.001)
    share, words = job.progress
    assert 0 <= share < 0.5
    assert words == "Start 1 of 2, 50 % unexplained"


def test_a_large_fit_goes_on_only_while_no_quick_one_wants_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compute, "COURTESY", float(SECONDS))
    courtesy = Courtesy()
    job = Job(SMALL, courtesy=courtesy)
    with ThreadPoolExecutor(1) as one:
        with courtesy.going_first():
            job.start(one)
            while job.latest is None:
                time.sleep(0.001)
            first = job.latest
            assert not job.done
        assert job.result().converged
        assert job.latest != first


def test_a_large_fit_waits_for_what_follows_a_quick_one_and_not_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, slept = 100.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds

    monkeypatch.setattr(compute, "time", SimpleNamespace(monotonic=lambda: now, sleep=sleep))
    courtesy = Courtesy()
    courtesy.let_others_go_first()
    with courtesy.going_first():
        now += 1.0
    assert slept == []
    for _ in range(2):
        courtesy.let_others_go_first()
    assert slept == [pytest.approx(compute.LINGERING)]


def test_large_fits_wait_until_the_last_quick_one_is_over(gate: Gate) -> None:
    places = Places(replace(SETTINGS, quick_at_once=1))
    first, second = (places.begin(SMALL, Presence()) for _ in range(2))
    assert gate.begun.wait(SECONDS)
    assert not places.courtesy.quiet
    second.cancel()
    assert not places.courtesy.quiet
    gate.open.set()
    assert first.result().converged
    assert places.courtesy.quiet


def test_large_fits_also_wait_for_a_page_even_one_that_fails(places: Places) -> None:
    def page() -> None:
        with places.courtesy.going_first():
            assert not places.courtesy.quiet
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        page()
    assert places.courtesy.quiet
