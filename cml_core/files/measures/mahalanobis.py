"""Mahalanobis' distance: Euclidean, once columns are uncorrelated and of variance one."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from cml_core.errors import UnsuitableFeature, listing
from cml_core.files.measures.metric import Metric
from cml_core.files.measures.sums import euclidean
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import is_constant
from cml_core.values.features import FeatureTable


def _mahalanobis(table: FeatureTable, rows: FloatArray) -> FloatArray:
    return euclidean(_whitened(table, rows))


def _whitened(table: FeatureTable, rows: FloatArray) -> FloatArray:
    """Uncorrelated columns of variance one, whose Euclidean distances are Mahalanobis'."""
    if np.isnan(rows).any():
        row, column = np.argwhere(np.isnan(rows))[0]
        raise UnsuitableFeature(
            f"{table.names[column]} is missing for {table.labels[row]}; Mahalanobis takes no "
            "missing values.",
            remedy="Leave out such columns or objects, or choose another metric.",
        )
    constant = [feature.name for feature in table.features if is_constant(feature.values)]
    if constant:
        raise UnsuitableFeature(
            f"{listing(constant)} is the same for all objects, so Mahalanobis cannot scale it.",
            remedy="Leave out columns that do not vary.",
        )
    unit = rows / np.abs(rows).max(axis=0)
    unit = (unit - unit.mean(axis=0)) / unit.std(axis=0, ddof=1)
    if np.linalg.matrix_rank(unit) < unit.shape[1]:
        raise UnsuitableFeature(
            f"The {unit.shape[1]} columns follow from each other, or are too many for "
            f"{len(unit)} objects, so Mahalanobis is undefined.",
            remedy="Leave out columns that repeat others; there must be fewer than objects.",
        )
    # By the triangular factor of the columns: the inverse of their covariance, which the textbook
    # has here, would square their condition.
    factor = linalg.qr(unit, mode="r")[0][: unit.shape[1]] / np.sqrt(len(unit) - 1)
    white: FloatArray = linalg.solve_triangular(factor, unit.T, trans="T").T
    return white


MAHALANOBIS = Metric(
    "mahalanobis",
    "Mahalanobis",
    "Euclidean, where correlated columns do not count twice.",
    _mahalanobis,
)
