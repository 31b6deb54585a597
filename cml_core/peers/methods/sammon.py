"""Sammon's mapping: errors count relative to the dissimilarity."""

from __future__ import annotations

from cml_core.peers.method import DISTANCES, NOBODY, Asked, Drawn, Method
from cml_core.peers.methods.by_fit import drawn_by_fit


def _draw(asked: Asked) -> Drawn:
    return drawn_by_fit(asked, weights="sammon")


METHOD = Method(
    "sammon",
    "Sammon's mapping",
    "Like metric MDS, but small dissimilarities count as much as large ones.",
    NOBODY,
    DISTANCES,
    "Distances mean something, small ones too; directions mean nothing by themselves.",
    "Sammon's stress: the share that is not drawn, relative to each dissimilarity",
    _draw,
    at_first=True,
    takes_gaps=True,
    lesson="faithful",
)
