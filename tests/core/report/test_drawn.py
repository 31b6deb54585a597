"""The report shows what was drawn on a map, and what became of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from cml_core import Feature, Problem, fit
from cml_core.datasets import load_dataset
from cml_core.drawing.arrow import Arrow
from cml_core.drawing.curve import Curve
from cml_core.drawing.groups import from_groups
from cml_core.drawing.levels import flipped, numbered, rounded, with_value
from cml_core.errors import UnreadableFile
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.report.map_svg import LINE, NamedLine, map_svg
from cml_core.report.report import report_html
from cml_core.values.drawn_line import DrawnLine

AT = "2026-03-01T10:00:00+00:00"
ARROW = Arrow((-0.4, -0.1), (0.5, 0.3))


def begun(n_components: int = 2) -> Journey:
    data = load_dataset("kinship14")
    journey = Journey.begun(data.title, data.values(), data.feature_table(), AT)
    return asked(journey, [], n_components)


def asked(journey: Journey, known: list[str], n_components: int = 2) -> Journey:
    problem = Problem(
        journey.dissimilarities, journey.features.select(known), n_components=n_components
    )
    result = fit(problem, n_init=1, seed=0)
    return journey.after(result, result.embedding, AT)


def added(journey: Journey, feature: Feature, n_components: int = 2) -> Journey:
    return asked(journey.with_feature(feature, AT), [feature.name], n_components)


def drawn(journey: Journey, name: str = "Seen <b>") -> Feature:
    assert journey.current is not None
    return ARROW.feature(name, journey.current.embedding[:, :2])


def sections(journey: Journey) -> list[str]:
    return re.findall(r'<section id="step-.*?</section>', report_html(journey), re.DOTALL)


def test_an_arrow_stands_on_the_map_on_which_it_was_drawn_and_on_no_other() -> None:
    start = begun()
    first, second = sections(added(start, drawn(start)))
    assert LINE in first
    assert "What is drawn on it became <bdi>Seen &lt;b&gt;</bdi>." in first
    assert LINE not in second
    assert "became" not in second


def test_a_feature_that_was_never_drawn_leaves_every_map_as_it_is() -> None:
    journey = asked(begun(), ["Gender"])
    assert LINE not in report_html(journey)


def test_what_is_made_of_the_values_later_keeps_the_line() -> None:
    feature = drawn(begun())
    labels = load_dataset("kinship14").values().labels
    made = with_value(numbered(rounded(flipped(feature), 3)), labels, labels[0], 1.0)
    assert made.line == feature.line == DrawnLine((ARROW.start, ARROW.end))
    assert feature.renamed("other").line == feature.line


def test_a_project_keeps_the_line_and_one_without_opens_without() -> None:
    start = begun()
    circle = Curve(((0.0, 0.0), (1.0, 0.0), (0.5, 0.8)), closed=True)
    assert start.current is not None
    round_ = circle.feature("Round", start.current.embedding)
    round_ = replace(round_, line=replace(round_.line, axes=(1, 2)))
    journey = added(added(start, drawn(start)), round_)
    again = from_json(to_json(journey)).features
    assert again["Seen <b>"].line == drawn(start).line
    assert again["Round"].line == DrawnLine(circle.points, closed=True, axes=(1, 2))
    assert again["Gender"].line is None


def test_the_line_is_no_part_of_the_question() -> None:
    feature = drawn(begun())
    assert feature.identity() == replace(feature, line=None).identity()


def test_dimensions_that_the_report_does_not_usually_show_are_shown_where_they_were_drawn_on() -> (
    None
):
    start = begun(n_components=3)
    feature = drawn(start)
    assert feature.line is not None
    feature = replace(feature, line=replace(feature.line, axes=(1, 2)))
    first = sections(added(start, feature, n_components=3))[0]
    figures = re.findall(r"<figure>.*?</figure>", first, re.DOTALL)
    assert ["dimensions 2 and 3" in figure for figure in figures] == [False, False, True]
    assert [LINE in figure for figure in figures] == [False, False, True]


def test_groups_are_told_apart_by_colour_and_named() -> None:
    start = begun()
    labels = start.dissimilarities.labels
    groups = {"near": labels[:3], "far": labels[3:7]}
    feature = from_groups("Distance", labels, groups)
    first = sections(added(start, feature))[0]
    colours = re.findall(r'<circle[^>]* fill="(#\w+)"', first)
    assert len(colours) == len(labels)
    assert [colours[0], colours[3], colours[13]] == ["#e69f00", "#56b4e9", "#8a8a8a"]
    assert "Colours show the groups of <bdi>Distance</bdi>" in first
    assert "<bdi>near</bdi>" in first


def test_a_line_lies_where_it_lay_among_the_points() -> None:
    points = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 2.0]])
    line = NamedLine("Along", DrawnLine(((0.0, 0.0), (4.0, 0.0))))
    svg = map_svg(points, ["a", "b", "c"], "A map", [line]).svg
    dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)
    drawn_points = re.search(r'<polyline points="([^"]+)"', svg)
    assert drawn_points
    assert drawn_points[1].split() == [",".join(dots[0]), ",".join(dots[1])]
    assert ">Along</text>" in svg


@pytest.mark.parametrize("line", [3, {"points": [[0, 0]], "closed": False, "axes": [0, 1]}])
def test_a_line_that_is_none_is_refused_by_its_place(line: object) -> None:
    start = begun()
    content = json.loads(to_json(added(start, drawn(start))))
    place = next(k for k, one in enumerate(content["features"]) if one["line"])
    content["features"][place]["line"] = line
    with pytest.raises(UnreadableFile, match=rf"features\[{place}\].line"):
        from_json(json.dumps(content))
