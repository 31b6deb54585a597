"""Results become Plotly figures; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from cml_app.palettes import palette_of, told_apart
from cml_core import Feature
from cml_core.report.label_places import spots_of
from cml_core.values.arrays import FloatArray, IntArray

MOST_TEXTS = 100
# A heat map of more rows than this is drawn in blocks, and of fewer than that with names.
MOST_CELLS_ACROSS = 150
MOST_ROW_NAMES = 40
MOST_TICK_LETTERS = 16
# As a share of the map's width: objects as near as this are one spot to the eye.
ONE_SPOT = 0.04
_PLAIN = {"l": 0, "r": 0, "t": 0, "b": 0}
# A little further off than usual, so that labels at the edge are not cut.
_EYE = {"x": 1.45, "y": 1.45, "z": 1.1}
TRANSPARENT = "rgba(0,0,0,0)"
# Okabe and Ito (2008), as on the flat map: people with any colour vision tell them apart.
OKABE_ITO = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#8a8a8a",
)  # fmt: skip
_SYMBOLS = ("circle", "square", "diamond", "cross")


@dataclass(frozen=True)
class Ink:
    """What a figure on a transparent ground is drawn with."""

    text: str
    line: str
    point: str


def ink(dark: bool) -> Ink:
    """Colours that can be read on a dark page or on a light one."""
    if dark:
        return Ink(text="#d5d3ce", line="#55534e", point="#3bc9db")
    return Ink(text="#45433f", line="#cfcdc8", point="#0b7285")


def solid_map(
    labels: Sequence[str], embedding: FloatArray, colour: Feature | None, ink: Ink, height: int
) -> go.Figure:
    """The first three hidden dimensions, equally scaled, to be turned."""
    texts = spot_texts(labels, embedding[:, :3])
    scatters = [
        go.Scatter3d(
            x=embedding[these, 0],
            y=embedding[these, 1],
            z=embedding[these, 2],
            name=as_text(name),
            text=[texts[i] for i in these],
            hovertext=[as_text(labels[i]) for i in these],
            mode="markers+text" if len(labels) <= MOST_TEXTS else "markers",
            marker=marker,
            textfont={"color": ink.text, "size": 12},
            hovertemplate="%{hovertext}<extra></extra>",
        )
        for name, these, marker in clouds(len(labels), colour, ink)
    ]
    figure = go.Figure(scatters)
    axis = {
        "showticklabels": False,
        "showbackground": False,
        "gridcolor": ink.line,
        "zerolinecolor": ink.line,
        "showspikes": False,
    }
    axes = {f"{name}axis": axis | {"title": {"text": str(k)}} for k, name in enumerate("xyz", 1)}
    figure.update_scenes(aspectmode="data", camera_eye=_EYE, **axes)
    figure.update_layout(
        height=height,
        margin=_PLAIN,
        showlegend=len(scatters) > 1,
        paper_bgcolor=TRANSPARENT,
        font={"color": ink.text},
        modebar={"bgcolor": TRANSPARENT, "color": ink.text, "activecolor": ink.point},
    )
    return figure


def clouds(
    n_objects: int, colour: Feature | None, ink: Ink
) -> Iterator[tuple[str, IntArray, dict[str, object]]]:
    """Objects that are drawn alike: their name, their places, their marker."""
    if colour is None or not palette_of(colour).has_levels:
        yield "", np.arange(n_objects), _marker(colour, ink)
        return
    shown = told_apart(colour)
    for code, level in enumerate(shown.levels):
        fill, symbol = OKABE_ITO[code % len(OKABE_ITO)], _SYMBOLS[code // len(OKABE_ITO) % 4]
        look: dict[str, object] = {"size": 5, "color": fill, "symbol": symbol}
        if shown.more and level is shown.levels[-1]:
            look = {"size": 5, "color": ink.line, "symbol": "circle"}
        yield level, np.flatnonzero(shown.values == code), look
    if colour.missing.any():
        yield "not known", np.flatnonzero(colour.missing), {"size": 5, "color": ink.line}


def _marker(colour: Feature | None, ink: Ink) -> dict[str, object]:
    if colour is None:
        return {"size": 5, "color": ink.point}
    bar: dict[str, object] = {"title": {"text": as_text(colour.name)}, "thickness": 12, "len": 0.6}
    if colour.levels:
        bar |= _level_ticks(colour)
    return {
        "size": 5,
        "color": colour.values,
        "colorscale": "Viridis",
        "showscale": True,
        "colorbar": bar,
    }


def spot_texts(labels: Sequence[str], places: FloatArray) -> list[str]:
    """One text for each spot: objects that coincide share it."""
    if len(labels) > MOST_TEXTS:
        return [""] * len(labels)
    near = ONE_SPOT * float(np.ptp(places, axis=0).max())
    texts = [""] * len(labels)
    for spot in spots_of(places, near):
        texts[spot[0]] = " · ".join(as_text(labels[i]) for i in spot)
    return texts


def _level_ticks(feature: Feature) -> dict[str, object]:
    return {
        "tickvals": list(range(len(feature.levels))),
        "ticktext": [as_text(level) for level in feature.levels],
    }


def heat_map(labels: Sequence[str], square: FloatArray, ink: Ink, what: str) -> go.Figure:
    """A square table as colours, in the order given; of many objects, means of blocks.

    Parameters
    ----------
    labels : of rows and columns.
    square : (N, N); NaN stays empty.
    what : what a value is, for the colour bar.
    """
    shown, names = _in_blocks(square, list(labels))
    places = list(range(len(names)))
    texts = [as_text(name) for name in names]
    cells = go.Heatmap(
        x=places,
        y=places,
        z=shown,
        colorscale="Viridis",
        customdata=[[f"{row} – {column}" for column in texts] for row in texts],
        hovertemplate="%{customdata}: %{z:.4g}<extra></extra>",
        colorbar={"title": {"text": what}, "thickness": 12},
    )
    figure = go.Figure(cells)
    few = len(names) <= MOST_ROW_NAMES
    axis = {
        "tickvals": places if few else [],
        "ticktext": [text[:MOST_TICK_LETTERS] for text in texts] if few else [],
        "showgrid": False,
        "zeroline": False,
        "constrain": "domain",
    }
    figure.update_xaxes(**axis, tickangle=-60)
    figure.update_yaxes(**axis, autorange="reversed", scaleanchor="x")
    # On the page's own ground, with nothing to be dragged.
    return figure.update_layout(
        height=420,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        paper_bgcolor=TRANSPARENT,
        plot_bgcolor=TRANSPARENT,
        font={"color": ink.text},
        dragmode=False,
    )


def _in_blocks(square: FloatArray, names: list[str]) -> tuple[FloatArray, list[str]]:
    """A table small enough to be drawn: where it is larger, means over blocks of neighbours."""
    n = len(names)
    if n <= MOST_CELLS_ACROSS:
        return square, names
    bounds = np.linspace(0, n, MOST_CELLS_ACROSS + 1).astype(int)
    present = ~np.isnan(square)
    totals, counts = (
        np.add.reduceat(np.add.reduceat(part, bounds[:-1], axis=0), bounds[:-1], axis=1)
        for part in (np.where(present, square, 0.0), present.astype(float))
    )
    means: FloatArray = np.where(counts > 0, totals / np.maximum(counts, 1.0), np.nan)
    blocks = pairwise(bounds)
    return means, [f"{names[a]} … {names[b - 1]}" if b - a > 1 else names[a] for a, b in blocks]


def as_text(text: str) -> str:
    """Plotly reads a subset of HTML in texts; a label is none."""
    return text.replace("&", "&amp;").replace("<", "&lt;")[:80]
