"""Objects as schematic faces, drawn from scales on which faces were judged."""

from __future__ import annotations

import base64
import re

import numpy as np

from cml_core import Feature, FeatureTable
from cml_core.values.arrays import FloatArray

# What each scale is called, of whichever study, and what of a face it draws.
_SCALES = (("pleasant", "Mouth"), ("attention", "Brows"), ("tension", "Eyes"))
_SKIN, _INK, _WHITE = "#f4c95d", "#3a2e12", "#fffdf5"


def scales_of_faces(table: FeatureTable) -> tuple[Feature, ...]:
    """The features that faces can be drawn from; none unless all are there."""
    found = tuple(
        next((one for one in table.features if _is_scale(one, word)), None) for word, _ in _SCALES
    )
    return tuple(one for one in found if one is not None) if None not in found else ()


def faces(scales: tuple[Feature, ...]) -> tuple[FloatArray, tuple[str, ...], tuple[str, ...]]:
    """For each object the index of its face, the faces as addresses, and what they are drawn from.

    Whoever lacks a value has no face.
    """
    shares = np.column_stack([_share(one) for one in scales])
    drawn = np.isfinite(shares).all(axis=1)
    index = np.where(drawn, np.cumsum(drawn) - 1, np.nan)
    words = tuple(f"{part}: {one.name}" for (_, part), one in zip(_SCALES, scales, strict=True))
    return index, tuple(_address(face(*row)) for row in shares[drawn].tolist()), words


def face(pleasant: float, attention: float, tension: float) -> str:
    """One face as SVG, each scale from 0 to 1: the mouth rises, brows go up, eyes open."""
    corner, middle = 34.0 - 4 * (pleasant - 0.5), 34.0 + 14 * (pleasant - 0.5)
    mouth = f"M15 {corner:.1f}Q24 {middle:.1f} 33 {corner:.1f}"
    outer, inner = 12.0 - 2 * attention, 14.5 - 7 * attention
    brows = "".join(
        f"M{24 + side * 13} {outer:.1f}L{24 + side * 4.5} {inner:.1f}" for side in (-1, 1)
    )
    eyes = "".join(_eye(24.0 + side * 8, 20.0, tension) for side in (-1, 1))
    lines = f'fill="none" stroke="{_INK}" stroke-width="2.4" stroke-linecap="round"'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 48 48">'
        f'<circle cx="24" cy="24" r="22.5" fill="{_SKIN}" stroke="{_INK}" stroke-width="1.5"/>'
        f'{eyes}<path d="{brows}{mouth}" {lines}/></svg>'
    )


def _eye(x: float, y: float, tension: float) -> str:
    height = 0.6 + 5.4 * tension
    white = f'<ellipse cx="{x}" cy="{y}" rx="4.6" ry="{height:.1f}" fill="{_WHITE}"'
    pupil = min(2.2, height)
    return (
        f'{white} stroke="{_INK}" stroke-width="1.4"/>'
        f'<ellipse cx="{x}" cy="{y}" rx="2.2" ry="{pupil:.1f}" fill="{_INK}"/>'
    )


def _share(scale: Feature) -> FloatArray:
    """How far up its own range each value lies."""
    present = scale.values[~scale.missing]
    low, high = (present.min(), present.max()) if present.size else (0.0, 0.0)
    return (scale.values - low) / (high - low) if high > low else 0.5 + 0 * scale.values


def _is_scale(feature: Feature, word: str) -> bool:
    named = re.search(rf"\b{word}", feature.name, re.IGNORECASE)
    return named is not None and not feature.levels and feature.period is None


def _address(drawing: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(drawing.encode()).decode()
