"""Can I trust this map: pairs, neighbours, other maps, steadiness, and data without structure."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from cml_app import messages
from cml_app.panels.evidence import pairs, running
from cml_app.panels.evidence.pictures import SHARE, how, picture, table, unbroken, verdict
from cml_app.pictures import evidence_figures, figures
from cml_app.pictures.evidence_maps import evidence_map, half_width, in_rows, small_map
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
USUAL_REFITS, USUAL_SHUFFLES = 200, 20
LEAST_REFITS, MOST_REFITS = 20, 2000
# How long that takes, in seconds, as `running.how_long` wants it.
REFITTED, SHUFFLED = (1.0, 2.0, 5.0), (1.0, 3.0, 15.0)
_LEFT_OUT = {"pairs": "Pairs drawn again", "objects": "One object left out"}
_WANDERS, _MOVES = "Wanders", "Moves others"
_MOVE_MEANINGS = {
    _WANDERS: "How far its own place strays, typically, as a share of the map's spread (the root "
    "mean square distance of all objects from the middle).",
    _MOVES: "How far the others move, typically, where this one object is left out, as a share of "
    "the map's spread.",
}
_TWO_MOVES = (
    "**Moves others** is what leaving out this one object does to the rest; the sentence above "
    "speaks of that. **Wanders** is how far its own place would stray if other objects of the kind "
    "had been compared, estimated from all these moves together; so it is usually larger."
)
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
    else:
        st.caption("Without a map there are no neighbours, other maps or places to judge.")
    with messages.explained():
        _chance(workspace)


def _near(workspace: Workspace) -> None:
    st.subheader("Are neighbours on the map alike?")
    found = running.at_once(
        workspace, "Neighbourhoods", partial(neighbourhoods, workspace.step.fit)
    )
    verdict(found.verdict)
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
    verdict(found.verdict)
    if not found.optima:
        return
    shown = found.optima[:MOST_SMALL_MAPS]
    maps = in_rows(
        [plane(other.embedding) for other in (fit.best, *fit.alternatives[: len(shown)])]
    )
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
            st.caption(f"**{name}.** {unbroken(words[k])}")
    if fit.embedding.shape[1] == 1:
        st.caption("Each object has its row, in the order of the best map, the first on top.")
    if len(found.optima) > len(shown):
        st.caption(
            f"Of {len(found.optima)} other maps the best {len(shown)} are drawn; all are in the "
            "table."
        )
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
        persist_state="session",
        help="Pairs drawn again: would other judgements of the same objects give the same map? "
        "One object left out: does the map hang on a single object?",
    )
    kind = f"Stability/{left_out}"
    refits, seed = _how_often(workspace, kind)
    found = running.run(
        workspace,
        "Test the steadiness",
        kind,
        partial(stability, fit, refits=refits, left_out=left_out, seed=seed),
        about=f"{_what_is_refitted(left_out, refits, len(fit.labels))} "
        + running.how_long(workspace, REFITTED, share=refits / USUAL_REFITS),
    )
    if found is not None:
        _ellipses(fit, found)


def _how_often(workspace: Workspace, kind: str) -> tuple[int, int]:
    """How many refits, and their seed; nothing to choose where every object is left out once."""
    n_objects = len(workspace.step.fit.labels)
    if kind == "Stability/objects" and n_objects <= USUAL_REFITS:
        return n_objects, 0
    what = "Refits" if kind == "Stability/pairs" else "Objects to leave out"
    return running.choices(
        workspace, kind, what, usual=USUAL_REFITS, least=LEAST_REFITS, most=MOST_REFITS
    )


def _what_is_refitted(left_out: str, refits: int, n_objects: int) -> str:
    if left_out == "pairs":
        return f"Fits the map {refits} times to pairs drawn again."
    if n_objects <= refits:
        return f"Fits the map {n_objects} times, each time without another object."
    return (
        f"Fits the map {refits} times, each time without another object; which of the "
        f"{n_objects} is drawn by lot."
    )


def _ellipses(fit: Fit, found: Stability) -> None:
    verdict(found.verdict)
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
        st.caption(unbroken(found.meaning))
    with right:
        _steady_rows(found)
        if found.left_out == "objects":
            st.caption(_TWO_MOVES)
    how(_HOW_STEADY)


def _steady_rows(found: Stability) -> None:
    rows = pd.DataFrame({"Object": list(found.labels)})
    if found.left_out == "objects":
        rows[_MOVES] = found.influence
    rows[_WANDERS] = found.spreads()
    moves = [name for name in (_MOVES, _WANDERS) if name in rows]
    ordered = rows.sort_values(moves[0], ascending=False)
    table(ordered, f"steady-table-{found.left_out}", dict.fromkeys(moves, SHARE), _MOVE_MEANINGS)


def _chance(workspace: Workspace) -> None:
    st.subheader("Beside data without structure")
    shuffles, seed = running.choices(
        workspace, "Structure", "Shuffles", usual=USUAL_SHUFFLES, least=5, most=200
    )
    found = running.run(
        workspace,
        "Compare with shuffled data",
        "Structure",
        partial(without_structure, workspace.step.fit, shuffles=shuffles, seed=seed),
        about=f"Shuffles the dissimilarities {shuffles} times and fits each. "
        + running.how_long(workspace, SHUFFLED, share=shuffles / USUAL_SHUFFLES),
    )
    if found is not None:
        _structure(found)


def _structure(found: Structure) -> None:
    verdict(found.verdict)
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
