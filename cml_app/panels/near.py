"""Who is near whom: whether dissimilarities become ways through neighbours, and which ones."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cml_app.evidence_requests import look_up
from cml_app.workspace import Workspace
from cml_core import Neighbourhood
from cml_core.fitting.geodesics import least_reach
from cml_core.values.words import counted

GIVEN, NEAREST, MUTUAL, WITHIN = "given", "nearest", "mutual", "within"
_TITLES = {
    GIVEN: "As given",
    NEAREST: "Through near neighbours",
    MUTUAL: "Through mutual neighbours",
    WITHIN: "Through all within a distance",
}
_HELP = """
Conditional Isomap replaces each dissimilarity by the shortest way from neighbour to neighbour,
which unrolls curved arrangements. Two objects are joined

- **near**: where one is among the nearest of the other;
- **mutual**: where each is among the nearest of the other, so that an object far out is no bridge
  between groups;
- **within a distance**: where they are at most so dissimilar, which leaves thin regions thin.

The ways must join all objects. Where they do not, you are told into which pieces the objects fall,
and how many neighbours, or which distance, would join them.
"""
USUAL_NEIGHBOURS = 5


def in_words(neighbourhood: Neighbourhood | None) -> str:
    """What is chosen, in a few words."""
    if neighbourhood is None:
        return ""
    if neighbourhood.epsilon is not None:
        return f"through all within {neighbourhood.epsilon:g}"
    count = neighbourhood.n_neighbors or 0
    kind = "mutual neighbour" if neighbourhood.mutual else "neighbour"
    return f"through {counted(count, kind)}"


def show(workspace: Workspace, revision: str) -> Neighbourhood | None:
    """The controls; what they stand at."""
    held = workspace.question.neighbourhood
    how = st.selectbox(
        "Distances",
        list(_TITLES),
        index=list(_TITLES).index(_kind(held)),
        format_func=lambda one: _TITLES[one],
        key=f"near-{revision}",
        help=_HELP,
    )
    if how == GIVEN:
        return None
    if how == WITHIN:
        return _within(workspace, held, revision)
    most = workspace.journey.dissimilarities.n_objects - 1
    usual = min(USUAL_NEIGHBOURS, most)
    count = st.number_input(
        "How many neighbours",
        min_value=1,
        max_value=most,
        value=held.n_neighbors or usual if held else usual,
        key=f"neighbours-{revision}",
    )
    return Neighbourhood(int(count), mutual=how == MUTUAL)


def _kind(neighbourhood: Neighbourhood | None) -> str:
    if neighbourhood is None:
        return GIVEN
    if neighbourhood.epsilon is not None:
        return WITHIN
    return MUTUAL if neighbourhood.mutual else NEAREST


def _within(
    workspace: Workspace, held: Neighbourhood | None, revision: str
) -> Neighbourhood | None:
    """First so far as is just enough; where that cannot be, as far as any pair."""
    data = workspace.journey.dissimilarities
    least = look_up(workspace, "least-reach", lambda: least_reach(data), of=data.fingerprint)
    enough = float(np.nanmax(data.condensed)) if least is None else least
    reach = st.number_input(
        "At most so dissimilar",
        min_value=0.0,
        value=(held.epsilon if held else None) or enough,
        step=enough / 20,
        format="%g",
        key=f"reach-{revision}",
        help="In the units of the table."
        + ("" if least is None else f" From {least:g} on all objects are joined."),
    )
    if reach > 0:
        return Neighbourhood(epsilon=float(reach))
    st.caption("Nothing lies within a distance of 0: give a larger one.")
    return held
