"""The Evidence page, run without a browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from page_tools import SECONDS, computed, page_of, press, said, tick, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import evidence_job
from cml_app.background import Presence
from cml_app.evidence_job import Chosen, EvidenceJob
from cml_app.panels.evidence import running
from cml_app.this_server import store
from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.evidence.importance import Helped, did_it_help
from cml_core.evidence.result import ResultKind
from cml_core.evidence.structure import Structure, without_structure
from cml_core.evidence.work import Stage
from cml_core.journey.file import from_json
from cml_core.report.report import report_html

pytestmark = pytest.mark.slow

# Of a page: the question, and two in the sidebar.
HEADINGS = 3


def page(app: AppTest, question: str = "Is anything left?") -> AppTest:
    app.switch_page("pages/3_Evidence.py").run()
    if question != "Is anything left?":
        app.button_group(key="question").set_value(question).run()
    return app


def ask(app: AppTest, kind: ResultKind[Any], work: Any) -> AppTest:
    """The page once it has computed something for the current step."""
    held = workspace_of(app)
    held.evidence = evidence_job.computations().begin(
        work, Presence(), step_id=held.step.id, kind=kind, label="Compute"
    )
    return computed(app)


def breaking(text: str) -> str:
    """As it is read, wherever its lines may break."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_page_says_which_map_it_judges_and_asks_before_it_computes(app: AppTest) -> None:
    page(app)
    assert not app.exception
    assert not app.error
    assert app.title[0].value == "Evidence: Kinship terms"
    assert "with nothing known yet, of 2 hidden dimensions: **7.1 %**" in said(app)
    assert {"Test for one more", "Try 0, 1, 2, …"} <= {one.label for one in app.button}
    assert workspace_of(app).step.results == ()


def test_every_question_opens_without_anything_computed(app: AppTest) -> None:
    tick(app, "Gender")
    for question in (
        "Did it help?",
        "What weighs how much?",
        "What might it be?",
        "Can I trust this map?",
    ):
        page(app, question)
        assert not app.exception, question
        assert not app.error, question
        assert len(app.header) == HEADINGS


def test_the_page_the_report_and_the_library_say_the_same(app: AppTest) -> None:
    tick(app, "Gender")
    page(app)
    app.number_input(key="count-HiddenFeature").set_value(19).run()
    computed(press(app, "Test for one more"))
    held = workspace_of(app)
    found = held.step.result(ResultKind(HiddenFeature))
    assert isinstance(found, HiddenFeature)
    origin = held.journey.origin
    alone = hidden_feature_test(held.step.fit, origin=origin, resamples=19, seed=0)
    assert (found.lowered, found.p_value) == (alone.lowered, alone.p_value)
    assert found.verdict in said(app)
    assert "Test for one more again" in {one.label for one in app.button}
    report = breaking(report_html(held.journey))
    assert found.verdict in report
    assert "Seed 0." in report


def test_a_result_is_stored_and_shown_beside_the_map(app: AppTest) -> None:
    tick(app, "Gender")
    page(app)
    held = workspace_of(app)
    ask(app, ResultKind(HiddenFeature), partial(hidden_feature_test, held.step.fit, resamples=19))
    ask(app, ResultKind(Helped), partial(did_it_help, held.step.problem, shuffles=1))
    stored = from_json(store().load(held.token, datetime.now(UTC)).document)
    assert [type(found) for found in stored.current.results] == [HiddenFeature, Helped]
    app.switch_page("pages/2_Discover.py").run()
    assert not app.exception
    assert held.step.result(ResultKind(HiddenFeature)).verdict in said(app)
    assert held.step.result(ResultKind(Helped)).features[0].verdict in said(app)


def test_stopping_says_that_nothing_was_kept(app: AppTest) -> None:
    page(app)
    press(app, "Test for one more")
    assert workspace_of(app).evidence is not None
    press(app, "Stop")
    assert workspace_of(app).evidence is None
    assert "nothing of it was kept" in said(app)
    assert workspace_of(app).step.results == ()


def test_another_steps_map_is_judged_when_it_is_chosen(app: AppTest) -> None:
    tick(app, "Gender")
    page(app)
    held = workspace_of(app)
    first, second = (step.id for step in held.journey.steps)
    app.selectbox(key=f"judged-{second}").set_value(first).run()
    assert held.step.id == first
    assert "with nothing known yet" in said(app)


def test_an_error_of_a_computation_is_explained(app: AppTest) -> None:
    page(app)
    ask(app, ResultKind(Helped), partial(did_it_help, workspace_of(app).step.problem, folds=100))
    assert len(app.error) == 1
    assert "too few" in app.error[0].value
    assert not app.exception


class Waiting:
    """A computation that finds a result once it is let go of."""

    def __init__(self, result: Any) -> None:
        self.result = result
        self.open = threading.Event()

    def work(self, *, on_step: Any, **_: Any) -> Any:
        deadline = time.monotonic() + SECONDS
        while not self.open.is_set() and time.monotonic() < deadline:
            if on_step(Stage(1, 20, "Shuffling")):
                break
            time.sleep(0.01)
        return self.result


@pytest.fixture
def waiting(app: AppTest) -> Iterator[Waiting]:
    held = Waiting(without_structure(workspace_of(app).step.fit, shuffles=5))
    yield held
    held.open.set()


def let_run(app: AppTest, waiting: Waiting) -> EvidenceJob:
    """A computation of this project is under way, asked with 77 shuffles from seed 5."""
    held = workspace_of(app)
    held.keep()
    assert held.token
    job = evidence_job.computations().begin(
        waiting.work,
        Presence(),
        step_id=held.step.id,
        kind=ResultKind(Structure),
        label="Compare with shuffled data",
        chosen=Chosen(77, 5),
        project=held.token,
    )
    while job.latest is None:
        time.sleep(0.01)
    return job


def ended(job: EvidenceJob, waiting: Waiting) -> None:
    waiting.open.set()
    job.result()


def tab(app: AppTest, question: str = "Can I trust this map?") -> AppTest:
    """Another tab with the same project, or the page loaded anew."""
    again = page_of()
    token = workspace_of(app).token
    assert token
    again.query_params["project"] = token
    again.run()
    return page(again, question)


def told(app: AppTest) -> list[str]:
    """What the progress bars say."""
    return [bar.proto.text.replace("\\", "") for bar in app.get("progress")]


def test_a_page_that_is_loaded_anew_finds_what_is_under_way(app: AppTest, waiting: Waiting) -> None:
    job = let_run(app, waiting)
    again = tab(app)
    assert told(again) == ["Compare with shuffled data: Shuffling, 1 of 20"]
    assert workspace_of(again).evidence is job
    # What is asked is what the page says, and cannot be changed meanwhile.
    count, seed = (again.number_input(key=f"{what}-Structure-asked") for what in ("count", "seed"))
    assert (count.value, count.disabled) == (77, True)
    assert (seed.value, seed.disabled) == (5, True)
    assert "Shuffles the dissimilarities 77 times" in said(again)
    assert "Under way, see above." in said(again)
    assert "“Compare with shuffled data” is under way above" in said(again)
    labels = {one.label: one.disabled for one in again.button}
    assert labels["Compare with shuffled data"]
    assert labels["Test the steadiness"]
    ended(job, waiting)
    again.run()
    assert told(again) == []
    assert waiting.result.verdict in said(again)


def test_two_tabs_watch_one_computation_and_both_have_what_it_finds(
    app: AppTest, waiting: Waiting
) -> None:
    job = let_run(app, waiting)
    page(app, "Can I trust this map?")
    other = tab(app)
    assert told(app) == told(other) != []
    ended(job, waiting)
    for one in (app, other):
        one.run()
        assert not one.exception
        assert isinstance(workspace_of(one).step.result(ResultKind(Structure)), Structure)


def test_what_was_found_while_nobody_looked_is_there_and_kept(
    app: AppTest, waiting: Waiting
) -> None:
    job = let_run(app, waiting)
    ended(job, waiting)
    again = tab(app)
    assert waiting.result.verdict in said(again)
    token = workspace_of(app).token
    stored = from_json(store().load(token, datetime.now(UTC)).document)
    assert stored.current.result(ResultKind(Structure)) is not None
    assert evidence_job.computations().of(token) is None


def test_a_button_that_is_out_of_date_does_not_begin_a_second_one(
    app: AppTest, waiting: Waiting
) -> None:
    tick(app, "Gender")
    page(app)
    job = let_run(app, waiting)
    press(app, "Test for one more")
    assert workspace_of(app).evidence is job
    assert "is under way for this project" in app.error[0].value
    assert told(app) == ["Compare with shuffled data: Shuffling, 1 of 20"]


def test_an_earlier_result_stays_in_sight_while_it_is_asked_again(
    app: AppTest, waiting: Waiting
) -> None:
    page(app, "Can I trust this map?")
    ask(
        app,
        ResultKind(Structure),
        partial(without_structure, workspace_of(app).step.fit, shuffles=5),
    )
    found = workspace_of(app).step.result(ResultKind(Structure))
    assert isinstance(found, Structure)
    let_run(app, waiting)
    app.run()
    assert told(app) != []
    assert found.verdict in said(app)
    assert "Below is what was found before" in said(app)


def test_another_steps_computation_is_said_to_be_one(app: AppTest, waiting: Waiting) -> None:
    let_run(app, waiting)
    tick(app, "Gender")
    page(app, "Can I trust this map?")
    assert told(app)[0].endswith("(about the map of another step)")
    assert "is under way above" in said(app)


def test_asking_gives_the_page_an_address_to_be_found_under(app: AppTest) -> None:
    page(app)
    assert workspace_of(app).token is None
    press(app, "Test for one more")
    assert app.query_params["project"] == workspace_of(app).token
    # It may have ended by itself.
    if (job := workspace_of(app).evidence) is not None:
        job.cancel()


def test_a_deleted_project_computes_no_more(app: AppTest, waiting: Waiting) -> None:
    job = let_run(app, waiting)
    app.run()
    assert job.wanted
    app.switch_page("pages/1_Data.py").run()
    press(app, "Delete it for good")
    assert not job.wanted


def test_settings_are_remembered_from_one_question_to_the_next(app: AppTest) -> None:
    page(app)
    app.number_input(key="count-HiddenFeature").set_value(19).run()
    app.number_input(key="seed-HiddenFeature").set_value(3).run()
    page(app, "Can I trust this map?")
    app.button_group(key="question").set_value("Is anything left?").run()
    assert app.number_input(key="count-HiddenFeature").value == 19
    assert app.number_input(key="seed-HiddenFeature").value == 3
    assert "comparing with 19 data sets" in said(app)


def test_the_question_is_in_the_address(app: AppTest) -> None:
    page(app, "Did it help?")
    again = page_of()
    again.query_params["question"] = "Did it help?"
    again.switch_page("pages/3_Evidence.py").run()
    assert again.header[0].value == "Did it help?"


def test_discover_says_in_a_line_what_is_under_way(app: AppTest, waiting: Waiting) -> None:
    job = let_run(app, waiting)
    app.run()
    assert "Under way: Compare with shuffled data." in said(app)
    ended(job, waiting)
    app.run()
    assert "Under way" not in said(app)


@pytest.mark.parametrize(
    ("seconds", "says"),
    [
        (1, "Some seconds."),
        (100, "About 30 seconds."),
        (240, "About 1 minute."),
        (1000, "About 4 minutes."),
        (2000, "About 8 minutes. It is stopped after 10 minutes at the latest."),
        (30_000, "About 2 hours. It is stopped after 10 minutes at the latest."),
    ],
)
def test_how_long_it_takes_grows_with_what_is_asked(
    begun_anew: None,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    says: str,
) -> None:
    monkeypatch.setenv("CML_EVIDENCE_WORKERS", "4")
    evidence_job.computations.clear()
    assert running.how_long(seconds) == says


def test_how_long_it_takes_grows_with_the_objects() -> None:
    times = [running._between(n, (1.0, 10.0, 90.0)) for n in (10, 30, 60, 100, 300, 900)]
    # Fewer than thirty are not said to be quicker; three times as many beyond take nine times.
    assert times[:2] == pytest.approx([1.0, 1.0])
    assert times[3:] == pytest.approx([10.0, 90.0, 810.0])
    assert times == sorted(times)
