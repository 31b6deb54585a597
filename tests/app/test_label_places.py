"""Labels keep off each other, off other objects, and on the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cml_app.label_places import MOST_LABELS, thinned_labels


def box_of(label, places, half):
    """Where a label lies in pixels, counted anew: left, right, bottom, top."""
    vertical, horizontal = label.position.split()
    x, y = places[label.place] * 330 / (2 * half)
    width = 6.2 * len(label.text)
    left = {"center": x - width / 2, "right": x + 7.5, "left": x - 7.5 - width}[horizontal]
    bottom = {"top": y + 4.5, "bottom": y - 19.5, "middle": y - 7.5}[vertical]
    return left, left + width, bottom, bottom + 15


@given(places=arrays(float, (40, 2), elements=st.floats(-1, 1)))
def test_labels_never_overlap_and_stay_on_the_map(places):
    names = [f"Object {i}" for i in range(40)]
    found = thinned_labels(names, places, np.zeros(2), 1.2)
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
