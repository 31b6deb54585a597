"""A panel of one's own is one module and one line, and then works as the others do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from page_tools import computed, page_of, said, tick, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence import topics
from cml_app.panels.evidence.panel import Panel, nothing_known
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.workspace import Workspace
from cml_core import Fit
from cml_core.evidence import questions
from cml_core.evidence.result import Result, ResultKind
from cml_core.evidence.table import COUNT, SHARE, Column, Table
from cml_core.evidence.work import OnStage, each
from cml_core.report.report import report_html
from cml_core.values.words import percent

pytestmark = pytest.mark.slow

# The question, as tests/core/evidence/test_a_new_question.py has one.


@dataclass(frozen=True, eq=False)
class Lengths(Result):
    """How long fitted distances are, as a share of those given, over pairs drawn at random."""

    share: float
    pairs: int
    seed: int

    heading = "Are distances long enough?"

    @property
    def verdict(self) -> str:
        return f"Fitted distances are {percent(self.share)} as long as they were given."

    def table(self) -> Table:
        share = Column("As long", [self.share], SHARE, "Fitted as a share of given.")
        return Table((Column("Data", ["These"]), share, Column("Pairs", [self.pairs], COUNT)))


def lengths(
    fit: Fit, *, pairs: int, seed: int, workers: int | None = None, on_step: OnStage | None = None
) -> Lengths:
    ratios = fit.distances() / fit.problem.targets.condensed
    drawn = np.random.default_rng(seed).integers(ratios.size, size=pairs).tolist()
    shares = each(ratios.item, drawn, doing="Measuring", workers=workers, on_step=on_step)
    return Lengths(float(np.mean(shares)), pairs, seed)


# The panel.


def _work(workspace: Workspace, chosen: Chosen) -> Callable[..., Lengths]:
    return partial(lengths, workspace.step.fit, pairs=chosen.count, seed=chosen.seed)


ASKED = OnRequest(
    ResultKind(Lengths),
    button="Measure the distances",
    repeats=Repeats("Pairs", 50, 10, 500, seconds=(1.0, 1.0, 1.0)),
    work=_work,
    about=lambda _, pairs: f"Draws {pairs} pairs and measures each.",
)
PANEL = Panel(Lengths, ASKED.found, why_not=nothing_known, how="$d / \\delta$, on average.")
TRUST = "Can I trust this map?"


@pytest.fixture
def app(begun_anew: None, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    # The lines.
    monkeypatch.setattr(questions, "QUESTIONS", (*questions.QUESTIONS, Lengths))
    monkeypatch.setitem(topics.TOPICS, TRUST, (*topics.TOPICS[TRUST], PANEL))
    return page_of().run()


def opened(app: AppTest) -> AppTest:
    app.switch_page("pages/3_Evidence.py").run()
    return app.button_group(key="question").set_value(TRUST).run()


@pytest.mark.slow
def test_it_is_asked_with_settings_and_answered_in_words_and_numbers(app: AppTest) -> None:
    tick(app, "Gender")
    opened(app)
    assert Lengths.heading in [one.value for one in app.subheader]
    app.number_input(key="count-Lengths").set_value(20).run()
    assert "Draws 20 pairs and measures each. Some seconds." in said(app)
    computed(app.button(key="run-Lengths").click().run())
    assert not app.exception
    assert not app.error
    found = workspace_of(app).step.result(ResultKind(Lengths))
    assert found is not None
    assert (found.pairs, found.seed) == (20, 0)
    assert found.verdict in said(app)
    assert "Seed 0." in said(app)
    rows = next(one.value for one in app.dataframe if "As long" in one.value.columns)
    assert list(rows["As long"]) == pytest.approx([100 * found.share])
    assert any("delta" in one.value for one in app.markdown)
    assert found.verdict in report_html(workspace_of(app).journey).replace("\u00a0", " ")


def test_why_it_cannot_be_asked_is_said_in_its_place(app: AppTest) -> None:
    opened(app)
    assert Lengths.heading not in [one.value for one in app.subheader]
    assert "Nothing is known on this map yet." in said(app)
