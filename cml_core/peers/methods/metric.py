"""Metric multidimensional scaling."""

from __future__ import annotations

from cml_core.peers.method import DISTANCES, NOBODY, Asked, Drawn, Method
from cml_core.peers.methods.by_fit import drawn_by_fit


def _draw(asked: Asked) -> Drawn:
    return drawn_by_fit(asked)


METHOD = Method(
    "mds",
    "Metric MDS",
    "Draws every pair as far apart as its dissimilarity says, as well as that can be done.",
    NOBODY,
    DISTANCES,
    "Distances mean something, large ones most; directions mean nothing by themselves.",
    "stress: the share of the dissimilarities that is not drawn",
    _draw,
    at_first=True,
    takes_gaps=True,
    lesson="stress",
)
