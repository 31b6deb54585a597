"""Flat maps with what was found drawn on them; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from cml_app.palettes import palette_of
from cml_app.pictures.evidence_figures import SECOND, dressed
from cml_app.pictures.evidence_pairs import PairLines
from cml_app.pictures.figures import Ink, as_text, clouds
from cml_app.pictures.map_labels import POINT, RING, SMALL_MAP, names_in_rings, names_of_all
from cml_core import Feature
from cml_core.evidence.surface import Surface
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.words import value_in_words

MAP_HEIGHT = 420
# For a scale below a map, or what colours mean above it.
KEY_HEIGHT = 44
# Of a map that is a line: between rows, of all of them, and between names, in pixels.
ROW, LEAST_ROWS, MOST_ROWS, LINE_HEIGHT = 24, 160, 900, 16
MOST_LETTERS = 22
INTERVAL = 4
# Around everything on a map, as a share of its half width: room for labels.
ROOM = 0.24
# More points than this are small ones.
MANY, SMALL_POINT = 300, 6
# Half a map's width is one; an arrow is a little shorter.
ARROW_LENGTH = 0.85
# At most.
CONTOURS = 12
_PLAIN_AXIS = {
    "showgrid": False,
    "showline": False,
    "showticklabels": False,
    "ticks": "",
    "title": None,
    "constrain": "domain",
}


def evidence_map(
    labels: Sequence[str],
    places: FloatArray,
    ink: Ink,
    *,
    colour: Feature | None = None,
    lines: PairLines | None = None,
    ellipses: FloatArray | None = None,
    arrow: FloatArray | None = None,
    surface: Surface | None = None,
    highlight: Sequence[int] = (),
) -> go.Figure:
    """The flat map with equal scales, and whatever is to be seen on it.

    Parameters
    ----------
    places : (N, 2).
    colour : by which objects are told apart.
    lines : pairs that are joined.
    ellipses : (N, M, 2) outlines.
    arrow : (2,), a direction from the middle.
    surface : its contours.
    highlight : objects with a ring around them.
    """
    window, flat = _window(places, ellipses), _is_flat(places, ellipses)
    if flat:
        window, places, ellipses = _upon_rows(window, places, ellipses)
    figure = go.Figure()
    if surface is not None:
        figure.add_trace(_contours(surface, ink))
    if ellipses is not None:
        figure.add_trace(_outlines(ellipses, ink, INTERVAL if flat else 1))
    if lines is not None:
        figure.add_traces(_joined(places, lines, ink))
    figure.add_traces(_points(labels, places, colour, ink))
    if len(highlight):
        figure.add_trace(_rings(places[list(highlight)], ink.text))
    if arrow is not None and arrow.any():
        _add_arrow(figure, *window, arrow)
    if flat:
        _with_rows(figure, labels, places[:, 1], window, ink)
    else:
        figure.add_traces(names_of_all(labels, places, window, ink))
        _square(figure, window, ink)
    keys = (colour is not None) + (lines is not None)
    return figure.update_layout(height=figure.layout.height + KEY_HEIGHT * keys)


def _window(places: FloatArray, ellipses: FloatArray | None) -> tuple[FloatArray, float]:
    """The middle and half the width of a square around everything."""
    shown = places if ellipses is None else np.vstack([places, ellipses.reshape(-1, 2)])
    low, high = np.nanmin(shown, axis=0), np.nanmax(shown, axis=0)
    half = 0.5 * float((high - low).max()) or 1.0
    return (low + high) / 2, half * (1 + ROOM)


def _is_flat(places: FloatArray, ellipses: FloatArray | None) -> bool:
    """Whether the map is a line."""
    return not np.ptp(places[:, 1]) and (ellipses is None or not np.ptp(ellipses[..., 1]))


def _square(figure: go.Figure, window: tuple[FloatArray, float], ink: Ink) -> go.Figure:
    middle, half = window
    dressed(figure, ink, MAP_HEIGHT)
    figure.update_xaxes(range=[middle[0] - half, middle[0] + half], **_PLAIN_AXIS)
    figure.update_yaxes(range=[middle[1] - half, middle[1] + half], **_PLAIN_AXIS)
    figure.update_yaxes(scaleanchor="x")
    figure.update_layout(margin={"l": 2, "r": 2, "t": 2, "b": 2})
    return figure


def _rows_of(places: FloatArray) -> FloatArray:
    """(N,) the row of each object of a map that is a line, counted from the left."""
    return np.argsort(np.argsort(places[:, 0], kind="stable"), kind="stable").astype(np.float64)


def _upon_rows(
    window: tuple[FloatArray, float], places: FloatArray, ellipses: FloatArray | None
) -> tuple[tuple[FloatArray, float], FloatArray, FloatArray | None]:
    """A map that is a line, its window and outlines, with each object on a row of its own."""
    rows = _rows_of(places)
    downwards = np.column_stack([np.zeros(rows.size), rows])
    moved = None if ellipses is None else ellipses + downwards[:, None]
    return (window[0] + [0, rows.mean()], window[1]), places + downwards, moved


def _with_rows(
    figure: go.Figure,
    labels: Sequence[str],
    rows: FloatArray,
    window: tuple[FloatArray, float],
    ink: Ink,
) -> go.Figure:
    """A name beside each row, the first on top; of many, every so-manieth."""
    (middle, _), half = window
    dressed(figure, ink, int(np.clip(ROW * len(labels) + 20, LEAST_ROWS, MOST_ROWS)))
    order = np.argsort(rows)
    named = order[:: -(-len(labels) * LINE_HEIGHT // (figure.layout.height - 20))]
    figure.update_xaxes(range=[middle - half, middle + half], **_PLAIN_AXIS)
    figure.update_yaxes(
        range=[len(labels) - 0.5, -0.5],
        tickvals=rows[named],
        ticktext=[as_text(_cut(labels[i])) for i in named],
        tickfont_size=12,
    )
    return figure.update_layout(margin={"l": 2, "r": 2, "t": 2, "b": 2})


def _cut(label: str) -> str:
    return label if len(label) <= MOST_LETTERS else f"{label[: MOST_LETTERS - 1]}…"


def _points(
    labels: Sequence[str], places: FloatArray, colour: Feature | None, ink: Ink
) -> list[go.Scatter]:
    """Objects; those of one category are one trace."""
    told = _told(labels, colour)
    size = POINT if len(labels) <= MANY else SMALL_POINT
    return [
        go.Scatter(
            x=places[these, 0],
            y=places[these, 1],
            name=as_text(name),
            text=[told[i] for i in these],
            mode="markers",
            marker=_flat_look(look, colour, ink) | {"size": size},
            showlegend=bool(name),
            hovertemplate="%{text}<extra></extra>",
        )
        for name, these, look in clouds(len(labels), colour, ink)
    ]


def _told(labels: Sequence[str], colour: Feature | None) -> list[str]:
    """Of each object its name, and the value by which it is coloured."""
    if colour is None:
        return [as_text(label) for label in labels]
    values = colour.shown()
    return [
        f"{as_text(one)}: {as_text(value_in_words(v))}"
        for one, v in zip(labels, values, strict=True)
    ]


def _flat_look(look: dict[str, Any], colour: Feature | None, ink: Ink) -> dict[str, Any]:
    """What differs from a map in space: the scale is below, and that of angles a circle."""
    if "colorbar" not in look:
        return look
    assert colour is not None
    bar = look["colorbar"] | {
        "orientation": "h",
        "title": {"text": as_text(colour.name), "side": "bottom", "font": {"size": 13}},
        "thickness": 10,
        "y": -0.01,
        "yanchor": "top",
        "nticks": 5,
    }
    # The ends of a scale are as dark or as light as a page.
    rim = {"color": ink.text, "width": 1}
    return look | {"colorbar": bar, "colorscale": palette_of(colour).scale, "line": rim}


def _outlines(ellipses: FloatArray, ink: Ink, width: int) -> go.Scatter:
    """All ellipses as one trace, with a gap after each."""
    gaps = np.full((ellipses.shape[0], 1, 2), np.nan)
    path = np.concatenate([ellipses, gaps], axis=1).reshape(-1, 2)
    return go.Scatter(
        x=path[:, 0],
        y=path[:, 1],
        mode="lines",
        fill="toself",
        fillcolor="rgba(128,128,128,0.12)",
        line={"color": ink.point, "width": width},
        showlegend=False,
        hoverinfo="skip",
    )


def _joined(places: FloatArray, lines: PairLines, ink: Ink) -> list[go.Scatter]:
    """The pairs that are too near and those too far apart, told apart by colour and dash."""
    return [
        go.Scatter(
            x=path[:, 0],
            y=path[:, 1],
            name=name,
            mode="lines",
            line={"color": colour, "dash": dash, "width": 1.6},
            hoverinfo="skip",
        )
        for name, path, colour, dash in (
            ("Fitted too near", _path(places, lines.pairs[lines.too_near]), SECOND, "solid"),
            ("Fitted too far apart", _path(places, lines.pairs[~lines.too_near]), ink.point, "dot"),
        )
        if path.size
    ]


def _path(places: FloatArray, pairs: IntArray) -> FloatArray:
    gaps = np.full((pairs.shape[0], 1, 2), np.nan)
    path: FloatArray = np.concatenate([places[pairs], gaps], axis=1).reshape(-1, 2)
    return path


def _rings(places: FloatArray, colour: str) -> go.Scatter:
    return go.Scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="markers",
        marker={"size": RING, "symbol": "circle-open", "color": colour, "line": {"width": 2}},
        showlegend=False,
        hoverinfo="skip",
    )


def _contours(surface: Surface, ink: Ink) -> go.Contour:
    return go.Contour(
        x=surface.x,
        y=surface.y,
        z=surface.height,
        ncontours=CONTOURS,
        contours={"coloring": "none"},
        line={"color": ink.point, "width": 1.2},
        showscale=False,
        showlegend=False,
        hoverinfo="skip",
    )


def _add_arrow(figure: go.Figure, middle: FloatArray, half: float, arrow: FloatArray) -> None:
    """Across the map, through its middle."""
    reach = ARROW_LENGTH * half * arrow / np.linalg.norm(arrow)
    tail, tip = middle - reach, middle + reach
    figure.add_annotation(
        x=tip[0],
        y=tip[1],
        ax=tail[0],
        ay=tail[1],
        xref="x",
        yref="y",
        axref="x",
        ayref="y",
        showarrow=True,
        arrowhead=2,
        arrowsize=1.2,
        arrowwidth=2,
        arrowcolor=SECOND,
        text="",
    )


def half_width(maps: Sequence[FloatArray]) -> float:
    """Half the side of a square that holds each of these maps, so that one scale serves all."""
    return max(_window(places, None)[1] for places in maps)


def in_rows(maps: Sequence[FloatArray]) -> list[FloatArray]:
    """Maps that are lines, with a row for each object in the order of the first of them.

    Parameters
    ----------
    maps : (N, 2) each; those of two dimensions stay as they are.
    """
    if any(np.ptp(places[:, 1]) for places in maps):
        return list(maps)
    rows, half = _rows_of(maps[0]), half_width(maps) / (1 + ROOM)
    upwards = half * (1 - 2 * rows / max(len(rows) - 1, 1))
    return [np.column_stack([places[:, 0], upwards]) for places in maps]


def small_map(
    labels: Sequence[str], places: FloatArray, half: float, ink: Ink, moved: Sequence[int] = ()
) -> go.Figure:
    """One of several maps side by side, with rings around what lies elsewhere and its names.

    Parameters
    ----------
    places : (N, 2).
    half : half the side of the square that is shown.
    moved : the objects that lie elsewhere.
    """
    window = _window(places, None)[0], half
    figure = go.Figure(_points(labels, places, None, ink))
    if len(moved):
        figure.add_trace(_rings(places[list(moved)], SECOND))
        figure.add_trace(names_in_rings(labels, places, window, ink, moved))
    _square(figure, window, ink)
    framed = {"showline": True, "mirror": True, "linecolor": ink.line}
    figure.update_xaxes(**framed)
    figure.update_yaxes(**framed)
    figure.update_layout(height=SMALL_MAP)
    return figure
