"""Everyone's arrow on one map, once a puzzle is closed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.figures import TRANSPARENT, Ink, as_text
from cml_core.puzzles.scatter import Scatter
from cml_core.values.arrays import FloatArray

# Arrows begin in the middle and reach so far, as a share of the furthest object.
REACH = 0.95
# Around what is drawn, as a share of its width.
ROOM = 0.05


def arrows_of_class(
    labels: Sequence[str], points: FloatArray, scatter: Scatter, ink: Ink
) -> go.Figure:
    """The map, the arrow of what was hidden, and thinner ones of everyone who told it."""
    middle = points.mean(axis=0)
    reach = REACH * float(np.linalg.norm(points - middle, axis=1).max())
    objects = go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        marker={"color": ink.line, "size": 8},
        hovertext=[as_text(label) for label in labels],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    figure = go.Figure(objects)
    for arrow in scatter.arrows:
        _arrow(figure, middle, middle + reach * arrow, ink.point, 1.5)
    _arrow(figure, middle, middle + reach * scatter.truth, ink.text, 4)
    tips = middle + reach * np.vstack([scatter.arrows, scatter.truth])
    seen = np.vstack([points, tips])
    room = ROOM * np.ptp(seen, axis=0).max()
    ends = np.column_stack([seen.min(axis=0) - room, seen.max(axis=0) + room])
    figure.update_xaxes(visible=False, range=ends[0], fixedrange=True)
    figure.update_yaxes(visible=False, range=ends[1], fixedrange=True)
    figure.update_yaxes(scaleanchor="x")
    return figure.update_layout(
        height=360,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        showlegend=False,
        paper_bgcolor=TRANSPARENT,
        plot_bgcolor=TRANSPARENT,
        font={"color": ink.text},
        dragmode=False,
    )


def _arrow(figure: go.Figure, tail: FloatArray, tip: FloatArray, colour: str, width: float) -> None:
    figure.add_annotation(
        x=tip[0],
        y=tip[1],
        ax=tail[0],
        ay=tail[1],
        xref="x",
        yref="y",
        axref="x",
        ayref="y",
        text="",
        showarrow=True,
        arrowhead=3,
        arrowwidth=width,
        arrowcolor=colour,
    )
