"""What kind of feature a column is: inferred from its cells, and corrected by a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cml_core.errors import UnreadableFile, check_option, listing
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.grouping import words_of
from cml_core.values.kinds.registry import KINDS, OTHERWISE
from cml_core.values.real_numbers import is_real

# What people put into a cell for yes, and where such a feature came from.
_TICKS = frozenset("x✓✔✗×•●*")
TICKED = "marks: where there is none, no"


def inferred(name: str, cells: Sequence[str], *, decimal_comma: bool = False) -> Feature:
    """A feature from the texts of its column.

    Numbers and dates become numeric; words that have a well-known order ordinal; all other
    texts, yes and no among them, categorical, as are cells that have a mark or nothing. So are
    codes such as 007, and numbers that could be read in two ways, as 1,234 can;
    `oddities.remarks` says so.

    Parameters
    ----------
    name : of the feature.
    cells : one text an object; empty, NA and the like are missing.
    decimal_comma : whether a comma is the decimal mark of the whole file.
    """
    texts = [str(cell).strip() for cell in cells]
    if is_ticked(texts):
        ticked = ["no" if text == "" else "yes" for text in texts]
        return replace(Feature.of(OTHERWISE.name, name, ticked), origin=TICKED)
    # The first that is sure: a number is also a word, so words come last.
    for kind in KINDS.values():
        parts = kind.recognised(texts, decimal_comma)
        if parts is not None:
            return Feature(name, kind.name, *parts)
    return Feature.of(OTHERWISE.name, name, words_of(texts))


def is_ticked(texts: Sequence[str]) -> bool:
    """Whether some cells have one and the same mark, as x, and all others nothing."""
    marks = {text.casefold() for text in texts if text}
    return len(marks) == 1 and marks <= _TICKS and "" in texts


def retyped(
    feature: Feature, kind: str, *, order: Sequence[str] = (), period: float | None = None
) -> Feature:
    """The same feature as another kind; missing values stay missing.

    Parameters
    ----------
    kind : the name of one of `KINDS`.
    order : of ordinal levels, lowest first; without it, numbers rise and well-known words keep
        their order.
    period : of a circular feature; months and days of the week have one of their own.

    Raises
    ------
    UnsuitableFeature : the values do not allow it, or the order or the period is missing.
    """
    wanted = KINDS[check_option("kind", kind, tuple(KINDS))]
    parts = wanted.converted(feature, tuple(str(level) for level in order), period)
    return replace(feature, kind=kind, **parts._asdict())


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
    names_objects : whether its values are what the objects are called; it is no feature then.
    """

    name: str
    kind: str = ""
    order: tuple[str, ...] = ()
    period: float | None = None
    called: str = ""
    used: bool = True
    names_objects: bool = False

    def applied(self, feature: Feature) -> Feature:
        """The feature as it was chosen to be."""
        chosen = feature
        if self.kind:
            chosen = retyped(feature, self.kind, order=self.order, period=self.period)
        return chosen.renamed(self.called) if self.called else chosen

    def choices_in_words(self) -> tuple[str, ...]:
        """What was chosen, in sentences."""
        if self.names_objects:
            return (f"The objects are called as {self.name!r} says.",)
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


def naming(table: FeatureTable) -> tuple[Feature, ...]:
    """The columns that name every object differently: they tell objects, not groups."""
    return tuple(
        feature
        for feature in table.features
        if KINDS[feature.kind].is_grouping
        and not feature.missing.any()
        and np.unique(feature.values[~feature.missing]).size == feature.n_objects > 2
    )


def called_by(column: Feature) -> tuple[str, ...]:
    """What each object is called by such a column."""
    return tuple(column.levels[int(value)] for value in column.values)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


_RIGHT: dict[str, Callable[[Any], bool]] = {
    "name": _is_text,
    "kind": lambda kind: kind in ("", *KINDS),
    "order": lambda order: isinstance(order, list | tuple) and all(map(_is_text, order)),
    "period": lambda period: period is None or is_real(period),
    "called": _is_text,
    "used": lambda used: isinstance(used, bool),
    "names_objects": lambda named: isinstance(named, bool),
}
