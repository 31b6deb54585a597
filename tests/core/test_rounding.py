"""Rounding errors in what people bring are no mistakes of theirs."""

import pytest

from cml_core import Dissimilarities
from cml_core.errors import NegativeDissimilarities


def test_a_rounding_error_below_zero_is_zero() -> None:
    # One minus the correlation of an object with its twin.
    found = Dissimilarities.of([-2.2e-16, 1.0, 1.0])
    assert found.condensed.tolist() == [0.0, 1.0, 1.0]
    assert not found.condensed.flags.writeable


def test_more_than_a_rounding_error_below_zero_is_refused() -> None:
    with pytest.raises(NegativeDissimilarities):
        Dissimilarities.of([-1e-6, 1.0, 1.0])
