"""A page with nothing but the map of very many objects; its address says how many, and how.

Its server answers for the bytes of the map as the app's server does.
"""

from __future__ import annotations

import json

import numpy as np
import streamlit as st

from cml_app.point_map import (
    Colouring,
    Names,
    NewPoints,
    PointMapState,
    PointScene,
    addresses,
    inside,
    point_map,
)
from cml_core.many.arriving import Arriving
from cml_core.values.arrays import FloatArray, IntArray, frozen

N_CLUSTERS = 12
LEVELS = tuple(f"Topic {k + 1}" for k in range(N_CLUSTERS))


@st.cache_resource
def clusters(n_objects: int) -> tuple[FloatArray, FloatArray]:
    """Places about some centres of different widths, and which centre."""
    random = np.random.default_rng(0)
    which = random.integers(0, N_CLUSTERS, n_objects)
    centres = random.normal(size=(N_CLUSTERS, 2)) * 4
    widths = random.uniform(0.15, 0.9, size=(N_CLUSTERS, 2))
    turned = random.normal(size=(n_objects, 2)) * widths[which]
    return frozen(centres[which] + turned), frozen(which.astype(float))


@st.cache_resource
def uniform(n_objects: int) -> tuple[FloatArray, FloatArray]:
    random = np.random.default_rng(1)
    places = random.uniform([-3, -2], [3, 2], size=(n_objects, 2))
    return frozen(places), frozen((places[:, 0] > 0).astype(float))


@st.cache_resource
def new_points(count: int) -> NewPoints:
    """On a circle about the map, the first of them unlike everything."""
    angle = 2 * np.pi * np.arange(count) / count
    places = 14 * np.column_stack([np.cos(angle), np.sin(angle)])
    return NewPoints(places, np.arange(count) == 0, tuple(f"New {k}" for k in range(count)))


def arriving(places: FloatArray, more: bool) -> FloatArray | Arriving:
    """A fiftieth of the objects, and a quarter of them more each time."""
    n_objects = len(places)
    few = np.arange(0, n_objects, 50)
    coming = st.session_state.setdefault("coming", Arriving(n_objects, few, places[few]))
    if more:
        coming.put(coming.placed, places[coming.placed : coming.placed + n_objects // 4])
    return coming if coming.placed < n_objects else coming.settled()


def called(objects: IntArray) -> list[str]:
    return [f"Paper {k} of many" for k in objects]


KINDS = ("none", "categorical", "ordinal", "sequential", "circular")


def colouring(kind: str, places: FloatArray, which: FloatArray) -> Colouring | None:
    if kind == "categorical":
        return Colouring("Topic", kind, which, LEVELS)
    if kind == "ordinal":
        return Colouring("Grade", "sequential", which, LEVELS)
    if kind == "sequential":
        values = places[:, 0] + 0.3 * places[:, 1]
        return Colouring("Price", kind, np.where(np.arange(len(places)) % 50 == 0, np.nan, values))
    if kind == "circular":
        return Colouring("Hour", kind, np.degrees(np.arctan2(*places.T)) / 15 % 24, period=24)
    return None


def page() -> None:
    st.set_page_config(layout="wide")
    wanted = st.query_params
    n_objects = int(wanted.get("n", "100000"))
    with st.sidebar:
        which_map = st.radio("Map", ("first", "second", "landmarks", "half", "arriving"))
        kind = st.selectbox("Colour", KINDS, KINDS.index(wanted.get("colour", "none")))
        st.button("Run again")
        more = st.button("More")
        n_new = st.number_input("New objects", 0)
    made = {"uniform": uniform, "clusters": clusters}[wanted.get("data", "clusters")]
    places, which = made(n_objects)
    map_id = "first"
    if which_map == "second":
        map_id, places = "second", frozen(places[:, ::-1] * [1, 0.5])
    elif which_map == "arriving":
        map_id, places = "arriving", arriving(made(n_objects)[0], more)
    elif which_map != "first":
        places = places.copy()
        places[np.arange(n_objects) % 50 > {"landmarks": 0, "half": 25}[which_map]] = np.nan
    labels = tuple((int(np.argmax(which == k)), LEVELS[k]) for k in range(0, N_CLUSTERS, 3))
    names = st.session_state.setdefault("names", Names(called, n_objects))
    scene = PointScene(
        map_id,
        places,
        title="Points",
        colour=colouring(kind, places, which),
        labels=labels if wanted.get("labels", "yes") == "yes" else (),
        names=names if wanted.get("names") == "yes" else None,
        newcomers=new_points(int(n_new)) if n_new else None,
    )
    state = point_map(scene, key="points", height=int(wanted.get("height", "760")))
    st.container(key="answer").code(json.dumps(described(state, places)), language="json")
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    st.container(key="runs").text(f"run {st.session_state.runs}")


def described(state: PointMapState, places: FloatArray | Arriving) -> dict[str, object]:
    region = None if isinstance(places, Arriving) else state.region
    return {
        "tool": state.tool,
        "drawing": state.drawing.to_wire() if state.drawing else None,
        "inside": None if region is None else int(inside(region, places).sum()),
        "corners": None if region is None else len(region),
        "pointed": state.pointed,
    }


if __name__ == "__main__":
    page()
else:
    app = st.App(__file__, routes=[addresses.route()])
