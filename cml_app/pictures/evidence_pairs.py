"""All pairs as they were given and as they are drawn; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.evidence_figures import SECOND, dressed
from cml_app.pictures.figures import Ink, as_text
from cml_core.evidence.shepard import Shepard
from cml_core.values.arrays import BoolArray, IntArray

HEIGHT = 420
# More are thinned: not every browser has a graphics card that could draw them.
MOST_PAIRS = 3_000
ALWAYS_SHOWN = 200


@dataclass(frozen=True, eq=False)
class PairLines:
    """Pairs to be joined by lines.

    Parameters
    ----------
    pairs : (K, 2), the two objects of each.
    too_near : (K,), whether they are fitted nearer than the data say, or else too far apart.
    """

    pairs: IntArray
    too_near: BoolArray


def pair_lines(shepard: Shepard, places: Iterable[int]) -> PairLines:
    """The pairs at these places of a Shepard diagram, as lines."""
    at = np.fromiter(places, dtype=np.int64)
    pairs = np.column_stack([shepard.first[at], shepard.second[at]])
    return PairLines(pairs, shepard.fitted[at] < shepard.scaled[at])


def shepard_diagram(
    shepard: Shepard, ink: Ink, selected: Sequence[int] = (), *, picking: bool = False
) -> go.Figure:
    """Every pair as it was given against as it is drawn; on the line it is drawn as it should.

    That line is the fitted curve, where distances were fitted to one.

    A point carries the number of its pair, so that what is selected can be found again.

    Parameters
    ----------
    selected : pairs of another colour.
    picking : whether dragging draws a box around points; a finger then cannot scroll the page.
    """
    rest = np.setdiff1d(shown_pairs(shepard), np.asarray(selected, dtype=np.int64))
    chosen = np.asarray(selected, dtype=np.int64)
    traces = [
        _pairs(shepard, rest, "All pairs", {"size": 6, "color": ink.point, "opacity": 0.45}),
        _pairs(shepard, chosen, "Chosen above", {"size": 9, "color": SECOND}),
    ]
    figure = go.Figure([_wanted(shepard, ink), *(trace for trace in traces if len(trace.x))])
    dressed(figure, ink, HEIGHT)
    figure.update_xaxes(title_text="Dissimilarity, as given", rangemode="tozero", nticks=6)
    figure.update_yaxes(title_text="Distance, as fitted", rangemode="tozero", nticks=6)
    return figure.update_layout(dragmode="select" if picking else False)


def shown_pairs(shepard: Shepard) -> IntArray:
    """All pairs; of many, every so-manieth in the order of what was given, and the worst."""
    n_pairs = shepard.given.size
    if n_pairs <= MOST_PAIRS:
        return np.arange(n_pairs)
    order = np.lexsort((shepard.fitted, shepard.given))
    evenly = order[:: -(-n_pairs // MOST_PAIRS)]
    found: IntArray = np.union1d(evenly, shepard.worst(ALWAYS_SHOWN))
    return found


def _pairs(shepard: Shepard, at: IntArray, name: str, marker: dict[str, object]) -> go.Scatter:
    names = shepard.labels
    return go.Scatter(
        x=shepard.given[at],
        y=shepard.fitted[at],
        text=[
            f"{as_text(names[a])} – {as_text(names[b])}"
            for a, b in zip(shepard.first[at], shepard.second[at], strict=True)
        ],
        customdata=[str(place) for place in at],
        name=name,
        mode="markers",
        marker=marker,
        hovertemplate="%{text}: given %{x:.4g}, fitted %{y:.4g}<extra></extra>",
    )


def _wanted(shepard: Shepard, ink: Ink) -> go.Scatter:
    most = float(shepard.given.max(initial=0.0))
    across, up = shepard.curve if shepard.curved else ([0, most], [0, most])
    return go.Scatter(
        x=across,
        y=up,
        name="Fitted curve" if shepard.curved else "Drawn exactly",
        mode="lines",
        line={"color": ink.text, "dash": "dot", "width": 1.2},
        hoverinfo="skip",
    )
