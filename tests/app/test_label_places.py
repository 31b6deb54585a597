"""Labels keep off each other, off other objects, and on the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cml_app.pictures.label_places import FARTHER, MOST_LABELS, thinned_labels


def box_of(label, places, half):
    """Where a label lies in pixels, counted anew: left, right, bottom, top."""
    vertical, horizontal = label.position.split()
    x, y = (places[label.place] + label.away) * 330 / (2 * half)
    # At the end of a line there is no point to keep off.
    point = 0 if any(label.away) else 4.5
    width, gap = 6.2 * len(label.text), point + 3
    left = {"center": x - width / 2, "right": x + gap, "left": x - gap - width}[horizontal]
    bottom = {"top": y + point, "bottom": y - 15 - point, "middle": y - 7.5}[vertical]
    return left, left + width, bottom, bottom + 15


@given(
    places=arrays(float, (40, 2), elements=st.floats(-1, 1)),
    farther=st.sampled_from([(), FARTHER]),
)
def test_labels_never_overlap_and_stay_on_the_map(places, farther):
    names = [f"Object {i}" for i in range(40)]
    found = thinned_labels(names, places, np.zeros(2), 1.2, farther=farther)
    assert found
    boxes = [box_of(label, places, 1.2) for label in found]
    # Rounding.
    slack = 1e-6
    for k, (left, right, bottom, top) in enumerate(boxes):
        assert min(left, bottom) >= -165 - slack
        assert max(right, top) <= 165 + slack
        for other in boxes[k + 1 :]:
            apart = max(other[0] - right, left - other[1], other[2] - top, bottom - other[3])
            assert apart >= -slack


def test_objects_at_one_place_share_a_label():
    found = thinned_labels(("Ada", "Bo"), np.zeros((2, 2)), np.zeros(2), 1.0)
    assert [label.text for label in found] == ["Ada · Bo"]


def grid_of(count: int) -> np.ndarray:
    """(count ** 2, 2) places between -900 and 900."""
    across, up = np.meshgrid(np.linspace(-900, 900, count), np.linspace(-900, 900, count))
    return np.column_stack([across.ravel(), up.ravel()])


def test_there_are_never_too_many_labels():
    names = [f"{i}" for i in range(400)]
    found = thinned_labels(names, grid_of(20), np.zeros(2), 1000.0, side=2000.0)
    assert len(found) == MOST_LABELS


@pytest.mark.parametrize("objects", [("x" * 90,), ("x" * 90, "y"), ("Ada", "b" * 40, "Di")])
def test_labels_that_are_too_long_are_cut(objects):
    places = np.zeros((len(objects), 2))
    (one,) = thinned_labels(objects, places, np.zeros(2), 1.0)
    assert len(one.text) <= 28
    assert one.text.startswith(objects[0][:3])
    if len(objects) > 1:
        assert one.text.endswith(f"+{len(objects) - 1}")


def test_of_many_objects_no_label_hides_another_object():
    places = np.random.default_rng(5).normal(size=(300, 2)) * 40
    names = [f"Object {i}" for i in range(300)]
    half = 165.0
    found = thinned_labels(names, places, np.zeros(2), half)
    assert found
    for label in found:
        left, right, bottom, top = box_of(label, places, half)
        inside = (places > [left, bottom]) & (places < [right, top])
        assert not inside.all(axis=1).any()


def test_of_few_objects_the_one_with_the_least_choice_is_named_first():
    # Beside the right edge a long name has room to the left only, where the other's might be.
    places = np.array([[20.0, 0.0], [150.0, 6.0]])
    found = thinned_labels(("A name as long", "Another as long"), places, np.zeros(2), 165.0)
    assert [label.place for label in found] == [1, 0]
    for label in found:
        left, right, bottom, top = box_of(label, places, 165.0)
        inside = (places > [left, bottom]) & (places < [right, top])
        assert not inside.all(axis=1).any()


def test_a_label_keeps_off_objects_without_one():
    place, above = np.zeros((1, 2)), np.array([[0.0, 12.0]])
    (alone,) = thinned_labels(("Ada",), place, np.zeros(2), 165.0)
    (beside,) = thinned_labels(("Ada",), place, np.zeros(2), 165.0, unnamed=above)
    assert alone.position == "top center"
    assert beside.position == "bottom center"


def test_a_label_without_room_goes_farther_off_where_its_line_crosses_no_other():
    # In the middle of a ring of others, all with long names.
    turns = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    ring = 0.12 * np.column_stack([np.cos(turns), np.sin(turns)])
    places = np.vstack([ring, [[0.0, 0.0]]])
    names = [*(f"Around {k}" for k in range(8)), "Within"]
    near = thinned_labels(names, places, np.zeros(2), 1.0)
    far = thinned_labels(names, places, np.zeros(2), 1.0, farther=FARTHER)
    assert len(near) < len(far) == 9
    assert [one for one in far if not any(one.away)] == near
    for one in far[len(near) :]:
        pixels = np.hypot(*one.away) * 165
        assert min(abs(pixels - reach) for reach in FARTHER) < 1e-9


def test_a_label_that_finds_no_room_anywhere_is_left_out():
    places = np.array([[0.0, 0.0], [0.5, 0.0]])
    # Almost as wide as the map.
    names = ["x" * 26, "y" * 26]
    found = thinned_labels(names, places, np.zeros(2), 1.0, farther=FARTHER[:1], side=180.0)
    assert len(found) <= 1
