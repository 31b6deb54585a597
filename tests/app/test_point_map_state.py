"""What the map of very many objects is sent, under which addresses, and how answers are read."""

from __future__ import annotations

import asyncio
import gc
import gzip
import hashlib
import json
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import Response
from streamlit.testing.v1 import AppTest

from cml_app import joined_modules
from cml_app.point_map import (
    Colouring,
    PointMapState,
    PointScene,
    addresses,
    assets,
    inside,
    parse_state,
)
from cml_app.point_map.packing import STEPS, order_of, packed_colour, packed_places, stride_of
from cml_app.point_map.sending import Sent, encoded
from cml_core.drawing.arrow import Arrow
from cml_core.errors import LengthMismatch, UnknownOption
from cml_core.values.arrays import FloatArray, frozen

N = 500
PLACES = frozen(np.random.default_rng(0).normal(size=(N, 2)) * [3, 1])
SCENE = PointScene("one", PLACES, tool="arrow", drawing=Arrow((0.0, 0.0), (1.0, 1.0)))


def sent(**changes: Any) -> dict[str, Any]:
    told = {"map_id": "one", "revision": 0, "tool": "lasso", "drawing": None, "region": None}
    return {"points": told | changes}


def test_what_the_visitor_did_replaces_what_the_scene_began_with() -> None:
    corners = [[0, 0], [1, 0], [1, 1.5]]
    state = parse_state(sent(region=corners, pointed=3), SCENE)
    assert (state.tool, state.drawing, state.pointed) == ("lasso", None, 3)
    assert state.region is not None
    assert state.region.tolist() == corners
    assert not state.region.flags.writeable


@pytest.mark.parametrize("raw", [None, {}, {"points": 3}, "x", sent(revision=1)])
def test_where_nothing_was_said_the_scene_stands(raw: object) -> None:
    state = parse_state(raw, SCENE)
    assert (state.tool, state.drawing, state.region) == ("arrow", SCENE.drawing, None)


def test_what_was_drawn_on_another_map_is_left_out() -> None:
    state = parse_state(sent(map_id="two", region=[[0, 0], [1, 0], [1, 1]], pointed=1), SCENE)
    assert (state.tool, state.drawing) == ("lasso", SCENE.drawing)
    assert state.region is None
    assert state.pointed is None


_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(_junk, _junk, _junk, _junk)
def test_nonsense_never_raises(tool: object, drawing: object, region: object, hit: object) -> None:
    state = parse_state(sent(tool=tool, drawing=drawing, region=region, pointed=hit), SCENE)
    assert isinstance(state, PointMapState)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"places": np.zeros(3)}, LengthMismatch),
        ({"places": np.array([[np.inf, 0.0]])}, UnknownOption),
        ({"colour": Colouring("Price", "sequential", np.zeros(3))}, LengthMismatch),
        ({"colour": Colouring("Face", "picture", np.zeros(N), ("a",))}, UnknownOption),
        ({"labels": ((N, "beyond"),)}, UnknownOption),
        ({"tool": "select"}, UnknownOption),
    ],
)
def test_a_scene_that_cannot_be_shown_is_refused(
    changes: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        PointScene(**({"map_id": "one", "places": PLACES} | changes))


@given(st.integers(1, 400))
def test_every_object_travels_once_and_the_first_are_spread_over_the_table(count: int) -> None:
    order = order_of(count)
    assert sorted(order) == list(range(count))
    first = np.sort(order[: max(1, count // 10)])
    assert np.diff(first).max(initial=0) <= 45


def test_places_are_told_to_half_a_step() -> None:
    packed = packed_places(PLACES[order_of(N)])
    left, right, bottom, top = packed.told["box"]  # type: ignore[misc]
    numbers = np.frombuffer(packed.content, "<u2").reshape(-1, 2)
    spans = np.array([right - left, top - bottom])
    shown = numbers / STEPS * spans + [left, bottom]
    off = np.abs(shown - PLACES[order_of(N)])
    assert (off <= spans / STEPS / 2 * 1.0001).all()


def test_where_outliers_would_take_most_steps_places_are_single_precision() -> None:
    far = PLACES.copy()
    far[0] = 1e4
    packed = packed_places(far)
    assert packed.told["kind"] == "float32"
    assert len(packed.content) == 8 * N


def test_objects_that_are_placed_later_travel_alone() -> None:
    early = PLACES.copy()
    early[10:] = np.nan
    first = Sent().after(PointScene("one", early))
    second = first.after(PointScene("one", PLACES))
    assert second.parts[0] is first.parts[0]
    assert [part.told["count"] for part in second.parts] == [10, N - 10]
    slots = np.frombuffer(second.parts[0].held.content, "<u4", count=10)
    assert set(slots * stride_of(N) % N) == set(range(10))


def test_a_page_drawn_again_sends_nothing_anew() -> None:
    colour = Colouring("Price", "sequential", PLACES[:, 0])
    before = Sent().after(PointScene("one", PLACES, colour=colour))
    again = before.after(
        PointScene("one", PLACES.copy(), colour=Colouring("Price", "sequential", PLACES[:, 0]))
    )
    told = [encoded(SCENE, parse_state(None, SCENE), one) for one in (before, again)]
    assert told[0] == told[1]
    # What travels with every run is text of about this length.
    assert len(json.dumps(told[0])) < 1500


def test_other_colours_leave_the_places_alone_and_other_places_the_colours() -> None:
    price = Colouring("Price", "sequential", PLACES[:, 0])
    before = Sent().after(PointScene("one", PLACES, colour=price))
    hour = Colouring("Hour", "circular", PLACES[:, 1], period=24)
    recoloured = before.after(PointScene("one", PLACES, colour=hour))
    assert recoloured.parts == before.parts
    moved = before.after(PointScene("two", frozen(-PLACES), colour=price))
    assert moved.colour is before.colour
    assert moved.parts[0].held is not before.parts[0].held


def test_what_is_missing_has_no_colour_of_a_level_or_of_an_amount() -> None:
    values = np.array([0.0, np.nan, 1.0])
    groups = packed_colour(Colouring("Group", "categorical", values, ("a", "b")))
    assert sorted(np.frombuffer(groups.content, "<u2")) == [0, 1, 65535]
    amounts = packed_colour(Colouring("Price", "sequential", values))
    assert np.isnan(np.frombuffer(amounts.content, "<f4")).sum() == 1
    assert (amounts.told["ends"], amounts.told["missing"]) == ([0.0, 1.0], 1)


def fetched(address: str, accept: str = "gzip", of: str | None = None) -> Response:
    headers = [(b"accept-encoding", accept.encode())]
    name = address.rsplit("/", 1)[-1]
    query = b"" if of is None else f"of={of}".encode()
    scope = {"type": "http", "headers": headers, "path_params": {"name": name}}
    scope["query_string"] = query
    answer: Response = asyncio.run(addresses.route().endpoint(Request(scope)))
    return answer


def test_bytes_are_found_under_their_address_while_someone_holds_them() -> None:
    content = np.random.default_rng(1).bytes(1000)
    held = addresses.held(content)
    assert addresses.route().matches({"type": "http", "path": held.address, "method": "GET"})[1]
    answer = fetched(held.address)
    assert answer.body == content
    assert answer.headers["Cache-Control"] == "private, immutable, max-age=31536000"
    assert addresses.held(content) is held
    address = held.address
    del held
    gc.collect()
    assert fetched(address).status_code == 404


def test_what_repeats_itself_is_compressed_and_what_does_not_is_not() -> None:
    same = addresses.held(bytes(100_000))
    answer = fetched(same.address)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(bytes(answer.body)) == same.content
    assert len(answer.body) < 1000
    assert fetched(same.address, "identity").body == same.content
    noise = addresses.held(np.random.default_rng(2).bytes(100_000))
    assert "Content-Encoding" not in fetched(noise.address).headers


def test_an_address_tells_nothing_of_what_is_held_there_and_cannot_be_guessed() -> None:
    held = addresses.held(b"secret")
    assert held.name not in (hashlib.blake2b(b"secret", digest_size=20).hexdigest(), "secret")
    assert fetched(f"/points/{'0' * 40}").status_code == 404


def test_names_are_told_of_the_objects_that_are_asked_for_while_someone_holds_them() -> None:
    names = addresses.Names(lambda few: [f"Paper {k}" for k in few], 1000)
    scene = PointScene("one", PLACES, names=names)
    told = encoded(scene, parse_state({}, scene), Sent().after(scene))
    assert told["names"] == names.address
    assert json.loads(fetched(names.address, of="3,999,0").body) == [
        "Paper 3", "Paper 999", "Paper 0",
    ]  # fmt: skip
    for strange in ("", "x", "1000", "-1", "1.5", "9" * 30, ",".join("1" * 65)):
        assert fetched(names.address, of=strange).status_code == 400
    address = names.address
    del names, scene, told
    gc.collect()
    assert fetched(address, of="3").status_code == 404


def test_names_that_cannot_be_read_any_more_are_told_so() -> None:
    def gone(_: object) -> list[str]:
        raise UnknownOption("The file is gone.", remedy="Bring it again.")

    names = addresses.Names(gone, 3)
    answer = fetched(names.address, of="1")
    assert (answer.status_code, answer.body) == (404, b"The file is gone. Bring it again.")


def even_odd(region: FloatArray, x: float, y: float) -> bool:
    crossed = 0
    for (xi, yi), (xj, yj) in zip(region, np.roll(region, 1, axis=0), strict=True):
        if (yi > y) != (yj > y):
            crossed += x < (xj - xi) * (y - yi) / (yj - yi) + xi
    return crossed % 2 == 1


def test_a_region_holds_what_a_line_to_the_side_leaves_once() -> None:
    star = np.array([[0.0, 2.0], [1.2, -1.6], [-1.9, 0.6], [1.9, 0.6], [-1.2, -1.6]])
    found = inside(star, PLACES)
    assert found.tolist() == [even_odd(star, *place) for place in PLACES]
    assert 0 < found.sum() < N
    assert not inside(star, np.full((3, 2), np.nan)).any()


def script() -> None:
    import numpy as np
    import streamlit as st

    from cml_app.point_map import PointScene, point_map

    scene = PointScene("one", np.arange(8.0).reshape(4, 2))
    state = point_map(scene, key="points")
    st.text(f"{state.tool} {state.drawing} {state.pointed}")


def test_a_page_holds_what_its_visitor_fetches_and_reads_what_was_drawn() -> None:
    page = AppTest.from_function(script).run()
    assert not page.exception
    assert page.text[0].value == "move None None"
    held = page.session_state["points-sent"].parts[0].held
    assert fetched(held.address).body == held.content
    arrow = {"kind": "arrow", "start": [0, 1.5], "end": [2, 3]}
    page.session_state["points"] = sent(tool="arrow", drawing=arrow, pointed=3)
    page.run()
    assert not page.exception
    assert page.text[0].value == "arrow Arrow(start=(0.0, 1.5), end=(2.0, 3.0)) 3"
    assert page.session_state["points-sent"].parts[0].held is held


def test_all_modules_of_the_map_are_joined_and_their_names_are_their_own() -> None:
    names = joined_modules.modules(assets.ENTRY)
    assert {"painter.js", "../../discovery_map/assets/tools/arrow.js"} <= set(names)
    assert {path.name for path in assets.FOLDER.glob("*.js")} <= set(names)
    joined = assets.javascript()
    assert joined.count("\nexport ") == 1
    for loose in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert loose not in joined
    # Modules that others need something of share one scope.
    shared = "\n".join(text for text in names.values() if "\nexport " in text)
    declared = re.findall(
        r"^(?:export )?(?:default )?(?:async )?(?:function|const|class) (\w+)", shared, re.MULTILINE
    )
    assert [name for name, count in Counter(declared).items() if count > 1] == []
