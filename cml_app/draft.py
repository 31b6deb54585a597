"""A feature in the making: what was read off a map or typed, and what has been made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cml_core import Feature
from cml_core.drawing.levels import (
    corrected_alike,
    flipped,
    numbered,
    rounded,
    with_missing,
    with_value,
)


@dataclass(frozen=True)
class Draft:
    """A feature being made.

    `original` is what was read off the map or typed, `fine` that before it was rounded: every
    number of levels is counted from it. `base` is what buttons have made of it, `edited` that
    with the corrections in the table; `number` tells one table from the next.
    """

    original: Feature
    fine: Feature
    base: Feature
    edited: Feature
    source: str
    number: int = 0
    replaces: str = ""

    @classmethod
    def of(cls, feature: Feature, source: str) -> Draft:
        """A feature as it was read or typed."""
        return cls(feature, feature, feature, feature, source)

    @classmethod
    def editing(cls, feature: Feature) -> Draft:
        """A feature there is already, to be changed."""
        return replace(cls.of(feature, f"editing {feature.name}"), replaces=feature.name)

    @property
    def order(self) -> list[int]:
        """The objects as the table lists them: by value, those without one last."""
        values, missing = self.base.values, self.base.missing
        return sorted(range(values.size), key=lambda i: (missing[i], values[i]))

    @property
    def most_levels(self) -> int:
        """How many different values there were before anything was rounded."""
        return _distinct(self.original)

    @property
    def is_rounded(self) -> bool:
        """Whether it was rounded since it was drawn or typed."""
        return self.base is not self.fine

    def corrected(self, labels: Sequence[str], cells: Mapping[int, object]) -> Draft:
        """With other values in these rows of the table; None is unsure."""
        order, shown = self.order, self.base.shown()
        edited = self.base
        for row, value in cells.items():
            i = order[row]
            if value is None:
                edited = with_missing(edited, labels, [labels[i]])
            elif value != shown[i]:
                told = value if isinstance(value, int | float) else str(value)
                edited = with_value(edited, labels, labels[i], told)
        return replace(self, edited=edited)

    def rounded(self, levels: int) -> Draft:
        """Rounded to so many levels, or to as many as there are different values."""
        fine = self._corrected_fine()
        return self._remade(rounded(fine, min(levels, _distinct(fine))), fine)

    def numbered(self) -> Draft:
        """With its different values in equal steps."""
        return self._remade(numbered(self.edited), self._corrected_fine())

    def flipped(self) -> Draft:
        """With low for high."""
        feature = flipped(self.edited)
        fine = flipped(self._corrected_fine()) if self.is_rounded else feature
        return self._remade(feature, fine)

    def reset(self) -> Draft:
        """As it was drawn or typed."""
        return self._remade(self.original, self.original)

    def _corrected_fine(self) -> Feature:
        return (
            corrected_alike(self.fine, self.base, self.edited) if self.is_rounded else self.edited
        )

    def _remade(self, feature: Feature, fine: Feature) -> Draft:
        return replace(self, fine=fine, base=feature, edited=feature, number=self.number + 1)


def _distinct(feature: Feature) -> int:
    return int(np.unique(feature.values[~feature.missing]).size)
