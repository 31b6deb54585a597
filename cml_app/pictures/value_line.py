"""Objects along a line by their value: a small picture that needs no library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cml_app.pictures.figures import Ink
from cml_core import Feature
from cml_core.report.map_svg import escaped
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted, numbers_in_words

# In pixels: the dots stand closer where they would not fit above one another.
HEIGHT, LINE, DOT, STEP = 64, 20, 8, 9
# In so many bins along the line dots stand above one another rather than over another.
BINS = 60
MOST_TICKS = 5
# As shares of the line: ticks nearer than this would run into each other.
APART = 0.14
_STYLE = f"""<style>
.value-line {{ position: relative; height: {HEIGHT}px; margin: 0 8px; font-size: 12px; }}
.value-line * {{ position: absolute; white-space: nowrap; }}
.value-line i {{ width: {DOT}px; height: {DOT}px; margin-left: -{DOT / 2:g}px; border-radius: 50%;
  opacity: .75; }}
.value-line b {{ bottom: 0; font-weight: 400; line-height: {LINE - 2}px; overflow: hidden;
  text-overflow: ellipsis; transform: translateX(-50%); }}
.value-line b:first-of-type {{ transform: none; margin-left: -8px; }}
.value-line b:last-of-type:not(:first-of-type) {{ transform: translateX(-100%); margin-left: 8px; }}
.value-line u {{ left: -8px; right: -8px; bottom: {LINE}px; height: 1px; }}
</style>"""


def value_line(labels: Sequence[str], feature: Feature, ink: Ink) -> str:
    """A dot for each object that has a value, at its value; equal values are stacked.

    In HTML rather than SVG: it takes any width without stretching its words.
    """
    values = feature.values[~feature.missing]
    names = [label for label, gone in zip(labels, feature.missing, strict=True) if not gone]
    low, high = _range(feature, values)
    shares = (values - low) / ((high - low) or 1.0)
    words = _words(feature, values)
    marks = "".join(_dots(names, words, shares, ink.point))
    ticks = "".join(_ticks(feature, values, (low, high)))
    told = escaped(in_words(names, words, shares, int(feature.missing.sum())))
    return (
        f'{_STYLE}<div class="value-line" role="img" aria-label="{told}" style="color:{ink.text}">'
        f'{marks}<u style="background:{ink.line}"></u>{ticks}</div>'
    )


def in_words(names: Sequence[str], words: Sequence[str], shares: FloatArray, gone: int) -> str:
    """The same for people who do not see it; each value stands in the table below as well."""
    ends = [int(shares.argmin()), int(shares.argmax())]
    low, high = (f"{words[k]} ({names[k]})" for k in ends)
    without = f"; {counted(gone, 'object')} without a value" if gone else ""
    return f"{counted(len(names), 'object')} along a line, from {low} to {high}{without}."


def _range(feature: Feature, values: FloatArray) -> tuple[float, float]:
    """What the line's ends stand for."""
    if feature.levels:
        return 0.0, float(len(feature.levels) - 1)
    return float(values.min()), float(values.max())


def _words(feature: Feature, values: FloatArray) -> list[str]:
    if feature.levels:
        return [feature.levels[int(value)] for value in values]
    return numbers_in_words(values.tolist())


def _dots(
    names: Sequence[str], words: Sequence[str], shares: FloatArray, colour: str
) -> Iterator[str]:
    heights = stacked(shares)
    room = HEIGHT - LINE - DOT - 2
    step = min(STEP, room / max(*heights, 1))
    for name, word, share, height in zip(names, words, shares, heights, strict=True):
        bottom = LINE + 2 + step * height
        yield (
            f'<i title="{escaped(f"{name}: {word}")}" '
            f'style="left:{share:.2%};bottom:{bottom:.4g}px;background:{colour}"></i>'
        )


def stacked(shares: FloatArray) -> list[int]:
    """How many objects at about the same place came before each."""
    seen: dict[float, int] = {}
    heights = []
    for place in np.round(shares * BINS).tolist():
        heights.append(seen.get(place, 0))
        seen[place] = heights[-1] + 1
    return heights


def _ticks(feature: Feature, values: FloatArray, ends: tuple[float, float]) -> Iterator[str]:
    """Words below the line, each cut where the next begins."""
    low, high = ends
    at = np.arange(len(feature.levels), dtype=float) if feature.levels else np.unique(values)
    if at.size > MOST_TICKS:
        at = np.linspace(low, high, 3)
        at = np.unique(np.round(at)) if feature.levels else at
    if at.size > 1:
        at = _apart(at, low, high)
    shares = (at - low) / ((high - low) or 1.0)
    between = float(np.diff(shares).min()) if shares.size > 1 else 1.0
    # Those at the ends begin or end there; those between stand in the middle of their place.
    widest = between * (0.62 if shares.size > 2 else 0.5)
    for word, share in zip(_words(feature, at), shares, strict=True):
        shown = escaped(word)
        yield f'<b title="{shown}" style="left:{share:.2%};max-width:{widest:.0%}">{shown}</b>'


def _apart(at: FloatArray, low: float, high: float) -> FloatArray:
    """The first, the last, and those between that leave room."""
    room, kept = APART * (high - low), [at[0]]
    for place in at[1:-1]:
        if place - kept[-1] >= room and high - place >= room:
            kept.append(place)
    return np.array([*kept, at[-1]])
