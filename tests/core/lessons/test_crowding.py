"""The lesson on crowding."""

from __future__ import annotations

import numpy as np
import pytest

from cml_core.lessons import crowding
from cml_core.lessons.crowding import equally_different, three_clusters

PLANE, DIMENSIONS, RATIO = crowding.LESSON.checks
PERPLEXITIES = (2, 5, 15, 30, 49)


@pytest.mark.parametrize(
    ("count", "stress"), [(3, 0.0), (4, 0.0286), (5, 0.0528), (10, 0.1099), (50, 0.1626)]
)
def test_equal_things_leave_what_the_plane_has_no_room_for(count: int, stress: float) -> None:
    found = equally_different(count)
    assert found.stress == pytest.approx(stress, abs=5e-5)
    assert found.on_a_line == pytest.approx((count - 2) / (3 * count), abs=1e-9)
    assert sum(found.rings) == count


def test_many_equal_things_are_drawn_as_rings_and_the_text_counts_them() -> None:
    state = equally_different(10)
    assert state.rings == (1, 9)
    assert "9 around 1" in crowding.LESSON.told(state)
    assert "on a ring" in crowding.LESSON.told(equally_different(5))
    assert "has room" in crowding.LESSON.told(equally_different(3))


def test_t_sne_draws_five_times_as_far_and_eleven_times_as_wide_as_nearly_anything() -> None:
    even = [three_clusters(p) for p in PERPLEXITIES]
    wide = [three_clusters(p, wide=True) for p in PERPLEXITIES]
    # With the last digit of a distance the picture changes; what it cannot be trusted for stays.
    far = [state.drawings["tsne"].far for state in even]
    size = [state.drawings["tsne"].size for state in wide]
    assert min(far) < 1.5
    assert max(far) > 10
    assert min(size) < 2
    assert max(size) < wide[0].truth.size
    assert even[0].truth.far == pytest.approx(5.0, abs=0.05)
    assert wide[0].truth.size == pytest.approx(11.5, abs=0.05)


def test_metric_mds_keeps_how_far_clusters_are_and_t_sne_does_not() -> None:
    low, high = three_clusters(15.0), three_clusters(49.0)
    assert low.truth.far == pytest.approx(5.0, abs=0.05)
    assert low.drawings["mds"].far == pytest.approx(low.truth.far, abs=1e-6)
    assert low.drawings["tsne"].far < low.truth.far / 2
    assert high.drawings["tsne"].far > low.truth.far * 2


@pytest.mark.parametrize("k", [5, 15, 50, 100])
def test_umap_draws_the_far_cluster_about_as_near_as_the_near_one(k: int) -> None:
    assert 0.5 < three_clusters(15.0, k).drawings["umap"].far < 2.0


def test_a_wide_cluster_is_drawn_much_less_wide() -> None:
    found = three_clusters(30.0, wide=True)
    assert found.truth.size > 9
    assert found.drawings["mds"].size == pytest.approx(found.truth.size, abs=1e-6)
    assert found.drawings["tsne"].size < 3.3
    assert found.drawings["umap"].size < found.truth.size / 2


def test_the_way_ends_in_the_picture_and_begins_elsewhere() -> None:
    found = three_clusters(15.0)
    for method in crowding.MOVING:
        drawing = found.drawings[method]
        assert len(drawing.frames) == crowding.FRAMES
        np.testing.assert_array_equal(drawing.frames[-1], drawing.places)
        assert np.abs(drawing.frames[0] - drawing.places).max() > 0.1
    assert not found.drawings["mds"].frames


def test_another_start_is_another_t_sne_picture() -> None:
    usual, other = (three_clusters(15.0, another=k).drawings["tsne"] for k in (0, 1))
    assert abs(usual.far - other.far) > 0.01


def test_three_things_are_equally_far_apart_in_the_plane() -> None:
    state = equally_different(7)
    assert PLANE.right(state, 3.0).right
    few, many = PLANE.right(state, 2.0), PLANE.right(state, 4.0)
    assert not few.right
    assert "one more" in few.words
    assert not many.right
    assert "0.0286" in many.words


def test_each_dimension_has_room_for_one_more() -> None:
    state = equally_different(7)
    assert [DIMENSIONS.right(state, said).right for said in DIMENSIONS.choices] == [
        said == crowding.ONE_MORE for said in DIMENSIONS.choices
    ]
    assert "pyramid" in DIMENSIONS.right(state, crowding.SAME).words


def test_the_ratio_on_the_picture_is_judged_by_the_picture() -> None:
    assert "Three clusters" in RATIO.right(equally_different(3), crowding.BEYOND).words
    state = three_clusters(49.0)
    drawn = state.drawings["tsne"].far
    right = RATIO.right(state, crowding.BEYOND)
    assert right.right
    assert f"{drawn:.1f} times" in right.words
    verdicts = {said: RATIO.right(state, said) for said in RATIO.choices[:-1]}
    assert not any(verdict.right for verdict in verdicts.values())
    # Who tells the truth has not looked at the picture.
    assert "not on the t-SNE picture" in verdicts["4½ to 8 times"].words
    assert "thin lines" in verdicts["1½ to 4½ times"].words
