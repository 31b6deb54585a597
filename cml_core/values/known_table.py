"""Known features from whatever holds them: a table with a row for each object becomes features."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import LabelMismatch, LengthMismatch, UnsuitableFeature, listing
from cml_core.values.arrays import FloatArray
from cml_core.values.feature_codes import codes_of, column_of, numbers_of
from cml_core.values.features import Feature, FeatureTable


def known_table(V: Any, labels: tuple[str, ...], labelled: bool) -> FeatureTable:
    """Known features in the order of the labels, joined by label where both sides have them."""
    if V is None:
        return FeatureTable(labels)
    if isinstance(V, FeatureTable):
        return V.for_objects(labels)
    V = _as_frame(V)
    if isinstance(V, pd.DataFrame) and labelled and not isinstance(V.index, pd.RangeIndex):
        _check_no_strangers(V, labels)
        return FeatureTable.from_frame(V).for_objects(labels)
    columns = _columns_in(V, len(labels))
    return FeatureTable(labels, tuple(Feature.infer(name, values) for name, values in columns))


def columns_like(known: FeatureTable, V: Any, n_objects: int) -> FloatArray:
    """(n, q) the known features of other objects, as the columns that a fit saw of `known`.

    Parameters
    ----------
    known : the features that the fit knew.
    V : the same of other objects: a table with these names, or with as many columns in this order;
        NaN where missing.
    """
    named = isinstance(V, FeatureTable | pd.DataFrame)
    given = [] if V is None else _columns_in(V, n_objects)
    names = [name for name, _ in given]
    absent = [name for name in known.names if name not in names] if named else []
    if absent or len(given) != len(known):
        told = f"no {listing(absent)}" if absent else f"{len(given)} columns"
        raise LengthMismatch(
            f"What is known of the new objects has {told}; the map takes out "
            f"{listing(known.names) or 'nothing'}.",
            remedy="Give the same features; leave empty (NaN) what is not known.",
        )
    columns = dict(given) if named else dict(zip(known.names, (c for _, c in given), strict=True))
    parts = [_like(feature, columns[feature.name]) for feature in known.features]
    return np.hstack(parts) if parts else np.zeros((n_objects, 0))


def _like(feature: Feature, values: Any) -> FloatArray:
    """Columns of other values of a feature, which may all be missing."""
    if bool(column_of(feature.name, values).isna().all()):
        return np.full((len(values), len(feature.column_names())), np.nan)
    if feature.levels:
        return feature.columns_of(codes_of(feature.name, values, feature.levels)[0])
    numbers = numbers_of(feature.name, values)
    if np.isinf(numbers).any():
        raise UnsuitableFeature(
            f"{feature.name} is infinite for new object {int(np.isinf(numbers).argmax()) + 1}.",
            remedy="Leave unknown values empty (NaN); give all others a finite number.",
        )
    return feature.columns_of(numbers)


def _as_frame(V: Any) -> Any:
    if isinstance(V, pd.Series):
        return V.to_frame(str(V.name) if V.name is not None else "feature 1")
    return V


def _columns_in(V: Any, n_objects: int) -> list[tuple[str, Any]]:
    """Names and columns of a table, whatever it is."""
    V = _as_frame(V)
    if isinstance(V, FeatureTable):
        columns: list[tuple[str, Any]] = [(one.name, one.shown()) for one in V.features]
    elif isinstance(V, pd.DataFrame):
        columns = [(str(name), V.iloc[:, k]) for k, name in enumerate(V.columns)]
    else:
        # As one array, a list of numbers and texts would all become text.
        array = np.asanyarray(V) if hasattr(V, "__array__") else np.array(V, dtype=object)
        array = array[:, None] if array.ndim == 1 else array
        if array.ndim != 2:
            raise LengthMismatch(
                f"V has {array.ndim} dimensions.",
                remedy="Give one row an object, one column a feature.",
            )
        columns = [(f"feature {k + 1}", column) for k, column in enumerate(array.T)]
    if columns and len(columns[0][1]) != n_objects:
        raise LengthMismatch(
            f"V has {len(columns[0][1])} rows for {n_objects} objects.",
            remedy="Give one row for each object.",
        )
    return columns


def _check_no_strangers(V: pd.DataFrame, labels: tuple[str, ...]) -> None:
    known = set(labels)
    strangers = [str(name) for name in V.index if str(name) not in known]
    if strangers:
        raise LabelMismatch(
            f"V has a row for {strangers[0]!r}, which the dissimilarities do not know.",
            remedy="Use the same names in both tables.",
        )
