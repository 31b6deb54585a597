"""A page with nothing but the map and what it returns; `?scene=` says which objects it shows."""

from __future__ import annotations

import base64
import json

import numpy as np
import streamlit as st

from cml_app.discovery_map import Colouring, MapState, Scene, discovery_map
from cml_core import Dissimilarities, FeatureTable, Problem, fit, load_dataset
from cml_core.drawing.arrow import Arrow
from cml_core.drawing.curve import Curve
from cml_core.drawing.directions import Direction
from cml_core.values.nearest import Ends, ends

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</title><script>window.hacked = true</script>",
    "javascript:alert(1) & 'quotes' \"double\"",
    "👩‍👩‍👧‍👦 family 🏳️‍🌈",
    "عم وخال",
    "long " * 60,
    "line\nbreak\tand \x07 bell",
)


@st.cache_data
def kinship(known: tuple[str, ...]) -> tuple[tuple[str, ...], np.ndarray]:
    data = load_dataset("kinship14")
    features = tuple(f for f in data.feature_table().features if f.name in known)
    values = data.values()
    found = fit(Problem(values, FeatureTable(values.labels, features)), seed=0)
    return found.labels, found.embedding


def kinship_scene(which: str) -> Scene:
    known = {"first": (), "second": ("Gender", "Degree")}[which]
    labels, places = kinship(known)
    data = load_dataset("kinship14")
    features = data.feature_table().features
    cards = tuple(
        tuple((feature.name, str(feature.shown()[i])) for feature in features)
        for i in range(len(labels))
    )
    return Scene(which, labels, *places.T, title=f"Kinship terms, {which} map", cards=cards)


def square_scene(which: str) -> Scene:
    """Four corners and the middle; the second map is turned, without C and with a new F."""
    labels, x, y = "ABCDE", [-10, 10, 10, -10, 0], [-5, -5, 5, 5, 0]
    if which == "second":
        labels, x, y = "ABFDE", [10, 10, -3, -10, 0], [-5, 5, 5, 5, 2]
    cards = tuple((("Corner", label),) for label in labels)
    return Scene(f"square {which}", tuple(labels), x, y, title="Square", cards=cards)


def many_scene(which: str) -> Scene:
    random = np.random.default_rng({"first": 0, "second": 1}[which])
    places = random.normal(size=(5000, 2)) * [3, 2] + random.integers(0, 3, (5000, 1)) * [4, 1]
    labels = tuple(f"Object {i + 1}" for i in range(5000))
    cards = tuple((("Number", str(i)), ("Half", str(i // 2))) for i in range(5000))
    return Scene(f"many {which}", labels, *places.T, title="Many objects", cards=cards)


def hostile_scene(which: str) -> Scene:
    angle = np.linspace(0, 2 * np.pi, len(HOSTILE), endpoint=False)
    cards = tuple(((label, label),) for label in HOSTILE)
    title = "<b onclick=alert(1)>Hostile</b>"
    return Scene(f"hostile {which}", HOSTILE, np.cos(angle), np.sin(angle), title, cards=cards)


def coinciding_scene(which: str) -> Scene:
    labels = ("Aunt", "Uncle", "Niece", "Nephew", "Cousin", "Twin one", "Twin two", "Lone")
    x = [0, 0.001, 0.002, 0.001, 0, 10, 10, 5]
    return Scene(f"coinciding {which}", labels, x, [0, 0, 0, 0.001, 0.001, 5, 5, -5])


SCENES = {
    "kinship": kinship_scene,
    "square": square_scene,
    "many": many_scene,
    "hostile": hostile_scene,
    "coinciding": coinciding_scene,
}
PAINTS = ("#d00000", "rgb(0, 160, 0)", "#00f")
# A green square, a red one twice as wide as high, and what no browser can read.
SIGNS = tuple(
    "data:image/svg+xml;base64,"
    + base64.b64encode(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="48">'
        f'<rect width="{width}" height="48" fill="{fill}"/></svg>'.encode()
    ).decode()
    for width, fill in ((48, "#00c000"), (96, "#c00000"))
)
BROKEN = "data:image/png;base64,AAAA"
COLOURS = ("none", "swatch", "picture", "categorical", "sequential", "circular", "twenty levels")


def colouring(kind: str, scene: Scene) -> Colouring | None:
    n = len(scene.labels)
    values = np.arange(n, dtype=float)
    values[-1] = np.nan
    if kind == "categorical":
        levels = tuple(scene.labels[:3]) if n < 10 else ("low", "middle", "high")
        return Colouring("Level", kind, values % 3, levels)
    if kind == "twenty levels":
        return Colouring(
            "Level", "categorical", values % 20, tuple(f"Level {k}" for k in range(20))
        )
    if kind == "swatch":
        return Colouring("Paint", kind, values % 3, PAINTS)
    if kind == "picture":
        return Colouring("Signs", kind, values % 3, (*SIGNS, BROKEN), words=("Red and green",))
    if kind == "sequential":
        return Colouring("Height <b>", kind, values / 7)
    if kind == "circular":
        return Colouring("Direction", kind, values * 360 / n, period=360)
    return None


def page() -> None:
    st.set_page_config(layout="wide")
    wanted = st.query_params
    with st.sidebar:
        which = st.radio("Map", ("first", "second"))
        kind = st.selectbox("Colour", COLOURS, COLOURS.index(wanted.get("colour", "none")))
        revision = st.number_input("Revision", value=0)
        mounted = st.toggle("Mounted", value=True)
        st.button("Run again")
    base = SCENES[wanted.get("scene", "square")](which)
    given = {"drawing": {"0": None, "1": Arrow((-10.0, -5.0), (10.0, 5.0))}.get(str(revision))}
    if revision == 2:
        given = {"drawing": Curve(((0.0, 0.0), (5.0, 5.0), (5.0, 0.0)), True), "selected": (1, 2)}
    lines = ((0, 1), (1, 2)) if wanted.get("lines") else ()
    fields = {
        name: getattr(base, name) for name in ("map_id", "labels", "x", "y", "title", "cards")
    }
    if wanted.get("ends"):
        rising = (Direction("East", 1.0, 0.0, 0.81), Direction("Side", 0.0, -1.0, 0.25, "low"))
        given |= {"ends": ends_on(base), "unit": "in the data", "directions": rising}
    scene = Scene(**fields, colour=colouring(kind, base), lines=lines, revision=revision, **given)
    if mounted:
        state = discovery_map(scene, key="map")
        st.container(key="answer").code(json.dumps(described(state)), language="json")
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    st.container(key="runs").text(f"run {st.session_state.runs}")


def ends_on(scene: Scene) -> tuple[Ends, ...]:
    """As if the data were the distances on the map."""
    places = np.column_stack([scene.x, scene.y])
    gaps = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    return ends(Dissimilarities.from_square(gaps, scene.labels), 2)


def described(state: MapState) -> dict[str, object]:
    return {
        "tool": state.tool,
        "selected": state.selected,
        "drawing": state.drawing.to_wire() if state.drawing else None,
        "drawing_kind": state.drawing.kind if state.drawing else None,
    }


page()
