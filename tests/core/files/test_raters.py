"""Tables of several raters become their mean, with spread and agreement."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core.errors import InfiniteDissimilarities, LabelMismatch, LengthMismatch
from cml_core.files.agreement import agreement_notes, mean_and_spread, row_correlations
from cml_core.files.raters import mean_of
from cml_core.files.reading.raw import RawTable

GAP = np.nan
ROUNDING = 1e-12


def table_of(values: object, labels: str = "abc", **more: object) -> RawTable:
    return RawTable(tuple(labels), np.array(values, dtype=float), "square", **more)  # type: ignore[arg-type]


def square(n: int, seed: int) -> np.ndarray:
    values = np.random.default_rng(seed).uniform(1, 9, (n, n))
    values += values.T
    np.fill_diagonal(values, 0.0)
    return values


ONE = table_of([[0, 1, 2], [1, 0, 3], [2, 3, 0]])
TWO = table_of([[0, 3, GAP], [3, 0, 7], [GAP, 7, 0]])


def test_the_mean_ignores_what_is_missing_and_the_spread_needs_two() -> None:
    both = mean_of([ONE, TWO])
    np.testing.assert_allclose(both.values, [[0, 2, 2], [2, 0, 5], [2, 5, 0]])
    # The deviation of two values with n - 1 is their gap over the root of two.
    root = np.sqrt(2)
    expected = [[0, 2 / root, GAP], [2 / root, 0, 4 / root], [GAP, 4 / root, 0]]
    assert both.spread is not None
    np.testing.assert_allclose(both.spread, expected)
    assert both.format == "raters"


def test_objects_are_joined_by_label_not_by_place() -> None:
    order = [2, 0, 1]
    turned = table_of(ONE.values[np.ix_(order, order)], "cab")
    both = mean_of([ONE, turned])
    assert both.labels == ("a", "b", "c")
    np.testing.assert_array_equal(both.values, ONE.values)
    assert both.spread is not None
    np.testing.assert_array_equal(both.spread, 0.0)


def test_triangles_in_other_orders_are_put_together() -> None:
    lower = table_of([[0, GAP, GAP], [1, 0, GAP], [2, 3, 0]])
    # The same dissimilarities, with the objects the other way round.
    turned = table_of([[0, GAP, GAP], [3, 0, GAP], [2, 1, 0]], "cba")
    np.testing.assert_array_equal(mean_of([lower, turned]).values, ONE.values)


def test_asymmetric_tables_stay_asymmetric() -> None:
    uneven = table_of([[0, 1, GAP], [5, 0, 3], [2, 4, 0]])
    np.testing.assert_array_equal(mean_of([uneven]).values, uneven.values)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ("abd", "Anna lacks c; Anna also has d"),
        ("abcd", "Anna also has d"),
        ("ab", "Anna lacks c"),
    ],
)
def test_other_objects_are_refused_by_name_and_table(labels: str, words: str) -> None:
    n = len(labels)
    with pytest.raises(LabelMismatch, match=words):
        mean_of([ONE, table_of(square(n, 0), labels)], ["Otto", "Anna"])


def test_no_tables_and_too_few_names_are_refused() -> None:
    with pytest.raises(LengthMismatch):
        mean_of([])
    with pytest.raises(LengthMismatch):
        mean_of([ONE, TWO], ["Otto"])


def test_infinite_values_are_refused_with_their_rater_and_pair() -> None:
    endless = table_of([[0, 1, 2], [1, 0, np.inf], [2, 3, 0]])
    with pytest.raises(InfiniteDissimilarities, match="table of Anna, b with c is inf"):
        mean_of([ONE, endless], ["Otto", "Anna"])


@pytest.mark.parametrize("scale", [1e-300, 1e160, 1.5e308])
def test_neither_tiny_nor_huge_values_spoil_mean_and_spread(scale: float) -> None:
    both = mean_of([table_of(ONE.values / 4 * scale), table_of(np.zeros((3, 3)))])
    # One rater says x, the other 0: the mean is x / 2, the deviation x over the root of two.
    np.testing.assert_allclose(both.values, ONE.values / 8 * scale, rtol=ROUNDING)
    assert both.spread is not None
    np.testing.assert_allclose(both.spread, ONE.values / 4 / np.sqrt(2) * scale, rtol=ROUNDING)


def test_weights_are_averaged_over_the_raters_who_have_a_value() -> None:
    weighted = table_of(TWO.values, weights=np.full((3, 3), 5.0))
    found = mean_of([ONE, weighted]).weights
    assert found is not None
    assert (found[0, 1], found[0, 2]) == (3.0, 1.0)
    assert mean_of([ONE, TWO]).weights is None


def test_notes_of_each_table_are_kept_under_its_name() -> None:
    noted = table_of(ONE.values, notes=("Line 3 was empty.",))
    notes = mean_of([noted, TWO], ["Otto", "Anna"]).notes
    assert notes[0] == "The mean of 2 tables was taken: Otto, Anna."
    assert "Otto: Line 3 was empty." in notes


def test_raters_who_say_the_same_agree_well() -> None:
    tables = [table_of(square(8, 0) * scale, "abcdefgh") for scale in (1, 2, 3)]
    assert "correlate by 1.00 on average, so they agree well" in mean_of(tables).notes[1]


def test_the_agreement_of_two_is_told_without_an_average() -> None:
    notes = mean_of([table_of(square(8, 0) * scale, "abcdefgh") for scale in (1, 2)]).notes
    assert notes[1] == "They correlate by 1.00, so they agree well."


def test_raters_who_guess_hardly_agree_and_none_is_singled_out() -> None:
    notes = agreement_notes([square(40, seed) for seed in range(5)], list("vwxyz"))
    assert "hardly agree" in notes[0]
    assert len(notes) == 1


def test_the_one_who_is_far_off_is_named() -> None:
    truth = square(12, 0)
    tables = [truth + square(12, seed) / 20 for seed in (1, 2, 3)]
    guess = agreement_notes([*tables, square(12, 9)], list("wxyz"))
    assert guess[1].startswith("z agrees least")
    assert "similarities" not in guess[1]
    turned = agreement_notes([tables[0], 20 - tables[1], tables[2]], list("xyz"))
    assert turned[1].startswith("y agrees least")
    assert "perhaps its values are similarities" in turned[1]


def test_agreement_that_cannot_be_judged_is_told() -> None:
    flat = np.ones((3, 3))
    assert "cannot be said" in agreement_notes([flat, flat], ["x", "y"])[0]
    assert "cannot be said" in agreement_notes([np.full((3, 3), GAP), flat], ["x", "y"])[0]
    assert "cannot be said" in agreement_notes([np.zeros((1, 1))] * 2, ["x", "y"])[0]


def test_the_agreement_of_large_tables_is_judged_by_a_part_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    truth = square(60, 0)
    tables = [truth + square(60, seed) for seed in (1, 2)]
    whole = float(row_correlations(np.array([t[~np.eye(60, dtype=bool)] for t in tables]))[0, 1])
    monkeypatch.setattr("cml_core.files.agreement.MOST_ENTRIES", 1000)
    part = float(agreement_notes(tables, ["x", "y"])[0].split(" by ")[1].split(",")[0])
    # The standard error of a correlation of one half in a thousand values is below 0.03.
    assert part == pytest.approx(whole, abs=0.12)


@settings(max_examples=50)
@given(st.integers(0, 10_000), st.integers(1, 6), st.floats(0, 0.9))
def test_mean_and_spread_are_numpys_where_values_are_known(
    seed: int, count: int, holes: float
) -> None:
    random = np.random.default_rng(seed)
    tables = random.normal(1e6, 1.0, (count, 4, 4))
    tables[random.random(tables.shape) < holes] = GAP
    mean, spread = mean_and_spread(list(tables))
    for i, j in np.ndindex(4, 4):
        known = tables[:, i, j][~np.isnan(tables[:, i, j])]
        if not known.size:
            assert np.isnan(mean[i, j])
            assert np.isnan(spread[i, j])
            continue
        assert mean[i, j] == pytest.approx(known.mean(), rel=ROUNDING)
        # Values of a million round at 1e-10.
        expected = known.std(ddof=1) if known.size > 1 else GAP
        assert spread[i, j] == pytest.approx(expected, abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_correlations_of_rows_are_numpys_whatever_the_units(scale: float) -> None:
    rows = np.random.default_rng(0).normal(size=(5, 30)) + 1000
    found = row_correlations(rows * scale)
    np.testing.assert_allclose(found, np.corrcoef(rows), atol=1e-9)  # 1000 costs three digits
