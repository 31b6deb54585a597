"""Ordinal multidimensional scaling: only which of two pairs is more alike counts."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

from cml_core.fitting.scales.ordinal import TIES
from cml_core.peers.method import DISTANCES, NOBODY, Asked, Drawn, Method
from cml_core.peers.methods.by_fit import drawn_by_fit
from cml_core.peers.setting import Setting

ORDINAL = "ordinal"


def _draw(asked: Asked) -> Drawn:
    found = drawn_by_fit(asked, scale=ORDINAL, ties=asked.settings["ties"])
    # With the values in place of the dissimilarities at their best, the normalised stress is the
    # square of Kruskal's stress-1.
    return replace(found, objective=sqrt(max(found.objective, 0.0)))


METHOD = Method(
    "ordinal",
    "Ordinal MDS",
    "Draws pairs that are more alike nearer to each other; how much more does not count.",
    NOBODY,
    DISTANCES,
    "Which of two pairs is farther apart means something; by how much does not.",
    "Kruskal's stress-1",
    _draw,
    (
        Setting(
            "ties",
            "Equal dissimilarities",
            "“primary” may draw them differently far apart, “secondary” draws them alike, “auto” "
            "draws them alike where there are few values.",
            lambda _n: "primary",
            choices=TIES,
        ),
    ),
    takes_gaps=True,
    keeps_unit=False,
    lesson="faithful",
)
