"""What was found becomes figures that say it rightly and read no name as HTML."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from figure_tools import INK, named
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cml_app.pictures import evidence_figures, figures
from cml_app.pictures.evidence_maps import MOST_ROWS, evidence_map, half_width, in_rows, small_map
from cml_app.pictures.evidence_pairs import pair_lines
from cml_core import Feature
from cml_core.evidence.candidate import Candidate
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.feature_help import FeatureHelp, InPlace
from cml_core.evidence.importance import Helped
from cml_core.evidence.known_weights import Direction, KnownWeights
from cml_core.evidence.neighbourhoods import Neighbourhoods
from cml_core.evidence.ranking import Ranking
from cml_core.evidence.structure import Structure
from cml_core.evidence.surface import Surface

HOSTILE = '<img src=x onerror="alert(1)"> & more'
LABELS = ("Ada", "Bo", HOSTILE, "Di")
PLACES = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 2.0], [3.0, 2.0]])


def texts_of(figure: go.Figure) -> list[str]:
    """Every text that Plotly would read as HTML."""
    found = [str(trace.name or "") for trace in figure.data]
    for trace in figure.data:
        for part in (trace.text, getattr(trace, "customdata", None)):
            found += [str(text) for text in np.ravel(part)] if part is not None else []
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        found += [str(text) for text in axis.ticktext or ()]
    return found


def dimensions_of(held_out: list[float]) -> Dimensions:
    errors = np.array(held_out)[:, None] + np.array([-0.01, 0.0, 0.01])
    counts = tuple(range(len(held_out)))
    return Dimensions(counts, np.linspace(0.3, 0.05, len(held_out)), errors, seed=0)


def test_the_scree_shows_both_curves_and_marks_what_was_chosen():
    found = dimensions_of([0.4, 0.2, 0.1, 0.11])
    figure = evidence_figures.scree(found, INK)
    held_out = named(figure, "Pairs that were held out")
    np.testing.assert_allclose(held_out.y, 100 * found.held_out)
    np.testing.assert_allclose(held_out.error_y.array, 100 * found.held_out_error)
    chosen = named(figure, f"Chosen: {found.chosen}")
    assert list(chosen.x) == [found.chosen]
    assert chosen.y[0] == pytest.approx(100 * found.held_out[found.chosen])


def test_shares_under_the_mouse_are_written_as_in_a_table():
    figure = evidence_figures.structure_strip(Structure(0.0002, np.array([0.1, 0.356]), 0), INK)
    assert list(named(figure, "Same numbers, shuffled").customdata) == [
        "10.0\u00a0%",
        "35.6\u00a0%",
    ]
    assert list(named(figure, "These data").customdata) == ["&lt; 0.1\u00a0%"]
    assert "%{customdata} unexplained" in named(figure, "These data").hovertemplate


@pytest.mark.slow
@given(
    null=arrays(float, st.integers(0, 60), elements=st.floats(-1, 1)),
    observed=st.floats(-1, 1),
)
def test_every_draw_of_chance_and_the_data_are_within_the_histogram(null, observed):
    figure = evidence_figures.null_histogram(observed, null, INK, "A share")
    low, high = figure.layout.xaxis.range
    assert sum(figure.data[0].y) == null.size
    assert low < 100 * observed < high


def test_long_words_on_an_axis_are_broken_and_escaped():
    what = f"How much {HOSTILE} lowers the share that is left unexplained by the map"
    title = evidence_figures.null_histogram(0.1, np.zeros(3), INK, what).layout.xaxis.title.text
    assert "<img" not in title
    assert all(len(line) <= 60 for line in title.split("<br>"))


def test_a_structure_strip_shows_every_shuffle_and_the_data():
    figure = evidence_figures.structure_strip(Structure(0.02, np.array([0.1, 0.2, 0.3]), 0), INK)
    assert list(named(figure, "Same numbers, shuffled").x) == pytest.approx([10, 20, 30])
    assert list(named(figure, "These data").x) == [2.0]


def helps(name: str, null: np.ndarray) -> FeatureHelp:
    return FeatureHelp(
        name=name,
        held_out_with=0.02,
        held_out_without=0.05,
        gain_error=0.003,
        null=null,
        p_value=0.01 if null.size else None,
        adjusted=0.02 if null.size else None,
        already_known=0.1,
        read_off_map=False,
        read_anew=False,
    )


def test_each_feature_that_helped_has_a_row_with_its_own_shuffles():
    features = (helps("One", np.array([0.04, 0.06])), helps(HOSTILE, np.empty(0)))
    figure = evidence_figures.helped(Helped(features, shuffles=2, folds=10, seed=0), INK)
    shuffled = named(figure, "Shuffled in its place")
    assert list(zip(shuffled.x, shuffled.y, strict=True)) == [(4.0, 0), (6.0, 0)]
    assert list(named(figure, "With it").y) == [0, 1]
    assert list(figure.layout.yaxis.tickvals) == [0, 1]
    assert not any("<img" in text for text in texts_of(figure))


def test_a_feature_that_takes_the_place_of_a_dimension_has_that_in_its_row():
    place = InPlace(1, 0.03, 0.2, 0.01, 0.002, np.empty(0), 0.05, 0.05)
    one, two = helps("One", np.empty(0)), helps("Two", np.empty(0))
    asked = Helped((one, replace(two, in_place=place)), shuffles=2, folds=10, seed=0)
    fewer = named(evidence_figures.helped(asked, INK), "With it, one dimension fewer")
    assert (list(fewer.x), list(fewer.y)) == ([3.0], [1])
    worse = replace(two, in_place=replace(place, held_out_with=0.6))
    for others in ((one,), (one, worse)):
        without = evidence_figures.helped(replace(asked, features=others), INK)
        assert not any("fewer" in str(trace.name) for trace in without.data)


def weights_of(columns: tuple[str, ...], gram: np.ndarray) -> KnownWeights:
    ways = tuple(Direction(1 / (k + 1), gram[k]) for k in range(len(columns)))
    return KnownWeights((), columns, gram, ways, seed=0)


def test_the_picture_of_the_weights_is_neutral_at_zero():
    gram = np.array([[4.0, -1.0], [-1.0, 2.0]])
    cells = evidence_figures.gram(weights_of(("One", HOSTILE), gram), INK).data[0]
    assert cells.zmin == -4.0
    assert cells.zmax == 4.0
    assert cells.colorscale[1] == (0.5, INK.line)


def test_weights_that_are_all_zero_are_drawn_as_well():
    cells = evidence_figures.gram(weights_of(("One",), np.zeros((1, 1))), INK).data[0]
    assert cells.zmax > cells.zmin


def test_only_the_strongest_directions_are_drawn():
    found = weights_of(tuple("abcdef"), np.eye(6))
    figure = evidence_figures.directions(found, INK)
    assert len(figure.data) == evidence_figures.MOST_DIRECTIONS
    assert list(figure.data[1].x) == [0, 1, 0, 0, 0, 0]


def test_of_many_columns_the_heaviest_have_bars_and_only_some_have_names():
    columns = tuple(f"Column {k}" for k in range(40))
    loadings = np.linspace(1.0, 5.0, 40)
    found = KnownWeights((), columns, np.eye(40), (Direction(1.0, loadings),), seed=0)
    bars = evidence_figures.directions(found, INK)
    most = evidence_figures.MOST_NAMES
    assert list(bars.data[0].x) == list(loadings[-most:])
    assert bars.layout.yaxis.ticktext[-1] == "Column 39"
    axis = evidence_figures.gram(found, INK).layout.xaxis
    assert len(axis.ticktext) == len(axis.tickvals) <= most
    assert axis.ticktext[1] == columns[axis.tickvals[1]]


def test_shares_are_written_on_axes_as_in_sentences():
    figure = evidence_figures.structure_strip(Structure(0.02, np.array([0.1]), 0), INK)
    # A no-break space, as between any number and its unit.
    assert figure.layout.xaxis.ticksuffix == "\u00a0%"


def candidate(name: str, linear: float, smooth: float) -> Candidate:
    return Candidate(
        feature=name,
        correlation=0.5,
        linear=linear,
        smooth=smooth,
        p_value=0.01,
        adjusted=0.02,
        already_known=0.0,
        n_objects=10,
        read_off_map=False,
        direction=np.array([1.0, 0.0]),
        why_no_p_value="",
    )


def test_the_best_candidate_stands_on_top_and_the_hopeless_do_not_stretch_the_scale():
    found = (candidate("Best", 0.8, 0.9), candidate(HOSTILE, -7.0, -3.0))
    figure = evidence_figures.ranking_bars(Ranking(found, 999, 0), INK)
    bottom, top = figure.layout.yaxis.range
    assert bottom > top
    assert figure.layout.yaxis.ticktext[0] == "Best"
    assert figure.layout.xaxis.range[0] == evidence_figures.LOWEST_PERCENT
    assert not any("<img" in text for text in texts_of(figure))


def test_a_ranking_of_nothing_is_an_empty_figure():
    figure = evidence_figures.ranking_bars(Ranking((), 999, 0), INK)
    assert all(not len(trace.x) for trace in figure.data)


def test_neighbourhood_curves_show_all_of_both_measures():
    found = Neighbourhoods((1, 5), np.array([0.9, 0.8]), np.array([0.4, 0.3]))
    figure = evidence_figures.neighbourhood_curves(found, INK)
    low, high = figure.layout.yaxis.range
    assert low < 0.3
    assert high > 1.0
    assert len(figure.data) == 2


def test_a_map_has_equal_scales_and_everything_within_it():
    figure = evidence_map(LABELS, PLACES, INK)
    (left, right), (bottom, top) = figure.layout.xaxis.range, figure.layout.yaxis.range
    assert figure.layout.yaxis.scaleanchor == "x"
    assert right - left == pytest.approx(top - bottom)
    assert left < 0 < 3 < right
    assert bottom < 0 < 2 < top


def test_a_map_makes_room_for_its_ellipses():
    outline = np.array([[-1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]) * 10
    ellipses = PLACES[:, None] + outline
    figure = evidence_map(LABELS, PLACES, INK, ellipses=ellipses)
    assert figure.layout.xaxis.range[0] < -10
    drawn = figure.data[0]
    # Three corners and a gap for each of four objects.
    assert len(drawn.x) == 16
    assert np.isnan(np.asarray(drawn.x, dtype=float)).sum() == 4


LINE = np.array([[2.0, 0.0], [0.0, 0.0], [3.0, 0.0], [1.0, 0.0]])


def test_on_a_map_of_one_dimension_each_object_has_a_row_and_its_name_in_the_order_of_the_map():
    figure = evidence_map(LABELS, LINE, INK, arrow=np.array([1.0, 0.0]), highlight=[0])
    assert figure.layout.yaxis.scaleanchor is None
    rows = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    assert list(rows) == [0, 1, 2, 3]
    assert [rows[0], rows[1], rows[3]] == ["Bo", "Di", '&lt;img src=x onerror="a…']
    assert list(figure.data[0].x) == list(LINE[:, 0])
    assert list(figure.data[0].y) == [2, 0, 3, 1]
    bottom, top = figure.layout.yaxis.range
    assert bottom > 3
    assert top < 0


def test_intervals_of_one_dimension_lie_on_the_rows_of_their_objects():
    reach = np.array([[-0.5, 0.0], [0.5, 0.0]])
    figure = evidence_map(LABELS, LINE, INK, ellipses=LINE[:, None] + reach)
    drawn = figure.data[0]
    assert list(drawn.x[:2]) == [1.5, 2.5]
    assert list(drawn.y[:2]) == [2, 2]


def test_of_many_objects_on_a_line_some_are_named_and_the_picture_stays_within_a_page():
    places = np.column_stack([np.arange(300.0), np.zeros(300)])
    figure = evidence_map([f"Object {i}" for i in range(300)], places, INK)
    assert figure.layout.height == MOST_ROWS
    named = figure.layout.yaxis.tickvals
    assert 30 < len(named) < 70
    assert list(figure.layout.yaxis.ticktext)[1] == f"Object {int(named[1])}"


def test_small_maps_of_lines_share_the_rows_of_the_first():
    first, second = in_rows([LINE, LINE[::-1]])
    assert list(first[:, 1]) == list(second[:, 1])
    # From the top down in the order of the first, and as high as wide.
    assert list(np.argsort(-first[:, 1])) == [1, 3, 0, 2]
    assert np.ptp(first[:, 1]) == pytest.approx(3)
    np.testing.assert_array_equal(second[:, 0], LINE[::-1, 0])
    kept = in_rows([PLACES, LINE])
    np.testing.assert_array_equal(kept[0], PLACES)
    np.testing.assert_array_equal(in_rows([np.zeros((1, 2))])[0][:, 0], [0.0])


def test_a_name_without_room_lies_farther_off_at_the_end_of_a_line():
    crowd = np.random.default_rng(4).normal(scale=0.15, size=(12, 2))
    places = np.vstack([crowd, [[1.0, 1.0], [-1.0, -1.0]]])
    names = [f"A rather long name {i}" for i in range(14)]
    figure = evidence_map(names, places, INK)
    texts = next(trace for trace in figure.data if trace.mode == "markers+text")
    (lines,) = (trace for trace in figure.data if trace.mode == "lines")
    ends = set(zip(lines.x[1::3], lines.y[1::3], strict=True))
    starts = set(zip(lines.x[0::3], lines.y[0::3], strict=True))
    assert ends <= set(zip(texts.x, texts.y, strict=True))
    assert starts <= {(x, y) for x, y in places}
    assert len(ends) == len(starts) > 0


def test_many_objects_are_drawn_smaller():
    places = np.random.default_rng(1).normal(size=(400, 2))
    many = evidence_map([str(i) for i in range(400)], places, INK)
    assert many.data[0].marker.size < evidence_map(LABELS, PLACES, INK).data[0].marker.size


def test_objects_that_all_coincide_are_drawn_as_well():
    figure = evidence_map(LABELS, np.zeros((4, 2)), INK)
    left, right = figure.layout.xaxis.range
    assert left < 0 < right


@pytest.mark.parametrize(
    ("feature", "hover"),
    [
        (Feature.numeric("Size", [1.5, 2.0, np.nan, 4.0]), "Ada: 1.5"),
        (Feature.ordinal("Rank", ["lo", "hi", "hi", None], ["lo", "hi"]), "Ada: lo"),
        (Feature.categorical("Kind", ["a", "b", None, "a"]), "Ada: a"),
        (Feature.circular("Angle", [10.0, 20.0, 30.0, 350.0]), "Ada: 10"),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_objects_tell_the_value_by_which_they_are_coloured(feature, hover):
    texts = texts_of(evidence_map(LABELS, PLACES, INK, colour=feature))
    assert hover in texts
    assert not any("<img" in text for text in texts)
    if feature.missing.any():
        assert any(text.endswith(": not known") for text in texts)


def test_an_arrow_crosses_the_middle_of_the_map_in_its_direction():
    figure = evidence_map(LABELS, PLACES, INK, arrow=np.array([0.0, 2.0]))
    (arrow,) = figure.layout.annotations
    assert arrow.x == arrow.ax == pytest.approx(1.5)
    assert arrow.y > arrow.ay
    assert not evidence_map(LABELS, PLACES, INK, arrow=np.zeros(2)).layout.annotations


def test_contours_have_the_heights_of_the_surface():
    grid = np.array([0.0, 1.0, 2.0])
    height = np.arange(9.0).reshape(3, 3)
    figure = evidence_map(LABELS, PLACES, INK, surface=Surface("Size", grid, grid, height, 0.5))
    np.testing.assert_array_equal(figure.data[0].z, height)
    # A label would be cut off where a contour ends.
    assert not figure.data[0].contours.showlabels


def test_pairs_that_are_too_near_and_too_far_apart_are_told_apart(kinship):
    worst = kinship.worst(6)
    lines = pair_lines(kinship, worst)
    assert list(lines.too_near) == list(kinship.fitted[worst] < kinship.given[worst])
    figure = evidence_map(
        kinship.labels,
        np.random.default_rng(0).normal(size=(14, 2)),
        INK,
        lines=replace(lines, too_near=np.array([True, False, False, True, False, False])),
        highlight=[3],
    )
    # Two ends and a gap for each pair.
    assert len(named(figure, "Fitted too near").x) == 3 * 2
    assert len(named(figure, "Fitted too far apart").x) == 3 * 4


def test_without_pairs_no_line_is_drawn(kinship):
    figure = evidence_map(LABELS, PLACES, INK, lines=pair_lines(kinship, ()))
    assert not [trace for trace in figure.data if trace.mode == "lines"]


def test_small_maps_share_a_scale_and_name_what_lies_elsewhere():
    half = half_width([PLACES, 3 * PLACES])
    one = small_map(LABELS, PLACES, half, INK, [1])
    other = small_map(LABELS, 3 * PLACES, half, INK)
    widths = [np.ptp(figure.layout.xaxis.range) for figure in (one, other)]
    assert widths[0] == pytest.approx(widths[1])
    assert list(one.data[-1].text) == ["Bo"]
    assert len(other.data) == 1


@pytest.mark.parametrize("dark", [False, True])
def test_figures_stand_on_the_pages_own_ground(dark):
    ink = figures.ink(dark)
    figure = evidence_map(LABELS, PLACES, ink)
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == figures.TRANSPARENT
    assert figure.layout.font.color == ink.text
