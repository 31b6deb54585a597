"""Was it found: maps of car brands beside the truth, by hand, by the papers' way, and kept."""

import json
from dataclasses import replace

import numpy as np
import pytest

from cml_core import FeatureTable, Fit, Problem, fit
from cml_core.datasets import simulate_car_brands, truth_of
from cml_core.errors import LabelMismatch, UnreadableFile
from cml_core.evidence import uncovered
from cml_core.evidence.result import ResultKind
from cml_core.evidence.uncovered import Uncovered, kept_back
from cml_core.fitting.geometry import canonical_correlations
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.journey.undoing import recorded, undo_in_words
from cml_core.values.simulation import Simulation

AT = "2026-01-01T12:00:00+00:00"
BRANDS = simulate_car_brands(40, noise=0.05, feature_noise=0.05, known=5, seed=3)
MADE = BRANDS.origin.simulation
assert MADE is not None
HIDDEN = ["Design", "Technology"]


@pytest.fixture(scope="module")
def mapped() -> Fit:
    return fit(Problem(BRANDS.values(), BRANDS.feature_table()), seed=0)


@pytest.fixture(scope="module")
def begun(mapped: Fit) -> Journey:
    journey = Journey.begun(
        BRANDS.title, BRANDS.values(), BRANDS.feature_table(), AT, origin=BRANDS.origin
    )
    return journey.after(mapped, mapped.embedding, AT)


def test_the_truth_is_made_again_from_its_settings() -> None:
    np.testing.assert_array_equal(truth_of(MADE).to_frame().to_numpy(), BRANDS.raw.to_numpy())
    given = ("Quality", "Safety", "Value", "Performance", "Economy")
    assert Simulation(40, 0.05, 0.05, given, 3) == MADE
    assert "40 brands, 5.0 % noise" in BRANDS.origin.in_words


def test_the_mean_canonical_correlation_is_that_of_the_map_and_the_hidden_features(mapped) -> None:
    found = uncovered(mapped, MADE)
    truth = BRANDS.raw.to_numpy()
    by_hand = canonical_correlations(mapped.embedding, BRANDS.raw[HIDDEN].to_numpy()).mean()
    assert found.agreement == pytest.approx(by_hand, abs=1e-12)
    assert found.agreement > 0.9
    whole = canonical_correlations(mapped.points, truth).mean()
    assert found.whole_agreement == pytest.approx(whole, abs=1e-12)
    assert "The map shows Design and Technology." in found.verdict
    assert f"by {by_hand:.2f} on average (mean canonical correlation" in found.verdict


def test_each_feature_has_its_own_correlation_and_those_that_are_hidden_come_first(mapped) -> None:
    features = uncovered(mapped, MADE).features
    assert [one.name for one in features[:2]] == HIDDEN
    assert [one.known for one in features] == [False] * 2 + [True] * 5
    for one in features:
        by_hand = canonical_correlations(mapped.embedding, BRANDS.raw[one.name].to_numpy())[0]
        assert one.correlation == pytest.approx(by_hand, abs=1e-6)
        assert one.predicted < by_hand**2
    assert min(one.correlation for one in features if not one.known) > 0.9
    assert max(one.correlation for one in features if one.known) < 0.6


def test_a_truth_that_was_ticked_is_known() -> None:
    table = BRANDS.feature_table()
    for one in kept_back(table.labels, MADE):
        table = table.with_feature(one)
    assert table.names[5:] == ("True Design", "True Technology")
    found = uncovered(fit(Problem(BRANDS.values(), table), seed=0), MADE)
    assert found.verdict.startswith("All features are known here")
    assert np.isnan(found.agreement)


def test_without_hidden_dimensions_there_is_no_map_to_be_right() -> None:
    bare = fit(Problem(BRANDS.values(), BRANDS.feature_table(), 0), seed=0)
    found = uncovered(bare, MADE)
    assert found.verdict == "There is no map, so nothing that is hidden can be seen on it."
    assert found.whole_agreement > 0.9


def test_too_few_dimensions_are_said(mapped) -> None:
    flat = fit(Problem(BRANDS.values(), FeatureTable(mapped.labels)), seed=0)
    assert "2 dimensions cannot hold 7 features" in uncovered(flat, MADE).remarks


def test_the_truth_of_other_objects_is_refused(mapped) -> None:
    with pytest.raises(LabelMismatch, match="made 10 objects, the map has 40"):
        uncovered(mapped, Simulation(10))


def test_a_project_keeps_the_settings_and_what_was_uncovered(begun: Journey) -> None:
    assert begun.current is not None
    told = begun.found(begun.current.id, uncovered(begun.current.fit, MADE), AT)
    again = from_json(to_json(told))
    assert again.origin == begun.origin
    assert again.current is not None
    found = again.current.result(ResultKind(Uncovered))
    assert found is not None
    assert found.agreement == uncovered(begun.current.fit, MADE).agreement
    content = json.loads(to_json(begun))
    content["origin"]["simulation"]["known"] = ["Colour"]
    with pytest.raises(UnreadableFile, match=r"origin\.simulation\.known"):
        from_json(json.dumps(content))


def test_uncovering_is_a_move_that_can_be_undone(begun: Journey) -> None:
    shown = replace(begun.origin, simulation=replace(MADE, uncovered=True))
    after = recorded(begun, begun.with_origin(shown, AT))
    assert undo_in_words(after) == "uncover the truth"
