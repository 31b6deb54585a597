"""What might it be: features that are not ticked, ranked by how well the map predicts them."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

import numpy as np
import streamlit as st

from cml_app import messages
from cml_app.evidence_requests import look_up
from cml_app.panels.evidence.panel import NO_MAP, Panel, numbers
from cml_app.panels.evidence.pictures import page_ink, picture
from cml_app.panels.evidence.running import AtOnce
from cml_app.pictures import evidence_figures
from cml_app.pictures.evidence_maps import evidence_map
from cml_app.question import offered_features
from cml_app.scenes import plane
from cml_app.workspace import Workspace
from cml_core import Feature, FeatureTable, Fit
from cml_core.evidence.candidate import Candidate
from cml_core.evidence.ranking import Ranking, candidates_among, what_might_it_be
from cml_core.evidence.result import ResultKind
from cml_core.evidence.surface import Surface, surface
from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.registry import KINDS

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

- **What is known** is taken out along straight lines and, as far as the number of objects allows
  (a fifth of what straight lines leave), along curves: squares, products and powers.
- **Objects that lie together**, such as couples and families, are dealt out together, and each
  group is predicted from the other groups alone: what the two of a couple share is no second
  witness. They are found by joining the nearest objects first, on the map or on the map and in
  what is known; where the joins are shorter than for four in five of clouds of points without
  gatherings, the groups are cut where joins lengthen most.
"""
_DIRECTION, _CONTOURS, _COLOURS = "Direction", "Contours", "Colours only"


def _offered(workspace: Workspace) -> FeatureTable:
    return candidates_among(offered_features(workspace.journey), workspace.step.problem.known.names)


def _why_not(workspace: Workspace) -> str:
    if not _offered(workspace).names:
        return (
            "Every feature there is has been ticked. On the Discover page, bring further ones by "
            "Features, or untick one, to see whether the map shows it."
        )
    if not workspace.step.embedding.shape[1]:
        return f"{NO_MAP} So no feature can be compared with one."
    return ""


def _ranking(workspace: Workspace) -> Ranking:
    with st.spinner("Comparing every feature with the map"):
        return what_might_it_be(workspace.step.fit, _offered(workspace))


def _candidates(workspace: Workspace) -> Hashable:
    return tuple(feature.identity() for feature in _offered(workspace).features)


def _body(workspace: Workspace, found: Ranking) -> None:
    numbers(found)
    left, right = st.columns(2, gap="medium")
    with left:
        picture(
            evidence_figures.ranking_bars(found, page_ink()),
            "candidates-bars",
            "How much of each feature the map predicts; the numbers are in the table.",
        )
    with right:
        _on_the_map(workspace, found)


@st.fragment
def _on_the_map(workspace: Workspace, found: Ranking) -> None:
    """One candidate drawn on the map; the choice changes nothing else on the page."""
    with messages.explained():
        by_name = {one.feature: one for one in found.candidates}
        row = st.container(horizontal=True, vertical_alignment="bottom")
        name = row.selectbox("Show on the map", list(by_name), key="candidate")
        feature, fit = _offered(workspace)[name], workspace.step.fit
        ways = _ways(by_name[name], feature, fit)
        way = row.radio("As", ways, key=f"candidate-way-{'-'.join(ways)}", horizontal=True)
        contours = _surface(workspace, feature) if way == _CONTOURS else None
        figure = evidence_map(
            fit.labels,
            plane(fit.embedding),
            page_ink(),
            colour=feature,
            arrow=_arrow(by_name[name]) if way == _DIRECTION else None,
            surface=contours,
        )
        picture(figure, "candidate-map", f"The map, coloured by {name}. {by_name[name].verdict}")
        st.caption(messages.plain(by_name[name].verdict))
        if contours is not None:
            said = messages.plain(contours.verdict)
            st.caption(f"Along a contour the prediction is the same. {said}")
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


def _surface(workspace: Workspace, feature: Feature) -> Surface:
    work = partial(surface, feature, workspace.step.embedding)
    return look_up(workspace, Surface, work, of=feature.identity())


ASKED = AtOnce(ResultKind(Ranking), _ranking, of=_candidates)
PANEL = Panel(Ranking, ASKED.found, why_not=_why_not, body=_body, how=_HOW)
