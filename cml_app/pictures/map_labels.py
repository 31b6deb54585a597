"""Names on flat maps that Plotly draws; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.figures import ONE_SPOT, TRANSPARENT, Ink, as_text
from cml_core.report.label_places import FARTHER, Label, Paper, placed_labels
from cml_core.values.arrays import FloatArray

# The middle of a map, and half the width of the square around it.
Window = tuple[FloatArray, float]

# How wide a point and the ring around one are, in pixels, and a small map.
POINT, RING, SMALL_MAP = 9, 20, 250
# A picture may be as narrow as on a telephone; its size is not known when it is drawn.
NARROWEST = 330
PAPER = Paper(
    side=NARROWEST,
    point=POINT / 2,
    spot=ONE_SPOT * NARROWEST / 2,
    letter=6.2,
    most_letters=28,
    may_cover=True,
)
SMALL_PAPER = replace(PAPER, side=SMALL_MAP, point=RING / 2, spot=ONE_SPOT * SMALL_MAP / 2)
# Of more objects, no lines lead to labels that find no room beside theirs.
MOST_LED_TO = 40


def names_of_all(
    labels: Sequence[str], places: FloatArray, window: Window, ink: Ink
) -> list[go.Scatter]:
    """Labels where there is room for them, and lines to those that lie away from their object."""
    paper = replace(PAPER, farther=FARTHER) if len(labels) <= MOST_LED_TO else PAPER
    middle, half = window
    unit = 2 * half / paper.side
    found = placed_labels(labels, (places - middle) / unit, paper)
    at = [places[one.place] + np.multiply(one.away, unit) for one in found]
    leads = [
        np.vstack([places[one.place], end, [np.nan, np.nan]])
        for one, end in zip(found, at, strict=True)
        if any(one.away)
    ]
    texts = _texts(found, np.array(at).reshape(-1, 2), ink, POINT)
    return [texts, _leaders(np.vstack(leads), ink)] if leads else [texts]


def names_in_rings(
    labels: Sequence[str], places: FloatArray, window: Window, ink: Ink, ringed: Sequence[int]
) -> go.Scatter:
    """The names of those objects of a small map that have rings around them."""
    middle, half = window
    pixels = (places - middle) * SMALL_MAP / (2 * half)
    those = list(ringed)
    rest = np.delete(pixels, those, axis=0)
    found = placed_labels([labels[i] for i in those], pixels[those], SMALL_PAPER, unnamed=rest)
    return _texts(found, places[[those[one.place] for one in found]], ink, RING)


def _leaders(path: FloatArray, ink: Ink) -> go.Scatter:
    return go.Scatter(
        x=path[:, 0],
        y=path[:, 1],
        mode="lines",
        line={"color": ink.text, "width": 0.8},
        showlegend=False,
        hoverinfo="skip",
    )


def _texts(found: Sequence[Label], at: FloatArray, ink: Ink, size: float) -> go.Scatter:
    return go.Scatter(
        x=at[:, 0],
        y=at[:, 1],
        text=[as_text(one.text) for one in found],
        textposition=[one.position for one in found],
        mode="markers+text",
        # Unseen, but Plotly keeps texts off them.
        marker={"size": size, "color": TRANSPARENT},
        textfont={"color": ink.text, "size": 12},
        cliponaxis=False,
        showlegend=False,
        hoverinfo="skip",
    )
