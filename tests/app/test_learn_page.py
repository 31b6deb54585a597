"""The Learn page's address, and questions that take some seconds."""

from __future__ import annotations

import time

import pytest
from page_tools import SECONDS, page_of, said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app.background import Presence
from cml_app.panels.evidence.topics import TOPICS
from cml_app.panels.learn import asking
from cml_core.lessons import LESSONS
from cml_core.lessons.did_it_help import ARROW, DEGREE, RANDOM, Choice
from cml_core.peers.registry import METHODS


def test_nothing_that_a_lesson_wrote_into_the_address_stays_behind() -> None:
    page = page_of("pages/5_Learn.py")
    written = {"at": "9,1.0,1.0", "lot": "2", "lineup": "3", "removed": "1", "starts": "0-2-0",
               "roll": "2", "degrees": "40"}  # fmt: skip
    for name, value in ({"lesson": "stress"} | written).items():
        page.query_params[name] = value
    page.run()
    next(one for one in page.button if one.label == "All lessons").click().run()
    assert not {"lesson", *written} & set(page.query_params)
    assert page.title[0].value == "Learn"


@pytest.mark.usefixtures("begun_anew")
def test_what_is_known_in_a_lesson_is_known_where_it_leads_to() -> None:
    app = page_of().run()
    app.query_params["lesson"] = "did-it-help"
    app.switch_page("pages/5_Learn.py").run()
    app.button(key="lesson-own").click().run()
    assert not app.exception
    assert workspace_of(app).step.problem.known.names == ("Gender", "Degree")


def test_the_help_of_dimensions_and_answers_of_evidence_lead_to_lessons_that_are_there() -> None:
    app = page_of().run()
    (dimensions,) = (one for one in app.number_input if one.label.startswith("Hidden dimensions"))
    assert "(Learn?lesson=dimensions)" in dimensions.help
    named = {panel.lesson for panels in TOPICS.values() for panel in panels if panel.lesson}
    named |= {method.lesson for method in METHODS.values() if method.lesson}
    assert len(named) > 5
    assert named <= set(LESSONS)


def test_what_two_visitors_ask_is_computed_once_and_goes_on_while_one_of_them_waits() -> None:
    one, other, third = Presence(), Presence(), Presence()
    askings = asking.Askings()
    job = askings.begin(Choice(RANDOM), one)
    assert askings.begin(Choice(RANDOM), other) is job
    job.left_by(one)
    assert job.wanted
    # Behind it stands another; it is let go before it begins.
    waiting = askings.begin(Choice(DEGREE), third)
    assert "waiting for others" in waiting.progress[1]
    waiting.left_by(third)
    job.left_by(other)
    assert not job.wanted
    _ended(job)
    assert job.found is None
    assert waiting.found is None
    arrow = askings.begin(Choice(ARROW), third)
    _ended(arrow)
    assert arrow.found is not None
    assert arrow.progress[0] == 1
    assert askings.begin(Choice(ARROW), one) is arrow


def test_too_many_questions_are_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_WAITING", -1)
    monkeypatch.setattr(asking, "askings", asking.Askings)
    page = _did_it_help()
    page.button[_ask(page)].click().run()
    assert "server is busy" in page.error[0].value
    assert "The stress cannot tell" in said(page)


def _did_it_help() -> AppTest:
    page = page_of("pages/5_Learn.py")
    page.query_params["lesson"] = "did-it-help"
    return page.run()


def _ask(page: AppTest) -> int:
    return [one.label for one in page.button].index("Ask pairs that were not fitted")


def _ended(job: asking.Asking) -> None:
    last = time.monotonic() + SECONDS
    while not job.done and time.monotonic() < last:
        time.sleep(0.01)
    assert job.done
