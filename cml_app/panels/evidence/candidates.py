"""What might it be: features that are not ticked, ranked by how well the map predicts them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from cml_app import messages
from cml_app.panels.evidence import running
from cml_app.panels.evidence.pictures import NO_MAP, SHARE, how, picture, table, unbroken, verdict
from cml_app.pictures import evidence_figures, figures
from cml_app.pictures.evidence_maps import evidence_map
from cml_app.question import offered_features
from cml_app.scenes import plane
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core import Feature, FeatureTable, Fit
from cml_core.evidence.ranking import Candidate, Ranking, candidates_among, what_might_it_be
from cml_core.evidence.surface import Surface, surface
from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.registry import KINDS

_FEATURE, _BEST, _LINEAR, _SMOOTH = "Feature", "Predicted", "Straight", "Curved"
_ADJUSTED, _ALONE = "By chance", "By chance, judged alone"
_KNOWN, _OBJECTS, _UNTESTED = "Known already", "Objects", "Why there is no chance"
_MEANINGS = {
    _BEST: "The share of the feature that the map predicts for an object left out; the better of "
    "the next two. 100 % is perfect, 0 no better than the mean.",
    _LINEAR: "The share that is predicted along a straight direction of the map.",
    _SMOOTH: "The share that is predicted by a smooth surface over the map, which may be curved.",
    _ADJUSTED: "How often the same values, dealt out to the objects at random, are predicted at "
    "least as well, with what is known taken out of both (the p-value), made stricter because all "
    "these features were tried at once (Benjamini and Hochberg). Below 5 % is hardly chance.",
    _ALONE: "The same, had only this feature been tried. Of many, some look good by luck.",
    _KNOWN: "The share of it that the ticked features predict. Much of it known already: the map "
    "cannot show that part.",
    _OBJECTS: "How many objects have a value.",
}
_HOW = r"""
Each object's value is predicted from the places of all others: **straight** by a plane over the
map, **curved** by a smooth surface. The share predicted is
$1 - \sum (v_i - \hat v_{-i})^2 / \sum (v_i - \bar v_{-i})^2$, where $\bar v_{-i}$ is the mean of
all other objects; it is negative where the map predicts worse than that mean. Groups and angles
are predicted through their columns of numbers. Of a feature with values on both sides of zero, its
size without the sign is tried as well.

**By chance** compares the better of the two with the same for values that are dealt out to the
objects at random, $m$ times, after taking out of both what the ticked features predict:
$p = (1 + \text{as good by chance}) / (1 + m)$. It is the p-value, the probability of doing so well
without any relation. A feature that was read off a map gets none: it fits the map because it was
made to.
"""
_DIRECTION, _CONTOURS, _COLOURS = "Direction", "Contours", "Colours only"


def show(workspace: Workspace) -> None:
    """The ranking, and one feature of it on the map."""
    st.header("What might it be?")
    fit = workspace.step.fit
    offered = candidates_among(offered_features(workspace.journey), fit.problem.known.names)
    if not offered.names:
        st.info(
            "Every feature there is has been ticked. Bring further columns on the Data page, or "
            "untick one on the Discover page, to see whether the map shows it."
        )
        return
    if not fit.embedding.shape[1]:
        st.info(f"{NO_MAP} So no feature can be compared with one.")
        return
    with messages.explained():
        found = _ranking(workspace, offered)
        verdict(found.verdict)
        _table(found)
        left, right = st.columns(2, gap="medium")
        with left:
            picture(
                evidence_figures.ranking_bars(found, figures.ink(is_dark())),
                "candidates-bars",
                "How much of each feature the map predicts; the numbers are in the table.",
            )
        with right:
            _on_the_map(workspace, found, offered)
        how(f"{_HOW}\nHere $m$ is {found.permutations}, drawn with seed {found.seed}.")


def _table(found: Ranking) -> None:
    rows = pd.DataFrame(
        {
            _FEATURE: [one.feature for one in found.candidates],
            _BEST: [one.best for one in found.candidates],
            _ADJUSTED: [one.adjusted for one in found.candidates],
            _LINEAR: [one.linear for one in found.candidates],
            _SMOOTH: [one.smooth for one in found.candidates],
            _ALONE: [one.p_value for one in found.candidates],
            _KNOWN: [one.already_known for one in found.candidates],
            _OBJECTS: [one.n_objects for one in found.candidates],
            _UNTESTED: [one.why_no_p_value for one in found.candidates],
        }
    )
    shares = (_BEST, _ADJUSTED, _LINEAR, _SMOOTH, _ALONE, _KNOWN)
    if not any(rows[_UNTESTED]):
        rows = rows.drop(columns=_UNTESTED)
    table(rows, "candidates-table", dict.fromkeys(shares, SHARE), _MEANINGS)


@st.fragment
def _on_the_map(workspace: Workspace, found: Ranking, offered: FeatureTable) -> None:
    """One candidate drawn on the map; the choice changes nothing else on the page."""
    with messages.explained():
        by_name = {one.feature: one for one in found.candidates}
        row = st.container(horizontal=True, vertical_alignment="bottom")
        name = row.selectbox("Show on the map", list(by_name), key="candidate")
        feature, fit = offered[name], workspace.step.fit
        ways = _ways(by_name[name], feature, fit)
        way = row.radio("As", ways, key=f"candidate-way-{'-'.join(ways)}", horizontal=True)
        contours = _surface(workspace, feature) if way == _CONTOURS else None
        figure = evidence_map(
            fit.labels,
            plane(fit.embedding),
            figures.ink(is_dark()),
            colour=feature,
            arrow=_arrow(by_name[name]) if way == _DIRECTION else None,
            surface=contours,
        )
        picture(figure, "candidate-map", f"The map, coloured by {name}. {by_name[name].verdict}")
        st.caption(unbroken(by_name[name].verdict))
        if contours is not None:
            st.caption(f"Along a contour the prediction is the same. {unbroken(contours.verdict)}")
        if fit.embedding.shape[1] > 2:
            st.caption("Of this map's dimensions, the first two are drawn.")


def _ways(candidate: Candidate, feature: Feature, fit: Fit) -> list[str]:
    """How it can be drawn, the most telling way first."""
    ways = [_DIRECTION] if candidate.direction.size else []
    scale = KINDS[feature.kind].ordered or len(feature.levels) == 2
    if scale and fit.embedding.shape[1] >= 2:
        ways.append(_CONTOURS)
    if candidate.smooth > candidate.linear:
        ways.reverse()
    return [*ways, _COLOURS]


def _arrow(candidate: Candidate) -> FloatArray:
    arrow = np.zeros(2)
    seen = candidate.direction[:2]
    arrow[: seen.size] = seen
    return arrow


def _ranking(workspace: Workspace, candidates: FeatureTable) -> Ranking:
    work = partial(what_might_it_be, workspace.step.fit, candidates)
    of = tuple(feature.identity() for feature in candidates.features)
    with st.spinner("Comparing every feature with the map"):
        return running.at_once(workspace, "Ranking", work, of=of)


def _surface(workspace: Workspace, feature: Feature) -> Surface:
    work = partial(surface, feature, workspace.step.fit.embedding)
    return running.at_once(workspace, "Surface", work, of=feature.identity(), keep=False)
