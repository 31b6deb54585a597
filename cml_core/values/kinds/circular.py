"""Angles, months, hours: after a period they begin again; a fit sees the cosine and sine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.errors import UnsuitableFeature
from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.grouping import of_levels
from cml_core.values.kinds.kind import Kind, as_numbers, never, size_of
from cml_core.values.kinds.parts import HasValues, Parts
from cml_core.values.vocabularies import turn_of

# sin(pi) is not quite zero.
NEARLY_ZERO = 1e-12


def _columns(feature: HasValues) -> FloatArray:
    assert feature.period is not None
    # Reduced first: the sine of a large angle has lost its digits.
    angle = 2 * np.pi * np.mod(feature.values, feature.period) / feature.period
    turned = np.column_stack([np.cos(angle), np.sin(angle)])
    turned[np.abs(turned) < NEARLY_ZERO] = 0.0
    return turned


def _column_names(feature: HasValues) -> tuple[str, ...]:
    return f"{feature.name} (cos)", f"{feature.name} (sin)"


def _decoded(columns: FloatArray, feature: HasValues) -> FloatArray:
    assert feature.period is not None
    angle = np.arctan2(columns[:, 1], columns[:, 0])
    turned: FloatArray = np.mod(angle / (2 * np.pi), 1.0) * feature.period
    return turned


def _flipped(feature: HasValues) -> tuple[FloatArray, tuple[str, ...]]:
    assert feature.period is not None
    return np.mod(-feature.values, feature.period), feature.levels


def _per_step(feature: HasValues, coef: FloatArray) -> float:
    # Opposite angles are two radii apart, and half the squared size is the mean over angles.
    return 2.0 * size_of(feature, coef)


def _converted(feature: HasValues, _: Sequence[str], period: float | None) -> Parts:
    """Months and days of the week have a period of their own."""
    natural, places = turn_of(feature.levels)
    if places:
        turn = natural if period is None else period
        return Parts(of_levels(feature, np.array(places)), period=turn, origin=feature.origin)
    given = feature.period if period is None else period
    if given is None:
        raise UnsuitableFeature(
            f"After how much {feature.name} begins again is not said.",
            remedy="Give its period: 360 for degrees, 24 for hours, 12 for months.",
        )
    return as_numbers(feature)._replace(period=given)


KIND = Kind(
    "circular",
    meaning="an angle, a month, an hour: after its period it begins again",
    step="the opposite angle",
    colouring="circular",
    ordered=False,
    has_period=True,
    columns=_columns,
    column_names=_column_names,
    decoded=_decoded,
    flipped=_flipped,
    heights=never,
    no_height="an angle",
    per_step=_per_step,
    converted=_converted,
)
