"""Long fits belong to their project: seen, stopped and found by all who open it, on any server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from evidence_tools import SECONDS
from test_compute import SETTINGS, Gate
from test_evidence_requests import workspace

from cml_app import background, compute, elsewhere, shared_fits
from cml_app import workspace as workspaces
from cml_app.background import Presence, StoppedEarly
from cml_app.compute import Job, Places
from cml_app.elsewhere import Elsewhere
from cml_app.keeping.computing import STALE, Told
from cml_app.keeping.database import StoreUnavailable
from cml_app.keeping.schema import MAPS
from cml_app.keeping.store import Store
from cml_app.question import Question
from cml_app.this_server import moment
from cml_app.workspace import Workspace
from cml_core import Feature, fit
from cml_core.journey.file import from_json

KNOWN, OTHER = Question(("Degree",)), Question(("Gender", "Degree"))


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate()
    monkeypatch.setattr(compute, "fit", gate.fit)
    yield gate
    gate.open.set()


@pytest.fixture
def turn_to(store: Store, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Be one server or another of the same database, and someone there; every fit is long."""
    people: dict[tuple[str, str], Presence] = {}
    servers = {name: Places(SETTINGS) for name in ("one", "other")}
    for module in (elsewhere, shared_fits, workspaces):
        monkeypatch.setattr(module, "store", lambda: store)
    monkeypatch.setattr(workspaces, "show_token", lambda _: None)
    monkeypatch.setattr(compute, "QUICK_SECONDS", 0.0)
    monkeypatch.setattr(compute, "PATIENCE", 0.01)
    monkeypatch.setattr(elsewhere, "TELL_EVERY", 0.02)
    monkeypatch.setattr(elsewhere, "ASK_EVERY", 0.0)
    monkeypatch.setattr(elsewhere, "TAKEN_AFTER", 0.1)

    def turn(name: str, who: str = "") -> None:
        someone = people.setdefault((name, who), Presence())
        monkeypatch.setattr(background, "presence", lambda: someone)
        monkeypatch.setattr(elsewhere, "THIS_SERVER", name)
        monkeypatch.setattr(compute, "places", lambda: servers[name])

    turn("one")
    return turn


def until(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def there(asked: Workspace) -> Workspace:
    """The same project, opened anew."""
    assert asked.token
    saved = workspaces.store().load(asked.token, moment())
    opened = Workspace(from_json(saved.document), token=asked.token, saved=saved)
    opened.question = Question.of(opened.step.problem)
    opened.find_job()
    return opened


def kept() -> Workspace:
    """Someone with a project that has an address."""
    held = workspace()
    held.question = Question.of(held.step.problem)
    held.keep()
    return held


def begun(turn_to: Callable[..., None], gate: Gate) -> tuple[Workspace, Job, Workspace]:
    """Asked on one server, and the project opened on another."""
    asked = kept()
    asked.ask(KNOWN)
    assert isinstance(asked.job, Job)
    assert gate.begun.wait(SECONDS)
    turn_to("other")
    return asked, asked.job, there(asked)


def takes(held: Workspace) -> bool:
    """As the page does, which looks again and again."""
    if held.job is not None and held.job.done:
        held.take_answer()
    return held.job is None


def is_known(held: Workspace) -> bool:
    return held.step.problem.known.names == KNOWN.known_names


def test_another_server_shows_how_far_it_is_and_has_the_map(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    asked, job, other = begun(turn_to, gate)
    seen = other.job
    assert isinstance(seen, Elsewhere)
    assert seen.label == "A map with 1 feature taken out"
    until(lambda: not seen.done and seen.progress[1].startswith("Start 1 of 2"))
    # Who waits there is there.
    until(lambda: not seen.done and len(job.presences) == 2)
    gate.open.set()
    # No page of the first server takes it: it keeps it itself.
    until(lambda: takes(other))
    assert is_known(other)
    assert other.question == KNOWN
    assert other.step.fit.converged
    again = there(asked)
    assert again.job is None
    assert again.step.id == other.step.id
    # What it had before can be had again.
    again.undo()
    assert not is_known(again)


def test_a_page_of_its_own_server_takes_it_and_another_server_has_the_same(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    asked, job, other = begun(turn_to, gate)
    turn_to("one")
    gate.open.set()
    until(lambda: takes(asked))
    assert not compute.places().holds(job)
    turn_to("other")
    until(lambda: takes(other))
    assert is_known(other)
    assert other.step.id == asked.step.id
    assert len(other.journey.steps) == len(asked.journey.steps)


def test_stopped_from_another_server_the_best_map_so_far_is_kept(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    _, job, other = begun(turn_to, gate)
    assert isinstance(other.job, Elsewhere)
    other.job.cancel()
    until(lambda: takes(other))
    assert job.done
    assert is_known(other)
    assert other.step.fit.stopped == "cancelled"


def test_whoever_opens_it_on_the_same_server_finds_it_with_its_question(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    asked, job, _ = begun(turn_to, gate)
    turn_to("one", "in another tab")
    tab = there(asked)
    assert tab.job is job
    assert tab.question == KNOWN
    # Who asks the same has it, and who asks something else stops it for nobody.
    turn_to("one", "in a third one")
    third = kept()
    third.token = asked.token
    third.ask(KNOWN)
    assert third.job is job
    third.ask(OTHER)
    assert third.job is not job
    assert job.wanted
    gate.open.set()
    for one in (asked, tab):
        until(lambda one=one: takes(one))
        assert is_known(one)
    assert tab.step.id == asked.step.id


def test_what_was_drawn_for_it_comes_along(turn_to: Callable[..., None], gate: Gate) -> None:
    asked = kept()
    asked.add(Feature.numeric("Drawn", range(14)))
    turn_to("other")
    other = there(asked)
    assert "Drawn" not in other.journey.features
    gate.open.set()
    until(lambda: takes(other))
    assert "Drawn" in other.journey.features
    assert other.step.problem.known.names == ("Gender", "Drawn")


def test_who_comes_back_late_finds_it_kept_and_takes_it_back_at_once(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    asked = kept()
    asked.add(Feature.numeric("Drawn", range(14)))
    job = asked.job
    assert isinstance(job, Job)
    gate.open.set()
    # A page that is not looked at asks seldom: the server was first.
    until(lambda: compute.places().was_taken(job))
    assert takes(asked)
    assert asked.step.problem.known.names == ("Gender", "Drawn")
    assert len(asked.journey.steps) == 3
    asked.undo()
    assert "Drawn" not in asked.journey.features
    assert asked.step.problem.known.names == ("Gender",)


def test_what_was_found_and_not_taken_yet_makes_no_room_for_another(
    turn_to: Callable[..., None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elsewhere, "TAKEN_AFTER", SECONDS)
    asked, job, _ = begun(turn_to, gate)
    gate.open.set()
    until(lambda: job.done)
    gate.open.clear()
    turn_to("one", "in another tab")
    tab = kept()
    tab.token = asked.token
    tab.ask(OTHER)
    assert compute.places().holds(job)
    assert takes(asked)
    assert is_known(asked)
    tab.share_job()
    assert compute.places().of(asked.token or "") is tab.job


def test_the_same_asked_on_two_servers_at_once_is_made_once(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    _, job, other = begun(turn_to, gate)
    other.job = None
    other.ask(KNOWN)
    assert isinstance(other.job, Elsewhere)
    assert not compute.places()._large.busy
    assert job.wanted


def test_another_question_is_answered_beside_it_and_not_told(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    _, job, other = begun(turn_to, gate)
    other.ask(OTHER)
    assert isinstance(other.job, Job)
    assert job.wanted
    gate.open.set()
    until(lambda: takes(other))
    assert other.step.problem.known.names == ("Gender", "Degree")


def test_a_new_question_takes_the_place_of_the_one_that_is_told(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    asked, job, _ = begun(turn_to, gate)
    turn_to("one")
    asked.ask(OTHER)
    assert job.result().stopped == "cancelled"
    turn_to("other")
    other = there(asked)
    assert isinstance(other.job, Elsewhere)
    assert other.job.label == "A map with 2 features taken out"
    gate.open.set()
    until(lambda: takes(other))
    # Of what was given up nothing is kept.
    assert [step.problem.known.names for step in other.journey.steps[2:]] == [("Gender", "Degree")]


def test_of_a_fit_that_all_have_left_nothing_is_kept(
    turn_to: Callable[..., None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, job, _ = begun(turn_to, gate)
    turn_to("one")
    monkeypatch.setattr(background, "ABSENT_AFTER", 0.0)
    for one in job.presences:
        one.leave()
    until(lambda: not compute.places().holds(job))
    assert job.was_left
    compute.places()._hold(asked.token or "", job)
    assert there(asked).job is None
    assert len(there(asked).journey.steps) == 2


def test_a_server_that_died_is_told_and_it_can_be_asked_again(
    turn_to: Callable[..., None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = kept()
    assert held.token
    question = shared_fits.question_of(KNOWN.about(held.journey))
    dead = Told("dead", "job", question, shared_fits.KIND, "A map")
    workspaces.store().computing(MAPS).begin(held.token, dead, moment())
    other = there(held)
    assert isinstance(other.job, Elsewhere)
    monkeypatch.setattr(elsewhere, "moment", lambda: moment() + 2 * STALE)
    with pytest.raises(StoppedEarly, match="A map: the server that computed it has stopped"):
        takes(other)
    gate.open.set()
    other.ask(KNOWN)
    until(lambda: takes(other))
    assert is_known(other)


def test_of_a_quick_fit_nobody_is_told(
    turn_to: Callable[..., None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compute, "QUICK_SECONDS", 60.0)
    _, job, other = begun(turn_to, gate)
    assert other.job is None
    assert not job.shared


def test_a_database_that_does_not_answer_stops_nothing(
    turn_to: Callable[..., None], gate: Gate, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise StoreUnavailable("The database of projects does not answer.", remedy="Wait.")

    asked = kept()
    with monkeypatch.context() as broken:
        for name in ("of", "still", "beat", "begin"):
            broken.setattr(type(store.computing()), name, fails)
        turn_to("other")
        assert there(asked).job is None
        asked.ask(KNOWN)
        job = asked.job
        gate.open.set()
        assert isinstance(job, Job)
        until(lambda: takes(asked))
    assert is_known(asked)


def test_a_map_is_the_one_that_its_page_would_have_made(
    turn_to: Callable[..., None], gate: Gate
) -> None:
    asked, _, other = begun(turn_to, gate)
    gate.open.set()
    until(lambda: takes(other))
    alone = fit(KNOWN.about(asked.journey), seed=compute.SEED)
    assert other.step.fit.stress == alone.stress
