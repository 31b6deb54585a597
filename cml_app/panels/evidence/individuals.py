"""Do people differ: the map that all share, people by their weights, and who is unlike others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import Panel, numbers
from cml_app.panels.evidence.pictures import page_ink, picture, table
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.pictures.evidence_maps import evidence_map
from cml_app.pictures.evidence_people import people_by_weights
from cml_app.scenes import plane
from cml_app.workspace import Workspace
from cml_core.evidence.individuals import Individuals, individuals
from cml_core.evidence.result import ResultKind
from cml_core.fitting.people import cannot_differ
from cml_core.report.tables import group_map_csv, people_csv
from cml_core.values.answers import FEWEST_PEOPLE

_HOW = r"""
**The model** (INDSCAL, Carroll and Chang 1970, by least squares on distances): person $k$ has the
distances $d_k(i,j)^2 = \sum_r w_{kr}^2 (u_{ir} - u_{jr})^2 + \sum_f v_{kf}^2 \lVert x_{if} -
x_{jf} \rVert^2$ with $u$ the places on a map that all share and $x$ what is known, as the map of
the mean has it. Everybody's answers count by the share of them that is left,
$\min_h \sum_{ij} (h(\delta_{kij}) - d_k(i,j))^2 / \sum_{ij} d_k(i,j)^2$, where $h$ is what the
scale of the map allows, for each person a curve of their own: with distances a multiple, so that it
does not matter who uses large numbers. Places and weights are found together, from several
rotations of the best map on which all weigh alike.

**Weights** have a mean square of one over people. A person's **share** of a dimension is what it
makes of that person's squared distances. On such a map axes cannot be turned: where people weigh
differently, the axes are what they differ in; where they do not, the axes mean nothing.

**Not told**: for each person the objects are dealt into parts. Without all answers about the
objects of each part in turn, both maps are made anew, that with common and that with own weights;
which objects are held out differs from person to person. Through the answers that were left goes,
for each person, a curve over the distances that tells the answers held out. Shown is the mean
squared error as a share of the variance of this person's answers. People are said to differ where
own weights lower it by more than twice the standard error over people, and never of sortings: they
are not made pair by pair, so that other answers tell more than weights do.

**Unlike the others** is who correlates with the mean of all others so little that Fisher's $z$
lies three robust standard deviations below the median: 1.4826 median absolute deviations, or
$1/\sqrt{n-3}$ for $n$ pairs where that is more.
"""


def why_not(workspace: Workspace) -> str:
    """Why people cannot be weighed here; empty where they can."""
    answers = workspace.journey.answers
    if answers is None:
        return (
            "What single people answered is not known here: the data are one table, or their mean "
            "alone was kept. Bring the answers themselves on the Data page, a table for each "
            "person or a list with a column that says who."
        )
    if answers.n_people < FEWEST_PEOPLE:
        return f"There are answers of {answers.n_people} people; it takes {FEWEST_PEOPLE}."
    return str(cannot_differ(workspace.step.problem) or "")


def _work(workspace: Workspace, chosen: Chosen) -> Callable[..., Individuals]:
    answers = workspace.journey.answers
    assert answers is not None, "the panel is not shown without answers"
    return partial(individuals, workspace.step.fit, answers, folds=chosen.count, seed=chosen.seed)


def _about(workspace: Workspace, folds: int) -> str:
    answers = workspace.journey.answers
    people = answers.n_people if answers else 0
    return (
        f"Gives each of {people} people weights of their own on the dimensions and known features "
        f"of one map, and asks {folds} times whether these tell answers that were held out."
    )


def _body(workspace: Workspace, found: Individuals) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        _map(workspace, found)
    with right:
        _people(found)
    numbers(found)
    _take_home(workspace, found)


def _map(workspace: Workspace, found: Individuals) -> None:
    st.subheader("The map all share")
    if not found.places.shape[1]:
        st.caption("No dimension is hidden: people differ in what they make of the known features.")
        return
    picture(
        evidence_map(workspace.step.fit.labels, plane(found.places), page_ink()),
        "people-map",
        "The map that all share; its axes are what people stretch.",
    )
    seen = min(found.places.shape[1], 2)
    st.caption(
        f"Dimension 1 runs across{' and dimension 2 upwards' if seen > 1 else ''}. These axes "
        "cannot be turned: each person stretches them by weights of their own."
    )


def _people(found: Individuals) -> None:
    st.subheader("People by their weights")
    names = found.dimensions
    chosen = st.columns(2)
    across = _weight(chosen[0], "Across", names, 0)
    up = _weight(chosen[1], "Upwards", names, 1)
    picture(
        people_by_weights(found, across, up, page_ink()),
        "people-weights",
        "A point for each person at two of their weights; the numbers are in the table.",
    )
    st.caption(
        "Who lies on the dotted line makes as much of one as of the other, beside people on "
        "average. A weight of zero: it is nothing to this person."
    )


def _weight(place: DeltaGenerator, label: str, names: tuple[str, ...], at: int) -> int:
    return int(
        place.selectbox(
            label,
            range(len(names)),
            index=at,
            format_func=lambda one: names[one],
            key=f"people-{label}",
        )
    )


def _take_home(workspace: Workspace, found: Individuals) -> None:
    with st.expander("Weights as numbers"):
        table(found.table_of_weights(), "people-weights-table")
        sides = st.columns(2)
        sides[0].download_button(
            "People and weights (.csv)", people_csv(found), "people.csv", "text/csv"
        )
        if found.places.shape[1]:
            shared = group_map_csv(found, workspace.step.fit)
            sides[1].download_button("Map all share (.csv)", shared, "shared_map.csv", "text/csv")


ASKED = OnRequest(
    ResultKind(Individuals),
    button="Weigh by person",
    repeats=Repeats("Parts held out in turn", 10, 2, 20, seconds=(1.0, 6.0, 60.0)),
    work=_work,
    about=_about,
)
PANEL = Panel(Individuals, ASKED.found, why_not=why_not, body=_body, how=_HOW)
