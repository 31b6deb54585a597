"""Measurements become dissimilarities: against scipy, R's rule for gaps, and Gower's definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata

from cml_core.errors import (
    ConditionalMappingError,
    UnknownFeature,
    UnknownOption,
    UnsuitableFeature,
)
from cml_core.files.measures import METRICS, SCALINGS, compared
from cml_core.values.features import Feature, FeatureTable

GAP = np.nan
# Both sides add up the same terms in another order.
ROUNDING = 1e-12


def table_of(rows: np.ndarray) -> FeatureTable:
    rows = np.asarray(rows, dtype=float)
    features = (Feature.numeric(f"x{k + 1}", column) for k, column in enumerate(rows.T))
    return FeatureTable(tuple(f"o{i + 1}" for i in range(len(rows))), tuple(features))


def values_of(rows: np.ndarray, metric: str, scaling: str = "none") -> np.ndarray:
    return compared(table_of(rows), metric, scaling).values


def sample(seed: int = 0, n: int = 25, k: int = 6) -> np.ndarray:
    """Not below zero, a fifth of it zero, so that every metric is defined."""
    random = np.random.default_rng(seed)
    rows = random.gamma(2.0, size=(n, k))
    rows[random.random(rows.shape) < 0.2] = 0.0
    return rows


SCIPY = sorted(set(METRICS) - {"gower"})


@pytest.mark.parametrize("metric", SCIPY)
def test_complete_measurements_give_what_scipy_gives(metric: str) -> None:
    rows = sample()
    taken = rows != 0 if metric == "jaccard" else np.round(rows) if metric == "hamming" else rows
    expected = squareform(pdist(taken, metric))
    # The root of the Jensen-Shannon divergence doubles the digits that rounding costs.
    tolerance = 1e-7 if metric == "jensenshannon" else ROUNDING * expected.max()
    np.testing.assert_allclose(values_of(taken, metric), expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("metric", sorted(set(SCIPY) - {"mahalanobis"}))
def test_a_gap_changes_only_the_pairs_of_its_object(metric: str) -> None:
    rows = sample()
    holed = rows.copy()
    holed[3, 2] = GAP
    others = np.delete(np.arange(len(rows)), 3)
    whole = values_of(rows, metric)[np.ix_(others, others)]
    kept = values_of(holed, metric)[np.ix_(others, others)]
    # The two ways to the Jensen-Shannon divergence round differently, before its root is taken.
    np.testing.assert_allclose(kept, whole, rtol=ROUNDING, atol=1e-7)


@pytest.mark.parametrize("metric", ["chebyshev", "braycurtis", "cosine", "correlation"])
@pytest.mark.parametrize("seed", range(3))
def test_shares_angles_and_maxima_are_those_of_the_common_columns(metric: str, seed: int) -> None:
    rows = sample(seed, n=6, k=8)
    rows[np.random.default_rng(seed).random(rows.shape) < 0.2] = GAP
    found = values_of(rows, metric)
    for i in range(6):
        for j in range(i):
            both = ~np.isnan(rows[i]) & ~np.isnan(rows[j])
            expected = pdist(rows[[i, j]][:, both], metric)[0]
            assert found[i, j] == pytest.approx(expected, abs=ROUNDING)


def test_jensen_shannon_renormalises_over_the_common_columns() -> None:
    rows = np.array([[1.0, 2, 3, GAP], [4, 1, GAP, 2], [2, 4, 6, 1]])
    found = values_of(rows, "jensenshannon")
    expected = pdist([[1.0, 2], [4, 1]], "jensenshannon")[0]
    assert found[0, 1] == pytest.approx(expected, abs=1e-12)
    # 1:2:3 is the same distribution as 2:4:6; the root of a rounding error is about 1e-8.
    assert found[0, 2] == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        # x = (1, 2, -, 4), y = (3, -, 5, 1): columns 1 and 4 of 4 are common, so sums count twice.
        ("euclidean", np.sqrt((2**2 + 3**2) * 4 / 2)),
        ("sqeuclidean", (2**2 + 3**2) * 4 / 2),
        ("cityblock", (2 + 3) * 4 / 2),
        ("canberra", (2 / 4 + 3 / 5) * 4 / 2),
        ("chebyshev", 3.0),
        ("braycurtis", (2 + 3) / (4 + 5)),
        ("hamming", 1.0),
    ],
)
def test_sums_are_scaled_up_for_gaps_as_rs_dist_does(metric: str, expected: float) -> None:
    # The rule stands in the help of R's `dist`; the figures were computed by hand.
    rows = np.array([[1, 2, GAP, 4], [3, GAP, 5, 1], [0, 1, 1, 0]])
    assert values_of(rows, metric)[0, 1] == pytest.approx(expected, rel=ROUNDING)


def test_missing_values_are_told_with_the_rule() -> None:
    notes = compared(table_of([[1, GAP], [2, 3], [4, 5]]), "euclidean").notes
    assert any("1 value is missing" in note and "scaled up" in note for note in notes)


def test_a_pair_without_a_common_column_is_missing_and_named() -> None:
    found = compared(table_of([[1, GAP], [GAP, 3], [4, 5]]), "cityblock")
    assert np.isnan(found.values[0, 1])
    assert np.isnan(found.values[1, 0])
    np.testing.assert_array_equal(np.diagonal(found.values), 0.0)
    assert any("no column in common: o1 – o2." in note for note in found.notes)


@pytest.mark.parametrize("metric", ["cosine", "correlation", "braycurtis", "jensenshannon"])
def test_a_pair_for_which_the_metric_is_undefined_is_missing_and_told(metric: str) -> None:
    found = compared(table_of([[0, 0, 0], [0, 0, 0], [1, 2, 4], [3, 1, 1]]), metric)
    assert np.isnan(found.values[0, 1])
    assert np.isfinite(found.values[2, 3])
    assert any("Missing because" in note and "o1 – o2" in note for note in found.notes)


def test_a_row_that_is_constant_but_for_rounding_has_no_correlation() -> None:
    rows = np.array([[0.3, 0.1 + 0.2, 0.3], [1, 2, 4], [3, 1, 1]])
    assert np.isnan(values_of(rows, "correlation")[0, 1])


def test_many_undefined_pairs_are_counted_not_listed() -> None:
    rows = np.vstack([np.zeros((8, 2)), [[1, 2]]])
    note = compared(table_of(rows), "braycurtis").notes[-1]
    assert note.endswith("and 23 more.")  # 8 * 7 / 2 = 28 pairs, five of them named


def test_two_that_have_nothing_do_not_differ_by_jaccard_as_in_scipy() -> None:
    assert values_of([[0, 0], [0, 0], [1, 0]], "jaccard")[0, 1] == 0


def test_equal_distributions_are_exactly_zero_apart() -> None:
    assert values_of([[0.3, 0.7, 0.0], [0.3, 0.7, 0.0], [1, 0, 0]], "jensenshannon")[0, 1] == 0


GOWER = FeatureTable(
    ("a", "b", "c", "d"),
    (
        Feature.numeric("size", [1.0, 3.0, GAP, 5.0]),
        Feature.categorical("sort", ["x", "y", "x", None]),
        Feature.ordinal("grade", ["low", "mid", "high", "mid"], ["low", "mid", "high"]),
        Feature.circular("month", [1.0, 11.0, 7.0, 4.0], 12.0),
    ),
)


def test_gower_is_the_mean_over_kinds_as_computed_by_hand() -> None:
    found = compared(GOWER, "gower").values
    # a, b: |1 - 3| / 4, different, one step of two, two months of six.
    assert found[0, 1] == pytest.approx((0.5 + 1 + 0.5 + 2 / 6) / 4, rel=ROUNDING)
    # a, c: no size; same, two steps of two, six months of six.
    assert found[0, 2] == pytest.approx((0 + 1 + 1) / 3, rel=ROUNDING)
    # c, d: neither size nor sort; one step of two, three months of six.
    assert found[2, 3] == pytest.approx((0.5 + 0.5) / 2, rel=ROUNDING)


def slow_gower(table: FeatureTable) -> np.ndarray:
    """Gower's definition, pair by pair."""
    n = len(table.labels)
    result = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            parts = [slow_part(f, f.values[i], f.values[j]) for f in table.features]
            known = [part for part in parts if part is not None]
            result[i, j] = np.mean(known) if known else np.nan
    np.fill_diagonal(result, 0.0)
    return result


def slow_part(feature: Feature, x: float, y: float) -> float | None:
    if np.isnan(x) or np.isnan(y):
        return None
    if feature.kind == "categorical":
        return float(x != y)
    if feature.kind == "circular":
        gap = abs(x - y) % feature.period
        return min(gap, feature.period - gap) / (feature.period / 2)
    span = np.nanmax(feature.values) - np.nanmin(feature.values)
    return abs(x - y) / span if span else 0.0


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 12), st.floats(0, 0.6))
def test_gower_follows_its_definition_for_any_kinds_and_gaps(
    seed: int, n: int, holes: float
) -> None:
    random = np.random.default_rng(seed)
    columns = {
        "numeric": random.integers(0, 4, n) * 1.5,
        "circular": random.uniform(-50, 400, n),
        "ordinal": random.integers(0, 3, n).astype(float),
        "categorical": random.integers(0, 3, n).astype(float),
    }
    features = []
    for kind, values in columns.items():
        values[1:][random.random(n - 1) < holes] = GAP
        levels = ("p", "q", "r") if kind in ("ordinal", "categorical") else ()
        period = 360.0 if kind == "circular" else None
        features.append(Feature(kind, kind, values, levels, period))
    table = FeatureTable(tuple(map(str, range(n))), tuple(features))
    found = compared(table, "gower").values
    np.testing.assert_allclose(found, slow_gower(table), rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("metric", SCIPY)
def test_more_objects_than_fit_into_one_block_are_computed_alike(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = sample()
    rows[4, 1] = 0 if metric == "mahalanobis" else GAP
    at_once = values_of(rows, metric)
    monkeypatch.setattr("cml_core.files.measures.pairwise.BLOCK", 60)
    np.testing.assert_array_equal(values_of(rows, metric), at_once)


@settings(max_examples=40)
@given(
    arrays.arrays(np.float64, (7, 4), elements=st.floats(0, 100) | st.just(GAP)),
    st.sampled_from(sorted(METRICS)),
    st.sampled_from(sorted(SCALINGS)),
    st.randoms(use_true_random=False),
)
def test_dissimilarities_are_symmetric_and_do_not_depend_on_the_order_of_objects(
    rows: np.ndarray, metric: str, scaling: str, random: object
) -> None:
    order = list(range(7))
    random.shuffle(order)  # type: ignore[attr-defined]
    try:
        found = values_of(rows, metric, scaling)
    except ConditionalMappingError:
        return
    assert (found[~np.isnan(found)] >= 0).all()
    np.testing.assert_array_equal(found, found.T)
    again = values_of(rows[order], metric, scaling)
    # Sums over objects (means, covariances) round differently in another order; a root of
    # what rounding leaves of zero makes 1e-16 to 1e-8.
    np.testing.assert_allclose(again, found[np.ix_(order, order)], rtol=1e-6, atol=1e-6)


def test_standardised_euclidean_is_scipys_seuclidean() -> None:
    rows = sample()
    expected = squareform(pdist(rows, "seuclidean"))
    found = values_of(rows, "euclidean", "standardise")
    np.testing.assert_allclose(found, expected, rtol=ROUNDING)


def test_ranges_and_ranks_bring_columns_to_one_scale() -> None:
    rows = sample() * [1, 10, 100, 1000, 0.1, 1]
    ranged = (rows - rows.min(axis=0)) / np.ptp(rows, axis=0)
    ranked = rankdata(rows, axis=0)
    for scaling, scaled in (("range", ranged), ("ranks", ranked)):
        expected = squareform(pdist(scaled, "cityblock"))
        found = values_of(rows, "cityblock", scaling)
        np.testing.assert_allclose(found, expected, rtol=ROUNDING)


def test_scaling_leaves_gaps_where_they_are() -> None:
    rows = np.array([[1.0, 5], [2, GAP], [4, 7], [9, 6]])
    # Ranks of the first column 1, 2, 3, 4, of the second 1, -, 3, 2.
    found = values_of(rows, "cityblock", "ranks")
    assert found[0, 1] == pytest.approx(1 * 2)
    assert found[2, 3] == pytest.approx(1 + 1)


def test_units_do_not_matter_once_columns_are_scaled() -> None:
    rows, units = sample(), np.array([1e-100, 1e100, 1, 2, 3, 4])
    for scaling in ("standardise", "range", "ranks"):
        one, other = (values_of(r, "euclidean", scaling) for r in (rows, rows * units))
        np.testing.assert_allclose(other, one, rtol=1e-9)  # a few roundings in each column


def test_only_the_chosen_columns_count() -> None:
    table = table_of(sample())
    found = compared(table, "euclidean", columns=("x2", "x5"))
    assert "2 columns" in found.notes[0]
    np.testing.assert_array_equal(found.values, values_of(sample()[:, [1, 4]], "euclidean"))


def test_what_was_computed_is_told() -> None:
    found = compared(table_of(sample()), "cityblock", "range")
    assert found.format == "measurements"
    assert found.notes == (
        "Dissimilarities were computed from 6 columns, scaled (by range): City block (Manhattan).",
    )


@pytest.mark.parametrize("metric", sorted(set(METRICS) - {"gower", "hamming"}))
def test_groups_and_angles_are_refused_by_metrics_of_numbers(metric: str) -> None:
    with pytest.raises(UnsuitableFeature, match=r"sort, month are no quantities.*Gower"):
        compared(GOWER, metric)


def test_hamming_compares_columns_of_any_kind() -> None:
    found = compared(GOWER, "hamming").values
    assert found[0, 1] == 1.0
    assert found[0, 2] == pytest.approx(2 / 3)


@pytest.mark.parametrize("metric", ["canberra", "braycurtis", "jensenshannon"])
def test_values_below_zero_are_refused_with_their_column_and_object(metric: str) -> None:
    rows = sample()
    rows[4, 2] = -3.5
    with pytest.raises(UnsuitableFeature, match=r"x3 is -3.5 for o5"):
        values_of(rows, metric)
    with pytest.raises(UnsuitableFeature, match=r"once standardised.*Choose no scaling"):
        values_of(sample(), metric, "standardise")


@pytest.mark.parametrize("scaling", ["standardise", "range"])
def test_a_column_that_does_not_vary_cannot_be_scaled(scaling: str) -> None:
    rows = sample()
    rows[:, 3] = 0.3
    rows[0, 3] = 0.1 + 0.2
    with pytest.raises(UnsuitableFeature, match="x4 has the same value for all objects"):
        values_of(rows, "euclidean", scaling)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1, 2], [GAP, 3], [4, 5], [6, 9]], "x1 is missing for o2"),
        ([[1, 2], [1, 3], [1, 5], [1, 9]], "x1 is the same for all"),
        ([[1, 2], [2, 4], [3, 6], [5, 10]], "follow from each other"),
        ([[1, 2, 0], [2, 4, 1], [3, 1, 1]], "too many for 3 objects"),
    ],
)
def test_mahalanobis_says_why_it_is_undefined(rows: list[list[float]], words: str) -> None:
    with pytest.raises(UnsuitableFeature, match=words):
        values_of(rows, "mahalanobis")


def test_values_too_large_to_square_are_refused_with_their_place() -> None:
    with pytest.raises(UnsuitableFeature, match=r"x2 is 1e\+200 for o3"):
        values_of([[1, 2], [3, 4], [5, 1e200]], "euclidean")


def test_unknown_choices_and_empty_tables_are_refused() -> None:
    table = table_of(sample())
    with pytest.raises(UnknownOption, match="euclidian"):
        compared(table, "euclidian")
    with pytest.raises(UnknownOption, match="zscore"):
        compared(table, "euclidean", "zscore")
    with pytest.raises(UnknownFeature, match="weight"):
        compared(table, "euclidean", columns=("weight",))
    with pytest.raises(UnsuitableFeature, match="no column"):
        compared(FeatureTable(("a", "b")), "euclidean")
    with pytest.raises(UnknownOption, match="whether a value is zero"):
        compared(table, "jaccard", "range")


def test_every_choice_has_a_title_and_a_line_of_help() -> None:
    for text in (*(metric.described for metric in METRICS.values()), *SCALINGS.values()):
        title, help_ = text.split(": ", 1)
        assert title
        assert help_.endswith(".")
