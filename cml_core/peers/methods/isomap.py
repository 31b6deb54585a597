"""Isomap: classical scaling of the ways through near neighbours."""

from __future__ import annotations

from dataclasses import replace

from cml_core.fitting.geodesics import ways_through
from cml_core.peers.graph import graph_settings, neighbour_graph
from cml_core.peers.method import DISTANCES, SHORTEST_PATHS, Asked, Drawn, Method
from cml_core.peers.methods.classical import drawn_classically

USUAL_NEIGHBOURS = 5


def _draw(asked: Asked) -> Drawn:
    graph = neighbour_graph(asked, USUAL_NEIGHBOURS)
    found = drawn_classically(ways_through(asked.square(), graph.near), asked.n_components)
    return replace(found, remarks=(*graph.remarks, *found.remarks), used=graph.used)


METHOD = Method(
    "isomap",
    "Isomap",
    "Measures how far it is from neighbour to neighbour, and unrolls what is curved.",
    SHORTEST_PATHS,
    DISTANCES,
    "Distances mean ways through neighbours; one false neighbour can fold the whole picture.",
    "share of the spread of the ways that is shown",
    _draw,
    graph_settings(USUAL_NEIGHBOURS),
    lower_is_better=False,
    at_first=True,
    takes_gaps=True,
    lesson="surface",
)
