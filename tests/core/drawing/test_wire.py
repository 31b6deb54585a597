"""Drawings as the map sends them: read with care, and sent back the same."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cml_core.drawing.arrow import Arrow
from cml_core.drawing.curve import Curve
from cml_core.drawing.registry import drawing_from_wire

SQUARE = [[0, 0], [1, 0], [1, 1], [0, 1]]
numbers = st.integers(-7000, 7000).map(lambda sevenths: sevenths / 7)
points = st.lists(st.tuples(numbers, numbers), min_size=3, max_size=9, unique=True)


@pytest.mark.parametrize(
    "raw",
    [
        {"kind": "arrow", "start": [0, 1]},
        {"kind": "arrow", "start": [0, 1], "end": [0, 1]},
        {"kind": "arrow", "start": [0, math.nan], "end": [0, 1]},
        {"kind": "arrow", "start": [0, 10**400], "end": [0, 1]},
        {"kind": "arrow", "start": [0, True], "end": [0, 1]},
        {"kind": "arrow", "start": ["0", "1"], "end": [0, 1]},
        {"kind": "curve", "points": []},
        {"kind": "curve", "points": [[0, 0]]},
        {"kind": "curve", "points": [[0, 0], [0, 0]]},
        {"kind": "curve", "points": [[0, 0], [1, None]]},
        {"kind": "curve", "points": [[0, 0], [1]]},
        {"kind": "curve", "points": [[k, 0] for k in range(100_000)]},
        {"kind": "spiral"},
        {"kind": ["arrow"]},
        [],
        "arrow",
    ],
)
def test_what_is_malformed_is_no_drawing(raw: object) -> None:
    assert drawing_from_wire(raw) is None


def test_an_arrow_is_read() -> None:
    raw = {"kind": "arrow", "start": [0, 1.5], "end": [2, 3]}
    assert drawing_from_wire(raw) == Arrow((0.0, 1.5), (2.0, 3.0))


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"points": SQUARE, "closed": True}, Curve(SQUARE, closed=True)),
        ({"points": SQUARE, "closed": "yes"}, Curve(SQUARE)),
        ({"points": SQUARE[:2], "closed": True}, Curve(SQUARE[:2])),
    ],
)
def test_a_curve_is_closed_only_if_it_says_so_and_has_an_inside(
    sent: dict[str, object], expected: Curve
) -> None:
    assert drawing_from_wire({"kind": "curve"} | sent) == expected


@given(points, st.booleans())
def test_what_is_sent_is_json_and_comes_back_the_same(
    corners: list[tuple[float, float]], closed: bool
) -> None:
    for drawing in (Arrow(corners[0], corners[1]), Curve(tuple(corners), closed)):
        sent = json.loads(json.dumps(drawing.to_wire(), allow_nan=False))
        assert drawing_from_wire(sent) == drawing
