"""Can I trust this map: pairs, neighbours, other maps, steadiness, and data without structure."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from cml_app import evidence_figures, figures, messages
from cml_app.evidence_maps import evidence_map, half_width, small_map
from cml_app.panels.evidence import pairs, running
from cml_app.panels.evidence.pictures import SHARE, how, picture, table
from cml_app.scenes import plane
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core import Fit
from cml_core.evidence.stability import Stability, stability
from cml_core.evidence.structure import Structure, without_structure
from cml_core.evidence.trust import OtherOptima, neighbourhoods, other_optima

# Of other maps; those that follow are far worse.
MOST_SMALL_MAPS = 5
ACROSS = 3
_LEFT_OUT = {"pairs": "Pairs drawn again", "objects": "One object left out"}
_HOW_NEAR = r"""
What is left of a dissimilarity is $\sqrt{\max(\delta_{ij}^2 - \text{known}_{ij}^2, 0)}$.
**Trustworthiness** counts, for each object, those among its $k$ nearest on the map that are not
among its $k$ most alike, weighted by how far down that order they stand; **continuity** counts the
reverse. Both are 1 without such objects, and about 0.5 for a map drawn at random
(Venna and Kaski, 2001).
"""
_HOW_STEADY = r"""
**Pairs drawn again**: as many pairs as there are, drawn with replacement, each counting as often
as it was drawn; the map is fitted again from where it stands (the bootstrap). **One object left
out**: the map of all others; the covariance of the places is that of the jackknife. Each new map is
turned to match the first (Procrustes). An outline holds 95 % of a normal distribution with the
mean and covariance of an object's places:
$(x - \bar x)^\top C^{-1} (x - \bar x) \le \chi^2_2(0.95)$.
"""
_HOW_CHANCE = r"""
The dissimilarities are dealt out to the pairs at random, with the same known features and the same
number of dimensions, and fitted from several starts. Unexplained is the share
$\sum w_{ij} (\delta_{ij} - d_{ij})^2 / \sum w_{ij} \delta_{ij}^2$.
"""


def show(workspace: Workspace) -> None:
    """Five ways to doubt a map."""
    st.header("Can I trust this map?")
    pairs.show(workspace)
    if workspace.step.fit.embedding.shape[1]:
        with messages.explained():
            _near(workspace)
        with messages.explained():
            _others(workspace)
        with messages.explained():
            _steady(workspace)
    with messages.explained():
        _chance(workspace)


def _near(workspace: Workspace) -> None:
    st.subheader("Are neighbours on the map alike?")
    found = running.at_once(
        workspace, "Neighbourhoods", partial(neighbourhoods, workspace.step.fit)
    )
    st.markdown(f"**{messages.plain(found.verdict)}**")
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        picture(
            evidence_figures.neighbourhood_curves(found, figures.ink(is_dark())),
            "near-curves",
            "Trustworthiness and continuity by neighbours; the numbers are in the table.",
        )
    with right:
        rows = pd.DataFrame(
            {
                "Neighbours": found.sizes,
                "Trustworthiness": found.trustworthiness,
                "Continuity": found.continuity,
            }
        )
        meanings = {
            "Trustworthiness": "1: all that lie near each other on the map are alike in what is "
            "left of the dissimilarities.",
            "Continuity": "1: all that are alike in what is left lie near each other on the map.",
        }
        table(rows, "near-table", dict.fromkeys(meanings, "%.3f"), meanings)
    how(_HOW_NEAR)


def _others(workspace: Workspace) -> None:
    st.subheader("Other maps that fit, too")
    fit = workspace.step.fit
    found = running.at_once(workspace, "OtherOptima", partial(other_optima, fit))
    st.markdown(f"**{messages.plain(found.verdict)}**")
    if not found.optima:
        return
    shown = found.optima[:MOST_SMALL_MAPS]
    maps = [plane(other.embedding) for other in (fit.best, *fit.alternatives[: len(shown)])]
    place = {label: i for i, label in enumerate(fit.labels)}
    moved = [[], *([place[name] for name in one.most_moved] for one in shown)]
    words = [f"{found.starts} starts led to it.", *(one.verdict for one in shown)]
    half, columns = half_width(maps), []
    for k, name in enumerate(_names(len(shown))):
        # A row at a time: so that they stand in line, and on a telephone in order.
        if k % ACROSS == 0:
            columns = st.columns(ACROSS, gap="small")
        with columns[k % ACROSS]:
            figure = small_map(fit.labels, maps[k], half, figures.ink(is_dark()), moved[k])
            picture(figure, f"other-map-{k}", f"{name}: {words[k]}")
            st.caption(f"**{name}.** {messages.plain(words[k])}")
    _other_rows(found)


def _names(others: int) -> list[str]:
    return ["The best map", *(f"Other {k}" for k in range(1, others + 1))]


def _other_rows(found: OtherOptima) -> None:
    rows = pd.DataFrame(
        {
            "Map": _names(len(found.optima)),
            "Unexplained": [found.stress, *(one.stress for one in found.optima)],
            "More than the best": [0.0, *(one.above for one in found.optima)],
            "Starts that led to it": [found.starts, *(one.starts for one in found.optima)],
            "Lies elsewhere": ["", *(", ".join(one.most_moved) for one in found.optima)],
        }
    )
    formats = {"Unexplained": SHARE, "More than the best": SHARE}
    meanings = {"More than the best": "As a share of what the best map leaves unexplained."}
    table(rows, "other-table", formats, meanings)


def _steady(workspace: Workspace) -> None:
    st.subheader("How steady are the places?")
    fit = workspace.step.fit
    left_out = st.radio(
        "What is changed",
        list(_LEFT_OUT),
        format_func=_LEFT_OUT.__getitem__,
        horizontal=True,
        key="steady-what",
        help="Pairs drawn again: would other judgements of the same objects give the same map? "
        "One object left out: does the map hang on a single object?",
    )
    kind = f"Stability/{left_out}"
    refits, seed = running.choices(kind, "Refits", usual=200, least=20, most=2000)
    found = running.run(
        workspace,
        "Test the steadiness",
        kind,
        partial(stability, fit, refits=refits, left_out=left_out, seed=seed),
        about=_what_is_refitted(left_out, refits, len(fit.labels)),
    )
    if found is not None:
        _ellipses(fit, found)


def _what_is_refitted(left_out: str, refits: int, n_objects: int) -> str:
    if left_out == "pairs":
        return f"Fits the map {refits} times to pairs drawn again. Some seconds."
    if n_objects <= refits:
        return f"Fits the map {n_objects} times, each time without another object. Some seconds."
    return (
        f"Fits the map {refits} times, each time without another object; which of the "
        f"{n_objects} is drawn by lot. Some seconds."
    )


def _ellipses(fit: Fit, found: Stability) -> None:
    st.markdown(f"**{messages.plain(found.verdict)}**")
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        figure = evidence_map(
            fit.labels,
            plane(fit.embedding),
            figures.ink(is_dark()),
            ellipses=found.ellipses(),
        )
        picture(
            figure,
            f"steady-map-{found.left_out}",
            "The map with an outline around every object; their sizes are in the table.",
        )
        st.caption(messages.plain(found.meaning))
    with right:
        _steady_rows(found)
    how(_HOW_STEADY)


def _steady_rows(found: Stability) -> None:
    rows = pd.DataFrame({"Object": list(found.labels), "Wanders": found.spreads()})
    meanings = {
        "Wanders": "How far its place usually moves, as a share of the map's spread.",
        "Moves others": "How far all others move where this object is left out, as a share of "
        "the map's spread.",
    }
    if np.isfinite(found.influence).any():
        rows["Moves others"] = found.influence
    formats = {name: SHARE for name in meanings if name in rows}
    ordered = rows.sort_values(list(formats)[-1], ascending=False)
    table(ordered, f"steady-table-{found.left_out}", formats, {n: meanings[n] for n in formats})


def _chance(workspace: Workspace) -> None:
    st.subheader("Beside data without structure")
    shuffles, seed = running.choices("Structure", "Shuffles", usual=20, least=5, most=200)
    found = running.run(
        workspace,
        "Compare with shuffled data",
        "Structure",
        partial(without_structure, workspace.step.fit, shuffles=shuffles, seed=seed),
        about=f"Shuffles the dissimilarities {shuffles} times and fits each. Some seconds for few "
        "objects, minutes for hundreds.",
    )
    if found is not None:
        _structure(found)


def _structure(found: Structure) -> None:
    st.markdown(f"**{messages.plain(found.verdict)}**")
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        picture(
            evidence_figures.structure_strip(found, figures.ink(is_dark())),
            "structure-strip",
            "The unexplained share of this map and of shuffled data; the numbers are in the table.",
        )
    with right:
        shuffled = np.sort(found.shuffled)
        names = ["This map", *(f"Shuffled {k}" for k in range(1, shuffled.size + 1))]
        rows = pd.DataFrame({"Data": names, "Unexplained": [found.unexplained, *shuffled]})
        table(rows, "structure-table", {"Unexplained": SHARE})
    how(_HOW_CHANCE)
