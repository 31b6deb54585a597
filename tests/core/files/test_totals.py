"""Rows of totals are no objects; covariances and scalar products become distances."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from cml_core.errors import UnsuitableConversion
from cml_core.files.doctor import examine, prepared, recognised
from cml_core.files.doctor.findings import WRONG
from cml_core.files.doctor.totals import totals_in
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable

PLACES = np.random.default_rng(0).normal(size=(7, 3))
APART = squareform(pdist(PLACES))


def with_totals(values: np.ndarray, name: str, mean: bool = False) -> RawTable:
    """The table with the sums, or the means, of its rows and columns."""
    n = len(values)
    whole = np.zeros((n + 1, n + 1))
    whole[:n, :n] = values
    share = n if mean else 1
    whole[n, :n], whole[:n, n] = values.sum(axis=0) / share, values.sum(axis=1) / share
    whole[n, n] = values.sum() / share
    return RawTable((*(f"o{k}" for k in range(n)), name), whole, "square")


@pytest.mark.parametrize(
    ("name", "mean"), [("Sum", False), ("Summe", False), ("All", False), ("Moyenne", True)]
)
def test_a_row_of_totals_is_to_be_left_out(name: str, mean: bool) -> None:
    table = with_totals(APART, name, mean)
    finding = next(f for f in examine(table, Preparation()) if f.key == "totals")
    assert finding.grade == WRONG
    assert finding.objects == (name,)
    (choice,) = finding.choices
    chosen = Preparation(without=choice.value, diagonal="zero")
    assert prepared(table, chosen).labels == table.labels[:-1]
    assert "totals" not in {f.key for f in examine(table, chosen)}


def test_a_row_of_sums_is_found_whatever_it_is_called() -> None:
    assert totals_in(with_totals(APART, "zusammen")) == ("zusammen",)


def test_sums_of_confusions_count_by_columns() -> None:
    counts = np.random.default_rng(1).integers(1, 90, (6, 6)).astype(float)
    assert totals_in(with_totals(counts, "All")) == ("All",)


def test_an_object_that_is_only_called_so_is_an_object() -> None:
    labels = ("Sum", *(f"o{k}" for k in range(6)))
    assert totals_in(RawTable(labels, APART, "square")) == ()


def test_random_tables_have_no_totals() -> None:
    random = np.random.default_rng(2)
    for _ in range(300):
        values = squareform(random.integers(1, 6, 10).astype(float))
        assert totals_in(RawTable(tuple("abcde"), values, "square")) == ()


def test_scalar_products_become_the_distances_that_they_were_made_of() -> None:
    products = (PLACES + 3) @ (PLACES + 3).T
    table = RawTable(tuple(f"o{k}" for k in range(7)), products, "square")
    seems = recognised(table)
    assert (seems.kind, seems.conversion) == ("products", "gram")
    made = prepared(table, Preparation(conversion="gram"))
    # Differences of squares lose about half of the digits.
    np.testing.assert_allclose(made.square(), APART, atol=1e-6)


def test_a_pair_with_more_in_common_than_its_objects_have_is_named() -> None:
    table = RawTable(tuple("abc"), np.array([[1.0, 5, 0], [5, 1, 0], [0, 0, 1]]), "square")
    with pytest.raises(UnsuitableConversion, match="a with b is 5"):
        prepared(table, Preparation(conversion="gram"))
