"""How colours tell the values of a feature apart; the map's own colours are in its assets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cml_core import Feature
from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.registry import KINDS

# More colours, and more entries of a legend, are no longer told apart.
MOST_CATEGORIES = 13


@dataclass(frozen=True)
class Palette:
    """A way to colour objects, which the map has a module for.

    Parameters
    ----------
    name : as kinds of features and the module of the map name it.
    has_levels : whether each level has a colour of its own; else colours pass into one another.
    has_period : whether the last colour is the first again.
    scale : what Plotly calls colours that pass into one another.
    """

    name: str
    has_levels: bool = False
    has_period: bool = False
    scale: str = "Viridis"


PALETTES = {
    palette.name: palette
    for palette in (
        Palette("sequential"),
        Palette("categorical", has_levels=True),
        Palette("swatch", has_levels=True),
        Palette("picture", has_levels=True),
        Palette("circular", has_period=True, scale="Twilight"),
    )
}


class ToldApart(NamedTuple):
    """Levels that get colours of their own, the last for `more` others together, if any."""

    values: FloatArray
    levels: tuple[str, ...]
    more: int = 0


def told_apart(feature: Feature) -> ToldApart:
    """The levels of a feature as far as colours and shapes tell them apart: the commonest."""
    values, levels = feature.values, feature.levels
    if len(levels) <= MOST_CATEGORIES:
        return ToldApart(values, levels)
    codes = values[~feature.missing].astype(int)
    commonest = np.argsort(-np.bincount(codes, minlength=len(levels)), kind="stable")
    kept = np.sort(commonest[: MOST_CATEGORIES - 1])
    place = np.full(len(levels), kept.size, dtype=np.float64)
    place[kept] = np.arange(kept.size)
    shown = values.copy()
    shown[~feature.missing] = place[codes]
    more = len(levels) - kept.size
    return ToldApart(shown, (*(levels[k] for k in kept), f"{more} more"), more)


def palette_of(feature: Feature) -> Palette:
    """The palette of the feature's kind."""
    return PALETTES[KINDS[feature.kind].colouring]
