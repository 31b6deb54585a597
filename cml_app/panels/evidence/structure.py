"""Beside data without structure: what maps of the same numbers in random order leave."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cml_app.evidence_job import Chosen
from cml_app.panels.evidence.panel import Panel, Picture
from cml_app.panels.evidence.pictures import page_ink
from cml_app.panels.evidence.running import OnRequest, Repeats
from cml_app.pictures import evidence_figures
from cml_app.workspace import Workspace
from cml_core.evidence.result import ResultKind
from cml_core.evidence.structure import Structure, without_structure

_HOW = r"""
The dissimilarities are dealt out to the pairs at random, with the same known features and the same
number of dimensions, and fitted from several starts. Unexplained is the share
$\sum w_{ij} (\delta_{ij} - d_{ij})^2 / \sum w_{ij} \delta_{ij}^2$.
"""


def _work(workspace: Workspace, chosen: Chosen) -> Callable[..., Structure]:
    return partial(without_structure, workspace.step.fit, shuffles=chosen.count, seed=chosen.seed)


def _about(_: Workspace, shuffles: int) -> str:
    return f"Shuffles the dissimilarities {shuffles} times and fits each."


def _picture(_: Workspace, found: Structure) -> Picture:
    return Picture(
        evidence_figures.structure_strip(found, page_ink()),
        "structure-strip",
        "The unexplained share of this map and of shuffled data; the numbers are in the table.",
    )


ASKED = OnRequest(
    ResultKind(Structure),
    button="Compare with shuffled data",
    repeats=Repeats("Shuffles", 20, 5, 200, seconds=(1.0, 3.0, 15.0)),
    work=_work,
    about=_about,
)
PANEL = Panel(Structure, ASKED.found, picture=_picture, how=_HOW, lesson="not-proof")
