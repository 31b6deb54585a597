"""Labels keep off each other, off other objects, and on the map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cml_core.report.label_places import FARTHER, MOST_LABELS, Paper, placed_labels

PAPER = Paper(side=330, point=4.5, spot=6.6, letter=6.2, most_letters=28, may_cover=True)
LED = replace(PAPER, farther=FARTHER)


def box_of(label, pixels):
    """Where a label lies, counted anew: left, bottom, right, top."""
    vertical, horizontal = label.position.split()
    x, y = pixels[label.place] + label.away
    # At the end of a line there is no point to keep off.
    point = 0 if any(label.away) else 4.5
    width, gap = 6.2 * len(label.text), point + 3
    left = {"center": x - width / 2, "right": x + gap, "left": x - gap - width}[horizontal]
    bottom = {"top": y + point, "bottom": y - 15 - point, "middle": y - 7.5}[vertical]
    return left, bottom, left + width, bottom + 15


def hides_an_object(label, pixels):
    left, bottom, right, top = label.box
    return ((pixels > [left, bottom]) & (pixels < [right, top])).all(axis=1).any()


@given(
    places=arrays(float, (40, 2), elements=st.floats(-137, 137)),
    paper=st.sampled_from([PAPER, LED, replace(LED, may_cover=False)]),
)
def test_labels_never_overlap_and_stay_on_the_map(places, paper):
    names = [f"Object {i}" for i in range(40)]
    found = placed_labels(names, places, paper)
    assert found
    boxes = [box_of(label, places) for label in found]
    # Rounding.
    slack = 1e-6
    for k, (left, bottom, right, top) in enumerate(boxes):
        assert found[k].box == pytest.approx(boxes[k])
        assert min(left, bottom) >= -165 - slack
        assert max(right, top) <= 165 + slack
        for other in boxes[k + 1 :]:
            apart = max(other[0] - right, left - other[2], other[1] - top, bottom - other[3])
            assert apart >= -slack


def test_objects_at_one_place_share_a_label():
    (one,) = placed_labels(("Ada", "Bo"), np.zeros((2, 2)), PAPER)
    assert one.text == "Ada · Bo"
    (one,) = placed_labels("abcde", np.zeros((5, 2)), PAPER)
    assert one.text == "a · b · c +2"


def grid_of(count: int) -> np.ndarray:
    """(count ** 2, 2) places between -900 and 900."""
    across, up = np.meshgrid(np.linspace(-900, 900, count), np.linspace(-900, 900, count))
    return np.column_stack([across.ravel(), up.ravel()])


def test_there_are_never_too_many_labels():
    names = [f"{i}" for i in range(400)]
    found = placed_labels(names, grid_of(20), replace(PAPER, side=2000))
    assert len(found) == MOST_LABELS


@pytest.mark.parametrize("objects", [("x" * 90,), ("x" * 90, "y"), ("Ada", "b" * 40, "Di")])
def test_labels_that_are_too_long_are_cut(objects):
    (one,) = placed_labels(objects, np.zeros((len(objects), 2)), PAPER)
    assert len(one.text) <= 28
    assert one.text.startswith(objects[0][:3])
    if len(objects) > 1:
        assert one.text.endswith(f"+{len(objects) - 1}")


def test_letters_of_some_scripts_are_wider_than_others():
    (wide,) = placed_labels(["東京都"], np.zeros((1, 2)), PAPER)
    (narrow,) = placed_labels(["abc"], np.zeros((1, 2)), PAPER)
    assert wide.box[2] - wide.box[0] > 1.5 * (narrow.box[2] - narrow.box[0])


def test_of_many_objects_no_label_hides_another_object():
    places = np.random.default_rng(5).normal(size=(300, 2)) * 40
    names = [f"Object {i}" for i in range(300)]
    found = placed_labels(names, places, PAPER)
    assert found
    assert not any(hides_an_object(label, places) for label in found)


def test_of_few_objects_the_one_with_the_least_choice_is_named_first():
    # Beside the right edge a long name has room to the left only, where the other's might be.
    places = np.array([[20.0, 0.0], [150.0, 6.0]])
    found = placed_labels(("A name as long", "Another as long"), places, PAPER)
    assert [label.place for label in found] == [1, 0]
    assert not any(hides_an_object(label, places) for label in found)


def test_a_label_keeps_off_objects_without_one_and_off_what_is_blocked():
    place, above = np.zeros((1, 2)), np.array([[0.0, 12.0]])
    (alone,) = placed_labels(("Ada",), place, PAPER)
    (beside,) = placed_labels(("Ada",), place, PAPER, unnamed=above)
    (below,) = placed_labels(("Ada",), place, replace(PAPER, blocked=((-9.0, 8.0, 9.0, 16.0),)))
    assert alone.position == "top center"
    assert beside.position == below.position == "bottom center"


def test_a_label_that_would_cover_an_object_goes_farther_where_it_may_not():
    # In the middle of a crowd.
    place, crowd = np.zeros((1, 2)), grid_of(9) / 30
    (beside,) = placed_labels(("Ada",), place, LED, unnamed=crowd)
    (away,) = placed_labels(("Ada",), place, replace(LED, may_cover=False), unnamed=crowd)
    assert not any(beside.away)
    assert hides_an_object(beside, crowd)
    assert any(away.away)
    assert not hides_an_object(away, crowd)


def test_a_label_without_room_goes_farther_off_where_its_line_crosses_no_other():
    # In the middle of a ring of others, all with long names.
    turns = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    ring = 19.8 * np.column_stack([np.cos(turns), np.sin(turns)])
    places = np.vstack([ring, [[0.0, 0.0]]])
    names = [*(f"Around {k}" for k in range(8)), "Within"]
    near = placed_labels(names, places, PAPER)
    far = placed_labels(names, places, LED)
    assert len(near) < len(far) == 9
    assert [one for one in far if not any(one.away)] == near
    for one in far[len(near) :]:
        assert min(abs(np.hypot(*one.away) - reach) for reach in FARTHER) < 1e-9


def test_a_label_that_finds_no_room_anywhere_is_left_out():
    # Almost as wide as the map.
    names = ["x" * 26, "y" * 26]
    places = np.array([[0.0, 0.0], [45.0, 0.0]])
    assert len(placed_labels(names, places, replace(PAPER, side=180, farther=FARTHER[:1]))) <= 1
