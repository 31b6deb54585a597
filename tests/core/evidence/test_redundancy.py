"""What known features explain without a map, held against R's vegan and against least squares."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.linear_model import LinearRegression

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, fit, load_dataset
from cml_core.drawing.arrow import Arrow
from cml_core.errors import UnknownOption
from cml_core.evidence import distance_regression as regression
from cml_core.evidence.dealing import orders
from cml_core.evidence.redundancy import NotForRegression, Redundancy, redundancy, why_not_asked
from cml_core.evidence.together import apart

REFERENCE = json.loads(
    (Path(__file__).parents[2] / "reference" / "redundancy.json").read_text("utf-8")
)
EXAMPLES = [name for name in REFERENCE if name != "source"]
N = 24
LABELS = tuple(f"object {i:02}" for i in range(N))


def short(name: str) -> str:
    """As published: PU for Pleasantness (PU)."""
    return name.rpartition("(")[2].rstrip(")")


def simulated(seed: int = 0, noise: float = 0.1) -> tuple[Problem, np.ndarray]:
    """Two known features of three that act, and one that does not."""
    random = np.random.default_rng(seed)
    true = random.normal(size=(N, 3))
    distances = pdist(true)
    seen = np.abs(distances * (1 + noise * random.normal(size=distances.size)))
    features = [Feature.numeric(name, true[:, k]) for k, name in enumerate(("Age", "Size"))]
    features.append(Feature.numeric("Noise", random.normal(size=N)))
    known = FeatureTable(LABELS, tuple(features))
    return Problem(Dissimilarities(LABELS, seen), known, 1), true


@pytest.fixture(scope="module")
def found() -> tuple[Fit, Redundancy]:
    fitted = fit(simulated()[0], seed=0)
    return fitted, redundancy(fitted, permutations=199)


@pytest.mark.parametrize("name", EXAMPLES)
def test_shares_and_ratios_are_those_of_vegan(name: str) -> None:
    data = load_dataset(name)
    asked = redundancy(fit(Problem(data.values(), data.feature_table()), n_init=1, seed=0))
    expected = REFERENCE[name]
    # As many digits as were printed.
    assert asked.explained == pytest.approx(expected["share"], rel=1e-9)
    assert asked.adjusted_share == pytest.approx(expected["adjusted"], rel=1e-9)
    assert asked.pairs_explained == pytest.approx(expected["pairs"], rel=1e-9)
    for one in asked.features:
        theirs = expected["features"][short(one.name)]
        assert one.share == pytest.approx(theirs["share"], rel=1e-9)
        assert one.pseudo_f == pytest.approx(theirs["f"], rel=1e-9)


@pytest.mark.parametrize("name", EXAMPLES)
def test_slopes_are_those_of_ordinary_least_squares(name: str) -> None:
    data = load_dataset(name)
    asked = redundancy(fit(Problem(data.values(), data.feature_table()), n_init=1, seed=0))
    given = data.values().condensed
    for one in asked.features:
        feature = data.feature_table()[one.name]
        column = feature.columns()[:, :1]
        # The reference has numbers in standard deviations, and groups as 0 and 1.
        unit = column.std() if feature.kind == "numeric" else np.ptp(column)
        spread = pdist(column / unit).std() / given.std()
        expected = REFERENCE[name]["features"][short(one.name)]["slope"] * spread
        assert one.slope == pytest.approx(expected, rel=1e-8)


def test_chances_are_near_those_of_vegan() -> None:
    data = load_dataset("faces")
    asked = redundancy(fit(Problem(data.values(), data.feature_table()), seed=0), seed=1)
    for one in asked.features:
        theirs = REFERENCE["faces"]["features"][short(one.name)]["p"]
        # 999 dealings of residuals here, 9999 of everything there.
        assert one.p_value == pytest.approx(theirs, abs=0.03)


def test_what_acts_is_told_from_what_does_not(found: tuple[Fit, Redundancy]) -> None:
    age, size, noise = found[1].features
    assert age.adjusted < 0.05
    assert size.adjusted < 0.05
    assert noise.adjusted > 0.05
    assert noise.share < 0.2 * min(age.share, size.share)
    verdict = found[1].verdict
    assert verdict.startswith("Together the known features explain ")
    assert verdict.endswith(
        "Beyond the others, Age and Size explain more than chance, and not Noise."
    )
    assert "and not what is left" in found[1].remarks
    assert "matrix regression explains" in found[1].remarks


def test_the_ratio_is_what_dealing_by_hand_gives() -> None:
    random = np.random.default_rng(0)
    values, places = random.normal(size=(12, 3)), random.normal(size=(12, 4))
    gram = regression.products(pdist(places))
    np.testing.assert_allclose(gram, _centred(places) @ _centred(places).T, atol=1e-12)
    others = regression.basis(values[:, 1:])
    own = regression.basis(values[:, :1], others)
    dealt = orders(apart(12), 40, random)
    term = regression.explained_beyond(gram, own, others, dealt)

    def ratio(products: np.ndarray) -> float:
        both = np.hstack([own, others])
        explained = np.trace(own.T @ products @ own)
        left = np.trace(products) - np.trace(both.T @ products @ both)
        return explained / (left / (12 - 4))

    residual = np.eye(12) - others @ others.T
    left = residual @ gram @ residual
    as_large = sum(ratio(left[np.ix_(order, order)]) >= ratio(left) for order in dealt)
    assert 0 < as_large < 40
    assert term.pseudo_f == pytest.approx(ratio(gram))
    assert term.p_value == (1 + as_large) / 41


def _centred(columns: np.ndarray) -> np.ndarray:
    return columns - columns.mean(axis=0)


def test_false_alarms_are_as_rare_as_the_p_value_says() -> None:
    alarms = []
    for seed in range(100):
        problem, true = simulated(seed)
        gram = regression.products(problem.dissimilarities.condensed)
        random = np.random.default_rng(seed)
        related = true[:, :1] + 0.75 * random.normal(size=(N, 1))
        others = regression.basis(true[:, :2])
        dealt = orders(apart(N), 99, random)
        own = regression.basis(related, others)
        alarms.append(regression.explained_beyond(gram, own, others, dealt).p_value)
    # A binomial count of 100 with mean 5 and standard deviation 2.2; four of these are allowed.
    assert np.sum(np.array(alarms) <= 0.05) <= 14


def test_categories_of_several_columns_are_one_feature() -> None:
    problem, true = simulated()
    thirds = Feature.categorical("Third", np.array(list("abc"))[np.arange(N) % 3])
    asked = redundancy(fit(problem.knowing(thirds), seed=0), permutations=19)
    third = asked.features[-1]
    columns = thirds.columns()
    slopes = (
        LinearRegression()
        .fit(
            np.column_stack(
                [pdist(true[:, [k]]) for k in (0, 1)]
                + [pdist(problem.known["Noise"].columns()), pdist(columns)]
            ),
            problem.dissimilarities.condensed,
        )
        .coef_
    )
    spread = pdist(columns).std() / problem.dissimilarities.condensed.std()
    assert third.slope == pytest.approx(slopes[-1] * spread)
    assert 0 < third.share < 0.2


def test_what_was_read_off_a_map_gets_no_chance() -> None:
    problem, _ = simulated()
    drawn = Arrow((0, 0), (1, 0)).feature("Drawn", np.c_[fit(problem, seed=0).embedding, [0] * N])
    asked = redundancy(fit(problem.knowing(drawn), seed=0), permutations=19)
    assert asked.features[-1].p_value is asked.features[-1].adjusted is None
    assert asked.features[-1].read_off_map
    assert asked.features[0].adjusted is not None


def test_a_feature_that_repeats_the_others_explains_nothing_beyond_them() -> None:
    problem, true = simulated()
    both = Feature.numeric("Both", true[:, 0] + true[:, 1])
    last = redundancy(fit(problem.knowing(both), seed=0), permutations=19).features[-1]
    assert last.share == 0
    assert np.isnan(last.pseudo_f)
    assert last.p_value is None


def test_couples_count_once_and_where_too_few_are_left_it_is_said() -> None:
    data = load_dataset("kinship14")
    asked = redundancy(fit(Problem(data.values(), data.feature_table()), seed=0))
    assert asked.together == (2,) * 7
    assert asked.permutations == 0
    assert all(one.p_value is None for one in asked.features)
    assert "cannot be tested" in asked.verdict
    assert "too few objects are left" in asked.remarks
    assert "(7 couples)" in asked.remarks
    both = data.feature_table().select(["Gender", "Degree"])
    two = redundancy(fit(Problem(data.values(), both), seed=0))
    assert two.permutations == 999
    assert "dealt out together, as 7 couples." in two.remarks


def test_it_needs_every_pair_and_says_so() -> None:
    problem, _ = simulated()
    values = problem.dissimilarities.condensed.copy()
    values[3] = np.nan
    gap = replace(problem, dissimilarities=Dissimilarities(LABELS, values))
    assert "need the dissimilarity of every pair" in why_not_asked(gap)
    with pytest.raises(NotForRegression, match="every pair"):
        redundancy(fit(gap, n_init=1, seed=0))
    alike = replace(problem, dissimilarities=Dissimilarities(LABELS, np.ones(values.size)))
    assert "all" in why_not_asked(alike).lower()
    bare = Problem(problem.dissimilarities, FeatureTable(LABELS, ()), 1)
    assert "Nothing is known" in why_not_asked(bare)
    assert why_not_asked(problem) == ""


def test_the_order_of_objects_and_the_unit_change_nothing(found: tuple[Fit, Redundancy]) -> None:
    fitted, before = found
    order = np.random.default_rng(1).permutation(N)
    labels = tuple(LABELS[i] for i in order)
    square = 1e100 * squareform(fitted.problem.dissimilarities.condensed)[np.ix_(order, order)]
    turned = Problem(
        Dissimilarities(labels, squareform(square)), fitted.problem.known.for_objects(labels), 1
    )
    after = redundancy(fit(turned, seed=0), permutations=199)
    assert after.explained == pytest.approx(before.explained)
    for one, other in zip(before.features, after.features, strict=True):
        assert other.share == pytest.approx(one.share)
        assert other.slope == pytest.approx(one.slope)
        assert other.p_value == one.p_value


def test_its_table_has_a_row_a_feature_and_the_seed_repeats_it(
    found: tuple[Fit, Redundancy],
) -> None:
    fitted, asked = found
    frame = asked.table().frame()
    assert list(frame["Feature"]) == ["Age", "Size", "Noise"]
    assert list(frame["Explains"]) == [one.share for one in asked.features]
    again = redundancy(fitted, permutations=199)
    assert [one.p_value for one in again.features] == [one.p_value for one in asked.features]
    with pytest.raises(UnknownOption):
        redundancy(fitted, permutations=0)


def test_with_as_much_known_as_there_are_objects_there_is_no_ratio() -> None:
    random = np.random.default_rng(0)
    labels = tuple("abcd")
    known = tuple(Feature.numeric(f"k{k}", random.normal(size=4)) for k in range(3))
    problem = Problem(
        Dissimilarities(labels, pdist(random.normal(size=(4, 3)))), FeatureTable(labels, known), 0
    )
    asked = redundancy(fit(problem, seed=0))
    assert asked.explained == pytest.approx(1)
    assert all(np.isnan(one.pseudo_f) and one.p_value is None for one in asked.features)
    assert asked.adjusted_share == 0
