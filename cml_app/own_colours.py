"""Features whose values are colours themselves: written ones, and wavelengths of light."""

from __future__ import annotations

import re

import numpy as np

from cml_core import Feature
from cml_core.values.arrays import FloatArray

# Nanometres that people see as colours; towards the ends of these the hue changes no more.
VISIBLE = (380.0, 780.0)
_HUES = (415.0, 645.0)
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_RGB = re.compile(r"rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\)", re.IGNORECASE)
# Words are taken for colours only under a heading that says so.
_NAMED = re.compile(
    "aqua|beige|black|blue|brown|coral|crimson|cyan|fuchsia|gold|gr[ae]y|green|indigo|ivory|khaki|"
    "lavender|lime|magenta|maroon|navy|olive|orange|orchid|pink|plum|purple|red|salmon|silver|tan|"
    "teal|turquoise|violet|white|yellow"
)
# Of X, Y and Z: height, peak, and width below and above it, in nanometres (Wyman, Sloan and
# Shirley 2013, "Simple analytic approximations to the CIE XYZ color matching functions").
_LOBES = (
    ((1.056, 599.8, 37.9, 31.0), (0.362, 442.0, 16.0, 26.7), (-0.065, 501.1, 20.4, 26.2)),
    ((0.821, 568.8, 46.9, 40.5), (0.286, 530.9, 16.3, 31.1)),
    ((1.217, 437.0, 11.8, 36.0), (0.681, 459.0, 26.0, 13.8)),
)
_TO_RGB = np.array(
    [[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]]
)


def own_colours(feature: Feature) -> tuple[FloatArray, tuple[str, ...]] | None:
    """For each object the index of its colour, and the colours as CSS writes them, if any."""
    present = feature.values[~feature.missing]
    if feature.levels:
        written = tuple(level.strip().lower() for level in feature.levels)
        return (feature.values, written) if _all_colours(feature.name, written) else None
    if "wavelength" not in feature.name.lower() or not present.size:
        return None
    if present.min() < VISIBLE[0] or present.max() > VISIBLE[1]:
        return None
    lengths, places = np.unique(feature.values, return_inverse=True)
    seen = tuple(of_light(length) for length in lengths if np.isfinite(length))
    return np.where(feature.missing, np.nan, places), seen


def _all_colours(name: str, written: tuple[str, ...]) -> bool:
    named = re.search(r"colou?r", name, re.IGNORECASE) is not None
    return all(
        _HEX.fullmatch(text) or _RGB.fullmatch(text) or (named and _NAMED.fullmatch(text))
        for text in written
    )


def of_light(wavelength: float) -> str:
    """How light of one wavelength looks, as nearly as a screen can show it, at full brightness."""
    within = min(max(wavelength, _HUES[0]), _HUES[1])
    seen = [sum(_lobe(within, *lobe) for lobe in lobes) for lobes in _LOBES]
    # Pure light would need less than none of some primary, which no screen can show.
    linear = np.clip(_TO_RGB @ seen, 0.0, None)
    linear /= linear.max()
    shown = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * part):02x}" for part in shown)


def _lobe(wavelength: float, height: float, peak: float, below: float, above: float) -> float:
    off = (wavelength - peak) / (below if wavelength < peak else above)
    return height * float(np.exp(-0.5 * off * off))
