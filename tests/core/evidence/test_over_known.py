"""What is known, straight and curved, as columns to be taken out."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.evidence.dealing import left_by
from cml_core.evidence.over_known import over_known

KNOWN = np.random.default_rng(0).normal(size=(40, 2)) * [1.0, 50.0] + [3.0, 0.0]


def left_of(values: np.ndarray, n_apart: int = 40, known: np.ndarray = KNOWN) -> float:
    """The share of centred values that is left."""
    column = (values - values.mean())[:, None]
    left = left_by(over_known(known, n_apart), column)
    return float((left**2).sum() / (column**2).sum())


@pytest.mark.parametrize(
    "values",
    [KNOWN[:, 0], KNOWN[:, 1] ** 2, KNOWN[:, 0] * KNOWN[:, 1], KNOWN[:, 0] ** 3],
    ids=["plane", "square", "product", "cube"],
)
def test_what_follows_from_the_known_is_taken_out_where_objects_are_many(
    values: np.ndarray,
) -> None:
    assert left_of(values) < 1e-12


def test_with_few_objects_no_more_curved_terms_go_than_a_fifth_of_what_is_left() -> None:
    for n_apart in range(4, 40):
        columns = over_known(KNOWN, n_apart)
        assert columns.shape[1] == 2 + min((n_apart - 3) // 5, 7)
    assert left_of(KNOWN[:, 0], n_apart=4) < 1e-12
    deviations = KNOWN - KNOWN.mean(axis=0)
    assert left_of(deviations[:, 0] * deviations[:, 1], n_apart=4) > 0.5


def test_the_columns_are_orthonormal_and_centred() -> None:
    columns = over_known(KNOWN, 40)
    # Products of forty numbers of order one, rounded.
    np.testing.assert_allclose(columns.T @ columns, np.eye(columns.shape[1]), atol=1e-12)
    np.testing.assert_allclose(columns.sum(axis=0), 0.0, atol=1e-12)


def test_units_change_nothing() -> None:
    again = over_known(KNOWN * [1e6, 1e-6], 40)
    before = over_known(KNOWN, 40)
    np.testing.assert_allclose(again @ again.T, before @ before.T, atol=1e-9)


def test_two_values_have_no_curve_and_constants_are_no_columns() -> None:
    gender = (np.arange(40) % 2).astype(float)[:, None]
    assert over_known(gender, 40).shape == (40, 1)
    assert over_known(np.full((40, 2), 7.1), 40).shape == (40, 0)
    assert over_known(np.empty((40, 0)), 40).shape == (40, 0)
