"""Figures of the lessons; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from cml_app.pictures.figures import TRANSPARENT, Ink
from cml_core.evidence.feature_help import FeatureHelp
from cml_core.values.arrays import FloatArray, RealArray, Value

_SMALL = {"l": 8, "r": 8, "t": 28, "b": 34}
# Beside a scale that has numbers.
_SCALED = {"l": 52, "r": 8, "t": 8, "b": 36}
_WORSE = "#d55e00"


@dataclass(frozen=True, eq=False)
class Drawn(Value):
    """A map, and every pair as it was given, as it is believed and as it is drawn."""

    title: str
    places: FloatArray
    given: RealArray
    believed: FloatArray
    distances: FloatArray


def maps_with_pairs(
    drawn: Sequence[Drawn], labels: Sequence[str], colours: Sequence[str], ink: Ink
) -> go.Figure:
    """Maps side by side, below each its Shepard diagram."""
    figure = make_subplots(
        2,
        len(drawn),
        row_heights=[0.58, 0.42],
        vertical_spacing=0.09,
        horizontal_spacing=0.05,
        subplot_titles=[one.title for one in drawn],
    )
    for k, one in enumerate(drawn, 1):
        x, y = one.places.T
        figure.add_scatter(
            x=x,
            y=y,
            mode="markers+text",
            text=list(labels),
            textposition="top center",
            textfont={"size": 10, "color": ink.text},
            marker={"size": 11, "color": list(colours), "line": {"width": 1, "color": ink.text}},
            hoverinfo="text",
            row=1,
            col=k,
        )
        _pairs(figure, one, ink, k)
    figure.update_xaxes(visible=False, row=1)
    figure.update_yaxes(visible=False, row=1)
    for k in range(1, len(drawn) + 1):
        anchor = "x" if k == 1 else f"x{k}"
        figure.update_yaxes(scaleanchor=anchor, row=1, col=k)
        figure.update_xaxes(title={"text": "in the data", "standoff": 4}, row=2, col=k)
    figure.update_yaxes(title={"text": "on the map", "standoff": 4}, row=2, col=1)
    return _finished(figure, 560, ink, _SMALL)


def _pairs(figure: go.Figure, one: Drawn, ink: Ink, column: int) -> None:
    order = np.lexsort((one.believed, one.given))
    figure.add_scatter(
        x=one.given,
        y=one.distances,
        mode="markers",
        marker={"size": 4, "color": ink.point, "opacity": 0.7},
        hoverinfo="skip",
        row=2,
        col=column,
    )
    figure.add_scatter(
        x=[0, *one.given[order]],
        y=[0, *one.believed[order]],
        mode="lines",
        line={"color": _WORSE, "width": 1.5},
        hoverinfo="skip",
        row=2,
        col=column,
    )
    figure.update_xaxes(rangemode="tozero", showticklabels=False, row=2, col=column)
    figure.update_yaxes(rangemode="tozero", showticklabels=False, row=2, col=column)


def strip(values: Sequence[float], ink: Ink) -> go.Figure:
    """Where starts ended, one dot each; the best in another colour."""
    spread = np.random.default_rng(0).uniform(-1, 1, len(values))
    best, worst = min(values), max(values)
    colours = [_WORSE if value <= best * (1 + 1e-6) else ink.point for value in values]
    figure = go.Figure(
        go.Scatter(
            x=list(values),
            y=spread,
            mode="markers",
            marker={"size": 7, "color": colours, "opacity": 0.75},
            hovertemplate="stress %{x:.4f}<extra></extra>",
        )
    )
    figure.update_yaxes(visible=False, range=[-1.6, 1.6])
    # One end alone has no spread that an axis could show.
    around = max((worst - best) / 20, best / 20)
    figure.update_xaxes(
        title={"text": "stress at the end; the best in red", "standoff": 4},
        range=[best - around, worst + around],
    )
    return _finished(figure, 130, ink, _SMALL | {"t": 4})


def valley(
    across: FloatArray, up: FloatArray, here: tuple[float, float], title: str, ink: Ink
) -> go.Figure:
    """A curve, and where one stands on it."""
    figure = go.Figure(
        go.Scatter(x=across, y=up, mode="lines", line={"color": ink.point, "width": 2})
    )
    figure.add_scatter(
        x=[here[0]], y=[here[1]], mode="markers", marker={"size": 13, "color": _WORSE}
    )
    figure.update_xaxes(title={"text": title, "standoff": 4})
    figure.update_yaxes(title={"text": "stress", "standoff": 4}, rangemode="tozero")
    return _finished(figure, 220, ink, _SCALED)


def before_and_after(
    before: float, after: float, held_out: FeatureHelp | None, ink: Ink
) -> go.Figure:
    """The stress before and after; of pairs held out, where they were asked, beside chance."""
    figure = make_subplots(1, 1 if held_out is None else 2, horizontal_spacing=0.24)
    figure.add_bar(
        x=["before", "after"],
        y=[before, after],
        marker={"color": [ink.line, ink.point]},
        text=[f"{before:.4f}", f"{after:.4f}"],
    )
    figure.update_yaxes(title={"text": "stress", "standoff": 4}, rangemode="tozero", col=1)
    if held_out is not None:
        spread = np.random.default_rng(0).uniform(-0.3, 0.3, held_out.null.size)
        figure.add_scatter(
            x=spread,
            y=held_out.null,
            mode="markers",
            marker={"size": 5, "color": ink.line},
            hovertemplate="shuffled: %{y:.1%}<extra></extra>",
            row=1,
            col=2,
        )
        figure.add_scatter(
            x=[-0.3, 0.3],
            y=[held_out.held_out_without, held_out.held_out_with],
            mode="markers+lines",
            marker={"size": 12, "color": [ink.text, _WORSE]},
            line={"color": _WORSE, "width": 1},
            row=1,
            col=2,
        )
        figure.update_yaxes(title={"text": "held out", "standoff": 4}, tickformat=".0%", col=2)
        figure.update_xaxes(
            tickvals=[-0.3, 0.3], ticktext=["before", "after"], range=[-0.5, 0.5], col=2
        )
    return _finished(figure, 230, ink, _SCALED)


def _finished(figure: go.Figure, height: int, ink: Ink, margin: dict[str, int]) -> go.Figure:
    figure.update_xaxes(
        gridcolor=ink.line, linecolor=ink.line, zeroline=False, title_font={"size": 12}
    )
    figure.update_yaxes(
        gridcolor=ink.line, linecolor=ink.line, zeroline=False, title_font={"size": 12}
    )
    figure.update_annotations(font={"size": 14, "color": ink.text})
    figure.update_layout(
        height=height,
        margin=margin,
        showlegend=False,
        paper_bgcolor=TRANSPARENT,
        plot_bgcolor=TRANSPARENT,
        font={"color": ink.text},
        dragmode=False,
    )
    return figure
