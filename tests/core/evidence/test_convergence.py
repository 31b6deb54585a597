"""Has the fit arrived: the path of the stress, as the fit kept it."""

import numpy as np
import pytest

from cml_core import ConditionalMDS, FeatureTable, Problem, fit, load_dataset
from cml_core.evidence import convergence, other_optima
from cml_core.journey.journey import Journey
from cml_core.report.report import report_html

DATA = load_dataset("kinship14")
AT = "2026-01-01T12:00:00+00:00"


def problem(known: tuple[str, ...] = ("Gender", "Degree")) -> Problem:
    return Problem(DATA.values(), DATA.feature_table().select(known))


def test_the_path_is_that_of_the_estimator_and_never_rises() -> None:
    found = convergence(fit(problem(), seed=0))
    model = ConditionalMDS(random_state=0).fit(
        DATA.dissimilarities, DATA.feature_table().select(["Gender", "Degree"])
    )
    np.testing.assert_array_equal(found.path, model.stress_path_)
    assert found.steps == model.n_iter_
    assert found.path[-1] == pytest.approx(0.0142885, rel=1e-5)
    assert (np.diff(found.path) <= 1e-12).all()
    assert found.verdict.startswith(f"Yes: {found.steps} steps led from ")
    assert "to 1.43 %" in found.verdict


def test_nearly_there_is_the_first_step_within_a_hundredth_of_the_end() -> None:
    found = convergence(fit(problem(), seed=0))
    k, limit = found.nearly_there, 1.01 * found.path[-1]
    assert found.path[k] <= limit < found.path[k - 1]
    assert found.sketch is not None
    assert found.sketch.dots_across.tolist() == [k]


def test_a_fit_that_was_broken_off_has_not_arrived() -> None:
    found = convergence(fit(problem(), max_iter=3, n_init=1, seed=0))
    assert not found.converged
    assert found.verdict.startswith("No: the best run was stopped (iteration limit) after 3 steps")


def test_a_closed_form_has_no_way_to_show() -> None:
    found = convergence(fit(problem(), solver="closed_form"))
    assert "at one go" in found.verdict
    assert found.sketch is None
    assert found.facts == ()


def test_a_report_shows_the_way_once_other_maps_were_looked_at() -> None:
    found = fit(Problem(DATA.values(), FeatureTable(DATA.values().labels)), seed=0)
    begun = Journey.begun(DATA.title, DATA.values(), DATA.feature_table(), AT)
    journey = begun.after(found, found.embedding, AT)
    assert journey.current is not None
    assert "Has the fit arrived?" not in report_html(journey)
    told = report_html(journey.found(journey.current.id, other_optima(found), AT))
    assert "Has the fit arrived?" in told
    assert "Share unexplained after every step of the best run" in told
