"""A feature without what it says: dealt out at random, as far as others do not predict it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.fitting.problem import Problem
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.columns import varying
from cml_core.values.features import Feature


@dataclass(frozen=True, eq=False)
class SaidByOthers(Value):
    """The columns of a feature, and what the other known features predict of them.

    `share` is that of its variation; NaN rows are objects without a value.
    """

    columns: FloatArray
    predicted: FloatArray
    share: float


def said_by_others(problem: Problem, feature: Feature) -> SaidByOthers | None:
    """What the other known features of a problem say of one; None where it does not vary."""
    columns = feature.columns()
    rows = ~np.isnan(columns).any(axis=1)
    others = problem.without(feature.name).encoding.values
    filled = (
        np.where(np.isnan(others), np.nanmean(others, axis=0), others) if others.size else others
    )
    design = np.column_stack([np.ones(int(rows.sum())), filled[rows]])
    if not varying(columns).any():
        return None
    total = float(((columns[rows] - columns[rows].mean(axis=0)) ** 2).sum())
    predicted = np.full_like(columns, np.nan)
    predicted[rows] = design @ np.linalg.lstsq(design, columns[rows])[0]
    left = float(((columns[rows] - predicted[rows]) ** 2).sum())
    return SaidByOthers(frozen(columns), frozen(predicted), 1.0 - left / total)


def shuffled_feature(
    problem: Problem, feature: Feature, said: SaidByOthers, random: np.random.Generator
) -> tuple[Feature, ...]:
    """The feature with what is its own dealt out to other objects; missing stays missing.

    Where each column may act freely they are features of their own, for what the others predict
    of a category and what another object has of its own are together no category. Where the
    columns of a feature act as one, its values are dealt out as they are.
    """
    rows = np.flatnonzero(~feature.missing)
    order = random.permutation(rows)
    if problem.coef_kind == "diagonal" and said.columns.shape[1] > 1:
        values = feature.values.copy()
        values[rows] = feature.values[order]
        return (feature.with_values(values),)
    # With what it shares with the others shuffled as well, a feature that repeats them would beat
    # its shuffles although it says nothing of its own.
    columns = said.columns.copy()
    columns[rows] = said.predicted[rows] + (said.columns - said.predicted)[order]
    names = feature.column_names()
    return tuple(
        Feature.numeric(f"{name} shuffled", column)
        for name, column in zip(names, columns.T, strict=True)
    )
