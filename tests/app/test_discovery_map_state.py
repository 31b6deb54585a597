"""What the map is sent, and how what comes back is read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from cml_app.discovery_map import Colouring, MapState, Scene, parse_state
from cml_app.discovery_map.assets import FOLDER, STYLES, javascript, modules, tools
from cml_app.discovery_map.scene import encoded
from cml_core.drawing.arrow import Arrow
from cml_core.drawing.curve import Curve
from cml_core.drawing.registry import DRAWINGS
from cml_core.errors import LengthMismatch, UnknownOption, UnsuitableFeature

SCENE = Scene(
    "one",
    ("A", "B", "C"),
    np.array([0.0, 1.0, 2.0]),
    np.array([0.0, 1.0, 0.0]),
    selected=(1,),
    drawing=Arrow((0.0, 0.0), (1.0, 1.0)),
)
AS_GIVEN = MapState("one", "move", (1,), SCENE.drawing)
ARROW = {"kind": "arrow", "start": [0, 1.5], "end": [2, 3]}


def sent(**changes: Any) -> dict[str, Any]:
    told = {"map_id": "one", "revision": 0, "tool": "select", "selected": [2, 0], "drawing": ARROW}
    return {"map": told | changes}


def test_what_the_visitor_did_replaces_what_the_scene_began_with() -> None:
    state = parse_state(sent(), SCENE)
    assert state == MapState("one", "select", (2, 0), Arrow((0.0, 1.5), (2.0, 3.0)))


def test_a_visitor_can_clear_what_the_scene_began_with() -> None:
    assert parse_state(sent(selected=[], drawing=None), SCENE) == MapState("one", "select")


@pytest.mark.parametrize(
    "raw", [None, {}, {"map": None}, {"map": []}, {"map": "x"}, "x", 3, [1], {"other": 1}]
)
def test_where_nothing_was_said_the_scene_stands(raw: object) -> None:
    assert parse_state(raw, SCENE) == AS_GIVEN


def test_a_selection_and_a_drawing_of_another_map_are_left_out() -> None:
    assert parse_state(sent(map_id="two"), SCENE) == replace(AS_GIVEN, tool="select")


def test_nothing_that_was_said_before_a_new_revision_counts() -> None:
    scene = replace(SCENE, revision=1)
    assert parse_state(sent(), scene) == AS_GIVEN
    assert parse_state(sent(revision=1), scene).tool == "select"


def test_a_malformed_drawing_is_no_drawing() -> None:
    assert parse_state(sent(drawing={"kind": "arrow", "start": [0, 1]}), SCENE).drawing is None


def test_of_a_selection_only_objects_of_the_map_remain_each_once() -> None:
    assert parse_state(sent(selected=[2, 2, -1, 3, 1.0, True, "0", None, 0]), SCENE).selected == (
        2,
        0,
    )
    assert parse_state(sent(selected="012"), SCENE).selected == ()


def test_an_unknown_tool_is_the_one_of_the_scene() -> None:
    assert parse_state(sent(tool="hammer"), SCENE).tool == "move"
    assert parse_state(sent(tool=["move"]), SCENE).tool == "move"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(("tool", "selected", "map_id"), JSON)),
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["arrow", "curve"])},
        optional=dict.fromkeys(("start", "end", "points", "closed"), JSON),
    ),
)
def test_no_message_can_break_the_reading(told: dict[str, Any], drawing: dict[str, Any]) -> None:
    state = parse_state(sent(**told, drawing=drawing), SCENE)
    assert state.tool in ("move", "select", "arrow", "curve")
    assert all(0 <= i < 3 for i in state.selected)


def test_what_is_sent_is_json_and_comes_back_the_same() -> None:
    values = np.array([0.0, np.nan, 1.0])
    colour = Colouring("Level", "categorical", values, ("low", "high"))
    drawing = Curve(((0.0, 0.0), (1.0, 0.5), (0.3, 1 / 3)), closed=True)
    scene = replace(SCENE, colour=colour, drawing=drawing, cards=((("a", "1"),), (), (("a", "2"),)))
    begun = parse_state(None, scene)
    data = json.loads(json.dumps(encoded(scene, begun), allow_nan=False))
    assert data["colour"]["values"] == [0.0, None, 1.0]
    assert data["cards"] == {"names": ["a"], "rows": [[[0, "1"]], [], [[0, "2"]]]}
    assert parse_state({"map": data}, scene) == begun


def test_a_scene_says_what_is_wrong_with_it() -> None:
    x, y = SCENE.x, SCENE.y
    with pytest.raises(LengthMismatch, match="2 labels, but x speaks of 3"):
        Scene("one", ("A", "B"), x, y)
    with pytest.raises(UnknownOption, match="y is not finite for B"):
        Scene("one", SCENE.labels, x, np.array([0, np.inf, 0]))
    with pytest.raises(UnknownOption, match="no object number 3"):
        replace(SCENE, selected=(3,))
    with pytest.raises(UnknownOption, match="no object number -1"):
        replace(SCENE, lines=((0, -1),))
    with pytest.raises(UnknownOption, match="tool"):
        replace(SCENE, tool="hammer")
    with pytest.raises(LengthMismatch, match="cards speaks of 1"):
        replace(SCENE, cards=((),))
    with pytest.raises(LengthMismatch, match="colour speaks of 2"):
        replace(SCENE, colour=Colouring("Size", "sequential", np.zeros(2)))
    with pytest.raises(UnsuitableFeature, match="beyond its 2 levels"):
        Colouring("Level", "categorical", np.array([0.0, 2.0]), ("low", "high"))
    with pytest.raises(UnsuitableFeature, match="period"):
        Colouring("Angle", "circular", np.zeros(3))


def test_a_scene_cannot_be_changed_from_outside() -> None:
    x = np.array([0.0, 1.0, 2.0])
    scene = replace(SCENE, x=x)
    x[0] = 9.0
    assert scene.x[0] == 0.0
    assert not scene.x.flags.writeable


def test_every_module_of_the_browser_is_joined_once_and_is_of_readable_length() -> None:
    there = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js"))
    assert sorted(modules()) == there
    joined = javascript()
    assert "\nimport " not in joined
    assert joined.count("\nexport ") == 1
    for path in (FOLDER / name for name in (*modules(), *STYLES, "map.html")):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 400, path.name
    for loose in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert loose not in joined


def test_each_module_is_joined_after_those_that_it_imports() -> None:
    order = list(modules())
    assert order[-1] == "component.js"
    assert order.index("toolbox.js") < order.index("tools/move.js") < order.index("tools.js")


def test_the_tools_are_those_of_the_browser_and_each_kind_of_drawing_has_one() -> None:
    assert tools() == ("move", "select", "arrow", "curve")
    assert set(DRAWINGS) <= set(tools())


def script() -> None:
    import numpy as np
    import streamlit as st

    from cml_app.discovery_map import Scene, discovery_map

    scene = Scene("one", ("A", "B", "C"), np.arange(3.0), np.arange(3.0))
    state = discovery_map(scene, key="map")
    st.text(f"{state.tool} {state.selected} {state.drawing}")


def test_a_page_without_a_browser_reads_the_map_from_the_session_state() -> None:
    page = AppTest.from_function(script).run()
    assert not page.exception
    assert page.text[0].value == "move () None"
    page.session_state["map"] = sent()
    page.run()
    assert not page.exception
    assert page.text[0].value == "select (2, 0) Arrow(start=(0.0, 1.5), end=(2.0, 3.0))"
