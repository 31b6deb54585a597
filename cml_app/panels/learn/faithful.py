"""Lesson 2 on the page: three maps of the same colours, and their pairs."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from scipy.spatial.distance import pdist

from cml_app.own_colours import own_colours
from cml_app.panels.learn.panel import DISCOVER, LessonPanel, Own, Stage
from cml_app.pictures.figures import ink
from cml_app.pictures.lesson_figures import Drawn, maps_with_pairs
from cml_app.pictures.lesson_sketches import Dots
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core.datasets import load_dataset
from cml_core.lessons import faithful
from cml_core.lessons.faithful import ThreeWays

_STILL_PICTURE = {"displayModeBar": False, "staticPlot": True}


def show(stage: Stage) -> ThreeWays:
    """The slider beside the maps."""
    with stage.numbers:
        power = st.slider(
            "Power of every dissimilarity", 0.3, 3.0, 1.0, 0.1, key="power", bind="query-params"
        )
    state = faithful.three_ways(round(power, 1))
    data = faithful.colours(state.power)
    drawn = [
        Drawn(way.name, way.places, data.condensed, way.believed, pdist(way.places) * _size(way))
        for way in state.ways
    ]
    with stage.picture:
        st.plotly_chart(
            maps_with_pairs(drawn, data.labels, _colours(), ink(is_dark())),
            theme=None,
            config=_STILL_PICTURE,
            key="three-ways",
        )
    return state


def _size(way: faithful.Way) -> float:
    """Maps are drawn equally large; their pairs as large as what they believe."""
    distances = pdist(way.places)
    return float((distances @ way.believed) / (distances @ distances))


def _colours() -> list[str]:
    """What colour people see at each wavelength."""
    seen = own_colours(load_dataset("ekman").feature_table().features[0])
    assert seen is not None
    places, colours = seen
    return [colours[int(place)] for place in places]


def _by_order(workspace: Workspace) -> None:
    workspace.ask(replace(workspace.question, scale="ordinal"))


def _sketch() -> Dots:
    places = faithful.three_ways(1.0).named(faithful.ORDER).places
    return Dots(places, colours=[k % 7 for k in range(len(places))])


PANEL = LessonPanel[ThreeWays](
    faithful.LESSON,
    show,
    Own("Your own map by order alone", DISCOVER, prepare=_by_order),
    _sketch,
)
