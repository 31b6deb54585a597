"""Fits have bounds: how many run and wait, for how long, and for whom."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_app import compute
from cml_app.compute import Job, Places, Presence, ServerBusy, StoppedEarly
from cml_app.settings import Settings
from cml_core import Dissimilarities, FeatureTable, Fit, Problem, Progress, fit

SETTINGS = replace(Settings.from_environment({"HOME": "/nowhere"}), jobs_at_once=1, jobs_waiting=1)
# Waiting for an event that is sure to come; only a test that fails waits so long.
SECONDS = 30


def problem_of(n_objects: int) -> Problem:
    points = np.random.default_rng(n_objects).normal(size=(n_objects, 3))
    labels = tuple(f"object {i}" for i in range(n_objects))
    return Problem(Dissimilarities(labels, pdist(points)), FeatureTable(labels))


SMALL = problem_of(12)


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


def test_a_job_answers_as_the_fit_itself_would(places: Places) -> None:
    job = places.begin(SMALL, Presence())
    assert job.result().stress == fit(SMALL, seed=compute.SEED).stress
    assert job.done
    assert job.remark is None


def test_a_quick_fit_answers_as_the_fit_itself_would(places: Places) -> None:
    np.testing.assert_array_equal(
        places.quick(SMALL).embedding, fit(SMALL, seed=compute.SEED).embedding
    )


def test_an_error_of_a_fit_reaches_who_asked_for_it(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> Fit:
        raise ServerBusy("It is broken.", remedy="Mend it.")

    monkeypatch.setattr(compute, "fit", broken)
    with pytest.raises(ServerBusy, match="broken"):
        places.quick(SMALL)
    with pytest.raises(ServerBusy, match="broken"):
        places.begin(SMALL, Presence()).result()


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


def test_a_new_question_takes_the_place_of_the_visitors_old_one(places: Places, gate: Gate) -> None:
    first = places.begin(SMALL, Presence())
    other = places.begin(SMALL, Presence())
    second = places.begin(SMALL, Presence(), replacing=first)
    assert first.result().stopped == "cancelled"
    gate.open.set()
    assert other.result().converged
    assert second.result().converged


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


def test_who_has_left_stops_costing(
    places: Places, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compute, "ABSENT_AFTER", 0.0)
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


def test_quick_fits_wait_their_turn_but_not_for_ever(gate: Gate) -> None:
    places = Places(replace(SETTINGS, quick_at_once=1))
    first = threading.Thread(target=places.quick, args=(SMALL,))
    first.start()
    assert gate.begun.wait(SECONDS)
    with pytest.raises(ServerBusy, match="its turn"):
        places.quick(SMALL, patience=0.01)
    gate.open.set()
    first.join()
    assert places.quick(SMALL).converged


def test_progress_is_a_share_and_words(gate: Gate, places: Places) -> None:
    job = places.begin(SMALL, Presence())
    assert gate.begun.wait(SECONDS)
    while job.latest is None:
        time.sleep(0.001)
    share, words = job.progress
    assert 0 <= share < 0.5
    assert words == "Start 1 of 2, 50 % unexplained"


def test_a_large_fit_goes_on_only_while_no_small_one_wants_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compute, "COURTESY", float(SECONDS))
    quiet = threading.Event()
    job = Job(SMALL, quiet=quiet)
    with ThreadPoolExecutor(1) as one:
        job.start(one)
        while job.latest is None:
            time.sleep(0.001)
        first = job.latest
        assert not job.done
        quiet.set()
        assert job.result().converged
        assert job.latest != first


def test_small_fits_are_over_or_refused_before_large_ones_wait_no_more(gate: Gate) -> None:
    places = Places(replace(SETTINGS, quick_at_once=1))
    first = threading.Thread(target=places.quick, args=(SMALL,))
    first.start()
    assert gate.begun.wait(SECONDS)
    assert not places._quiet.is_set()
    with pytest.raises(ServerBusy):
        places.quick(SMALL, patience=0.01)
    assert not places._quiet.is_set()
    gate.open.set()
    first.join()
    assert places._quiet.is_set()


def test_large_fits_also_wait_for_a_page_even_one_that_fails(places: Places) -> None:
    def page() -> None:
        with places.going_first():
            assert not places._quiet.is_set()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        page()
    assert places._quiet.is_set()
