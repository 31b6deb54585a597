"""How well each scale tells pairs held out; nothing here knows Streamlit."""

from __future__ import annotations

import plotly.graph_objects as go

from cml_app.pictures.evidence_figures import PERCENT, SECOND, dressed
from cml_app.pictures.figures import Ink, as_text
from cml_core.evidence.advised_scale import AdvisedScale
from cml_core.values.words import percent, unbroken

ROW_HEIGHT, AROUND = 34, 110


def scale_errors(found: AdvisedScale, ink: Ink) -> go.Figure:
    """A row for each scale, the one that believes most on top; the advised one stands out."""
    rows = list(range(len(found.scales)))
    told = [as_text(unbroken(percent(float(error), 1))) for error in found.errors]
    errors = go.Scatter(
        x=100 * found.errors,
        y=rows,
        customdata=told,
        error_x={"array": 100 * found.worse_error, "color": ink.point, "thickness": 1.5},
        name="Not told of pairs held out",
        mode="markers",
        marker={"size": 11, "color": ink.point},
        hovertemplate="%{y}: %{customdata} not told<extra></extra>",
    )
    places = [row for row in rows if found.scales[row] == found.advised]
    advised = go.Scatter(
        x=[100 * found.errors[place] for place in places],
        y=places,
        name="Advised",
        mode="markers",
        marker={"size": 18, "symbol": "circle-open", "color": SECOND, "line": {"width": 3}},
        hoverinfo="skip",
    )
    figure = dressed(
        go.Figure([errors, *([advised] if places else [])]), ink, AROUND + ROW_HEIGHT * len(rows)
    )
    figure.update_xaxes(
        title_text="Not told; bars: standard error of the difference from the least",
        **PERCENT,
        rangemode="tozero",
    )
    figure.update_yaxes(
        tickvals=rows, ticktext=list(found.titles), range=[len(rows) - 0.4, -0.6], showgrid=False
    )
    return figure
