"""People by what they make of a map and of what is known; nothing here knows Streamlit."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.evidence_figures import SECOND, dressed
from cml_app.pictures.evidence_maps import MAP_HEIGHT
from cml_app.pictures.figures import Ink, as_text
from cml_app.pictures.map_labels import POINT, RING, names_of_all
from cml_core.evidence.individuals import Individuals
from cml_core.values.arrays import FloatArray
from cml_core.values.words import percent

# Room for names beyond the farthest person.
ROOM = 1.15
# Of more people, only those unlike the others are named; a pointer names each.
MOST_NAMED = 40


def people_by_weights(found: Individuals, across: int, up: int, ink: Ink) -> go.Figure:
    """A point for each person, at two of their weights, both axes from nought and to one scale.

    On the dotted line somebody makes as much of both as people do on average; the ratio of the two
    weights is an angle, and a longer way from the corner means larger numbers.

    Parameters
    ----------
    across, up : which of the hidden dimensions and known features.
    """
    places = found.weights[:, [across, up]]
    most = ROOM * float(places.max(initial=1.0))
    figure = go.Figure([_as_on_average(most, ink), _people(found, across, up, ink)])
    unlike = np.flatnonzero(found.unlike)
    if unlike.size:
        figure.add_trace(_rings(places[unlike]))
    named = np.arange(len(places)) if len(places) <= MOST_NAMED else unlike
    if named.size:
        window = np.full(2, most / 2), most / 2
        names = [found.people[k] for k in named]
        figure.add_traces(names_of_all(names, places[named], window, ink))
    dressed(figure, ink, MAP_HEIGHT)
    figure.update_xaxes(title_text=_title(found, across), range=[0, most], constrain="domain")
    figure.update_yaxes(title_text=_title(found, up), range=[0, most], scaleanchor="x")
    return figure


def _title(found: Individuals, which: int) -> str:
    return as_text(f"Weight of {found.dimensions[which]}")


def _as_on_average(most: float, ink: Ink) -> go.Scatter:
    return go.Scatter(
        x=[0, most],
        y=[0, most],
        mode="lines",
        line={"color": ink.text, "dash": "dot", "width": 1.2},
        showlegend=False,
        hoverinfo="skip",
    )


def _people(found: Individuals, across: int, up: int, ink: Ink) -> go.Scatter:
    told = [
        "<br>".join(
            [
                as_text(person),
                *(
                    f"{as_text(found.dimensions[which])}: "
                    f"{percent(float(found.shares[k, which]), 1)}"
                    for which in (across, up)
                ),
            ]
        )
        for k, person in enumerate(found.people)
    ]
    return go.Scatter(
        x=found.weights[:, across],
        y=found.weights[:, up],
        text=told,
        mode="markers",
        marker={"size": POINT, "color": ink.point},
        showlegend=False,
        hovertemplate="%{text}<extra></extra>",
    )


def _rings(places: FloatArray) -> go.Scatter:
    return go.Scatter(
        x=places[:, 0],
        y=places[:, 1],
        name="Unlike the others",
        mode="markers",
        marker={"size": RING, "symbol": "circle-open", "color": SECOND, "line": {"width": 2}},
        showlegend=True,
        hoverinfo="skip",
    )
