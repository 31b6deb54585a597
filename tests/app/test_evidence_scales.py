"""Which scale is advised, and what is asked of a map on another scale, without a browser."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from page_tools import SECONDS, said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app.panels.evidence.advised_scale import ASKED
from cml_app.panels.evidence.importance import ASKED as HELP_ASKED
from cml_app.panels.evidence.running import Chosen
from cml_app.pictures.evidence_pairs import pair_lines, shepard_diagram
from cml_app.pictures.evidence_scales import scale_errors
from cml_app.pictures.figures import ink
from cml_core import Problem, fit, load_dataset
from cml_core.evidence.advised_scale import AdvisedScale, advised_scale
from cml_core.evidence.importance import did_it_help
from cml_core.evidence.shepard import shepard
from cml_core.fitting.scales.registry import SCALES

INK = ink(dark=False)


def of_errors(*errors: float) -> AdvisedScale:
    folds = np.array(errors)[:, None] + np.array([-0.01, 0.0, 0.01])
    titles = tuple(scale.title for scale in SCALES.values())
    believed = tuple(scale.believed for scale in SCALES.values())
    return AdvisedScale(tuple(SCALES), titles, believed, folds, 0, 0)


def test_every_scale_has_a_row_and_the_advised_one_stands_out() -> None:
    figure = scale_errors(of_errors(0.5, 0.4, 0.1, 0.2, 0.3), INK)
    errors, advised = figure.data
    assert list(errors.x) == pytest.approx([50, 40, 10, 20, 30])
    assert list(figure.layout.yaxis.ticktext) == [scale.title for scale in SCALES.values()]
    assert (list(advised.x), list(advised.y)) == (pytest.approx([10]), [2])
    assert advised.name == "Advised"


def test_where_none_is_advised_none_stands_out() -> None:
    (errors,) = scale_errors(of_errors(1.5, 1.4, 1.1, 1.2, 1.3), INK).data
    assert len(errors.x) == 5


def test_the_shepard_diagram_has_the_fitted_curve_over_what_was_given() -> None:
    data = load_dataset("ekman")
    problem = Problem(data.values(), data.feature_table().select([]), scale="interval")
    pairs = shepard(fit(problem, n_init=3, seed=0))
    line = next(one for one in shepard_diagram(pairs, INK).data if one.name == "Fitted curve")
    assert line.mode == "lines"
    assert list(line.x) == sorted(pairs.given)
    # Interval: a straight line, which does not go through zero.
    slopes = np.diff(line.y)[np.diff(line.x) > 0] / np.diff(line.x)[np.diff(line.x) > 0]
    assert slopes == pytest.approx(np.full(slopes.size, slopes.mean()))
    assert abs(line.y[0] - slopes.mean() * line.x[0]) > 0.1
    near = pair_lines(pairs, range(pairs.given.size)).too_near
    assert list(near) == list(pairs.fitted < pairs.scaled)
    assert 0 < near.sum() < near.size


def page(topic: str, scale: str) -> None:
    """The script of a page with one topic about a map on a scale."""
    from dataclasses import replace

    import streamlit as st

    from cml_app import this_server, visits
    from cml_app.panels.evidence import topics
    from cml_app.question import Question
    from cml_app.shell import open_page
    from cml_core import fit

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        held = visits.begin_example("kinship14")
        held.ask(Question(known_names=("Gender",), n_components=2))
        found = fit(replace(held.step.problem, scale=scale), n_init=5, seed=0)
        held.journey = held.journey.after(found, found.embedding, this_server.now())
    with open_page("Evidence") as workspace:
        topics.show(workspace, topic)


def look(topic: str, scale: str) -> AppTest:
    return AppTest.from_function(page, default_timeout=SECONDS, args=(topic, scale)).run()


@pytest.mark.slow
@pytest.mark.usefixtures("begun_anew")
def test_whether_anything_is_left_is_asked_on_any_scale() -> None:
    app = look("Is anything left?", "ordinal")
    assert not app.exception
    assert not app.error
    asked = [one.key for one in app.button if str(one.key).startswith("run-")]
    assert asked == ["run-HiddenFeature", "run-Dimensions"]


@pytest.mark.slow
@pytest.mark.usefixtures("begun_anew")
def test_held_out_pairs_judge_on_any_scale_and_it_is_said_how() -> None:
    app = look("Did it help?", "ordinal")
    assert not app.exception
    assert not app.error
    assert "measured on the ratio scale alone" not in said(app)
    assert "run-Helped" in [one.key for one in app.button]
    assert "The same with one hidden dimension fewer." in said(app)
    held = workspace_of(app)
    problem = held.step.problem
    found = HELP_ASKED.work(held, Chosen(2, 1))(workers=1, on_step=None)
    same = did_it_help(problem, shuffles=2, seed=1)
    assert found.features[0].held_out_with == same.features[0].held_out_with
    assert found.scale == "ordinal"


@pytest.mark.slow
@pytest.mark.usefixtures("begun_anew")
def test_pairs_stand_in_a_table_with_what_the_curve_makes_of_them() -> None:
    app = look("Can I trust this map?", "spline")
    assert not app.exception
    assert not app.error
    pairs = shepard(workspace_of(app).step.fit)
    rows = next(one.value for one in app.dataframe if "By the curve" in one.value.columns)
    assert list(rows["By the curve"]) == list(pairs.scaled[pairs.worst()])
    assert "Try every scale" in [one.label for one in app.button]


@pytest.mark.slow
@pytest.mark.usefixtures("begun_anew")
def test_every_scale_is_tried_on_the_question_of_the_step() -> None:
    held = workspace_of(look("Can I trust this map?", "ratio"))
    found = ASKED.work(held, Chosen(4, 1))(workers=1, on_step=None)
    same = advised_scale(held.step.problem, folds=4, seed=1)
    assert np.array_equal(found.fold_errors, same.fold_errors)
    assert "Fits this map on every scale, 4 times" in ASKED.about(held, 4)
    coarse = replace(held.journey.dissimilarities, condensed=np.resize([1.0, 2.0, 3.0], 91))
    held.journey = held.journey.begun("Coarse", coarse, held.journey.features, "2026-01-31T12:00Z")
    assert 'speaks for "Only the order"' in ASKED.about(held, 4)
