"""Dimensions as anchors on a circle, objects between them; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.figures import TRANSPARENT, Ink, as_text, clouds
from cml_app.pictures.map_labels import names_of_all
from cml_core import Feature
from cml_core.peers import RoundACircle
from cml_core.values.arrays import FloatArray

# Room for the names of the anchors, as a share of the circle.
AROUND = 1.22
NAME_AT = 1.1


def circle_map(
    labels: Sequence[str], seen: RoundACircle, colour: Feature | None, ink: Ink, height: int
) -> go.Figure:
    """The circle with its anchors, and the objects, equally scaled both ways."""
    objects = [
        go.Scatter(
            x=seen.places[these, 0],
            y=seen.places[these, 1],
            name=as_text(name),
            hovertext=[as_text(labels[i]) for i in these],
            mode="markers",
            marker={**marker, "size": 8},
            hovertemplate="%{hovertext}<extra></extra>",
            showlegend=bool(name),
        )
        for name, these, marker in clouds(len(labels), colour, ink)
    ]
    reach = max(AROUND, 1.1 * float(np.abs(seen.places).max()))
    names = names_of_all(labels, seen.places, (np.zeros(2), reach), ink)
    figure = go.Figure([*_circle(seen.anchors, ink), *objects, *names])
    axis = {"visible": False, "range": [-reach, reach], "fixedrange": True}
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis, scaleanchor="x")
    return figure.update_layout(
        height=height,
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        paper_bgcolor=TRANSPARENT,
        plot_bgcolor=TRANSPARENT,
        font={"color": ink.text},
        legend={"orientation": "h", "y": 0.0},
        dragmode=False,
    )


def _circle(anchors: FloatArray, ink: Ink) -> list[go.Scatter]:
    """The circle, a spoke to each anchor, and what the anchors are called."""
    turns = np.linspace(0, 2 * np.pi, 181)
    plain = {"mode": "lines", "hoverinfo": "skip", "showlegend": False}
    line = {"color": ink.line, "width": 1}
    around = go.Scatter(x=np.cos(turns), y=np.sin(turns), line=line, **plain)
    spokes = [go.Scatter(x=[0.0, x], y=[0.0, y], line=line, **plain) for x, y in anchors]
    names = go.Scatter(
        x=NAME_AT * anchors[:, 0],
        y=NAME_AT * anchors[:, 1],
        text=[f"<b>{k}</b>" for k in range(1, len(anchors) + 1)],
        hovertext=[f"Dimension {k}: high values lie here" for k in range(1, len(anchors) + 1)],
        mode="text",
        textfont={"color": ink.text, "size": 15},
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    return [around, *spokes, names]
