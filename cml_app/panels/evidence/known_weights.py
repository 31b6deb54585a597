"""What weighs how much: the known features, one by one and together."""

from __future__ import annotations

import streamlit as st

from cml_app import messages
from cml_app.panels.evidence.panel import Panel, nothing_known, numbers
from cml_app.panels.evidence.pictures import page_ink, picture, table
from cml_app.panels.evidence.running import AtOnce
from cml_app.pictures import evidence_figures
from cml_app.pictures.evidence_figures import MOST_NAMES
from cml_app.workspace import Workspace
from cml_core import Fit
from cml_core.evidence.fitted_curve import curves
from cml_core.evidence.known_weights import KnownWeights, known_weights
from cml_core.evidence.result import ResultKind

_HOW = r"""
The model of a squared dissimilarity (on any scale but the ratio scale, of what the fitted curve
makes of it) is
$\delta_{ij}^2 \approx \lVert u_i - u_j \rVert^2 + \lVert (v_i - v_j)^\top B \rVert^2$, with $u$
the places on the map and $v$ what is known. $B$ is found together with the map.

- **One step adds** $\lVert e^\top B \rVert^2$ for a change $e$ of the feature alone; for groups
  it is the mean over all pairs of groups.
- **Seen together**: $B$ is only determined up to a rotation, $BB^\top$ is unique. Shown is
  $S BB^\top S$, where $S$ has the standard deviations of the columns (the columns of one group or
  angle have one in common). Away from the diagonal, blue says that two columns act against each
  other.
- **Combined directions**: with $SB = U \Sigma W^\top$, direction $k$ has the loadings
  $u_k \sigma_k$.
- **Along a curve**: the columns $\varphi(v)$ of such a feature are a natural cubic spline with up
  to four knots. Its values $v$ lie at $\varphi(v)^\top B$; drawn is the direction in which these
  places differ most.
- **Still on the map**: each object's value is predicted from the places of all others, by a plane
  and by a smooth surface; one minus the squared error as a share of that of the mean. The better
  of the two is shown. It is called a leak where it is a tenth or more, and more than 19 of 20
  random dealings of the same values give.
"""


def _body(workspace: Workspace, found: KnownWeights) -> None:
    numbers(found)
    _curves(workspace.step.fit)
    if len(found.columns) < 2:
        st.caption("With more features known, this shows as well what they do together.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _together(found)
    with right:
        _directions(found)


def _curves(fit: Fit) -> None:
    """A small picture for each feature that acts along a curve."""
    found = curves(fit)
    sides = st.columns(2, gap="medium") if found else []
    for place, one in enumerate(found):
        with sides[place % 2]:
            st.subheader(messages.plain(one.title))
            picture(
                evidence_figures.fitted_curve(one, page_ink()),
                f"weights-curve-{one.feature}",
                f"{one.title}; the verdict below says it in words.",
            )
            st.caption(messages.plain(f"{one.verdict} {one.remarks}"))


def _together(found: KnownWeights) -> None:
    st.subheader("Seen together")
    st.caption(
        "On the diagonal, what each column adds by itself. Beside it, whether two columns add up "
        "(orange) or act against each other (blue)."
    )
    picture(
        evidence_figures.gram(found, page_ink()),
        "weights-gram",
        "The columns of the known features against each other; the numbers are in the table.",
    )
    table(found.columns_together(), "weights-gram-table")


def _directions(found: KnownWeights) -> None:
    st.subheader("Combined directions")
    shown = "" if len(found.columns) <= MOST_NAMES else f" The {MOST_NAMES} longest are drawn."
    st.caption(f"Features may act in concert. Longer bars weigh more along that direction.{shown}")
    picture(
        evidence_figures.directions(found, page_ink()),
        "weights-directions",
        "What each combined direction is made of; the numbers are in the table.",
    )
    table(found.combined_directions(), "weights-directions-table")


ASKED = AtOnce(ResultKind(KnownWeights), lambda workspace: known_weights(workspace.step.fit))
PANEL = Panel(KnownWeights, ASKED.found, why_not=nothing_known, body=_body, how=_HOW)
