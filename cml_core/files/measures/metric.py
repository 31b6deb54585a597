"""What a metric is: one module that defines it, and one line in `catalogue.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cml_core.values.arrays import FloatArray
from cml_core.values.features import FeatureTable

SCALED_UP = "over the columns that both objects have, and its sum scaled up to all columns"


@dataclass(frozen=True)
class Metric:
    """A way to compare objects by their measurements.

    Parameters
    ----------
    key : what a `Preparation` calls it.
    title : what people call it, as a sentence has it.
    about : what it counts, in a line.
    compute : from the columns, and their (N, K) values with NaN where missing, to (N, N), NaN
        where a pair is undefined; what stands on the diagonal does not matter.
    any_kind : whether groups and angles can be compared as well.
    below_zero : whether values below zero mean something.
    refuses_scaling : why columns must not be scaled before; empty where they may be.
    scales_itself : whether it brings all columns to one scale of its own accord.
    undefined : why a pair has no value although its objects have columns in common.
    squares : whether its values are squares of distances.
    with_gaps : how a pair is compared where values are missing.
    """

    key: str
    title: str
    about: str
    compute: Callable[[FeatureTable, FloatArray], FloatArray]
    any_kind: bool = False
    below_zero: bool = True
    refuses_scaling: str = ""
    scales_itself: bool = False
    undefined: str = ""
    squares: bool = False
    with_gaps: str = "over the columns that both objects have"

    @property
    def scaling_matters(self) -> bool:
        """Whether a person may choose how columns are scaled."""
        return not (self.refuses_scaling or self.scales_itself)

    @property
    def described(self) -> str:
        """What people call it, and what it counts."""
        return f"{self.title}: {self.about}"


def of_rows(
    compare: Callable[[FloatArray], FloatArray],
) -> Callable[[FeatureTable, FloatArray], FloatArray]:
    """A comparison that looks at the numbers alone."""
    return lambda _table, rows: compare(rows)
