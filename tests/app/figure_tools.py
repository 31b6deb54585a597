"""What tests of figures share."""

from __future__ import annotations

import plotly.graph_objects as go

from cml_app.pictures import figures

INK = figures.ink(dark=False)


def named(figure: go.Figure, name: str) -> go.Scatter:
    return next(trace for trace in figure.data if trace.name == name)
