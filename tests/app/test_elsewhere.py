"""Several servers, one database: what one of them computes is seen, stopped and found on all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from evidence_tools import FOUND, SECONDS, SETTINGS, Gate
from postgres import Cluster
from store_tools import DAY, NOW, opened
from test_evidence_requests import STRUCTURE, workspace

from cml_app import elsewhere, evidence_job, evidence_requests
from cml_app import workspace as workspaces
from cml_app.background import Presence, StoppedEarly
from cml_app.elsewhere import Elsewhere
from cml_app.evidence_job import Computations, EvidenceJob, OneAtATime
from cml_app.keeping.computing import STALE, Heard, Told
from cml_app.keeping.database import StoreUnavailable
from cml_app.keeping.store import Store
from cml_app.this_server import moment
from cml_app.workspace import Workspace
from cml_core.evidence.importance import Helped
from cml_core.evidence.result import ResultKind
from cml_core.journey.file import from_json

HERE = Told("a", "job 1", "step", "Structure", "Compare")
THERE = replace(HERE, server="b", job="job 2")


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def kept(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "SQLite":
        yield request.getfixturevalue("store")
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    with opened(cluster.new_database()) as store:
        yield store


@pytest.mark.slow
def test_servers_tell_each_other_what_is_under_way(kept: Store) -> None:
    project, computing = kept.create("[]", NOW), kept.computing()
    assert computing.of(project, NOW) is None
    assert computing.begin(project, HERE, NOW) is None
    assert computing.begin(project, THERE, NOW) == HERE
    further = replace(HERE, share=0.5, words="half of it" * 99)
    assert computing.beat(further, NOW) == Heard(stop=False, seen=None)
    told = computing.of(project, NOW)
    assert told is not None
    assert (told.share, told.words[:10]) == (0.5, "half of it")
    computing.look(HERE, NOW)
    assert computing.beat(HERE, NOW) == Heard(stop=False, seen=NOW)
    new = kept.renew(project, NOW)
    assert (computing.of(project, NOW), computing.of(new, NOW)) == (None, HERE)
    computing.stop(HERE)
    assert computing.beat(HERE, NOW).stop
    # Who was told to stop is in nobody's way.
    assert computing.of(new, NOW) is None
    assert computing.begin(new, THERE, NOW) is None
    assert computing.beat(HERE, NOW).stop
    computing.end(HERE)
    assert computing.of(new, NOW) == THERE
    computing.end(THERE)
    assert computing.of(new, NOW) is None


@pytest.mark.slow
def test_a_server_that_tells_no_more_has_died_and_leaves_its_place(kept: Store) -> None:
    project, computing = kept.create("[]", NOW), kept.computing()
    computing.begin(project, HERE, NOW)
    later = NOW + STALE + timedelta(seconds=1)
    assert computing.of(project, later) is None
    assert computing.begin(project, THERE, later) is None
    # Where it had only slept, it stops when it wakes.
    assert computing.beat(HERE, later).stop


def test_what_is_computed_goes_with_its_project(store: Store) -> None:
    computing = store.computing()
    one, other = store.create("[]", NOW), store.create("[]", NOW)
    computing.begin(one, HERE, NOW)
    computing.begin(other, THERE, NOW)
    store.delete(one)
    assert computing.of(one, NOW) is None
    assert computing.beat(HERE, NOW).stop
    store.expire(NOW + 90 * DAY)
    assert computing.beat(THERE, NOW).stop


@pytest.fixture
def turn_to(store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Be one server or another of the same database."""
    servers = {name: Computations(SETTINGS) for name in ("one", "other")}
    for module in (elsewhere, workspaces):
        monkeypatch.setattr(module, "store", lambda: store)
    monkeypatch.setattr(workspaces, "show_token", lambda _: None)
    monkeypatch.setattr(evidence_requests, "presence", Presence)
    monkeypatch.setattr(elsewhere, "TELL_EVERY", 0.02)
    monkeypatch.setattr(elsewhere, "ASK_EVERY", 0.0)
    monkeypatch.setattr(elsewhere, "TAKEN_AFTER", 0.1)

    def turn(name: str) -> None:
        monkeypatch.setattr(elsewhere, "THIS_SERVER", name)
        monkeypatch.setattr(evidence_job, "computations", lambda: servers[name])

    return turn


def there(asked: Workspace) -> Workspace:
    """The same project, opened on another server."""
    assert asked.token
    saved = workspaces.store().load(asked.token, moment())
    return Workspace(from_json(saved.document), token=asked.token, saved=saved)


def until(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def begun(turn_to: Callable[[str], None], gate: Gate) -> tuple[Workspace, Workspace]:
    """Asked on one server, and the project opened on another."""
    turn_to("one")
    asked = workspace()
    evidence_requests.begin(asked, STRUCTURE, "Compare", gate.work)
    assert isinstance(asked.evidence, EvidenceJob)
    turn_to("other")
    return asked, there(asked)


def test_another_server_shows_how_far_it_is_and_has_the_result(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, other = begun(turn_to, gate)
    job = evidence_requests.watch(other)
    assert isinstance(job, Elsewhere)
    assert job.is_about(asked.step.id, STRUCTURE)
    until(lambda: not job.done and "Waiting" in job.progress[1])
    # Asked again, it is the same; anything else has to wait.
    evidence_requests.begin(other, STRUCTURE, "Compare", gate.work)
    with pytest.raises(OneAtATime, match="Compare"):
        evidence_requests.begin(other, ResultKind(Helped), "Judge", gate.work)
    gate.open.set()
    # No page of the first server takes it: it keeps it itself.
    until(lambda: evidence_requests.take_if_done(other))
    assert other.trouble is None
    found = other.journey.step(asked.step.id).result(STRUCTURE)
    assert found is not None
    assert found.unexplained == FOUND.unexplained


def test_a_page_of_its_own_server_takes_it_as_before(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, other = begun(turn_to, gate)
    assert evidence_requests.watch(other) is not None
    turn_to("one")
    gate.open.set()
    until(lambda: evidence_requests.take_if_done(asked))
    assert asked.step.result(STRUCTURE) is FOUND
    turn_to("other")
    until(lambda: evidence_requests.take_if_done(other))
    assert other.step.result(STRUCTURE) is not None


def test_it_can_be_stopped_from_another_server_and_asked_there(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, other = begun(turn_to, gate)
    evidence_requests.watch(other)
    with pytest.raises(StoppedEarly, match="Compare: stopped"):
        evidence_requests.stop(other)
    assert evidence_requests.watch(other) is None
    job = asked.evidence
    assert job is not None
    until(lambda: job.done)
    evidence_requests.begin(other, STRUCTURE, "Compare", gate.work)
    assert isinstance(other.evidence, EvidenceJob)
    gate.open.set()
    until(lambda: evidence_requests.take_if_done(other))
    assert other.step.result(STRUCTURE) is FOUND


def test_what_two_tabs_ask_at_once_is_told_once_and_goes_on(
    turn_to: Callable[[str], None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_to("one")
    asked = workspace()
    evidence_requests.begin(asked, STRUCTURE, "Compare", gate.work)
    tab, job = there(asked), asked.evidence
    # It had looked for what is under way before the first had begun.
    monkeypatch.setattr(evidence_requests, "take_if_done", lambda _: False)
    evidence_requests.begin(tab, STRUCTURE, "Compare", gate.work)
    assert isinstance(job, EvidenceJob)
    assert tab.evidence is job
    turn_to("other")
    seen = evidence_requests.watch(there(asked))
    assert isinstance(seen, Elsewhere)
    until(lambda: "Waiting" in seen.progress[1] or seen.done)
    assert not seen.done
    gate.open.set()
    assert job.result() is FOUND


def test_who_waits_on_another_server_is_there(turn_to: Callable[[str], None], gate: Gate) -> None:
    asked, other = begun(turn_to, gate)
    job = asked.evidence
    assert isinstance(job, EvidenceJob)
    waits = evidence_requests.watch(other)
    assert waits is not None
    until(lambda: not waits.done and len(job.presences) == 2)
    assert job.presences[1].connected


def test_a_server_that_died_is_told_and_it_can_be_asked_again(
    turn_to: Callable[[str], None], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_to("other")
    other = workspace()
    other.keep()
    assert other.token
    dead = Told("dead", "job", other.step.id, str(STRUCTURE), "Compare")
    workspaces.store().computing().begin(other.token, dead, moment())
    assert evidence_requests.watch(other) is not None
    assert not evidence_requests.take_if_done(other)
    monkeypatch.setattr(elsewhere, "moment", lambda: moment() + 2 * STALE)
    assert evidence_requests.take_if_done(other)
    assert isinstance(other.trouble, StoppedEarly)
    assert "the server that computed it has stopped" in other.trouble.fact
    monkeypatch.setattr(elsewhere, "moment", moment)
    evidence_requests.begin(other, STRUCTURE, "Compare", gate.work)
    # The clock says that it is still told of; nobody is asked twice.
    assert isinstance(other.evidence, Elsewhere)


def test_a_database_that_does_not_answer_stops_nothing(
    turn_to: Callable[[str], None], gate: Gate, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise StoreUnavailable("The database of projects does not answer.", remedy="Wait.")

    asked, other = begun(turn_to, gate)
    job = evidence_requests.watch(other)
    assert job is not None
    with monkeypatch.context() as broken:
        for name in ("of", "beat", "begin"):
            broken.setattr(type(store.computing()), name, fails)
        assert not job.done
        assert evidence_requests.watch(there(asked)) is None
        again = workspace()
        evidence_requests.begin(again, STRUCTURE, "Compare", gate.work)
        assert isinstance(again.evidence, EvidenceJob)
    gate.open.set()
    until(lambda: evidence_requests.take_if_done(other))
    assert other.step.result(STRUCTURE) is not None
