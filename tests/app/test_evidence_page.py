"""The Evidence page, run without a browser."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from cml_app import evidence_job
from cml_app.compute import Presence
from cml_app.workspace import Workspace, settings, store
from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.evidence.importance import did_it_help
from cml_core.project_file import from_json
from cml_core.report import report_html

ROOT = Path(__file__).parents[2]
SECONDS = 120
# Of a page: the question, and two in the sidebar.
HEADINGS = 3


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("CML_DATABASE_URL", f"sqlite:///{tmp_path}/projects.sqlite3")
    # In this process, where a test can see all of it.
    monkeypatch.setenv("CML_EVIDENCE_WORKERS", "1")
    for kept in (settings, store, evidence_job.computations):
        kept.clear()
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS).run()


def workspace_of(app: AppTest) -> Workspace:
    held = app.session_state["workspace"]
    assert isinstance(held, Workspace)
    return held


def tick(app: AppTest, name: str) -> AppTest:
    box = next(box for box in app.checkbox if box.label == name)
    return box.set_value(not box.value).run()


def page(app: AppTest, question: str = "Is anything left?") -> AppTest:
    app.switch_page("pages/3_Evidence.py").run()
    if question != "Is anything left?":
        app.button_group(key="question").set_value(question).run()
    return app


def press(app: AppTest, label: str) -> AppTest:
    return next(one for one in app.button if one.label == label).click().run()


def done(app: AppTest) -> AppTest:
    """The page once its computation has ended."""
    deadline = time.monotonic() + SECONDS
    while (job := workspace_of(app).evidence) is not None and time.monotonic() < deadline:
        if job.done:
            app.run()
        time.sleep(0.02)
    return app


def ask(app: AppTest, kind: str, work: Any) -> AppTest:
    """The page once it has computed something for the current step."""
    held = workspace_of(app)
    held.evidence = evidence_job.computations().begin(
        work, Presence(), step_id=held.step.id, kind=kind, label="Compute"
    )
    return done(app)


def said(app: AppTest) -> str:
    return "\n".join(
        one.value.replace("\\", "") for one in (*app.markdown, *app.caption, *app.info)
    )


def test_the_page_says_which_map_it_judges_and_asks_before_it_computes(app: AppTest) -> None:
    page(app)
    assert not app.exception
    assert not app.error
    assert app.title[0].value == "Evidence: Kinship terms"
    assert "with nothing known yet, of 2 hidden dimensions: **7.1%**" in said(app)
    assert {"Test for one more", "Try 0, 1, 2, …"} <= {one.label for one in app.button}
    assert workspace_of(app).step.findings == ()


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
    done(press(app, "Test for one more"))
    held = workspace_of(app)
    found = held.step.finding("HiddenFeature")
    assert isinstance(found, HiddenFeature)
    alone = hidden_feature_test(held.step.fit, resamples=19, seed=0)
    assert (found.lowered, found.p_value) == (alone.lowered, alone.p_value)
    assert found.verdict in said(app)
    assert "Test for one more again" in {one.label for one in app.button}
    report = report_html(held.journey)
    assert found.verdict in report
    assert "Seed 0." in report


def test_a_result_is_stored_and_shown_beside_the_map(app: AppTest) -> None:
    tick(app, "Gender")
    page(app)
    held = workspace_of(app)
    ask(app, "HiddenFeature", partial(hidden_feature_test, held.step.fit, resamples=19))
    ask(app, "Helped", partial(did_it_help, held.step.problem, shuffles=1))
    stored = from_json(store().load(held.token, datetime.now(UTC)).document)
    assert [kind for kind in ("HiddenFeature", "Helped") if stored.current.finding(kind)] == [
        "HiddenFeature",
        "Helped",
    ]
    app.switch_page("pages/2_Discover.py").run()
    assert not app.exception
    assert held.step.finding("HiddenFeature").verdict in said(app)
    assert held.step.finding("Helped").features[0].verdict in said(app)


def test_stopping_says_that_nothing_was_kept(app: AppTest) -> None:
    page(app)
    press(app, "Test for one more")
    assert workspace_of(app).evidence is not None
    press(app, "Stop")
    assert workspace_of(app).evidence is None
    assert "nothing of it was kept" in said(app)
    assert workspace_of(app).step.findings == ()


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
    ask(app, "Helped", partial(did_it_help, workspace_of(app).step.problem, folds=100))
    assert len(app.error) == 1
    assert "too few" in app.error[0].value
    assert not app.exception
