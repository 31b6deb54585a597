"""Whether a column varies is asked everywhere, and answered in one place."""

import numpy as np
import pytest

from cml_core.values.columns import ROUNDING, coincide, is_constant, spans, varying

NAN = float("nan")
LARGEST = np.finfo(float).max


@pytest.mark.parametrize(
    "values",
    [
        [3.0, 3.0],
        [0.0, 0.0],
        [NAN, 5.0, NAN],
        [0.1 + 0.2, 0.3],
        [1e12, 1e12 + 0.5],
        [LARGEST, LARGEST],
    ],
    ids=["equal", "zero", "one known", "rounded", "lost to an offset", "the largest"],
)
def test_what_differs_by_rounding_at_most_is_constant_at_any_size(values: list[float]) -> None:
    assert is_constant(np.array(values))
    assert is_constant(-1e-3 * np.array(values))


@pytest.mark.parametrize(
    "values",
    [[0.0, 1e-300], [1e6, 1e6 + 1], [NAN, 1.0, 2.0], [-LARGEST, LARGEST], [0.0, 5e-324]],
    ids=["small", "an offset", "a gap", "farther than a float", "the smallest"],
)
def test_what_differs_by_more_varies_whatever_its_unit(values: list[float]) -> None:
    assert not is_constant(np.array(values))
    assert not is_constant(-np.array(values))


def test_each_column_is_judged_by_its_own_size() -> None:
    columns = np.array([[1e9, 1e-9, NAN], [1e9, 2e-9, 4.0]])
    assert varying(columns).tolist() == [False, True, False]
    assert varying(np.zeros((3, 0))).tolist() == []
    assert varying(np.zeros((0, 2))).tolist() == [False, False]


def test_the_reach_of_a_column_leaves_gaps_aside() -> None:
    assert spans(np.array([[1.0, NAN], [4.0, 2.0], [NAN, -1.0]])).tolist() == [3.0, 3.0]


def test_points_coincide_by_the_size_of_the_whole_map() -> None:
    beside = np.array([[5.0, 0.0], [5.0, 0.01 * ROUNDING]])
    # In a column of its own the second coordinate varies; on the map it is rounding.
    assert varying(beside).tolist() == [False, True]
    assert coincide(beside)
    assert not coincide(np.array([[5.0, 0.0], [5.0, 1e-3]]))
    assert coincide(np.zeros((4, 0)))
