"""What kind of feature a column is: inferred from its cells, and corrected by a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cml_core.errors import (
    UnreadableFile,
    UnsuitableFeature,
    check_option,
    listing,
)
from cml_core.values.feature_codes import level_name
from cml_core.values.features import KINDS, Feature, FeatureTable
from cml_core.values.quantities import DATES, GAPS_AMONG_WORDS, date_text, quantity_of
from cml_core.values.real_numbers import is_real
from cml_core.values.vocabularies import order_of, turn_of

# Zeros in front would be lost, so this is a name made of digits.
_CODE = re.compile("0[0-9]+")


def inferred(name: str, cells: Sequence[str], *, decimal_comma: bool = False) -> Feature:
    """A feature from the texts of its column.

    Numbers and dates become numeric; words that have a well-known order ordinal; all other
    texts, yes and no among them, categorical. So are codes such as 007, and numbers that could
    be read in two ways, as 1,234 can; `facts.remarks` says so.

    Parameters
    ----------
    name : of the feature.
    cells : one text an object; empty, NA and the like are missing.
    decimal_comma : whether a comma is the decimal mark of the whole file.
    """
    texts = [str(cell).strip() for cell in cells]
    quantity = quantity_of(texts, decimal_comma=decimal_comma)
    if quantity is not None and not any(_CODE.fullmatch(text) for text in texts):
        return Feature.numeric(name, quantity.values, quantity.note or "given")
    shown = [None if text in GAPS_AMONG_WORDS else text for text in texts]
    grouped = Feature.categorical(name, shown)
    order = order_of(grouped.levels)
    return Feature.ordinal(name, shown, order) if order else grouped


def retyped(
    feature: Feature, kind: str, *, order: Sequence[str] = (), period: float | None = None
) -> Feature:
    """The same feature as another kind; missing values stay missing.

    Parameters
    ----------
    kind : "numeric", "ordinal", "categorical" or "circular".
    order : of ordinal levels, lowest first; without it, numbers rise and well-known words keep
        their order.
    period : of a circular feature; months and days of the week have one of their own.

    Raises
    ------
    UnsuitableFeature : the values do not allow it, or the order or the period is missing.
    """
    check_option("kind", kind, KINDS)
    if kind == "numeric":
        return _as_numbers(feature)
    if kind == "circular":
        return _as_turn(feature, period)
    grouped = _as_groups(feature)
    if kind == "ordinal":
        return _as_order(feature, grouped, tuple(str(level) for level in order))
    return replace(grouped, kind="categorical")


@dataclass(frozen=True)
class FeatureChoice:
    """What a person chose for one feature of a file; a part of the project.

    Parameters
    ----------
    name : of the feature as the file has it.
    kind : another kind than was inferred; empty leaves it.
    order : of ordinal levels, lowest first.
    period : of a circular feature.
    called : another name; empty leaves it.
    used : False leaves the feature out.
    """

    name: str
    kind: str = ""
    order: tuple[str, ...] = ()
    period: float | None = None
    called: str = ""
    used: bool = True

    def applied(self, feature: Feature) -> Feature:
        """The feature as it was chosen to be."""
        chosen = feature
        if self.kind:
            chosen = retyped(feature, self.kind, order=self.order, period=self.period)
        return chosen.renamed(self.called) if self.called else chosen

    def choices_in_words(self) -> tuple[str, ...]:
        """What was chosen, in sentences."""
        if not self.used:
            return (f"The feature {self.name!r} was left out.",)
        order = f", lowest first: {listing(self.order)}" if self.order else ""
        period = f" with period {self.period:g}" if self.period else ""
        said = {
            f"The feature {self.name!r} was made {self.kind}{order}{period}.": self.kind,
            f"The feature {self.name!r} was called {self.called!r}.": self.called,
        }
        return tuple(sentence for sentence, happened in said.items() if happened)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; those that differ from the defaults, and the name."""
        plain = {**vars(self), "order": list(self.order)}
        default = {**vars(FeatureChoice("")), "order": []}
        return {
            key: value for key, value in plain.items() if key == "name" or value != default[key]
        }

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> FeatureChoice:
        """What `to_dict` gave.

        Raises
        ------
        UnreadableFile : it is something else.
        """
        for key, value in content.items():
            if key not in _RIGHT or not _RIGHT[key](value):
                raise UnreadableFile(
                    f"What was chosen for a feature is damaged at {str(key)[:40]!r}.",
                    remedy="Use the project file as it was saved.",
                )
        return cls(**{"name": "", **content, "order": tuple(content.get("order", ()))})


def choice_of(feature: Feature) -> FeatureChoice:
    """The choice that leads to a feature as it is."""
    order = feature.levels if feature.kind == "ordinal" else ()
    return FeatureChoice(feature.name, feature.kind, order, feature.period)


def chosen(table: FeatureTable, choices: Sequence[FeatureChoice]) -> FeatureTable:
    """The features of a file as a person chose them; those without a choice as they are."""
    by_name = {choice.name: choice for choice in choices}
    for name in by_name:
        table[name]
    pairs = ((feature, by_name.get(feature.name)) for feature in table.features)
    kept = (
        feature if choice is None else choice.applied(feature)
        for feature, choice in pairs
        if choice is None or choice.used
    )
    return FeatureTable(table.labels, tuple(kept))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


_RIGHT: dict[str, Callable[[Any], bool]] = {
    "name": _is_text,
    "kind": lambda kind: kind in ("", *KINDS),
    "order": lambda order: isinstance(order, list | tuple) and all(map(_is_text, order)),
    "period": lambda period: period is None or is_real(period),
    "called": _is_text,
    "used": lambda used: isinstance(used, bool),
}


def _as_numbers(feature: Feature) -> Feature:
    if not feature.levels:
        return Feature.numeric(feature.name, feature.values, feature.origin)
    quantity = quantity_of(feature.levels)
    if quantity is None:
        raise UnsuitableFeature(
            f"{feature.name} cannot be made of numbers: its values are "
            f"{listing(_quoted(feature.levels))}.",
            remedy="Make it ordinal, with its levels in their order, or correct the file; "
            "write numbers without marks for thousands.",
        )
    origin = quantity.note or feature.origin
    return Feature.numeric(feature.name, _of_levels(feature, quantity.values), origin)


def _as_groups(feature: Feature) -> Feature:
    """A feature with levels; numbers become levels that rise, written as people write them."""
    if feature.levels:
        return feature
    dated = feature.origin == DATES
    numbers = np.unique(feature.values[~feature.missing])
    levels = tuple(date_text(number) if dated else level_name(float(number)) for number in numbers)
    codes = np.searchsorted(numbers, feature.values).astype(np.float64)
    codes[feature.missing] = np.nan
    origin = "given" if dated else feature.origin
    return Feature(feature.name, "categorical", codes, levels, origin=origin)


def _as_order(feature: Feature, grouped: Feature, order: tuple[str, ...]) -> Feature:
    if order:
        return _ordered(grouped, order)
    if feature.kind != "categorical":
        return replace(grouped, kind="ordinal")
    known = order_of(feature.levels) or _rising(feature.levels)
    if not known:
        raise UnsuitableFeature(
            f"The order of {listing(_quoted(feature.levels))} is not known.",
            remedy=f"List the levels of {feature.name} in their order, lowest first.",
        )
    return _ordered(grouped, known)


def _ordered(grouped: Feature, order: tuple[str, ...]) -> Feature:
    absent = [level for level in grouped.levels if level not in order]
    if absent:
        raise UnsuitableFeature(
            f"The order of {grouped.name} leaves out {listing(_quoted(absent))}.",
            remedy="List every level once, lowest first.",
        )
    places = np.array([order.index(level) for level in grouped.levels], dtype=np.float64)
    values = _of_levels(grouped, places)
    return replace(grouped, kind="ordinal", values=values, levels=order)


def _rising(levels: tuple[str, ...]) -> tuple[str, ...]:
    """Levels that are numbers, from the lowest to the highest; empty where they are words."""
    quantity = quantity_of(levels)
    if quantity is None:
        return ()
    return tuple(levels[k] for k in np.argsort(quantity.values, kind="stable"))


def _as_turn(feature: Feature, period: float | None) -> Feature:
    natural, places = turn_of(feature.levels)
    if places:
        values = _of_levels(feature, np.array(places))
        turn = natural if period is None else period
        return Feature.circular(feature.name, values, turn, feature.origin)
    given = feature.period if period is None else period
    if given is None:
        raise UnsuitableFeature(
            f"After how much {feature.name} begins again is not said.",
            remedy="Give its period: 360 for degrees, 24 for hours, 12 for months.",
        )
    numbers = _as_numbers(feature)
    return Feature.circular(feature.name, numbers.values, given, numbers.origin)


def _of_levels(feature: Feature, numbers: Any) -> Any:
    """A number for each object by its level; NaN where missing."""
    codes = np.where(feature.missing, 0, feature.values).astype(np.int64)
    return np.where(feature.missing, np.nan, numbers[codes])


def _quoted(names: Sequence[str]) -> list[str]:
    return [repr(name[:40]) for name in names]
