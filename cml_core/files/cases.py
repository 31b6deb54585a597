"""The cases over which measured objects were compared: they, not pairs, can be drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cml_core.errors import LabelMismatch, LengthMismatch
from cml_core.files.doctor import prepared
from cml_core.files.measures import METRICS
from cml_core.files.measures.computing import columns_compared
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.features import FeatureTable

# With fewer, with other metrics, or with columns scaled, nothing was measured.
FEWEST_CASES = 20
# Of Euclidean distances with heavy-tailed errors .14 false alarms were shown.
METRICS_MEASURED = ("cosine", "correlation")
# Of other measures outlines were found not to hold, for lengths that are divided out displace a
# map without spreading it; and of 20 cases they held .88.
METRICS_OUTLINED = ("euclidean",)
FEWEST_OUTLINED = 40


@dataclass(frozen=True, eq=False, repr=False)
class Cases(Value):
    """What was measured of objects in each of K cases, and how objects were compared by it.

    Parameters
    ----------
    labels : of the N objects.
    values : (N, K) without gaps.
    preparation : the metric, and what was made of its values.
    """

    labels: tuple[str, ...]
    values: FloatArray
    preparation: Preparation

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(np.array(self.values, dtype=np.float64)))
        if self.values.ndim != 2 or len(self.values) != len(self.labels):
            raise LengthMismatch(
                f"values has shape {self.values.shape} for {len(self.labels)} objects.",
                remedy="Give a row for each object and a column for each case.",
            )

    @property
    def n_cases(self) -> int:
        """K."""
        return int(self.values.shape[1])

    @property
    def measured(self) -> bool:
        """Whether false alarms were counted of tests that draw such cases anew."""
        return self._compared_by(METRICS_MEASURED, FEWEST_CASES)

    @property
    def outlined(self) -> bool:
        """Whether outlines from such cases drawn anew were found to hold."""
        return self._compared_by(METRICS_OUTLINED, FEWEST_OUTLINED)

    def _compared_by(self, metrics: Sequence[str], fewest: int) -> bool:
        chosen = self.preparation
        return chosen.metric in metrics and chosen.scaling == "none" and self.n_cases >= fewest

    def check_of(self, labels: Sequence[str]) -> None:
        """Raise `LabelMismatch` where they are not of just these objects, in this order."""
        if self.labels != tuple(labels):
            raise LabelMismatch(
                "The cases are of other objects than the map, or in another order.",
                remedy="Give the cases of which these dissimilarities were computed.",
            )

    def compared(self, values: FloatArray) -> FloatArray:
        """(N(N-1)/2,) the dissimilarities that other measurements would have given."""
        square = METRICS[self.preparation.metric].compute(FeatureTable(self.labels), values)
        np.fill_diagonal(square, 0.0)
        table = prepared(RawTable(self.labels, square, "measurements"), self.preparation)
        return np.asarray(table.condensed, dtype=np.float64)

    def __repr__(self) -> str:
        return f"Cases({self.n_cases} cases, {len(self.labels)} objects)"


def cases_of(table: FeatureTable, preparation: Preparation) -> Cases | None:
    """The columns of a table of measurements as cases, by the choices made of it.

    None where they are few, have gaps, are no numbers or were scaled, and where nothing by
    cases was measured for the metric.
    """
    chosen = columns_compared(table, preparation.metric, "none", preparation.columns)
    kept = [i for i, label in enumerate(chosen.labels) if label not in preparation.without]
    if not len(chosen) or any(one.kind != "numeric" for one in chosen.features):
        return None
    values = np.column_stack([one.values for one in chosen.features])[kept]
    if np.isnan(values).any():
        return None
    called = dict(preparation.names)
    names = tuple(called.get(chosen.labels[i], chosen.labels[i]) for i in kept)
    unknown = tuple(
        (called.get(first, first), called.get(second, second))
        for first, second in preparation.unknown_pairs
        if not {first, second} & set(preparation.without)
    )
    found = Cases(names, values, replace(preparation, without=(), names=(), unknown_pairs=unknown))
    return found if found.measured or found.outlined else None
