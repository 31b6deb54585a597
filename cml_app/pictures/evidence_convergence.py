"""What was left unexplained on the way to a map; nothing here knows Streamlit."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.evidence_figures import PERCENT, SECOND, TOLD, dressed
from cml_app.pictures.figures import Ink
from cml_core.evidence.convergence import Convergence
from cml_core.values.words import counted, percent, unbroken

HEIGHT = 320


def stress_path(found: Convergence, ink: Ink) -> go.Figure:
    """The share unexplained after every step, on a scale of ratios: a tenth is one way down."""
    steps = np.arange(found.path.size)
    told = [
        unbroken(f"{percent(float(share), decimals=2)} after {counted(int(step), 'step')}")
        for step, share in zip(steps, found.path, strict=True)
    ]
    there = found.nearly_there
    line = go.Scatter(
        x=steps,
        y=100 * found.path,
        customdata=told,
        name="The best run",
        mode="lines",
        line={"color": ink.point, "width": 2},
        hovertemplate=f"{TOLD}<extra></extra>",
    )
    mark = go.Scatter(
        x=steps[there : there + 1],
        y=100 * found.path[there : there + 1],
        customdata=told[there : there + 1],
        name="Less than 1 % above the end",
        mode="markers",
        marker={"size": 11, "color": SECOND},
        hovertemplate=f"{TOLD}<extra></extra>",
    )
    figure = dressed(go.Figure([line, mark]), ink, HEIGHT)
    figure.update_xaxes(title_text="Steps", rangemode="tozero")
    # A map that fits exactly has no logarithm.
    scale = "log" if found.path[-1] > 0 else "linear"
    figure.update_yaxes(title_text="Unexplained", type=scale, **PERCENT)
    return figure
