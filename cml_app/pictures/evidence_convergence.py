"""What was left unexplained on the way to a map; nothing here knows Streamlit."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Any

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.evidence_figures import PERCENT, SECOND, TOLD, dressed
from cml_app.pictures.figures import Ink
from cml_core.evidence.convergence import Convergence
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted, percent, unbroken

HEIGHT = 320
# From this ratio of start and end on, the way is drawn on a scale of ratios.
STEEP = 5


def stress_path(found: Convergence, ink: Ink) -> go.Figure:
    """The share unexplained after every step."""
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
    figure.update_yaxes(title_text="Unexplained", **_scale(100 * found.path))
    return figure


def _scale(shares: FloatArray) -> dict[str, Any]:
    """Ratios where they are large; a map that fits exactly has no logarithm."""
    low, high = float(shares.min()), float(shares.max())
    if not low > 0 or high < STEEP * low:
        return {**PERCENT, "tickformat": "~g"}
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    ticks = [part * 10.0**power for power in powers for part in (1, 2, 5)]
    shown = [tick for tick in ticks if low / 2 <= tick <= 2 * high]
    texts = [unbroken(f"{tick:g} %") for tick in shown]
    return {"type": "log", "tickvals": shown, "ticktext": texts}
