"""Evidence about many objects on several servers: seen, stopped, and kept where nobody is there."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from evidence_tools import SECONDS, SETTINGS, Gate

from cml_app import background, elsewhere
from cml_app.background import Presence, StoppedEarly
from cml_app.elsewhere import Elsewhere
from cml_app.evidence_job import OneAtATime
from cml_app.keeping.computing import STALE, Told
from cml_app.keeping.store import Store
from cml_app.many import judging
from cml_app.many import visit as visits
from cml_app.many.judging import Judgements, Judging
from cml_app.many.visit import Visit
from cml_app.this_server import moment
from cml_core.many.loop import Candidate, Loop
from cml_core.many.origins import Whence


def until(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def turn_to(
    store: Store, gate: Gate, begun_anew: None, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Be one server or another of the same database; the last question waits at the gate."""
    servers = {name: Judgements(SETTINGS) for name in ("one", "other")}
    for module in (elsewhere, visits):
        monkeypatch.setattr(module, "store", lambda: store)
    monkeypatch.setattr(visits, "show_token", lambda _: None)
    monkeypatch.setattr(background, "presence", Presence)
    monkeypatch.setattr(elsewhere, "TELL_EVERY", 0.02)
    monkeypatch.setattr(elsewhere, "ASK_EVERY", 0.0)
    monkeypatch.setattr(elsewhere, "TAKEN_AFTER", 0.1)
    last = judging.sample_help

    def once_open(problem: object, *, on_step: Callable[..., bool]) -> object:
        gate.work(on_step=on_step)
        return last(problem, on_step=on_step)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "sample_help", once_open)

    def turn(name: str) -> None:
        monkeypatch.setattr(elsewhere, "THIS_SERVER", name)
        monkeypatch.setattr(visits, "judgements", lambda: servers[name])

    turn("one")
    return turn


def visited() -> Visit:
    """Someone before the map of a step."""
    things = tuple(f"thing {k + 1}" for k in range(50))
    visit = Visit()
    visit.begin(
        Loop(Whence("buyers", n_objects=200), things, candidates=(Candidate("Age", "numeric"),))
    )
    until(visit.take)
    return visit


def there(asked: Visit) -> Visit:
    """The same address, opened anew."""
    assert asked.token
    saved = visits.store().load(asked.token, moment())
    return Visit(loop=Loop.from_json(saved.document), token=asked.token, saved=saved)


def begun(turn_to: Callable[[str], None], gate: Gate) -> tuple[Visit, Judging, Visit]:
    """Asked on one server, and the address opened on another; three of four are answered."""
    asked = visited()
    asked.judge()
    assert isinstance(asked.judging, Judging)
    until(gate.begun.is_set)
    turn_to("other")
    return asked, asked.judging, there(asked)


def has_taken(visit: Visit) -> bool:
    visit.take_findings()
    return visit.judging is None


def test_another_server_shows_how_far_it_is_and_has_what_was_found(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, _, other = begun(turn_to, gate)
    other.watch()
    job = other.judging
    assert isinstance(job, Elsewhere)
    assert job.step_id == other.shown
    until(lambda: not job.done and job.progress[1].startswith("3 of 4"))
    gate.open.set()
    # No page of the first server takes it: it keeps it itself.
    until(lambda: has_taken(other))
    assert len(other.made.step.found) == 4
    assert len(there(asked).made.step.found) == 4


def test_a_page_of_its_own_server_takes_what_is_found_as_it_comes(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, job, other = begun(turn_to, gate)
    turn_to("one")
    asked.take_findings()
    assert len(asked.made.step.found) == 3
    gate.open.set()
    until(lambda: job.done)
    asked.take_findings()
    assert len(there(other).made.step.found) == 4


def test_what_was_found_before_it_was_stopped_from_another_server_is_kept(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, job, other = begun(turn_to, gate)
    other.watch()
    assert other.judging is not None
    other.judging.cancel()
    until(lambda: job.done)
    until(lambda: len(there(asked).made.step.found) == 3)


def test_another_tab_finds_it_and_another_map_has_to_wait(
    turn_to: Callable[[str], None], gate: Gate
) -> None:
    asked, job, other = begun(turn_to, gate)
    # On the other server, of another map.
    other.know(("Age",))
    until(other.take)
    other.watch()
    assert other.judging is None
    with pytest.raises(OneAtATime, match="Judge this map"):
        other.judge()
    assert not job.done
    turn_to("one")
    again = there(asked)
    again.visit("1")
    again.watch()
    assert again.judging is job
    again.judge()
    assert again.judging is job
    again.know(("Age",))
    tab = there(again)
    with pytest.raises(OneAtATime, match="Judge this map"):
        tab.judge()
    assert not job.done


def test_a_server_that_died_is_told(
    turn_to: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    visit = visited()
    assert visit.token
    dead = Told("dead", "job", visit.shown, judging.KIND, judging.LABEL)
    visits.store().computing().begin(visit.token, dead, moment())
    visit.watch()
    assert isinstance(visit.judging, Elsewhere)
    assert not has_taken(visit)
    monkeypatch.setattr(elsewhere, "moment", lambda: moment() + 2 * STALE)
    with pytest.raises(StoppedEarly, match="the server that computed it has stopped"):
        visit.take_findings()
    assert visit.judging is None
