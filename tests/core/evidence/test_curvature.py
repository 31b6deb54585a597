"""Does it act along a curve: advice where held-out pairs call for it, and the curve found."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, fit
from cml_core.errors import UnsuitableFeature
from cml_core.evidence.curvature import Curvature, FeatureBend, curvature, may_bend, shaped
from cml_core.evidence.fitted_curve import FittedCurve, curves, fitted_curve
from cml_core.evidence.known_weights import known_weights
from cml_core.fitting.geometry import canonical_correlations
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.report.pictures import svg_of
from cml_core.report.report import report_html
from cml_core.report.tables import files_of_map
from cml_core.values.arrays import FloatArray

# Together they take longer than `make quick` has.
pytestmark = pytest.mark.slow

N = 30
LABELS = tuple(f"object {k}" for k in range(N))
AT = "2026-01-31T12:00:00Z"


def signed_root(values: FloatArray) -> FloatArray:
    return np.sign(values) * np.sqrt(np.abs(values))


def data(seed: int, *, bent: bool) -> tuple[Problem, FloatArray]:
    """Two known quantities and a hidden one, all correlated; the first counts by its signed root.

    Noise is a tenth of every distance.
    """
    random = np.random.default_rng(seed)
    values = random.normal(size=(N, 3)) @ np.linalg.cholesky(0.5 + 0.5 * np.eye(3)).T
    points = values.copy()
    if bent:
        points[:, 0] = signed_root(points[:, 0])
    apart = pdist(points) * (1 + 0.1 * random.normal(size=N * (N - 1) // 2))
    features = tuple(Feature.numeric(name, values[:, k]) for k, name in enumerate(("Age", "Size")))
    known = FeatureTable(LABELS, features)
    return Problem(Dissimilarities(LABELS, apart), known, n_components=1), values[:, 2:]


def bent_known(problem: Problem, name: str = "Age") -> Problem:
    return problem.knowing(shaped(problem.known[name], bent=True))


@pytest.fixture(scope="module")
def bent_fit() -> Fit:
    return fit(bent_known(data(1, bent=True)[0]), seed=0)


# Advice


def test_a_curve_is_advised_where_a_feature_acts_along_one() -> None:
    found = curvature(data(1, bent=True)[0], seed=0)
    assert found.advised[0] == "Age"
    assert found.verdict.startswith(
        "Age acts along a curve: of the dissimilarity of pairs held out"
    )
    by_name = {one.feature: one for one in found.features}
    assert by_name["Age"].gain > 2 * by_name["Age"].gain_error > 0


def test_none_is_advised_where_all_act_along_straight_lines() -> None:
    found = curvature(data(1, bent=False)[0], seed=0)
    assert found.advised == ()
    assert found.verdict.startswith("Nothing speaks clearly for a curve of Age, Size")


def test_a_curve_that_is_known_is_compared_with_the_straight_line_as_well() -> None:
    problem = data(1, bent=True)[0]
    (straight,) = curvature(problem, ["Age"], seed=0).features
    (bent,) = curvature(bent_known(problem), ["Age"], seed=0).features
    assert (straight.is_curved, bent.is_curved) == (False, True)
    # The same two models of the same parts; a search may end in another minimum.
    assert bent.held_out_straight == pytest.approx(straight.held_out_straight, rel=0.02)
    assert bent.held_out_curved == pytest.approx(straight.held_out_curved, rel=0.02)
    assert bent.bends


def test_what_is_hidden_is_found_better_with_the_curve() -> None:
    problem, hidden = data(1, bent=True)
    straight = fit(problem, seed=0).embedding
    bent = fit(bent_known(problem), seed=0).embedding
    found = [canonical_correlations(map_, hidden)[0] for map_ in (straight, bent)]
    assert found[1] > found[0]


def test_only_quantities_that_may_bend_are_asked() -> None:
    problem = data(1, bent=True)[0]
    drawn = Feature("Drawn", "numeric", np.arange(N, dtype=float), read_off_map=True)
    sex = Feature.numeric("Sex", np.arange(N) % 2)
    team = Feature.categorical("Team", [f"team {k % 3}" for k in range(N)])
    for other in (drawn, sex, team):
        problem = problem.knowing(other)
    assert may_bend(problem) == ("Age", "Size")
    with pytest.raises(UnsuitableFeature, match="Drawn cannot be asked"):
        curvature(problem, ["Age", "Drawn"])
    diagonal = Problem(problem.dissimilarities, problem.known, 1, "diagonal")
    assert may_bend(diagonal) == ()
    with pytest.raises(UnsuitableFeature, match="coef='full'"):
        curvature(diagonal)


def result_of(*features: FeatureBend) -> Curvature:
    return Curvature(features, folds=10, seed=0)


def test_of_several_that_seem_bent_the_clearest_comes_first_and_one_is_changed_at_a_time() -> None:
    one = FeatureBend("Age", False, 0.03, 0.02, 0.001)
    two = FeatureBend("Size", False, 0.03, 0.01, 0.001)
    found = result_of(one, two)
    assert found.advised == ("Size", "Age")
    assert "So, it seems, does Age" in found.verdict
    assert "change one and ask again" in found.verdict
    known_already = result_of(FeatureBend("Age", True, 0.03, 0.02, 0.001))
    assert known_already.advised == ()
    assert "change one" not in known_already.verdict


def test_a_gain_within_twice_its_error_is_not_clear() -> None:
    assert FeatureBend("Age", False, 0.03, 0.02, 0.0049).bends
    assert not FeatureBend("Age", False, 0.03, 0.02, 0.0051).bends
    assert not FeatureBend("Age", False, 0.02, 0.03, 0.001).bends


# The curve


def test_the_curve_follows_what_the_data_were_made_with(bent_fit: Fit) -> None:
    found = fitted_curve(bent_fit, "Age")
    made = signed_root(found.given)
    # Noise of a tenth, and a spline of four knots has no upright tangent, as the root has at zero.
    assert np.corrcoef(found.stands, made)[0, 1] > 0.98
    assert np.corrcoef(found.stands, found.given)[0, 1] < np.corrcoef(found.stands, made)[0, 1]
    assert found.share > 0.9
    assert found.turns == ()


def test_objects_stand_on_the_curve_and_it_begins_at_nought(bent_fit: Fit) -> None:
    found = fitted_curve(bent_fit, "Age")
    assert (found.values[0], found.values[-1]) == (found.given.min(), found.given.max())
    assert found.places[0] == 0
    assert found.places[-1] > 0
    ends = found.stands[[found.given.argmin(), found.given.argmax()]]
    # The same points by two ways of multiplying.
    np.testing.assert_allclose(ends, found.places[[0, -1]], atol=1e-12 * np.ptp(found.places))


def test_distances_along_the_curve_and_across_it_are_those_of_the_fit(bent_fit: Fit) -> None:
    found = fitted_curve(bent_fit, "Age")
    own = bent_fit.problem.encoding.block == 0
    places = bent_fit.known_values[:, own] @ bent_fit.coef[own]
    of_all = ((places - places.mean(axis=0)) ** 2).sum()
    along = ((found.stands - found.stands.mean()) ** 2).sum()
    # Sums of thirty squares.
    assert along / of_all == pytest.approx(found.share, rel=1e-12)


def test_a_gap_has_no_dot_on_the_curve() -> None:
    problem = data(1, bent=True)[0]
    values = problem.known["Age"].values.copy()
    values[3] = np.nan
    found = fit(problem.knowing(Feature.of("curved", "Age", values)), seed=0)
    assert fitted_curve(found, "Age").given.size == N - 1


def test_a_straight_feature_has_no_curve(bent_fit: Fit) -> None:
    with pytest.raises(UnsuitableFeature, match="Size is numeric"):
        fitted_curve(bent_fit, "Size")
    assert [one.feature for one in curves(bent_fit)] == ["Age"]


@pytest.mark.parametrize(
    ("places", "turns"),
    [
        ([0, 1, 2, 3, 4], ()),
        ([0, 2, 4, 2, 1], (2.0,)),
        ([0, -1, -2, 0, 3], (2.0,)),
        ([0, 3, 1, 0.5, 4], (1.0, 3.0)),
        # Back by a hundredth of its height is no turn.
        ([0, 1, 2, 1.98, 2.2], ()),
    ],
)
def test_a_curve_says_where_it_turns_back(places: list[float], turns: tuple[float, ...]) -> None:
    up = np.array(places, dtype=float)
    found = FittedCurve("Age", np.arange(5.0), up, np.arange(5.0), up, 1.0)
    assert found.turns == turns
    assert ("turns back" in found.verdict) == bool(turns)


def test_a_curve_in_one_direction_is_told_by_quarters() -> None:
    up = np.array([0.0, 6.0, 8.0, 9.0, 10.0])
    found = FittedCurve("Age", np.arange(5.0), up, np.arange(5.0), up, 1.0)
    assert "the four quarters of that range make 60 %, 20 %, 10 % and 10 %" in found.verdict


def test_what_lies_across_the_curve_is_told_where_it_is_much() -> None:
    up = np.arange(5.0)
    along, across = (FittedCurve("Age", up, up, up, up, share).remarks for share in (0.95, 0.6))
    assert "across" not in along
    assert "60 %" in across
    assert "the rest in directions across it" in across


def test_a_feature_that_is_the_same_for_all_has_a_curve_of_one_point() -> None:
    problem = data(1, bent=True)[0]
    found = fit(problem.knowing(Feature.of("curved", "Age", np.ones(N))), seed=0)
    curve = fitted_curve(found, "Age")
    assert curve.verdict == "Age makes nothing of the distances."
    assert not curve.places.any()
    assert "<polyline" in svg_of(curve.sketch)


# What the program does with it


def journey_of(found: Fit) -> Journey:
    problem = found.problem
    journey = Journey.begun("Ages", problem.dissimilarities, problem.known, AT)
    journey = journey.after(found, found.embedding, AT)
    return journey.found(journey.current_id, known_weights(found), AT)


def test_a_project_keeps_the_feature_the_map_and_the_advice(bent_fit: Fit) -> None:
    journey = journey_of(bent_fit)
    advice = curvature(bent_fit.problem, ["Age"], folds=3, seed=0)
    journey = journey.found(journey.current_id, advice, AT)
    read = from_json(json.dumps(json.loads(to_json(journey))))
    assert read.current is not None
    assert read.features["Age"].identity() == bent_fit.problem.known["Age"].identity()
    again = fitted_curve(read.current.fit, "Age")
    np.testing.assert_array_equal(again.places, fitted_curve(bent_fit, "Age").places)
    assert advice.verdict in [one.verdict for one in read.current.results]


def test_the_report_draws_the_curve(bent_fit: Fit) -> None:
    html = report_html(journey_of(bent_fit))
    assert "How Age acts" in html
    assert "<polyline" in html


def test_the_exported_program_makes_the_map_again(
    bent_fit: Fit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in files_of_map(bent_fit, bent_fit.problem.known).items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    again = runpy.run_path(str(tmp_path / "map.py"))["result"]
    assert "unexplained" in capsys.readouterr().out
    assert again.problem.known["Age"].identity() == bent_fit.problem.known["Age"].identity()
    # The same starts of the same numbers.
    assert again.stress == pytest.approx(bent_fit.stress, rel=1e-9)


def test_a_step_is_called_after_the_kind_that_a_feature_became(bent_fit: Fit) -> None:
    straight = fit(data(1, bent=True)[0], seed=0)
    problem = straight.problem
    journey = Journey.begun("Ages", problem.dissimilarities, problem.known, AT)
    journey = journey.after(straight, straight.embedding, AT)
    journey = journey.after(bent_fit, bent_fit.embedding, AT)
    assert [row.name for row in journey.as_rows()] == [
        "Age, Size known, 1 dimension",
        "Age as curved",
    ]
