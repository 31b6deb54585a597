"""Results become Plotly figures; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cml_core import Feature
from cml_core.arrays import FloatArray

ACCENT = "#0b7285"
_PLAIN = {"l": 0, "r": 0, "t": 0, "b": 0}


def solid_map(labels: Sequence[str], embedding: FloatArray, colour: Feature | None) -> go.Figure:
    """The first three hidden dimensions, equally scaled, to be turned."""
    x, y, z = embedding[:, :3].T
    marker: dict[str, object] = {"size": 4, "color": ACCENT}
    if colour is not None:
        marker |= {"color": colour.values, "colorscale": "Viridis", "showscale": True}
    points = go.Scatter3d(
        x=x,
        y=y,
        z=z,
        text=[_shown(label) for label in labels],
        mode="markers+text" if len(labels) <= 100 else "markers",
        marker=marker,
        hovertemplate="%{text}<extra></extra>",
    )
    figure = go.Figure(points)
    figure.update_scenes(aspectmode="data")
    figure.update_layout(height=600, margin=_PLAIN, showlegend=False, paper_bgcolor="rgba(0,0,0,0)")
    return figure


def strip(labels: Sequence[str], feature: Feature) -> go.Figure:
    """Objects along a line by their value; equal values are stacked."""
    present = ~feature.missing
    values = feature.values[present]
    heights = _stacked(values)
    points = go.Scatter(
        x=values,
        y=heights,
        text=[_shown(label) for label, here in zip(labels, present, strict=True) if here],
        mode="markers",
        marker={"size": 8, "color": ACCENT, "opacity": 0.75},
        hovertemplate="%{text}: %{x:.4g}<extra></extra>",
    )
    figure = go.Figure(points)
    figure.update_yaxes(visible=False, range=[-1, max(4.0, float(heights.max(initial=0)) + 1)])
    figure.update_xaxes(showgrid=False, zeroline=False, showline=True)
    if feature.levels:
        figure.update_xaxes(
            tickvals=list(range(len(feature.levels))),
            ticktext=[_shown(level) for level in feature.levels],
        )
    transparent = "rgba(0,0,0,0)"
    figure.update_layout(
        height=84,
        margin={"l": 4, "r": 4, "t": 2, "b": 20},
        paper_bgcolor=transparent,
        plot_bgcolor=transparent,
        dragmode=False,
    )
    return figure


def _stacked(values: FloatArray) -> FloatArray:
    """How many objects with about the same value came before each."""
    if not values.size:
        return np.zeros(0)
    bins = np.round(values / max(float(np.ptp(values)), 1e-300) * 60)
    seen: dict[float, int] = {}
    heights = np.zeros(values.size)
    for i, place in enumerate(bins):
        heights[i] = seen.get(float(place), 0)
        seen[float(place)] = seen.get(float(place), 0) + 1
    return heights


def _shown(text: str) -> str:
    """Plotly reads a subset of HTML in texts; a label is none."""
    return text.replace("&", "&amp;").replace("<", "&lt;")[:80]
