"""What the lessons from the sixth on show, as Plotly figures; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.evidence_figures import SECOND, dressed
from cml_app.pictures.figures import TRANSPARENT, Ink
from cml_core.lessons.filling_in import FilledIn
from cml_core.lessons.not_proof import LineUp
from cml_core.lessons.surface import Unrolled
from cml_core.values.arrays import FloatArray, IntArray

SIDE_BY_SIDE = 380
_SHORT = "#e03131"
_EYE = {"x": 0.9, "y": 1.75, "z": 0.55}
_NO_MARGIN = {"l": 0, "r": 0, "t": 0, "b": 0}


def roll(found: Unrolled, ink: Ink) -> go.Figure:
    """The points in space with their graph, short-cuts in red; to be turned."""
    points, edges = found.roll.points, found.edges
    figure = go.Figure(
        [
            _lines(points, edges[~found.short], ink.line, 1.5, "edges"),
            _lines(points, edges[found.short], _SHORT, 7.0, "short-cuts"),
            go.Scatter3d(
                x=points[:, 0],
                y=points[:, 1],
                z=points[:, 2],
                mode="markers",
                marker={"size": 3, "color": found.roll.angle, "colorscale": "Viridis"},
                hoverinfo="skip",
                showlegend=False,
            ),
        ]
    )
    figure.update_scenes(
        aspectmode="data", camera_eye=_EYE, **dict.fromkeys(("xaxis", "yaxis", "zaxis"), _HIDDEN)
    )
    return figure.update_layout(
        height=SIDE_BY_SIDE,
        margin=_NO_MARGIN,
        paper_bgcolor=TRANSPARENT,
        showlegend=False,
        # Whoever has turned the roll keeps it turned.
        uirevision="roll",
    )


_HIDDEN = {"visible": False}


def _lines(points: FloatArray, edges: IntArray, colour: str, width: float, name: str) -> go.Figure:
    x, y, z = (_broken(points[:, k], edges) for k in range(3))
    line = {"color": colour, "width": width}
    return go.Scatter3d(x=x, y=y, z=z, mode="lines", line=line, hoverinfo="skip", name=name)


def _broken(values: FloatArray, edges: IntArray) -> FloatArray:
    """Beginnings and ends of lines, with a gap after each."""
    ends = np.column_stack([values[edges[:, 0]], values[edges[:, 1]], np.full(len(edges), np.nan)])
    flat: FloatArray = ends.ravel()
    return flat


def flat_sheet(found: Unrolled, ink: Ink) -> go.Figure:
    """The map, coloured along the spiral; both ways are equally scaled."""
    dots = go.Scatter(
        x=found.places[:, 0],
        y=found.places[:, 1],
        mode="markers",
        marker={"size": 6, "color": found.roll.angle, "colorscale": "Viridis"},
        hoverinfo="skip",
    )
    figure = dressed(go.Figure(dots), ink, SIDE_BY_SIDE)
    figure.update_xaxes(visible=False, fixedrange=True)
    return figure.update_yaxes(visible=False, fixedrange=True, scaleanchor="x")


def stress_strip(found: LineUp, ink: Ink) -> go.Figure:
    """All stresses on one line, the real one marked."""
    heights = np.zeros(len(found.stress))
    real = found.real
    traces = list(_strip(found.stress, heights, real, ink))
    figure = dressed(go.Figure(traces), ink, 150)
    figure.update_xaxes(title_text="Stress", fixedrange=True)
    return figure.update_yaxes(visible=False, range=[-1, 1], fixedrange=True)


def _strip(stress: FloatArray, heights: FloatArray, real: int, ink: Ink) -> Iterator[go.Scatter]:
    others = np.arange(len(stress)) != real
    marker = {"symbol": "line-ns", "size": 26, "line": {"width": 2, "color": ink.text}}
    yield go.Scatter(
        x=stress[others],
        y=heights[others],
        mode="markers",
        marker=marker,
        name="Shuffled",
        hovertemplate="%{x:.4f}<extra></extra>",
    )
    yield go.Scatter(
        x=[stress[real]],
        y=[0.0],
        mode="markers",
        marker={"size": 15, "color": SECOND, "symbol": "diamond"},
        name="Real",
        hovertemplate="%{x:.4f}<extra></extra>",
    )


def main_axes(found: FilledIn, ink: Ink) -> go.Figure:
    """The share of the table along each axis; what is negative cannot be drawn."""
    count = len(found.axes)
    colours = [ink.point if k < 2 else ink.line for k in range(count)]
    bars = go.Bar(
        x=list(range(1, count + 1)),
        y=100 * found.axes,
        marker_color=colours,
        hovertemplate="axis %{x}: %{y:.1f} %<extra></extra>",
    )
    figure = dressed(go.Figure(bars), ink, 170)
    figure.update_xaxes(title_text="Axis", dtick=1, showgrid=False, fixedrange=True)
    return figure.update_yaxes(ticksuffix=" %", nticks=4, fixedrange=True)
