"""From a drawing to a feature: places, groups, orders, texts; levels, corrections, likeness."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cml_core import Feature, FeatureTable, Problem, fit, load_dataset
from cml_core.drawing.arrow import Arrow
from cml_core.drawing.curve import Curve
from cml_core.drawing.groups import from_groups
from cml_core.drawing.levels import (
    corrected_alike,
    evident_levels,
    flipped,
    natural_breaks,
    numbered,
    rounded,
    with_missing,
    with_value,
)
from cml_core.drawing.likeness import likeness, predictability
from cml_core.drawing.order import from_order
from cml_core.drawing.typed import from_text
from cml_core.errors import (
    DegenerateComparison,
    LabelMismatch,
    LengthMismatch,
    UnsuitableFeature,
)

LABELS = ("Aunt", "Brother", "Cousin", "Daughter")
SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
# Rounding of a few operations on numbers of order one to a hundred.
ROUNDING = 1e-9

coordinates = st.floats(-100, 100, width=32)
maps = arrays(np.float64, (7, 2), elements=coordinates)


@pytest.fixture(scope="module")
def kinship():
    data = load_dataset("kinship14")
    return data.values(), data.feature_table()


@pytest.fixture(scope="module")
def after_degree(kinship):
    """The map of the kinship terms with Gender and Degree known."""
    dissimilarities, features = kinship
    return fit(Problem(dissimilarities, features.select(["Gender", "Degree"])), seed=0)


def numeric(values, name="x"):
    return Feature.numeric(name, values)


# The story


@pytest.mark.slow
def test_the_kinship_terms_lead_from_an_arrow_to_generation(kinship, after_degree):
    _, features = kinship
    places, labels = after_degree.embedding, after_degree.labels
    true = np.abs(features["Generation"].values)
    direction = np.linalg.lstsq(places, true - true.mean(), rcond=None)[0]
    tip = 10 * direction / np.linalg.norm(direction)
    arrow = Arrow((0, 0), tuple(tip))
    drawn = arrow.feature("Generations apart", places, ["Gender", "Degree"])
    # R = .92 at the best known optimum.
    assert np.corrcoef(drawn.values, true)[0, 1] >= 0.88
    assert drawn.origin == "place along an arrow on the map with Gender and Degree known"

    leveled = numbered(rounded(drawn, 3))
    assert set(leveled.values) == {0, 1, 2}
    wrong = [label for k, label in enumerate(labels) if leveled.values[k] != true[k]]
    assert set(wrong) == {"Daughter", "Son", "Nephew", "Niece"}

    corrected = leveled
    for label in wrong:
        corrected = with_value(corrected, labels, label, 1)
    assert np.array_equal(corrected.values, true)
    after = fit(after_degree.problem.knowing(corrected), seed=0)
    assert after.stress < after_degree.stress
    # R = .934 at the best known optimum, .62 on the map before.
    assert predictability(features["Generation"], after.embedding) >= 0.93
    assert predictability(features["Generation"], after_degree.embedding) < 0.7


def test_a_discovery_is_not_what_was_known_before(kinship, after_degree):
    _, features = kinship
    direction = Arrow((0, 0), (1.0, 0.2))
    drawn = direction.feature("New", after_degree.embedding, ["Gender", "Degree"])
    found = {one.feature: one.correlation for one in likeness(drawn, features)}
    assert abs(found["Gender"]) < 0.2
    assert abs(found["Degree"]) < 0.3


# Arrows


def test_the_tail_is_zero_and_the_tip_is_one_and_beyond_is_beyond():
    points = np.array([[1.0, 1], [3, 5], [-1, -3], [5, 9]])
    assert np.allclose(Arrow((1, 1), (3, 5)).along(points), [0, 1, -1, 2], atol=ROUNDING)


def test_what_lies_across_an_arrow_does_not_count():
    assert np.allclose(Arrow((0, 0), (0, 2)).along(SQUARE), [0, 0, 0.5, 0.5])


@pytest.mark.slow
@given(maps, st.tuples(coordinates, coordinates), st.floats(0.5, 50), st.floats(0, 6.28))
def test_turning_and_shifting_map_and_arrow_together_changes_nothing(points, tail, size, angle):
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    tip = np.add(tail, [size, 0])
    before = Arrow(tail, tuple(tip)).along(points)
    turned = Arrow(tuple(tail @ turn + 3), tuple(tip @ turn + 3))
    # Places are up to 400 arrow lengths away.
    assert np.allclose(turned.along(points @ turn + 3), before, atol=1e-6)


def test_a_map_of_one_dimension_lies_on_the_first_axis():
    points = np.array([[0.0], [1], [2], [4]])
    assert np.allclose(Arrow((0, 0), (2, 0)).along(points), [0, 0.5, 1, 2])


def test_an_arrow_without_length_is_refused():
    with pytest.raises(UnsuitableFeature, match="no length"):
        Arrow((1, 2), (1.0, 2.0))


def test_places_that_are_nowhere_are_refused():
    with pytest.raises(UnsuitableFeature, match="arrow has a point that is nowhere"):
        Arrow((0, 0), (np.nan, 1))
    with pytest.raises(UnsuitableFeature, match="shape 4 x 3"):
        Arrow((0, 0), (1, 1)).along(np.zeros((4, 3)))


def test_an_arrow_along_which_nothing_differs_proposes_nothing():
    with pytest.raises(UnsuitableFeature, match="same place along the arrow"):
        Arrow((0, 0), (1, 0)).feature("x", [[0, 1], [0, 2], [0, 3]])


# Curves


def test_an_open_curve_measures_the_share_of_its_length():
    curve = Curve([[0, 0], [3, 0], [3, 1]])
    points = np.array([[0.0, 0], [1.5, 0.2], [3, 0], [3, 1], [2, 9], [-5, 0]])
    assert np.allclose(curve.along(points), [0, 1.5 / 4, 0.75, 1, 1, 0])


def test_a_closed_curve_measures_the_share_of_its_length_of_360():
    square = Curve(SQUARE, closed=True)
    points = np.array([[0.0, 0], [0.5, -1], [2, 0.5], [0.4, 3], [-1, 0.5]])
    assert np.allclose(square.along(points), [0, 45, 135, 234, 315])


def test_a_circle_gives_back_the_angles():
    angles = np.radians([10.0, 80, 170, 200, 355])
    drawn = np.radians(np.linspace(0, 360, 3600, endpoint=False))
    curve = Curve(np.column_stack([np.cos(drawn), np.sin(drawn)]), closed=True)
    points = 2 * np.column_stack([np.cos(angles), np.sin(angles)])
    # A chord of 0.1 degrees differs from its arc by less.
    assert np.allclose(curve.along(points), np.degrees(angles), atol=0.1)


def test_equal_steps_around_an_ellipse_are_equal_steps_of_the_feature():
    turns = np.linspace(0, 2 * np.pi, 3600, endpoint=False)
    ellipse = np.column_stack([3 * np.cos(turns), np.sin(turns)])
    steps = np.hypot(*np.diff(ellipse, axis=0).T)
    chosen = np.searchsorted(np.cumsum(steps), steps.sum() * np.array([0.1, 0.2, 0.3, 0.4]))
    around = Curve(ellipse, closed=True).along(ellipse[chosen])
    # A corner of the polygon is up to .3 degrees away.
    assert np.allclose(np.diff(around), 36, atol=0.3)
    # About the centre they would be 24, 63 and 68 degrees apart.
    angle = np.degrees(np.arctan2(*ellipse[chosen].T[::-1]))
    assert np.ptp(np.diff(angle)) > 30


def test_a_curve_drawn_back_to_its_beginning_is_closed_once():
    once, twice = Curve(SQUARE, True), Curve(np.vstack([SQUARE, SQUARE[:1]]), True)
    assert np.array_equal(once.corners(), twice.corners())


def test_points_where_the_hand_rested_do_not_matter():
    rested = Curve([[0, 0], [0, 0], [1, 0], [1, 0], [1, 0], [1, 1]])
    assert rested == Curve([[0, 0], [1, 0], [1, 1]])
    assert rested.points == ((0, 0), (1, 0), (1, 1))


@pytest.mark.parametrize(
    ("points", "closed"),
    [([[1, 1]], False), ([[1, 1], [1, 1]], False), ([[0, 0], [1, 1]], True), (SQUARE[:0], False)],
)
def test_a_curve_of_too_few_points_is_refused(points, closed):
    with pytest.raises(UnsuitableFeature, match="different points"):
        Curve(points, closed)


@given(maps, arrays(np.float64, (5, 2), elements=coordinates, unique=True))
@pytest.mark.slow
def test_places_along_a_curve_stay_within_it_and_turn_round_with_it(points, corners):
    share = Curve(corners).along(points)
    assert ((share >= 0) & (share <= 1)).all()
    around = Curve(corners, closed=True).along(points)
    assert ((around >= 0) & (around < 360)).all()


@given(arrays(np.float64, (5, 2), elements=coordinates, unique=True))
def test_corners_are_as_far_along_as_the_line_before_them(corners):
    curve = Curve(corners)
    steps = np.hypot(*np.diff(curve.points, axis=0).T)
    before = np.concatenate([[0], np.cumsum(steps)]) / steps.sum()
    found = curve.along(curve.points)
    # Where a curve meets itself a corner is reached earlier.
    assert (found <= before + ROUNDING).all()


def test_curves_propose_quantities_and_places_around():
    line = Curve([[0, 0], [1, 0], [1, 1]]).feature("Path", SQUARE)
    assert line.kind == "numeric"
    assert line.origin == "place along a curve on the map with nothing known"
    ring = Curve(SQUARE, closed=True).feature("Hue", SQUARE, ["A", "B", "C"])
    assert (ring.kind, ring.period, ring.values.tolist()) == ("circular", 360, [0, 90, 180, 270])
    # Not an angle: that it is only on a circle.
    assert ring.origin == "place around a closed curve on the map with A, B and C known"
    with pytest.raises(UnsuitableFeature, match="same point of the curve"):
        Curve([[5, 5], [9, 9]]).feature("Path", SQUARE)


# Groups and orders


def test_groups_become_categories_and_the_rest_is_missing():
    groups = {"men": ["Brother"], "women": ["Daughter", "Aunt"], "empty": []}
    feature = from_groups("Gender", LABELS, groups, ["Degree"])
    assert feature.kind == "categorical"
    assert feature.shown() == ["women", "men", None, "women"]
    assert feature.levels == ("men", "women")
    assert feature.origin == "groups selected on the map with Degree known"


def test_one_group_and_the_rest_are_two_levels():
    feature = from_groups("Odd", LABELS, {"these": ["Brother"]}, rest="the rest")
    assert feature.shown() == ["the rest", "these", "the rest", "the rest"]
    assert feature.levels == ("these", "the rest")
    # A group may be called what the others are called: then they are one.
    named = from_groups("Odd", LABELS, {"a": ["Aunt"], "the rest": ["Brother"]}, rest="the rest")
    assert named.levels == ("a", "the rest")
    with pytest.raises(UnsuitableFeature, match="fewer than two groups"):
        from_groups("Odd", LABELS, {"these": LABELS}, rest="the rest")


def test_an_object_in_two_groups_is_named():
    with pytest.raises(UnsuitableFeature, match="Aunt is in two groups, a and b"):
        from_groups("x", LABELS, {"a": ["Aunt", "Brother"], "b": ["Aunt"]})


def test_one_group_alone_tells_nothing_apart():
    with pytest.raises(UnsuitableFeature, match="fewer than two groups"):
        from_groups("x", LABELS, {"a": ["Aunt"], "b": []})


def test_a_group_of_a_stranger_is_refused():
    with pytest.raises(LabelMismatch, match="No object is called Uncle"):
        from_groups("x", LABELS, {"a": ["Uncle"], "b": ["Aunt"]})


def test_an_order_may_have_ties_and_gaps():
    feature = from_order("Rank", LABELS, ["Daughter", ["Aunt", "Brother"], []])
    assert feature.kind == "ordinal"
    assert feature.shown() == ["2", "2", None, "1"]
    assert np.array_equal(feature.values, [1, 1, np.nan, 0], equal_nan=True)


def test_an_order_names_everyone_once_and_at_least_two():
    with pytest.raises(UnsuitableFeature, match="Aunt stands in the order twice"):
        from_order("Rank", LABELS, ["Aunt", "Brother", "Aunt"])
    with pytest.raises(UnsuitableFeature, match="fewer than two places"):
        from_order("Rank", LABELS, [["Aunt", "Brother"]])


# Texts


def test_values_without_labels_are_in_the_order_of_the_map():
    feature = from_text("Age", LABELS, "40\n-1.5\n\n1e1\n")
    assert feature.kind == "numeric"
    assert np.array_equal(feature.values, [40, -1.5, np.nan, 10], equal_nan=True)


def test_values_with_labels_are_joined():
    feature = from_text("Age", LABELS, "Daughter\t7\r\n\r\nAunt \t 40\r\nBrother\t?\r\n")
    assert np.array_equal(feature.values, [40, np.nan, np.nan, 7], equal_nan=True)


def test_words_become_categories():
    feature = from_text("Side", LABELS, "left\nright\nleft\n")  # three lines and an empty one
    assert feature.shown() == ["left", "right", "left", None]


def test_the_name_nan_is_a_word_and_not_a_gap():
    assert from_text("Called", LABELS, "Nan\nBro\nBro\nNan").levels == ("Nan", "Bro")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("1\n2", LengthMismatch, "2 lines for 4 objects"),
        ("1\n2\n3\n4\n5", LengthMismatch, "5 lines for 4 objects"),
        ("1\n2x\n3\n4", UnsuitableFeature, "Line 2 is '2x': no finite number"),
        ("1\n2\ninf\n4", UnsuitableFeature, "Line 3 is 'inf'"),
        ("1\n2\n3\n1e999", UnsuitableFeature, "Line 4 is '1e999'"),
        ("1,5\n2,5\n3\n4", UnsuitableFeature, "Write decimals with a point"),
        ("Aunt\t1\nUncle\t2", LabelMismatch, "Line 2 names 'Uncle'"),
        ("Aunt\t1\n\nAunt\t2", UnsuitableFeature, "Line 3 names 'Aunt' again, after line 1"),
        ("Aunt\t1\t2\nBrother\t3", UnsuitableFeature, "Line 1 has 2 tabs"),
        ("Aunt\t1\nBrother", UnsuitableFeature, "Line 2 has 0 tabs"),
        ("5\n5\n5\n5", UnsuitableFeature, "Every value is '5'"),
        ("\n\n\n", UnsuitableFeature, "no value at all"),
    ],
)
def test_a_text_that_cannot_be_read_names_the_line(text, error, message):
    with pytest.raises(error, match=message) as info:
        from_text("x", LABELS, text)
    assert info.value.remedy


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4))
def test_typed_numbers_are_read_exactly(values):
    if len(set(values)) > 1:
        text = "\n".join(map(repr, values))
        assert from_text("x", LABELS, text).values.tolist() == values


# Levels


def within(values, parts):
    return sum(((part - part.mean()) ** 2).sum() for part in parts)


def brute_force(values, k):
    """The least sum of squares within k levels, over all partitions of the sorted values."""
    ordered = np.sort(values)
    cuts = combinations(range(1, ordered.size), k - 1)
    return min(within(ordered, np.split(ordered, cut)) for cut in cuts)


@given(
    arrays(np.float64, st.integers(2, 9), elements=st.integers(-20, 20).map(float)),
    st.integers(1, 4),
)
def test_natural_breaks_are_the_best_partition_there_is(values, k):
    k = min(k, np.unique(values).size)
    breaks = natural_breaks(values, k)
    levels = np.searchsorted(breaks, values)
    assert set(levels) == set(range(k))
    found = within(values, [values[levels == level] for level in range(k)])
    assert found <= brute_force(values, k) + 1e-9 * (1 + values.var())


@given(arrays(np.float64, 8, elements=st.floats(-1e6, 1e6, width=32)), st.floats(0.1, 10))
def test_levels_do_not_depend_on_units(values, scale):
    if np.unique(np.round(values)).size < 3 or np.unique(values).size != values.size:
        return
    best = sorted(within_all(values, 3))
    if best[1] - best[0] < 1e-6 * values.var():
        return  # two partitions are as good
    before = numbered(rounded(numeric(values), 3)).values
    assert np.array_equal(numbered(rounded(numeric(scale * values + 1), 3)).values, before)


def within_all(values, k):
    ordered = np.sort(values)
    cuts = combinations(range(1, ordered.size), k - 1)
    return [within(ordered, np.split(ordered, cut)) for cut in cuts]


def test_levels_are_found_far_from_zero():
    values = 1e9 + np.array([0.0, 0.1, 5.0, 5.1, 9.0])
    assert numbered(rounded(numeric(values), 3)).values.tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("k", [0, 4, -1])
def test_more_levels_than_values_are_refused(k):
    with pytest.raises(UnsuitableFeature, match="3 different values cannot form"):
        natural_breaks(np.array([1.0, 2, 2, 5]), k)


def test_rounding_keeps_gaps_and_says_what_was_done():
    feature = rounded(Feature.numeric("x", [1, 9, np.nan, 1.2], origin="drawn"), 2)
    assert np.array_equal(feature.values, [1.1, 9, np.nan, 1.1], equal_nan=True)
    assert (feature.kind, feature.origin) == ("numeric", "drawn, rounded to 2 levels")


def test_levels_stand_at_the_means_of_their_values():
    values = np.array([0.0, 1, 10, 0, 1, 10, 10])
    assert np.array_equal(rounded(numeric(values), 3).values, values)
    # Three times .1 is not .3 in floats, and a third of that not .1.
    assert rounded(numeric(np.array([0.1, 0.1, 0.1, 7.0])), 2).values.tolist() == [0.1] * 3 + [7.0]
    assert rounded(numeric(np.array([0.0, 1, 10, 12])), 2).values.tolist() == [0.5, 0.5, 11, 11]


def test_levels_are_put_in_equal_steps_only_where_that_is_asked_for():
    feature = numbered(Feature.numeric("x", [-3.0, 10, np.nan, 1, 10], origin="drawn"))
    assert np.array_equal(feature.values, [0, 2, np.nan, 1, 2], equal_nan=True)
    assert feature.origin == "drawn, levels in equal steps"
    with pytest.raises(UnsuitableFeature, match="no lowest and highest level"):
        numbered(Feature.categorical("x", list("abc")))


def test_a_correction_of_levels_is_not_lost_with_other_levels():
    fine = numeric(np.array([0.0, 0.1, 1.0, 1.2, 5.0, np.nan]))
    for base in (rounded(fine, 3), numbered(rounded(fine, 3))):
        low, high = base.values[0], base.values[4]
        values = base.values.copy()
        values[[1, 3, 5]] = high, np.nan, low
        again = corrected_alike(fine, base, numeric(values))
        expected = [0.0, 5.0, 1.0, np.nan, 5.0, 0.05]
        assert np.array_equal(again.values, expected, equal_nan=True)
        assert again.origin.endswith("corrected by hand")
        assert corrected_alike(fine, base, base) is fine
    # What was corrected to a value of its own keeps its distance from the levels.
    base = rounded(fine, 3)
    values = base.values.copy()
    values[0] = 7.0
    assert corrected_alike(fine, base, numeric(values)).values[0] == 7.0


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        ([0, 1, 10, 0, 1, 10], 3),
        ([0.1, 0, 5, 5.2, 5.1, 9, 9.1], 3),
        ([2, 2, 2, 7, 7, np.nan], 2),
        # Nothing speaks for levels in even steps, nor in one object that lies far off.
        ([0, 1, 2, 3, 4, 5, 6, 7], 1),
        ([0, 1, 2, 3, 90], 1),
        ([4, 4, 4], 1),
        ([0, 7], 1),
        # Each value is a level of its own: six are more than are believed.
        ([0, 1, 2, 3, 4, 5] * 2, 1),
    ],
)
def test_levels_are_suggested_where_the_values_show_some(values, levels):
    assert evident_levels(numeric(np.array(values, dtype=float))) == levels


@pytest.mark.parametrize("n", [14, 50])
def test_hardly_any_sample_without_levels_seems_to_have_some(n):
    random = np.random.default_rng(0)
    seen = [evident_levels(numeric(random.normal(size=n))) > 1 for _ in range(200)]
    # 5 % of uniform or normal samples at most; with 200 of them, give or take 3 %.
    assert np.mean(seen) <= 0.08


@pytest.mark.parametrize(
    "feature", [Feature.categorical("x", list("abc")), Feature.circular("x", [1, 2, 3])]
)
def test_what_has_no_lowest_value_is_not_rounded(feature):
    with pytest.raises(UnsuitableFeature, match="no lowest and highest level"):
        rounded(feature, 2)


# Corrections


def test_flipping_keeps_the_range():
    feature = flipped(numeric([0, 1, 2, np.nan]))
    assert np.array_equal(feature.values, [2, 1, 0, np.nan], equal_nan=True)
    angles = flipped(Feature.circular("x", [0, 90, 350]))
    assert angles.values.tolist() == [0, 270, 10]
    order = flipped(Feature.ordinal("x", ["low", "high", "low"], ["low", "mid", "high"]))
    assert (order.levels, order.values.tolist()) == (("high", "mid", "low"), [2, 0, 2])
    assert order.shown() == ["low", "high", "low"]


def test_flipping_twice_is_as_it_was():
    feature = Feature.numeric("x", [0, 1, 4], origin="drawn")
    once, twice = flipped(feature), flipped(flipped(feature))
    assert once.origin == "drawn, flipped"
    assert twice.identity() == feature.identity()


def test_categories_have_no_direction():
    with pytest.raises(UnsuitableFeature, match="no direction"):
        flipped(Feature.categorical("x", list("abc")))


def test_what_one_is_unsure_of_is_missing():
    feature = with_missing(numeric([1, 2, 3, 4]), LABELS, ["Aunt", "Daughter"])
    assert np.array_equal(feature.missing, [True, False, False, True])
    assert feature.origin == "given, corrected by hand"
    assert with_missing(feature, LABELS, ["Brother"]).origin == "given, corrected by hand"
    with pytest.raises(LabelMismatch, match="Uncle"):
        with_missing(feature, LABELS, ["Uncle"])
    with pytest.raises(UnsuitableFeature, match="no value at all"):
        with_missing(feature, LABELS, LABELS)


def test_single_values_can_be_corrected():
    feature = with_value(numeric([1, 2, 3, 4]), LABELS, "Cousin", "7.5")
    assert feature.values.tolist() == [1, 2, 7.5, 4]
    assert with_value(feature, LABELS, "Cousin", None).missing.tolist() == [0, 0, 1, 0]
    with pytest.raises(UnsuitableFeature, match="x of Aunt is 'old': no number"):
        with_value(feature, LABELS, "Aunt", "old")


def test_levels_are_corrected_by_name():
    groups = Feature.categorical("x", ["a", "b", "a", "b"])
    assert with_value(groups, LABELS, "Aunt", "b").shown() == ["b", "b", "a", "b"]
    assert with_value(groups, LABELS, "Aunt", "new").levels == ("a", "b", "new")
    order = Feature.ordinal("x", ["a", "b", "a", "b"], ["a", "b"])
    assert with_value(order, LABELS, "Aunt", "b").values.tolist() == [1, 1, 0, 1]
    with pytest.raises(UnsuitableFeature, match="no level 'new'"):
        with_value(order, LABELS, "Aunt", "new")


# Likeness


def table(*features):
    return FeatureTable(tuple(f"o{k}" for k in range(features[0].n_objects)), features)


def test_likeness_of_two_quantities_is_pearson_with_its_sign():
    a, b = [1.0, 2, 3, 4, 6], [5.0, 4, 4, 1, 0]
    (found,) = likeness(numeric(a), table(numeric(b, "y")))
    assert found.correlation == pytest.approx(np.corrcoef(a, b)[0, 1], abs=ROUNDING)
    assert (found.feature, found.n_objects) == ("y", 5)


def test_likeness_to_categories_is_the_multiple_correlation():
    values = np.array([1.0, 2, 4, 5, 9, 12])
    groups = Feature.categorical("g", ["a", "a", "b", "b", "c", "c"])
    means = np.repeat([1.5, 4.5, 10.5], 2)
    expected = np.sqrt(means.var() / values.var())
    assert likeness(numeric(values), table(groups))[0].correlation == pytest.approx(expected)
    assert likeness(groups, table(numeric(values)))[0].correlation == pytest.approx(expected)


def test_likeness_of_an_angle_sees_round_the_circle():
    angle = np.array([0.0, 50, 120, 180, 240, 300, 350])
    cosine = numeric(np.cos(np.radians(angle)))
    (found,) = likeness(cosine, table(Feature.circular("hue", angle)))
    assert found.correlation == pytest.approx(1)


def test_likeness_looks_only_where_both_are_known():
    mine, other = [1, 2, 3, 4, np.nan, 7], [2, 4, 6, 8, 10, np.nan]
    (found,) = likeness(numeric(mine), table(numeric(other)))
    assert (found.n_objects, found.correlation) == (4, pytest.approx(1))


@pytest.mark.parametrize(
    "known",
    [
        numeric([1, 1, 1, 1, 1]),
        Feature.categorical("names", list("abcde")),
        numeric([np.nan, np.nan, np.nan, 1, 2]),
        numeric([np.nan, np.nan, np.nan, np.nan, 2]),
    ],
)
def test_where_nothing_can_be_said_likeness_says_nothing(known):
    assert likeness(numeric([1, 2, 4, 7, 9]), table(known))[0].correlation is None


@pytest.mark.parametrize("values", [[2, 2, 2, 2], [np.nan, np.nan, 1, 1]])
def test_a_feature_that_does_not_vary_is_like_nothing(values):
    with pytest.raises(DegenerateComparison, match="x is the same for all objects"):
        likeness(numeric(values), table(numeric([1, 2, 3, 4])))


@settings(max_examples=30)
@given(arrays(np.float64, (9, 2), elements=coordinates), st.floats(0.1, 10))
def test_likeness_is_mutual_and_without_units(values, scale):
    if (values.std(axis=0) < 0.1).any():
        return
    a, b = numeric(values[:, 0], "a"), numeric(values[:, 1], "b")
    there = likeness(a, table(b))[0].correlation
    back = likeness(b.with_values(scale * b.values - 3), table(a))[0].correlation
    assert there == pytest.approx(back, abs=ROUNDING)


def test_a_map_of_two_dimensions_predicts_what_lies_in_its_plane():
    points = np.random.default_rng(0).normal(size=(12, 2))
    assert predictability(numeric(points @ [2, -3] + 7), points) == pytest.approx(1)
    turned = points @ [[0, 1], [-1, 0]]
    some = numeric(np.arange(12.0))
    assert predictability(some, points) == pytest.approx(predictability(some, turned))
    assert 0 <= predictability(numeric(-points[:, 0]), points[:, :1]) <= 1


@pytest.mark.parametrize("places", [np.zeros((4, 2)), np.zeros((4, 0)), np.eye(4)[:, :3]])
def test_a_map_that_can_show_nothing_or_everything_is_refused(places):
    with pytest.raises(DegenerateComparison, match="too few to compare"):
        predictability(numeric([1, 2, 3, 5]), places)
