"""p-values of many tests at once, adjusted after Benjamini and Hochberg."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cml_core.errors import UnknownOption
from cml_core.evidence.adjusting import benjamini_hochberg

p_values = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12)


def test_the_worked_example_of_the_paper_rejects_the_same_four() -> None:
    # Benjamini and Hochberg (1995), section 4.1: 15 p-values, of which the procedure rejects the
    # first four at 5 %.
    published = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459),
        *(0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
    ]
    adjusted = benjamini_hochberg(published)
    assert [p <= 0.05 for p in adjusted] == [True] * 4 + [False] * 11
    # By hand: 15/1 times the first, 15/4 times the fourth, 15/8 times the eighth.
    assert adjusted[0] == pytest.approx(0.0015)
    assert adjusted[3] == pytest.approx(0.035625)
    assert adjusted[7] == pytest.approx(0.0645)
    assert adjusted[6] == pytest.approx(15 / 7 * 0.0298)


def test_nothing_is_adjusted_to_nothing() -> None:
    assert benjamini_hochberg([]) == ()
    assert benjamini_hochberg([None, None]) == (None, None)


def test_what_was_not_tested_does_not_count() -> None:
    assert benjamini_hochberg([0.01, None, 0.04]) == (0.02, None, 0.04)


def test_a_single_test_needs_no_adjustment() -> None:
    assert benjamini_hochberg([0.03]) == (0.03,)


@given(p_values)
def test_adjusting_only_raises_and_keeps_the_order(raw: list[float | None]) -> None:
    adjusted = benjamini_hochberg(raw)
    assert [p is None for p in raw] == [p is None for p in adjusted]
    pairs = sorted((p, a) for p, a in zip(raw, adjusted, strict=True) if p is not None)
    # Multiplying by m and dividing by m may round once.
    assert all(p <= a * (1 + 1e-12) and a <= 1 for p, a in pairs)
    assert all(a <= b for (_, a), (_, b) in pairwise(pairs))


@given(p_values, st.randoms(use_true_random=False))
def test_the_order_of_the_tests_does_not_matter(raw: list[float | None], random) -> None:
    order = list(range(len(raw)))
    random.shuffle(order)
    adjusted = benjamini_hochberg(raw)
    assert benjamini_hochberg([raw[k] for k in order]) == tuple(adjusted[k] for k in order)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, np.nan, "0.5", True])
def test_a_p_value_that_is_none_is_refused(wrong: object) -> None:
    with pytest.raises(UnknownOption, match="p-value"):
        benjamini_hochberg([0.5, wrong])
