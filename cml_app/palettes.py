"""How colours tell the values of a feature apart; the map's own colours are in its assets."""

from __future__ import annotations

from dataclasses import dataclass

from cml_core import Feature
from cml_core.values.kinds.registry import KINDS


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
        Palette("circular", has_period=True, scale="Twilight"),
    )
}


def palette_of(feature: Feature) -> Palette:
    """The palette of the feature's kind."""
    return PALETTES[KINDS[feature.kind].colouring]
