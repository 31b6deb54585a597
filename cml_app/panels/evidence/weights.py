"""What weighs how much: the known features, one by one and together."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from cml_app import messages
from cml_app.panels.evidence import running
from cml_app.panels.evidence.pictures import (
    NUMBER,
    SHARE,
    how,
    in_one_unit,
    picture,
    table,
    verdict,
)
from cml_app.pictures import evidence_figures, figures
from cml_app.pictures.evidence_figures import MOST_NAMES
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core.evidence.known_weights import LEAKING, FeatureWeight, KnownWeights, known_weights

_FEATURE, _STEP, _SHARE = "Known feature", "One step is", "Share of distances"
_PER_STEP, _SPREAD = "One step adds", "Its usual spread"
_PER_SPREAD, _LEAK = "One spread adds", "Still on the map"
_MEANINGS = {
    _PER_STEP: "What one step of this feature, and nothing else, adds to the squared dissimilarity "
    "of two objects.",
    _SPREAD: "The standard deviation: how far objects usually lie from the mean of the feature. "
    "Empty for groups and angles.",
    _PER_SPREAD: "What a usual difference from the mean adds to the squared dissimilarity: with "
    "this, features measured on different scales can be compared.",
    _SHARE: "Of all squared distances of this fit, those on the map included, as on the Discover "
    "page; the sentence above shares out only what the known features make. Below zero: it mainly "
    "corrects another feature.",
    _LEAK: "The share of the feature that the map still predicts for an object left out. Below "
    "zero: the map predicts it worse than its mean would, so the map is free of it.",
}
_HOW = r"""
The model of a squared dissimilarity is
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
- **Still on the map**: each object's value is predicted from the places of all others, by a plane
  and by a smooth surface; one minus the squared error as a share of that of the mean. The better
  of the two is shown. It is called a leak where it is a tenth or more, and more than 19 of 20
  random dealings of the same values give.
"""


def show(workspace: Workspace) -> None:
    """B in words, in a table and as pictures."""
    st.header("What weighs how much?")
    fit = workspace.step.fit
    if not fit.problem.known.names:
        st.info("Nothing is known on this map yet. Tick a feature on the Discover page first.")
        return
    with messages.explained():
        found = running.at_once(workspace, "KnownWeights", partial(known_weights, fit))
        verdict(found.verdict)
        _table(found, has_map=fit.embedding.shape[1] > 0)
        if len(found.columns) > 1:
            left, right = st.columns(2, gap="medium")
            with left:
                _together(found)
            with right:
                _directions(found)
        else:
            st.caption("With more features known, this shows as well what they do together.")
        how(_HOW)


def _table(found: KnownWeights, *, has_map: bool) -> None:
    rows = pd.DataFrame(
        {
            _FEATURE: [one.feature for one in found.features],
            _SHARE: [one.share for one in found.features],
            _LEAK: [leak_in_words(one) for one in found.features],
            _STEP: [one.step for one in found.features],
            _PER_STEP: [one.per_step for one in found.features],
            _SPREAD: [one.spread for one in found.features],
            _PER_SPREAD: [one.per_spread for one in found.features],
        }
    )
    formats = {
        _SHARE: SHARE,
        _PER_STEP: NUMBER,
        _SPREAD: NUMBER,
        _PER_SPREAD: in_one_unit(rows[_PER_SPREAD]),
    }
    shown = rows if has_map else rows.drop(columns=_LEAK)
    table(shown.sort_values(_SHARE, ascending=False), "weights-table", formats, _MEANINGS)
    st.caption(
        "What one step or one spread adds, it adds to the squared dissimilarity of two objects."
    )


def leak_in_words(one: FeatureWeight) -> str:
    """How much of a feature is still on the map, and what to think of that."""
    share = f"{round(100 * one.leak, 1) + 0.0:.1f} %"
    if one.leaks:
        return f"{share}, more than chance"
    return f"{share}, no more than chance" if one.leak >= LEAKING else share


def _together(found: KnownWeights) -> None:
    st.subheader("Seen together")
    st.caption(
        "On the diagonal, what each column adds by itself. Beside it, whether two columns add up "
        "(orange) or act against each other (blue)."
    )
    picture(
        evidence_figures.gram(found, figures.ink(is_dark())),
        "weights-gram",
        "The columns of the known features against each other; the numbers are in the table.",
    )
    rows = pd.DataFrame(found.gram, columns=list(found.columns))
    corner = "Column"
    while corner in found.columns:
        corner += " "
    rows.insert(0, corner, list(found.columns))
    form = in_one_unit(found.gram)
    table(rows, "weights-gram-table", dict.fromkeys(found.columns, form))


def _directions(found: KnownWeights) -> None:
    st.subheader("Combined directions")
    shown = "" if len(found.columns) <= MOST_NAMES else f" The {MOST_NAMES} longest are drawn."
    st.caption(f"Features may act in concert. Longer bars weigh more along that direction.{shown}")
    picture(
        evidence_figures.directions(found, figures.ink(is_dark())),
        "weights-directions",
        "What each combined direction is made of; the numbers are in the table.",
    )
    names = [f"Direction {k}" for k in range(1, len(found.directions) + 1)]
    loadings = {name: one.loadings for name, one in zip(names, found.directions, strict=True)}
    rows = pd.DataFrame({"Column": list(found.columns)} | loadings)
    form = in_one_unit([one.loadings for one in found.directions])
    table(rows, "weights-directions-table", dict.fromkeys(names, form))
