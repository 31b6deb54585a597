"""Step by step against cml, the paper author's own program."""

from __future__ import annotations

import numpy as np
import pytest
from published import cases

from cml_core import ConditionalIsomap, ConditionalMDS
from cml_core.errors import NotConverged

# Said to whoever uses them with gaps; here it is known.
pytestmark = pytest.mark.filterwarnings("ignore:The published updates free all features")

RIGHT = [name for name, case in cases().items() if case.is_right]
WRONG = [name for name, case in cases().items() if not case.is_right]
CLOSED = [n for n, c in cases().items() if "eigen_stress" in c.about and c["weights"] == "unit"]


def model_for(case, **options):
    options = {
        "n_components": case["p"],
        "coef": "diagonal" if case["diagonal"] else "full",
    } | options
    if case["kind"] == "condIsomap":
        return ConditionalIsomap(n_neighbors=case["k"], epsilon=case["epsilon"], **options)
    return ConditionalMDS(**options)


def repeated(case):
    """The run with the same start, tolerance and number of updates as cml's."""
    tolerance = case["gamma"] if case["gamma"] >= 0 else -1.0
    updates = case["it_max"] - 1
    model = model_for(case, solver="smacof", init=case.start, tol=tolerance, max_iter=updates)
    if case.steps.size == updates + 1:
        with pytest.warns(NotConverged):
            return model.fit(case.dissimilarities, case.known, case.weights)
    return model.fit(case.dissimilarities, case.known, case.weights)


def test_all_runs_of_cml_are_here():
    kinds = [case["kind"] for case in cases().values()]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "condMDS": 40,
        "condMDS_missingV": 6,
        "condIsomap": 6,
    }
    assert WRONG == ["m02", "m05"]
    assert len(CLOSED) == 15


@pytest.mark.parametrize("name", RIGHT)
def test_the_published_updates_are_those_of_cml(name):
    case = cases()[name]
    model = repeated(case)
    assert model.stress_path_.size == case.steps.size
    # cml's numbers were written with 15 digits; up to 260 updates amplify that.
    assert model.stress_path_ == pytest.approx(case.steps, rel=1e-8)
    assert np.allclose(model.embedding_, case.arrays["U"], rtol=0, atol=1e-8)
    assert np.allclose(model.coef_, case.arrays["B"], rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", ["m01", "m03", "m04", "m06"])
def test_objects_of_which_nothing_is_known_get_the_features_that_cml_gives_them(name):
    case = cases()[name]
    rows = np.isnan(case.known).all(axis=1)
    assert rows.any()
    # V is read back from VB, so an ill-conditioned B (up to 36 here) loses some digits.
    filled = case.arrays["filled"][rows]
    assert np.allclose(repeated(case).known_[rows], filled, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", WRONG)
def test_where_cml_takes_the_wrong_column_the_stress_rises_and_here_it_does_not(name):
    case = cases()[name]
    assert np.diff(case.steps).max() > 1e-3
    path = repeated(case).stress_path_
    assert path[0] == pytest.approx(case.steps[0], rel=1e-8)
    assert np.diff(path).max() <= 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", list(cases()))
def test_a_default_fit_ends_no_higher_than_cml(name):
    case = cases()[name]
    model = model_for(case, random_state=0).fit(case.dissimilarities, case.known, case.weights)
    assert model.converged_
    assert model.stress_ <= case["stress"] * (1 + 1e-9)
    assert np.diff(model.stress_path_).max() <= 0.0


@pytest.mark.parametrize("name", CLOSED)
def test_the_closed_form_is_that_of_cml(name):
    case = cases()[name]
    model = model_for(case, solver="closed_form").fit(case.dissimilarities, case.known)
    # The stress of one configuration, computed twice: rounding of 15 written digits.
    assert model.stress_ == pytest.approx(case["eigen_stress"], rel=1e-9)
    expected = case.arrays["eigen_B"]
    size = np.abs(expected @ expected.T).max()
    # B is known up to a turn, which leaves BB' as it is.
    assert np.allclose(model.coef_ @ model.coef_.T, expected @ expected.T, rtol=0, atol=1e-9 * size)


CLIPPED = [n for n, c in cases().items() if c.about.get("eigen_clipped")]


@pytest.mark.parametrize("name", CLIPPED)
def test_the_closed_form_clips_a_negative_coefficient_as_cml_does(name):
    case = cases()[name]
    model = model_for(case, solver="closed_form").fit(case.dissimilarities, case.known)
    expected = case.arrays["eigen_B"]
    size = np.abs(expected @ expected.T).max()
    # cml's closed form knows no weights; only its stress does, so B is what can be compared.
    assert np.allclose(model.coef_ @ model.coef_.T, expected @ expected.T, rtol=0, atol=1e-9 * size)
    assert np.linalg.matrix_rank(model.coef_) < case.known.shape[1]
