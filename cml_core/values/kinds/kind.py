"""What a kind of feature is: one module with a `Kind`, and one line in `registry.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cml_core.errors import UnsuitableFeature, listing
from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.grouping import in_quotes, of_levels
from cml_core.values.kinds.parts import HasValues, Parts
from cml_core.values.quantities import origin_in, quantity_of

# Columns of any values of a feature, along the curve that those of the feature itself draw.
Curve = Callable[[FloatArray, HasValues], FloatArray]


def fits_always(_: HasValues) -> None:
    """Any finite number is a value."""


def one_column(feature: HasValues) -> FloatArray:
    """The values as they are."""
    return feature.values[:, None].copy()


def own_name(feature: HasValues) -> tuple[str, ...]:
    """One column is called what the feature is called."""
    return (feature.name,)


def first_column(columns: FloatArray, _: HasValues) -> FloatArray:
    """The values of one column."""
    return columns[:, 0].copy()


def upside_down(feature: HasValues) -> tuple[FloatArray, tuple[str, ...]]:
    """Values between the same lowest and highest one, low for high."""
    values = feature.values
    return np.nanmin(values) + np.nanmax(values) - values, feature.levels


def as_they_are(feature: HasValues) -> FloatArray:
    """The values increase where the feature does."""
    return feature.values


def size_of(_: HasValues, coef: FloatArray) -> float:
    """What a step of one in every column adds to the squared distance."""
    return float((coef**2).sum())


def by_choice_alone(_: pd.Series) -> bool:
    """No column is of this kind unless someone says so."""
    return False


def never(*_: object) -> None:
    """Nothing comes of it, whatever is given."""


def as_numbers(feature: HasValues, _: Sequence[str] = (), __: float | None = None) -> Parts:
    """The numbers of a feature, or those that its levels are; raise `UnsuitableFeature` if none."""
    if not feature.levels:
        return Parts(feature.values, origin=feature.origin, unit=feature.unit)
    quantity = quantity_of(feature.levels)
    if quantity is None:
        raise UnsuitableFeature(
            f"{feature.name} cannot be made of numbers: its values are "
            f"{listing(in_quotes(feature.levels))}.",
            remedy="Make it ordinal, with its levels in their order, or correct the file; "
            "write numbers without marks for thousands.",
        )
    origin = origin_in(quantity.unit, feature.origin)
    return Parts(of_levels(feature, quantity.values), origin=origin, unit=quantity.unit)


@dataclass(frozen=True)
class Kind:
    """A kind of feature: what its values are, and how they are read, encoded, changed and shown.

    What is left out is as for a quantity, one column of the numbers themselves.

    Parameters
    ----------
    name : what people and project files call it.
    meaning : what such a feature is, in a few words, for those who choose.
    step : what one step of it is, in words; the step that `per_step` measures.
    colouring : which colours tell its values apart on a map: "sequential", "categorical",
        "circular", or another one that the map knows.
    ordered : whether there is more and less of it, from a lowest to a highest value.
    has_levels : whether values are places in a list of named levels.
    has_period : whether it begins again after a period.
    check : raise `UnsuitableFeature` where values are none of this kind.
    columns : (N, k) numbers as a fit sees them, NaN where missing.
    column_names : one name for each column, as tables have it.
    column_words : the same for people to read; None where names say enough.
    decoded : the values that come nearest to rows of columns.
    along : columns of any other values of a feature, where its columns together draw a curve that
        a fit may bend; None where it has no curve.
    flipped : values and levels in the other direction; None where there is none.
    heights : (N,) what increases where the feature does; None where no single number does.
    no_height : what such a feature is that it has no heights, in words.
    per_step : what one step adds to the squared distance, by the rows of B that are its own.
    takes : whether a column of a table is of this kind by its type.
    recognised : what a column of texts becomes, given whether a comma is its decimal mark; None
        where it is not surely of this kind.
    converted : what a feature of another kind becomes, given an order of its levels, lowest
        first, and a period, where someone gave them.
    """

    name: str
    meaning: str
    step: str
    colouring: str = "sequential"
    ordered: bool = True
    has_levels: bool = False
    has_period: bool = False
    check: Callable[[HasValues], None] = fits_always
    columns: Callable[[HasValues], FloatArray] = one_column
    column_names: Callable[[HasValues], tuple[str, ...]] = own_name
    column_words: Callable[[HasValues], tuple[str, ...]] | None = None
    decoded: Callable[[FloatArray, HasValues], FloatArray] = first_column
    along: Curve | None = None
    flipped: Callable[[HasValues], tuple[FloatArray, tuple[str, ...]]] | None = upside_down
    heights: Callable[[HasValues], FloatArray | None] = as_they_are
    no_height: str = ""
    per_step: Callable[[HasValues, FloatArray], float] = size_of
    takes: Callable[[pd.Series], bool] = by_choice_alone
    recognised: Callable[[Sequence[str], bool], Parts | None] = never
    converted: Callable[[HasValues, Sequence[str], float | None], Parts] = as_numbers

    @property
    def bends(self) -> bool:
        """Whether a fit has to weigh each of its columns by itself to find its curve."""
        return self.along is not None

    @property
    def is_quantity(self) -> bool:
        """Whether values are amounts."""
        return self.ordered and not self.has_levels

    @property
    def is_order(self) -> bool:
        """Whether values are levels from a lowest to a highest."""
        return self.ordered and self.has_levels

    @property
    def is_grouping(self) -> bool:
        """Whether values are groups, none of which is above another."""
        return self.has_levels and not self.ordered
