"""Of many objects, views need the memory of a few tables."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from peer_data import uniform

from cml_core import Dissimilarities, Feature, FeatureTable
from cml_core.peers import METHODS, View, quality, view

OBJECTS = 600
TABLE = 8 * OBJECTS**2
DATA = Dissimilarities.of(uniform(OBJECTS))
MemoryBelow = Callable[[int], AbstractContextManager[None]]


def stops_soon() -> Callable[[object], bool]:
    asked = iter(range(5))
    return lambda _: next(asked, None) is None


@pytest.mark.parametrize("method", [name for name, one in METHODS.items() if one.at_first])
def test_a_usual_view_takes_less_than_three_tables(method: str, memory_below: MemoryBelow) -> None:
    # What is loaded and compiled is no table.
    view(uniform(20), method)
    with memory_below(3 * TABLE):
        view(DATA, method, on_step=stops_soon())


def test_a_judgement_takes_less_than_two_tables(memory_below: MemoryBelow) -> None:
    few, all_of_them = (pictured(data) for data in (Dissimilarities.of(uniform(20)), DATA))
    # What is loaded and compiled is no table.
    quality(*few)
    with memory_below(2 * TABLE):
        quality(*all_of_them)


def pictured(data: Dissimilarities) -> tuple[View, Dissimilarities, FeatureTable]:
    """A view, and what it is judged by."""
    seen = view(data, "classical")
    return seen, data, FeatureTable(data.labels, (Feature.numeric("x", seen.places[:, 0]),))
