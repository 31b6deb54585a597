"""What was found about a map, as curves, bars and strips; nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from cml_app.pictures.figures import OKABE_ITO, TRANSPARENT, Ink, as_text
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.fitted_curve import FittedCurve
from cml_core.evidence.importance import Helped
from cml_core.evidence.known_weights import Direction, KnownWeights
from cml_core.evidence.neighbourhoods import Neighbourhoods
from cml_core.evidence.ranking import Ranking
from cml_core.evidence.structure import Structure
from cml_core.values.arrays import FloatArray
from cml_core.values.words import percent, unbroken

# What is fitted, and what speaks against it or is singled out.
SECOND = "#d55e00"
MOST_BARS = 20
MOST_DIRECTIONS = 4
MOST_BINS = 30
# Letters a line, and lines: of names beside an axis, and below one, not too long for a telephone.
TICK, TITLE = (17, 2), (38, 3)
ROW_HEIGHT = 34
# Left-out predictions can be far worse than none; how much worse does not matter.
LOWEST_PERCENT = -25.0
# Ticks have the decimals that tell them apart.
PERCENT = {"tickformat": ".2~f", "ticksuffix": unbroken(" %")}
# What `_told` says of a point, under the mouse.
TOLD = "%{customdata}"
# Of more columns only so many have their names beside a square, and bars of their own.
MOST_NAMES = 14
_MARGIN = {"l": 8, "r": 12, "t": 8, "b": 8}
_LEGEND = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "xanchor": "left", "x": 0.0}


def dressed(figure: go.Figure, ink: Ink, height: int) -> go.Figure:
    """On the page's own ground, with room for whatever the axes say."""
    figure.update_layout(
        height=height,
        margin=_MARGIN,
        paper_bgcolor=TRANSPARENT,
        plot_bgcolor=TRANSPARENT,
        font={"color": ink.text, "size": 13},
        legend=_LEGEND,
        dragmode=False,
        hoverlabel={"namelength": -1},
        modebar={"bgcolor": TRANSPARENT, "color": ink.text, "activecolor": ink.point},
    )
    axis = {"gridcolor": ink.line, "linecolor": ink.line, "ticks": "", "zeroline": False}
    axis |= {"automargin": True, "title_font_size": 13}
    figure.update_xaxes(**axis, title_standoff=8)
    figure.update_yaxes(**axis)
    return figure


def _told(shares: Sequence[float] | FloatArray) -> list[str]:
    """Shares as a table has them."""
    return [as_text(unbroken(percent(float(share), 1))) for share in shares]


def scree(dimensions: Dimensions, ink: Ink) -> go.Figure:
    """The unexplained share by the number of hidden dimensions, fitted and held out."""
    counts, chosen = list(dimensions.n_components), dimensions.chosen
    fitted = go.Scatter(
        x=counts,
        y=100 * dimensions.unexplained,
        customdata=_told(dimensions.unexplained),
        name="Pairs that were fitted",
        mode="lines+markers",
        line={"color": ink.text, "dash": "dot"},
        hovertemplate=f"%{{x}} dimensions: {TOLD} unexplained<extra></extra>",
    )
    held_out = go.Scatter(
        x=counts,
        y=100 * dimensions.held_out,
        customdata=_told(dimensions.held_out),
        error_y={"array": 100 * dimensions.held_out_error, "color": ink.point, "thickness": 1.5},
        name="Pairs that were held out",
        mode="lines+markers",
        line={"color": ink.point},
        hovertemplate=f"%{{x}} dimensions: {TOLD} of held-out pairs unexplained<extra></extra>",
    )
    choice = go.Scatter(
        x=[chosen],
        y=[100 * dimensions.held_out[counts.index(chosen)]],
        name=f"Chosen: {chosen}",
        mode="markers",
        marker={"size": 18, "symbol": "circle-open", "color": SECOND, "line": {"width": 3}},
        hoverinfo="skip",
    )
    figure = dressed(go.Figure([fitted, held_out, choice]), ink, 340)
    figure.update_xaxes(title_text="Hidden dimensions", tickvals=counts, showgrid=False)
    figure.update_yaxes(title_text="Unexplained", **PERCENT, rangemode="tozero")
    return figure


def null_histogram(observed: float, null: FloatArray, ink: Ink, what: str) -> go.Figure:
    """What chance alone gave, and what these data gave, on one scale in percent.

    Parameters
    ----------
    observed : what these data gave, a share.
    null : (M,), what chance gave.
    what : the share, in words.
    """
    given, here = 100 * null[np.isfinite(null)], 100 * observed
    low, high = _span(np.append(given, here))
    bins = int(np.clip(np.sqrt(given.size) * 2, 5, MOST_BINS))
    counts, edges = np.histogram(given, bins=bins, range=(low, high))
    middles = (edges[:-1] + edges[1:]) / 2
    bars = go.Bar(
        x=middles,
        y=counts,
        customdata=_told(middles / 100),
        width=np.diff(edges),
        name="By chance alone",
        marker={"color": ink.line, "line": {"color": ink.text, "width": 0.5}},
        hovertemplate=f"about {TOLD}: %{{y}} times by chance<extra></extra>",
    )
    line = go.Scatter(
        x=[here, here],
        customdata=_told([observed, observed]),
        y=[0, max(1, int(counts.max(initial=1)))],
        name="These data",
        mode="lines",
        line={"color": SECOND, "width": 3},
        hovertemplate=f"these data: {TOLD}<extra></extra>",
    )
    figure = dressed(go.Figure([bars, line]), ink, 260)
    figure.update_xaxes(
        title_text=_wrapped(what, *TITLE), **PERCENT, range=[low, high], showgrid=False
    )
    figure.update_yaxes(title_text="How often", rangemode="tozero", nticks=5)
    return figure


def structure_strip(structure: Structure, ink: Ink) -> go.Figure:
    """The map's unexplained share beside those of the same numbers in random order."""
    chance = go.Scatter(
        x=100 * structure.shuffled,
        customdata=_told(structure.shuffled),
        y=np.zeros(structure.shuffled.size),
        name="Same numbers, shuffled",
        mode="markers",
        marker={"size": 11, "color": ink.text, "opacity": 0.5},
        hovertemplate=f"shuffled: {TOLD} unexplained<extra></extra>",
    )
    here = go.Scatter(
        x=[100 * structure.unexplained],
        customdata=_told([structure.unexplained]),
        y=[0],
        name="These data",
        mode="markers",
        marker={"size": 15, "color": SECOND, "symbol": "diamond"},
        hovertemplate=f"these data: {TOLD} unexplained<extra></extra>",
    )
    figure = dressed(go.Figure([chance, here]), ink, 150)
    figure.update_xaxes(
        title_text="Unexplained",
        **PERCENT,
        rangemode="tozero",
        showline=True,
        showgrid=False,
    )
    figure.update_yaxes(visible=False, range=[-1, 1])
    return figure


def helped(found: Helped, ink: Ink) -> go.Figure:
    """For each feature: held-out pairs unexplained with it, without it, and with it shuffled."""
    rows = list(range(len(found.features)))
    null = [(row, value) for row in rows for value in found.features[row].null]
    shuffled = go.Scatter(
        x=[100 * value for _, value in null],
        y=[row for row, _ in null],
        customdata=_told([value for _, value in null]),
        name="Shuffled in its place",
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 14, "color": ink.text, "opacity": 0.45},
        hovertemplate=f"shuffled: {TOLD}<extra></extra>",
    )
    without = go.Scatter(
        x=[100 * one.held_out_without for one in found.features],
        y=rows,
        customdata=_told([one.held_out_without for one in found.features]),
        name="Without it",
        mode="markers",
        marker={"symbol": "circle-open", "size": 13, "color": ink.point, "line": {"width": 2}},
        hovertemplate=f"without it: {TOLD}<extra></extra>",
    )
    kept = go.Scatter(
        x=[100 * one.held_out_with for one in found.features],
        y=rows,
        customdata=_told([one.held_out_with for one in found.features]),
        name="With it",
        mode="markers",
        marker={"symbol": "diamond", "size": 13, "color": SECOND},
        hovertemplate=f"with it: {TOLD}<extra></extra>",
    )
    # Of the rest it may be so much that all else would lie on one spot; the table has it.
    places = [
        (row, one.in_place)
        for row, one in enumerate(found.features)
        if one.in_place and one.takes_place
    ]
    fewer = go.Scatter(
        x=[100 * place.held_out_with for _, place in places],
        y=[row for row, _ in places],
        customdata=_told([place.held_out_with for _, place in places]),
        name="With it, one dimension fewer",
        mode="markers",
        marker={"symbol": "diamond-open", "size": 13, "color": SECOND, "line": {"width": 2}},
        hovertemplate=f"with it, one dimension fewer: {TOLD}<extra></extra>",
    )
    traces = [shuffled, without, kept, *([fewer] if places else [])]
    figure = dressed(go.Figure(traces), ink, _height(len(rows)))
    _name_rows(figure, [one.name for one in found.features])
    figure.update_xaxes(title_text="Held-out pairs unexplained", **PERCENT, nticks=6)
    return figure


def gram(weights: KnownWeights, ink: Ink) -> go.Figure:
    """BBᵀ as colours: each feature by itself on the diagonal, two together beside it."""
    texts = [as_text(name) for name in weights.columns]
    places = list(range(len(texts)))
    largest = float(np.abs(weights.gram).max(initial=0.0)) or 1.0
    cells = go.Heatmap(
        x=places,
        y=places,
        z=weights.gram,
        zmin=-largest,
        zmax=largest,
        colorscale=[[0.0, OKABE_ITO[4]], [0.5, ink.line], [1.0, SECOND]],
        customdata=[[f"{row} with {column}" for column in texts] for row in texts],
        hovertemplate="%{customdata}: %{z:.4g}<extra></extra>",
        colorbar={"thickness": 12, "nticks": 5},
    )
    figure = dressed(go.Figure(cells), ink, 340)
    few = len(places) <= MOST_NAMES // 2
    named = places[:: -(-len(places) // MOST_NAMES)]
    axis = {
        "tickvals": named,
        "ticktext": [_wrapped(weights.columns[k], TICK[0], 2 if few else 1) for k in named],
        "showgrid": False,
        "constrain": "domain",
    }
    figure.update_xaxes(**axis, tickangle=-90)
    figure.update_yaxes(**axis, autorange="reversed", scaleanchor="x")
    return figure


def directions(weights: KnownWeights, ink: Ink) -> go.Figure:
    """What each combined direction is made of; the strongest directions and columns only."""
    shown = weights.directions[:MOST_DIRECTIONS]
    heaviest = _heaviest(shown)
    bars = [
        go.Bar(
            x=one.loadings[heaviest],
            y=list(range(len(heaviest))),
            name=unbroken(f"Direction {k} ({percent(one.share)})"),
            orientation="h",
            marker={"color": colour},
            hovertemplate=f"direction {k}: %{{x:.4g}}<extra></extra>",
        )
        for k, (one, colour) in enumerate(zip(shown, _bar_colours(ink), strict=False), 1)
    ]
    figure = dressed(go.Figure(bars), ink, _height(len(heaviest) * max(len(shown) / 2, 1)))
    _name_rows(figure, [weights.columns[k] for k in heaviest])
    figure.update_xaxes(title_text="Per standard deviation", nticks=6, zeroline=True)
    figure.update_xaxes(zerolinecolor=ink.text)
    return figure


def fitted_curve(found: FittedCurve, ink: Ink) -> go.Figure:
    """Where a feature alone places objects, by its values: a curve, and a dot for each object."""
    line = go.Scatter(
        x=found.values,
        y=found.places,
        mode="lines",
        line={"color": SECOND, "width": 2},
        hoverinfo="skip",
    )
    dots = go.Scatter(
        x=found.given,
        y=found.stands,
        mode="markers",
        marker={"size": 7, "color": ink.point},
        hovertemplate="%{x:.4g}: at %{y:.4g}<extra></extra>",
    )
    figure = dressed(go.Figure([line, dots]), ink, 240)
    figure.update_layout(showlegend=False)
    figure.update_xaxes(title_text=_wrapped(found.feature, *TITLE), showgrid=False, nticks=6)
    figure.update_yaxes(title_text="Place by it alone", nticks=6)
    return figure


def _heaviest(shown: Sequence[Direction]) -> list[int]:
    """The columns with the longest bars, in their order."""
    if not shown:
        return []
    longest = np.abs([one.loadings for one in shown]).max(axis=0)
    return sorted(np.argsort(-longest, kind="stable")[:MOST_NAMES].tolist())


def ranking_bars(ranking: Ranking, ink: Ink) -> go.Figure:
    """How much of each candidate the map predicts, along a line and along a curve."""
    shown = ranking.candidates[:MOST_BARS]
    rows = list(range(len(shown)))
    ways = (
        ("Along a straight direction", [one.linear for one in shown]),
        ("Along curves", [one.smooth for one in shown]),
    )
    bars = [
        go.Bar(
            x=[100 * share for share in shares],
            y=rows,
            customdata=_told(shares),
            name=name,
            orientation="h",
            marker={"color": colour},
            hovertemplate=f"{name.lower()}: {TOLD}<extra></extra>",
        )
        for (name, shares), colour in zip(ways, _bar_colours(ink), strict=False)
    ]
    lowest = 100 * min((float(np.nanmin(shares)) for _, shares in ways if shares), default=0.0)
    figure = dressed(go.Figure(bars), ink, _height(len(rows)))
    _name_rows(figure, [one.feature for one in shown])
    figure.update_xaxes(
        title_text="Share of it that the map predicts",
        **PERCENT,
        range=[max(min(lowest, 0.0), LOWEST_PERCENT), 100.0],
        zeroline=True,
        zerolinecolor=ink.text,
    )
    return figure


def neighbourhood_curves(found: Neighbourhoods, ink: Ink) -> go.Figure:
    """Trustworthiness and continuity by the number of neighbours."""
    curves = [
        go.Scatter(
            x=found.sizes,
            y=values,
            name=name,
            mode="lines+markers",
            line={"color": colour, "dash": dash},
            hovertemplate="%{x} neighbours: %{y:.3f}<extra></extra>",
        )
        for name, values, colour, dash in (
            ("Near on the map, alike in fact", found.trustworthiness, ink.point, "solid"),
            ("Alike in fact, near on the map", found.continuity, SECOND, "dash"),
        )
    ]
    figure = dressed(go.Figure(curves), ink, 280)
    figure.update_xaxes(title_text="Neighbours", showgrid=False, rangemode="tozero", nticks=6)
    lowest = min(float(found.trustworthiness.min()), float(found.continuity.min()), 0.5)
    figure.update_yaxes(title_text="1 is perfect", range=[lowest - 0.02, 1.02], nticks=6)
    return figure


def _span(values: FloatArray) -> tuple[float, float]:
    """A little more than the range of the values."""
    low, high = float(values.min()), float(values.max())
    pad = 0.06 * (high - low) or 1.0
    return low - pad, high + pad


def _wrapped(text: str, letters: int, lines: int) -> str:
    """On so many lines of so many letters; what does not fit is left out."""
    shown = wrap(text, letters, max_lines=lines, placeholder="…")
    return "<br>".join(as_text(line) for line in shown)


def _bar_colours(ink: Ink) -> tuple[str, ...]:
    return (ink.point, OKABE_ITO[0], OKABE_ITO[2], OKABE_ITO[6])


def _height(rows: float) -> int:
    return int(130 + ROW_HEIGHT * max(rows, 1))


def _name_rows(figure: go.Figure, names: Sequence[str]) -> None:
    """Names beside rows, the first on top; the table has the long ones whole."""
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[_wrapped(name, *TICK) for name in names],
        range=[len(names) - 0.4, -0.6],
        showgrid=False,
    )
