"""The neighbourhood graph that a method draws by: as it was asked for, or just joined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cml_core.fitting.geodesics import (
    Neighbourhood,
    fewest_neighbours,
    joined,
    neighbours,
    pieces,
)
from cml_core.peers.method import Asked
from cml_core.peers.setting import Setting, at_most_half
from cml_core.values.arrays import BoolArray
from cml_core.values.words import counted


def neighbours_setting(usual: int) -> Setting:
    """How many neighbours count as near."""
    return Setting(
        "n_neighbors",
        "Neighbours",
        "So many of the nearest of each object count as near. Where nothing is chosen, it is "
        f"{usual}, fewer of few objects, and as many as join all objects at least.",
        lambda _n: None,
        least=1,
        whole=True,
    )


def graph_settings(usual: int) -> tuple[Setting, ...]:
    """How objects are joined."""
    return (
        neighbours_setting(usual),
        Setting(
            "epsilon",
            "Within",
            "All that are at most this dissimilar count as near, instead of a number of nearest.",
            lambda _n: None,
            least=0.0,
        ),
        Setting(
            "mutual",
            "Mutual neighbours",
            "Two objects are joined only where each is among the nearest of the other.",
            lambda _n: False,
            choices=(False, True),
        ),
    )


@dataclass(frozen=True, eq=False)
class Graph:
    """Who is near whom.

    Parameters
    ----------
    near : (N, N), in one piece.
    remarks : what to say of it.
    used : how many neighbours were taken, where that was left open.
    """

    near: BoolArray
    remarks: tuple[str, ...] = ()
    used: tuple[tuple[str, Any], ...] = ()


def neighbour_graph(asked: Asked, usual: int) -> Graph:
    """The graph that was asked for.

    Where nobody asked for a number of neighbours, as many are taken as join all objects.
    """
    settings = asked.settings
    if settings.get("epsilon") is not None:
        # Of the dissimilarities as they were given, so that errors tell their unit.
        return Graph(joined(asked.given(), Neighbourhood(epsilon=settings["epsilon"])))
    if settings["n_neighbors"] is not None:
        return _nearest(asked, settings["n_neighbors"])
    wanted = at_most_half(usual)(asked.n_objects)
    mutual = settings.get("mutual", False)
    near = neighbours(asked.square(), Neighbourhood(wanted, mutual=mutual))
    if not pieces(near).any():
        return Graph(near, used=(("n_neighbors", wanted),))
    # Only now, for the ranks of all neighbours take the memory of a whole table.
    fewest = fewest_neighbours(asked.data, mutual=mutual)
    count = wanted if fewest is None else max(wanted, fewest)
    told = f"{counted(count, 'neighbour')} were taken: with fewer the graph falls into pieces."
    graph = _nearest(asked, count)
    return replace(graph, remarks=(told,) * (count > wanted), used=(("n_neighbors", count),))


def _nearest(asked: Asked, count: int) -> Graph:
    return Graph(
        joined(asked.data, Neighbourhood(count, mutual=asked.settings.get("mutual", False)))
    )
