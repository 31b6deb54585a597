"""What is known of the objects: features, each of some kind, and how a fit sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import (
    DuplicateLabels,
    LabelMismatch,
    LengthMismatch,
    UnknownFeature,
    UnsuitableFeature,
    check_option,
    listing,
)
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value, frozen
from cml_core.values.drawn_line import DrawnLine
from cml_core.values.feature_codes import codes_of, column_of, level_name, numbers_of
from cml_core.values.kinds.along import nearest_on
from cml_core.values.kinds.kind import Kind
from cml_core.values.kinds.registry import KINDS, OTHERWISE
from cml_core.values.real_numbers import is_real


@dataclass(frozen=True, eq=False, repr=False)
class Feature(Value):
    """One property of every object.

    Parameters
    ----------
    name : what people call it.
    kind : "numeric", "curved", "ordinal", "categorical" or "circular".
    values : (N,) numbers; for ordinal and categorical the index into `levels`; NaN is missing.
    levels : the categories, in order where they have one.
    period : of a circular feature, 360 for degrees.
    origin : where it came from, in words.
    unit : in which its numbers were written, "days since 1970-01-01" for dates; empty for none.
    read_off_map : whether it was drawn or selected on a map, whatever was made of it since; it fits
        that map because it was made to.
    line : what was drawn there, to be shown again; None where nothing was. No part of a question.
    """

    name: str
    kind: str
    values: FloatArray
    levels: tuple[str, ...] = ()
    period: float | None = None
    origin: str = "given"
    unit: str = ""
    read_off_map: bool = False
    line: DrawnLine | None = None

    def __post_init__(self) -> None:
        # What is frozen can be set this way only; after this nothing sets it any more.
        put = partial(object.__setattr__, self)
        put("name", str(self.name))
        put("kind", check_option("kind", self.kind, tuple(KINDS)))
        put("values", frozen(numbers_of(self.name, self.values)))
        put("levels", tuple(level_name(level) for level in self.levels))
        put("origin", str(self.origin))
        if np.isinf(self.values).any():
            place = int(np.argmax(np.isinf(self.values))) + 1
            raise UnsuitableFeature(
                f"{self.name} is infinite for object {place}.",
                remedy="Leave unknown values empty (NaN); give all others a finite number.",
            )
        if np.isnan(self.values).all():
            raise UnsuitableFeature(
                f"{self.name} has no value at all.", remedy="Give it values, or leave it out."
            )
        if self._kind.has_period:
            put("period", self._checked_period())
        self._check_levels()
        self._kind.check(self)

    @property
    def _kind(self) -> Kind:
        return KINDS[self.kind]

    def _checked_period(self) -> float:
        period: Any = self.period
        if not (is_real(period) and 0 < period < np.inf):
            raise UnsuitableFeature(
                f"{self.name} is {self.kind} with period {period}.",
                remedy="Give a positive period, such as 360 for degrees.",
            )
        return float(period)

    def _check_levels(self) -> None:
        if not self._kind.has_levels:
            if self.levels:
                others = " or ".join(kind.name for kind in KINDS.values() if kind.has_levels)
                raise UnsuitableFeature(
                    f"{self.name} is {self.kind}, yet it has {len(self.levels)} levels.",
                    remedy=f"Leave out the levels, or make the feature {others}.",
                )
            return
        if len(set(self.levels)) < len(self.levels):
            raise UnsuitableFeature(
                f"{self.name} has a level twice; its levels are {listing(self.levels)}.",
                remedy="List every level once, in its order.",
            )
        present = self.values[~self.missing]
        if (present < 0).any() or (present >= len(self.levels)).any() or (present % 1).any():
            raise UnsuitableFeature(
                f"{self.name} has values beyond its {len(self.levels)} levels.",
                remedy="Give each value the index of its level.",
            )

    @classmethod
    def of(
        cls,
        kind: str,
        name: str,
        values: Any,
        *,
        levels: Sequence[object] | None = None,
        period: float | None = None,
        origin: str = "given",
    ) -> Feature:
        """A feature of any kind, from what people write.

        Parameters
        ----------
        values : one an object; of a kind with levels, their names.
        levels : of groups by default in the order in which they first appear.
        """
        chosen = KINDS[check_option("kind", kind, tuple(KINDS))]
        period = period if chosen.has_period else None
        if not chosen.has_levels:
            return cls(name, kind, values, period=period, origin=origin)
        told = () if chosen.is_order and levels is None else levels
        return cls(name, kind, *codes_of(name, values, told), period, origin)

    @classmethod
    def numeric(cls, name: str, values: Any, origin: str = "given") -> Feature:
        """A quantity; differences mean the same everywhere on its scale."""
        return cls.of("numeric", name, values, origin=origin)

    @classmethod
    def circular(
        cls, name: str, values: Any, period: float = 360.0, origin: str = "given"
    ) -> Feature:
        """An angle, a month, an hour: after `period` it begins again."""
        return cls.of("circular", name, values, period=period, origin=origin)

    @classmethod
    def categorical(
        cls, name: str, values: Any, levels: Sequence[object] | None = None, origin: str = "given"
    ) -> Feature:
        """Groups without an order; by default in the order in which they first appear."""
        return cls.of("categorical", name, values, levels=levels, origin=origin)

    @classmethod
    def ordinal(
        cls, name: str, values: Any, levels: Sequence[object], origin: str = "given"
    ) -> Feature:
        """Groups with an order, lowest first; spaced evenly."""
        return cls.of("ordinal", name, values, levels=levels, origin=origin)

    @classmethod
    def infer(cls, name: str, values: Any) -> Feature:
        """Numbers become numeric, an ordered pandas categorical ordinal, all else categorical."""
        column = column_of(name, values)
        kind = next((kind for kind in KINDS.values() if kind.takes(column)), OTHERWISE)
        dtype = column.dtype
        levels = list(dtype.categories) if isinstance(dtype, pd.CategoricalDtype) else None
        return cls.of(kind.name, name, column, levels=levels)

    @property
    def n_objects(self) -> int:
        return int(self.values.size)

    @property
    def missing(self) -> BoolArray:
        return np.isnan(self.values)

    def renamed(self, name: str) -> Feature:
        return replace(self, name=name)

    def with_values(self, values: Any) -> Feature:
        """The same feature with other numbers (or level indices)."""
        return replace(self, values=values)

    def taken(self, rows: IntArray) -> Feature:
        """The feature for these objects."""
        return replace(self, values=self.values[rows])

    def as_quantity(self, values: Any) -> Feature:
        """The same feature as amounts."""
        return replace(self, kind="numeric", values=values, levels=())

    def columns(self) -> FloatArray:
        """(N, k) columns of numbers as a fit sees them; NaN where missing.

        A quantity is one column, and up to three where it may act along a curve; an order is one
        column of ranks, an angle its cosine and sine, and k + 1 categories are k contrasts in which
        all categories are equally far apart.
        """
        return self._kind.columns(self)

    def column_names(self) -> tuple[str, ...]:
        """One name for each of `columns`."""
        return self._kind.column_names(self)

    def columns_of(self, values: FloatArray) -> FloatArray:
        """(M, k) columns of any M values of this feature, beside its own."""
        along = self._kind.along
        return self.with_values(values).columns() if along is None else along(values, self)

    def decoded(self, columns: FloatArray, coef: FloatArray | None = None) -> FloatArray:
        """Values of this kind that come nearest to rows of encoded `columns`.

        Parameters
        ----------
        coef : (k, m) the rows of B that are its own. Columns that draw a curve mean only what a
            fit makes of them: entries far from the curve may stand right where a value does.
        """
        along = self._kind.along
        if along is None or coef is None:
            return self._kind.decoded(columns, self)
        return nearest_on(along, columns, self, coef)

    def heights(self) -> FloatArray | None:
        """(N,) what increases where the feature does; None where that is no single number.

        Numbers as they are, levels as ranks from 0, of two categories 0 and 1.
        """
        return self._kind.heights(self)

    def identity(self) -> bytes:
        """Every byte of the feature, for fingerprints."""
        # Where it came from as well: what was read off a map is judged differently.
        head = (
            self.name,
            self.kind,
            self.levels,
            self.period,
            self.origin,
            self.read_off_map,
        )
        return repr(head).encode() + self.values.tobytes()

    def spelled(self, value: float) -> float | str:
        """One of its values as people write it."""
        return self.levels[int(value)] if self.levels else float(value)

    def shown(self) -> list[object]:
        """Values as people write them; None where missing."""
        return [None if np.isnan(value) else self.spelled(value) for value in self.values]

    def __repr__(self) -> str:
        gaps = int(self.missing.sum())
        detail = f", {len(self.levels)} levels" if self.levels else ""
        return f"Feature({self.name!r}, {self.kind}{detail}{f', {gaps} missing' if gaps else ''})"


@dataclass(frozen=True, eq=False)
class Encoding(Value):
    """All features side by side as columns of numbers.

    `values` is (N, q) with NaN where missing; `block[m]` is the feature column m belongs to.
    """

    values: FloatArray
    names: tuple[str, ...]
    block: IntArray

    def __post_init__(self) -> None:
        self.values.setflags(write=False)
        self.block.setflags(write=False)

    @property
    def missing(self) -> BoolArray:
        return np.isnan(self.values)


@dataclass(frozen=True, eq=False, repr=False)
class FeatureTable(Value):
    """Features of the same objects, each under its own name."""

    labels: tuple[str, ...]
    features: tuple[Feature, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(str(label) for label in self.labels))
        object.__setattr__(self, "features", tuple(self.features))
        for feature in self.features:
            if feature.n_objects != len(self.labels):
                have, want = feature.n_objects, len(self.labels)
                raise LengthMismatch(
                    f"{feature.name} has {have} values for {want} objects.",
                    remedy="Give one value for each object, empty where unknown.",
                )
        if len(set(self.labels)) < len(self.labels):
            name = next(name for name, count in Counter(self.labels).items() if count > 1)
            raise DuplicateLabels(
                f"More than one row is called {name!r}.", remedy="Give every object one row."
            )
        if len(set(self.names)) < len(self.names):
            twice = [name for name in self.names if self.names.count(name) > 1]
            raise DuplicateLabels(
                f"More than one feature is called {twice[0]!r}.",
                remedy="Give every feature a name of its own.",
            )

    @classmethod
    def from_frame(cls, table: pd.DataFrame) -> FeatureTable:
        """One feature a column, one object a row; kinds are inferred."""
        features = tuple(
            Feature.infer(str(name), table.iloc[:, k]) for k, name in enumerate(table.columns)
        )
        return cls(tuple(str(label) for label in table.index), features)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(feature.name for feature in self.features)

    def __len__(self) -> int:
        return len(self.features)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Feature:
        for feature in self.features:
            if feature.name == name:
                return feature
        raise UnknownFeature(
            f"No feature is called {name!r}.",
            remedy=f"Choose among {listing(self.names, 20) or 'none: there are no features'}.",
        )

    def with_feature(self, feature: Feature) -> FeatureTable:
        """One more feature; it replaces one of the same name."""
        others = tuple(f for f in self.features if f.name != feature.name)
        if feature.name not in self:
            return FeatureTable(self.labels, (*others, feature))
        # In its place, for the columns of B stand in the order of the features.
        swapped = tuple(feature if f.name == feature.name else f for f in self.features)
        return FeatureTable(self.labels, swapped)

    def without(self, name: str) -> FeatureTable:
        """All features but this one."""
        dropped = self[name]
        return FeatureTable(self.labels, tuple(f for f in self.features if f is not dropped))

    def select(self, names: Sequence[str]) -> FeatureTable:
        """These features, in this order."""
        return FeatureTable(self.labels, tuple(self[name] for name in names))

    def for_objects(self, labels: Sequence[str]) -> FeatureTable:
        """The same features for these objects in this order, joined by label."""
        names = tuple(str(label) for label in labels)
        place = {label: i for i, label in enumerate(self.labels)}
        absent = [name for name in names if name not in place]
        if absent:
            raise LabelMismatch(
                f"The features have no row for {listing(absent)}.",
                remedy=f"Use the same names in both tables, such as {listing(self.labels)}.",
            )
        rows = np.array([place[name] for name in names], dtype=np.int64)
        return FeatureTable(names, tuple(f.taken(rows) for f in self.features))

    def encoded(self) -> Encoding:
        """The numbers that a fit works with."""
        parts = [feature.columns() for feature in self.features]
        names = tuple(name for feature in self.features for name in feature.column_names())
        widths = [part.shape[1] for part in parts]
        values = np.hstack(parts) if parts else np.zeros((len(self.labels), 0))
        return Encoding(values, names, np.repeat(np.arange(len(parts)), widths))

    def to_frame(self) -> pd.DataFrame:
        """One column a feature, values as people write them."""
        columns = {feature.name: feature.shown() for feature in self.features}
        return pd.DataFrame(columns, index=list(self.labels))

    def __repr__(self) -> str:
        return f"FeatureTable({len(self.labels)} objects; {listing(self.names) or 'no features'})"
