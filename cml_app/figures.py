"""Results become Plotly figures; nothing here knows Streamlit."""

from __future__ import annotations

import plotly.graph_objects as go

from cml_core import Fit


def plain_map(fit: Fit) -> go.Figure:
    """The first two hidden dimensions, equally scaled, each object by name."""
    points = go.Scatter(
        x=fit.embedding[:, 0],
        y=fit.embedding[:, 1],
        text=list(fit.labels),
        mode="markers+text",
        textposition="top center",
        hovertemplate="%{text}<extra></extra>",
    )
    figure = go.Figure(points)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False, scaleanchor="x")
    figure.update_layout(height=640, margin={"l": 0, "r": 0, "t": 0, "b": 0}, showlegend=False)
    return figure
