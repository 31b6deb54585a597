"""All pairs as they were given and as they are drawn, beside the map that draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from cml_app import messages
from cml_app.panels.evidence.panel import NO_MAP, Panel
from cml_app.panels.evidence.pictures import page_ink, picture, table
from cml_app.panels.evidence.running import AtOnce
from cml_app.pictures.evidence_maps import evidence_map
from cml_app.pictures.evidence_pairs import pair_lines, shepard_diagram, shown_pairs
from cml_app.scenes import plane
from cml_app.workspace import Workspace
from cml_core import Feature, Fit
from cml_core.evidence.result import ResultKind
from cml_core.evidence.shepard import WORST, Shepard, shepard
from cml_core.evidence.table import SHARE, Column, Table
from cml_core.values.arrays import IntArray

# More lines than this hide the map.
MOST_LINES = 150
_HOW = r"""
Every pair is a point: the dissimilarity $\delta_{ij}$ as it was given (with Isomap, as the way
through neighbours), and the distance $d_{ij}$ that the model makes of it, by the map and by what is
known together: $d_{ij}^2 = \lVert u_i - u_j \rVert^2 + \lVert (v_i - v_j)^\top B \rVert^2$. So two
objects may stand together on the map and yet be drawn far apart by what is known. Worst are the
pairs with the largest $w_{ij} (\delta_{ij} - d_{ij})^2$. An object is shaded by the share of its
own dissimilarity that is left:
$\sum_j w_{ij} (\delta_{ij} - d_{ij})^2 / \sum_j w_{ij} \delta_{ij}^2$. On any scale but the ratio
scale, what the fitted curve makes of $\delta_{ij}$ stands in its place.
"""


@st.fragment
def _body(workspace: Workspace, found: Shepard) -> None:
    """The diagram and the map; what is selected in one is drawn on the other."""
    with messages.explained():
        fit = workspace.step.fit
        if found.both_make_distances:
            st.caption(
                "A fitted distance is made by the map and by what is known together: two objects "
                "can stand on one spot of the map and yet be fitted far apart, because they differ "
                "in what is known."
            )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = _chosen(workspace, found)
            picking = st.toggle(
                "Pick pairs in the diagram", value=not _on_a_telephone(), key="pairs-picking"
            )
        left, right = st.columns(2, gap="medium")
        with left:
            drawn = _diagram(workspace, found, chosen, picking)
        pairs = found.worst_first(chosen if drawn is None else drawn)
        with right:
            _map(fit, found, pairs)
        left, right = st.columns([1.6, 1], gap="medium")
        with left:
            table(found.table(pairs), "pairs-table")
        with right:
            table(_objects(fit), "objects-table")


def _chosen(workspace: Workspace, found: Shepard) -> IntArray:
    """The pairs of one object, or those that fit worst."""
    name = st.selectbox(
        "Pairs to look at",
        ["", *found.labels],
        format_func=lambda label: label or f"The {WORST} that fit worst",
        key=f"pairs-of-{workspace.step.id}",
        width=360,
    )
    if not name:
        return found.worst(WORST)
    one = found.labels.index(name)
    return np.flatnonzero((found.first == one) | (found.second == one))


def _diagram(
    workspace: Workspace, found: Shepard, chosen: IntArray, picking: bool
) -> IntArray | None:
    """The Shepard diagram; the pairs that are selected in it, if any."""
    figure = shepard_diagram(found, page_ink(), chosen.tolist(), picking=picking)
    says = f"Every pair as given and as fitted. {found.verdict}"
    if picking:
        drawn = _picked(workspace, figure, found, says)
    else:
        drawn = None
        picture(figure, f"shepard-still-{workspace.step.id}", says)
    n_drawn = np.union1d(shown_pairs(found), chosen).size
    if n_drawn < found.given.size:
        st.caption(
            f"Of {found.given.size:,} pairs {n_drawn:,} are drawn, evenly spread; those that fit "
            "worst and those you choose always are."
        )
    return drawn


def _picked(workspace: Workspace, figure: go.Figure, found: Shepard, says: str) -> IntArray | None:
    """The diagram, and the pairs that are selected in it."""
    state = st.plotly_chart(
        figure,
        key=f"shepard-{workspace.step.id}",
        theme=None,
        on_select="rerun",
        selection_mode="box",
        config={"displayModeBar": False},
        alt=says,
    )
    st.caption(
        "Draw a box around one point or several to look at these pairs instead; a double click "
        "lets go of them."
    )
    return _selected(state, found)


def _selected(state: Any, found: Shepard) -> IntArray | None:
    """The pairs of the selected points."""
    places = {_number(point) for point in state["selection"]["points"]}
    there = np.array(sorted(place for place in places if 0 <= place < found.given.size), dtype=int)
    return there if there.size else None


def _number(point: dict[str, Any]) -> int:
    """Of the pair that a point stands for; below zero where it stands for none."""
    data = point.get("customdata")
    text = data[0] if isinstance(data, list) and data else data
    return int(str(text)) if str(text).isdecimal() else -1


def _map(fit: Fit, found: Shepard, drawn: IntArray) -> None:
    if not fit.embedding.shape[1]:
        st.info(f"{NO_MAP} All distances come from what is known.")
        return
    figure = evidence_map(
        fit.labels,
        plane(fit.embedding),
        page_ink(),
        colour=Feature.numeric("Unexplained of each object, in percent", 100 * fit.object_stress()),
        lines=pair_lines(found, drawn[:MOST_LINES]),
        highlight=_shared(found, drawn),
    )
    picture(figure, "pairs-map", "The map; lines join the pairs that are listed in the table.")
    if drawn.size > MOST_LINES:
        st.caption(f"Of {drawn.size:,} pairs the worst {MOST_LINES} are drawn.")


def _on_a_telephone() -> bool:
    """Whether a finger scrolls the page: it could not, where it selects."""
    return "Mobi" in st.context.headers.get("User-Agent", "")


def _shared(found: Shepard, drawn: IntArray) -> Sequence[int]:
    """The object that all these pairs have in common."""
    if drawn.size < 2:
        return ()
    one = {int(found.first[drawn[0]]), int(found.second[drawn[0]])}
    for place in drawn[1:]:
        one &= {int(found.first[place]), int(found.second[place])}
    return sorted(one)


def _objects(fit: Fit) -> Table:
    """How badly each object fits, worst first."""
    stress = fit.object_stress()
    order = np.argsort(-stress, kind="stable")
    meaning = "The share of the object's own dissimilarity that is left unexplained."
    return Table(
        (
            Column("Object", [fit.labels[i] for i in order]),
            Column("Unexplained", stress[order], SHARE, meaning),
        )
    )


ASKED = AtOnce(ResultKind(Shepard), lambda workspace: shepard(workspace.step.fit), keep=False)
PANEL = Panel(Shepard, ASKED.found, body=_body, how=_HOW, lesson="stress")
