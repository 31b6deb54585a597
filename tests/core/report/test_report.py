"""Tables, program, report and archive: exact, and safe whatever things are called."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

import cml_core
from cml_core import Dissimilarities, Feature, FeatureTable, Neighbourhood, Problem, fit
from cml_core.datasets import load_dataset
from cml_core.files.exact_csv import from_csv, to_csv
from cml_core.files.writing import written_features
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.peers import KeptView, Views, conditioned, quality, view
from cml_core.report.curve_svg import curve_svg
from cml_core.report.map_svg import escaped, map_svg
from cml_core.report.program import script
from cml_core.report.report import report_html
from cml_core.report.tables import (
    bundle,
    coef_csv,
    coordinates_csv,
    dissimilarities_csv,
    files_of_map,
    weights_csv,
)
from cml_core.values.words import percent

AT = "2026-01-31T12:00:00Z"
NASTY = (
    "<img src=x onerror=alert(1)>",
    "=1+1",
    "👩‍👧 mother",
    "أم \u202eرتل",
    "say \"hi\", 'you' \\ {name}",
    "two\nlines\r\nor \t three",
    "x" * 300,
    "",
)
FORMULAS = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n1", " =1+1", "\x00=1", "\ufeff=1",
    "\u200b+1", "＝1", "'=1", "''-x",
]  # fmt: skip


@pytest.fixture(scope="module")
def nasty() -> Journey:
    """A journey in which everything that can be named is named badly."""
    random = np.random.default_rng(3)
    table = squareform(random.uniform(1, 2, 28))
    table[1, 5] = table[5, 1] = np.nan
    data = Dissimilarities.from_square(table, NASTY)
    features = FeatureTable(
        NASTY,
        (
            Feature.numeric(NASTY[1], [1, -2, 3.5, 1 / 3, 5, -6e-9, np.nan, 8], origin=NASTY[0]),
            Feature.categorical(NASTY[0], [*NASTY[:3], *NASTY[:3], None, ""]),
            Feature.ordinal(NASTY[5], ["+lo", "-hi"] * 4, ["+lo", "'mid", "-hi"]),
            Feature.circular(NASTY[4], [0, 1, 2, 3, np.nan, 5, 6, 11.5], period=12),
            Feature.numeric("</title><script>alert(2)</script>", np.arange(8.0)),
        ),
    )
    journey = Journey.begun(NASTY[0], data, features, AT)
    weights = random.uniform(0.5, 2, 28)
    for problem in (
        Problem(data, features.select([])),
        Problem(data, features.select([NASTY[1]]), n_components=1, weights="sammon"),
        Problem(data, features.select([NASTY[0], NASTY[5]]), coef="diagonal", weights=weights),
        Problem(data, features.select([NASTY[4]]), 3, neighbourhood=Neighbourhood(epsilon=1.9)),
        Problem(data, features.select([NASTY[1], NASTY[4]]), 0, neighbourhood=Neighbourhood(6)),
    ):
        result = fit(problem, n_init=3, seed=5)
        journey = journey.after(result, result.embedding[:, ::-1], AT)
        journey = journey.noted(journey.current_id, NASTY[0], AT)
    return journey.renamed(journey.steps[0].id, NASTY[4], AT)


@pytest.fixture(scope="module")
def kinship() -> Journey:
    dataset = load_dataset("kinship14")
    journey = Journey.begun("Kinship terms", dataset.values(), dataset.feature_table(), AT)
    for known in ([], ["Gender"], ["Gender", "Degree"]):
        problem = Problem(journey.dissimilarities, journey.features.select(known))
        result = fit(problem, seed=1)
        journey = journey.after(result, result.embedding, AT)
    return journey


# Sheets


@pytest.mark.parametrize("text", FORMULAS)
def test_a_name_that_looks_like_a_formula_is_read_back_as_it_was(text):
    written = to_csv([text], [text], [[text]])
    assert list(csv.reader(io.StringIO(written, newline=""))) == [["object", text], [text, text]]


@pytest.mark.parametrize("text", ["Aunt", "a=b", "1", "O'Brien", "'quoted'", "(−1)", " spaced "])
def test_other_texts_are_left_as_they_are(text):
    assert to_csv([text], ["x"], [[1.0]]).splitlines()[0] == f'"object","{text}"'


def test_numbers_stay_numbers_and_gaps_stay_empty():
    written = to_csv(["a", "b", "c"], ["x"], [[-1.5, np.nan, None]])
    assert written == '"object","a","b","c"\n"x",-1.5,,\n'


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.lists(st.text(), max_size=3),
    st.lists(st.tuples(st.text(), *[st.none() | st.text()] * 3), max_size=4),
)
def test_any_text_is_read_back_as_it_was(columns, lines):
    rows = [label for label, *_ in lines]
    cells = [values[: len(columns)] for _, *values in lines]
    sheet = from_csv(to_csv(columns, rows, cells))
    assert (sheet.columns, sheet.rows) == (tuple(columns), tuple(rows))
    if len(set(columns)) == len(columns):
        found = [sheet.texts(column) for column in columns]
        assert found == [[line[k] for line in cells] for k in range(len(columns))]


@pytest.mark.slow
@given(st.lists(st.floats(allow_infinity=False), min_size=1))
def test_numbers_are_read_back_bit_for_bit(values):
    sheet = from_csv(to_csv(["a", "b"], [str(v) for v in values], [[1.0, v] for v in values]))
    assert np.array_equal(sheet.numbers(["b"]).ravel(), values, equal_nan=True)
    assert sheet.numbers().shape == (len(values), 2)


def test_pandas_reads_the_tables(kinship):
    result = kinship.current.fit
    table = pd.read_csv(io.StringIO(coordinates_csv(result, kinship.features)), index_col=0)
    assert tuple(table.index) == result.labels
    # Its parser may miss the last bit.
    assert np.allclose(table[["dimension 1", "dimension 2"]], result.embedding, rtol=1e-15)
    assert table["Gender"].tolist() == kinship.features["Gender"].shown()
    square = pd.read_csv(io.StringIO(dissimilarities_csv(kinship.dissimilarities)), index_col=0)
    assert np.array_equal(square, kinship.dissimilarities.square())


def test_b_has_the_names_of_its_rows(kinship):
    sheet = from_csv(coef_csv(kinship.current.fit))
    assert sheet.rows == ("Gender [1]", "Degree")
    assert sheet.columns == ("direction 1", "direction 2")
    assert np.array_equal(sheet.numbers(), kinship.current.fit.coef)


def test_gaps_and_kinds_stand_in_the_tables_as_people_write_them(nasty):
    sheet = from_csv(written_features(nasty.features).decode())
    assert sheet.rows == NASTY
    assert sheet.columns == nasty.features.names
    assert sheet.texts(NASTY[0]) == nasty.features[NASTY[0]].shown()
    assert np.isnan(sheet.numbers([NASTY[1]])[6, 0])
    square = from_csv(dissimilarities_csv(nasty.dissimilarities)).numbers()
    assert np.array_equal(square, nasty.dissimilarities.square(), equal_nan=True)


def test_only_a_persons_own_weights_are_a_table(nasty):
    assert weights_csv(nasty.steps[1].problem) is None
    own = nasty.steps[2].problem
    assert np.array_equal(squareform(from_csv(weights_csv(own)).numbers()), own.weights)


def test_a_table_without_columns_still_names_its_objects(nasty):
    assert from_csv(written_features(FeatureTable(NASTY)).decode()).rows == NASTY
    nothing = nasty.steps[4].fit
    assert from_csv(coordinates_csv(nothing, FeatureTable(NASTY))).rows == NASTY


# The program


def outcome(folder: Path, files: dict[str, str | bytes]) -> dict[str, float]:
    """What the program prints when it is run in a folder with only its files."""
    for name, content in files.items():
        whole = content if isinstance(content, bytes) else content.encode("utf-8")
        (folder / name).write_bytes(whole)
    environment = {**os.environ, "PYTHONPATH": str(Path(cml_core.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-W", "error", "map.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {name: float(value) for name, value in (x.split(":") for x in done.stdout.splitlines())}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(5))
def test_the_program_makes_the_same_map_again(nasty, tmp_path, number):
    result = nasty.steps[number].fit
    found = outcome(tmp_path, files_of_map(result, nasty.features, nasty.title))
    # The same computation on the same machine: equal but for the order of sums.
    assert found["unexplained"] == pytest.approx(result.stress, rel=1e-9)
    assert found["as saved"] == result.stress
    # A minimum is flat: a stress that is equal to 1e-9 leaves places free to its root and more.
    assert found["largest shift of an object"] <= 1e-3


@pytest.mark.slow
def test_the_program_makes_the_map_of_the_kinship_terms(kinship, tmp_path):
    with zipfile.ZipFile(io.BytesIO(bundle(kinship))) as archive:
        archive.extractall(tmp_path)
    found = outcome(tmp_path, {})
    # The best known optimum with Gender and Degree known.
    assert found["unexplained"] == pytest.approx(0.0142885, abs=5e-8)
    assert found["unexplained"] == pytest.approx(kinship.current.fit.stress, rel=1e-9)


@pytest.mark.slow
def test_the_program_draws_the_views_again(kinship, tmp_path):
    result = kinship.current.fit
    hidden = conditioned(result, 3)
    views = Views(())
    for data, target, method, chosen, count in (
        (result.problem.dissimilarities, result.problem.dissimilarities, "tsne", {}, 0),
        (hidden.hidden, hidden.left, "isomap", {"n_neighbors": 5}, 3),
        (hidden.hidden, hidden.left, "cca", {"reach": float("inf")}, 3),
    ):
        seen = view(data, method, **chosen)
        views = views.with_view(KeptView.of(seen, quality(seen, target), count))
    kept = kinship.found(kinship.current_id, views, kinship.changed)
    with zipfile.ZipFile(io.BytesIO(bundle(kept))) as archive:
        archive.extractall(tmp_path)
    assert from_csv((tmp_path / "views.csv").read_text("utf-8")).rows == kinship.current.fit.labels
    found = outcome(tmp_path, {})
    names = [name for name in found if name.endswith("hidden dimensions")]
    assert len(names) == 3
    for name in names:
        assert found[name] == pytest.approx(found[f"{name}, as saved"], rel=1e-6)


def test_the_program_is_python_without_a_character_that_turns_it(nasty):
    for step in nasty.steps:
        text = script(step.fit, NASTY[3])
        compile(text, "map.py", "exec")
        assert "\u202e" not in text
        assert "alert(1)" not in text.replace(repr(NASTY[0]), "")


@pytest.mark.slow
def test_the_program_reads_single_precision_as_such(kinship, tmp_path):
    single = (kinship.dissimilarities.condensed / 7).astype(np.float32)
    data = Dissimilarities(kinship.dissimilarities.labels, single)
    result = fit(replace(kinship.current.problem, dissimilarities=data), n_init=3, seed=0)
    assert "pairs.numbers().astype(np.float32)" in script(result)
    assert "float32" not in script(kinship.current.fit)
    found = outcome(tmp_path, files_of_map(result, kinship.features))
    assert found["unexplained"] == pytest.approx(result.stress, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["interval", "power", "ordinal"])
def test_the_program_repeats_the_scale(kinship, tmp_path, scale):
    result = fit(replace(kinship.current.problem, scale=scale, ties="secondary"), seed=0)
    found = outcome(tmp_path, files_of_map(result, kinship.features))
    assert found["unexplained"] == pytest.approx(result.stress, rel=1e-9)
    assert found["largest shift of an object"] <= 1e-3


def test_a_step_on_another_scale_shows_its_curve_in_the_report(kinship):
    result = fit(replace(kinship.current.problem, scale="spline"), seed=0, n_init=1)
    bent = kinship.after(result, result.embedding, kinship.changed)
    assert "count as: a smooth curve" in report_html(bent)
    assert "count as" not in report_html(kinship)


def test_thousands_on_a_curve_are_written_as_people_write_them(kinship):
    longer = Dissimilarities(
        kinship.dissimilarities.labels, 40.0 * kinship.dissimilarities.condensed
    )
    result = fit(replace(kinship.current.problem, dissimilarities=longer), n_init=1, seed=0)
    drawn = curve_svg(result)
    assert f">{longer.condensed.max():,.0f}</text>" in drawn
    assert "e+" not in drawn


@pytest.mark.parametrize("scale", ["ratio", "ordinal"])
def test_a_curve_is_the_same_whatever_was_drawn_before(kinship, scale):
    problem = replace(kinship.current.problem, scale=scale)
    held = problem.dissimilarities
    some = np.where(np.arange(held.condensed.size) % 3, 1.0, 0.0)
    fits = [
        fit(replace(problem, weights=weights), n_init=1, seed=0) for weights in (None, some, None)
    ]
    drawn = [curve_svg(each) for each in fits]
    data = Dissimilarities(held.labels, held.condensed)
    afresh = [
        curve_svg(replace(each, problem=replace(each.problem, dissimilarities=data)))
        for each in fits
    ]
    assert drawn == afresh
    assert drawn[0] == drawn[2] != drawn[1]


def test_features_go_with_the_map_as_the_fit_knew_them(kinship):
    changed = kinship.features["Degree"].with_values(np.arange(14.0))
    files = files_of_map(kinship.current.fit, kinship.features.with_feature(changed))
    sheet = from_csv(files["features.csv"].decode())
    assert sheet.columns == ("Gender", "Degree", "Generation")
    assert sheet.numbers(["Degree"]).ravel().tolist() == kinship.features["Degree"].values.tolist()


# Maps as SVG


def svg_of(points, labels, title="A map"):
    drawing = map_svg(np.asarray(points, dtype=float), labels, title)
    return drawing, ET.fromstring(drawing.svg)


def all_of(root, tag):
    return root.findall(f".//{{http://www.w3.org/2000/svg}}{tag}")


def test_axes_are_equal_and_up_is_up():
    _, root = svg_of([[0, 0], [4, 0], [0, 1]], list("abc"))
    a, b, c = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in all_of(root, "circle")]
    # Coordinates are written to a tenth of a pixel.
    assert b[0] - a[0] == pytest.approx(4 * (a[1] - c[1]), abs=0.5)
    assert a[1] - c[1] > 0


def test_objects_that_coincide_share_a_label():
    points = [[0, 0], [0, 0], [1, 1], [1, 1], [1, 1], [1, 1], [3, 0]]
    _, root = svg_of(points, list("abcdefg"))
    texts = [text.text for text in all_of(root, "text")]
    assert {"a · b", "c · d · e +1", "g"} <= set(texts)
    assert len(all_of(root, "circle")) == 7


@given(st.lists(st.tuples(*[st.floats(-9, 9, width=16)] * 2), min_size=1, max_size=40))
def test_labels_do_not_overlap_and_stay_within_the_frame(points):
    drawing, root = svg_of(points, [f"object {k}" for k in range(len(points))])
    *_, group = all_of(root, "g")
    boxes = []
    for text in group.findall("{http://www.w3.org/2000/svg}text"):
        x, y, width = float(text.get("x")), float(text.get("y")), 12 * 0.62 * len(text.text)
        left = x - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
        boxes.append((left, y - 9, left + width, y + 1))
    assert all(box[0] >= -0.1 and box[1] >= 0 and box[2] <= 560.1 for box in boxes)
    for k, a in enumerate(boxes):
        for b in boxes[:k]:
            apart = a[2] < b[0] + 0.2 or b[2] < a[0] + 0.2 or a[3] < b[1] or b[3] < a[1]
            assert apart
    assert drawing.without_label >= 0


def test_what_finds_no_room_is_counted():
    points = np.random.default_rng(0).uniform(size=(400, 2))
    drawing, root = svg_of(points, [f"a rather long name {k}" for k in range(400)])
    assert drawing.without_label > 100
    assert len(all_of(root, "circle")) == 400


def test_labels_moved_away_are_joined_to_their_dots():
    _, root = svg_of([[k / 60, 0] for k in range(20)] + [[5, 0]], [f"name {k}" for k in range(21)])
    assert len(all_of(root, "line")) > 1


@pytest.mark.parametrize(
    "points", [np.zeros((3, 2)), np.full((3, 2), 1e-320), [[0, 0], [1e150, 0]]]
)
def test_maps_of_any_size_are_drawn(points):
    svg_of(points, list("abc")[: len(points)])


@settings(max_examples=100)
@given(st.lists(st.text(st.characters()), min_size=2, max_size=5), st.text(st.characters()))
def test_an_svg_is_well_formed_whatever_things_are_called(labels, title):
    points = np.random.default_rng(0).normal(size=(len(labels), 2))
    _, root = svg_of(points, labels, title)
    tags = {element.tag.split("}")[1] for element in root.iter()}
    assert tags <= {"svg", "title", "rect", "g", "line", "text", "circle"}


def test_what_markup_does_not_allow_is_replaced():
    assert escaped("a\x00\x1f\ud800\ufffe<&>\"'") == "a����&lt;&amp;&gt;&quot;&#x27;"


# The report


class Reader(HTMLParser):
    """The tags, attributes and text of a page; complains of tags that do not match."""

    VOID = frozenset({"meta"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.text = ""
        self.open: list[str] = []
        # As it is read: that a line does not break there cannot be seen.
        self.feed(page.replace("\u00a0", " "))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= set(attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= set(attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


HARMLESS = {
    "html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "p", "ol",
    "li", "a", "bdi", "small", "strong", "figure", "figcaption", "div", "table", "thead", "tbody",
    "tr", "th", "td", "svg", "g", "rect", "circle", "line", "text",
}  # fmt: skip


def test_a_report_runs_nothing_and_asks_for_nothing(nasty):
    page = report_html(nasty)
    reader = Reader(page)
    assert reader.tags <= HARMLESS
    assert not [name for name, _ in reader.attributes if name.startswith("on") or name == "src"]
    addresses = {value for name, value in reader.attributes if name in ("href", "xmlns")}
    assert addresses == {f"#step-{k}" for k in range(1, 6)} | {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page
    assert "url(" not in page
    assert "@import" not in page
    for name in NASTY[:3]:
        assert name in reader.text


def test_a_report_says_all_there_is_to_know_of_each_step(nasty, kinship):
    text = Reader(report_html(nasty)).text
    for words in (
        "8 objects, 28 dissimilarities, 1 of them missing",
        "No hidden dimension was asked for",
        "1 hidden dimension; features act freely (full B); Sammon weights",
        "each feature by itself (diagonal B); weights that came with the data",
        "shortest paths through neighbours within 1.9 (Isomap)",
        "shortest paths through the 6 nearest neighbours (Isomap)",
        "with seed 5",
        "dimensions 1 and 3",
        "circular, period 12",
        "lowest first",
        "Filled in",
        "looked at last",
    ):
        assert words in text
    text = Reader(report_html(kinship)).text
    assert "1.43 % of the squared dissimilarities" in text
    assert "converged after" in text
    assert "other minima, the next with" in text
    assert "none of them missing" in text


def test_the_shares_of_features_and_map_are_shares_of_the_squared_distances(kinship):
    result = kinship.current.fit
    gender, degree = result.contributions().values()
    hidden = (result.embedding.var(axis=0) / result.points.var(axis=0).sum()).sum()
    assert gender + degree + hidden == pytest.approx(1)
    text = Reader(report_html(kinship)).text
    assert f"Gender {percent(gender)}; Degree {percent(degree)}" in text
    assert f"what is hidden {percent(hidden)}" in text


def test_a_fit_that_did_not_converge_is_called_so(kinship):
    result = fit(kinship.current.problem, max_iter=2, n_init=1, seed=0)
    journey = replace(kinship, steps=(), current_id=None).after(result, result.embedding, AT)
    text = Reader(report_html(journey)).text
    assert "not converged" in text
    assert "the map may differ from the best one" in text


def test_one_other_minimum_and_many_imputed_values_are_counted(nasty):
    step = replace(nasty.steps[1], parent=None)
    other = replace(step.fit.best, stress=0.5)
    step = replace(step, fit=replace(step.fit, alternatives=(other,)))
    journey = replace(nasty, steps=(step,), current_id=step.id)
    assert "1 other minimum, with 50.00 % unexplained" in Reader(report_html(journey)).text
    values = np.where(np.arange(60) < 30, np.nan, np.arange(60.0))
    labels = tuple(f"o{k}" for k in range(60))
    data = Dissimilarities(labels, np.random.default_rng(0).uniform(1, 2, 1770))
    table = FeatureTable(labels, (Feature.numeric("x", values),))
    result = fit(Problem(data, table), n_init=1, max_iter=5, seed=0)
    long = Journey.begun("x", data, table, AT).after(result, result.embedding, AT)
    assert "and 10 more" in Reader(report_html(long)).text


def test_a_value_filled_in_that_the_map_does_not_bear_out_is_called_unsure():
    random = np.random.default_rng(3)
    points = random.normal(size=(12, 2))
    points[0] = 9.0
    labels = tuple(f"o{k}" for k in range(12))
    table = FeatureTable(labels, (Feature.circular("hue", [np.nan, *np.arange(0, 330, 30.0)]),))
    data = Dissimilarities(labels, pdist(points))
    result = fit(Problem(data, table, n_components=1), seed=0)
    assert result.imputed()[0].unsure
    journey = Journey.begun("x", data, table, AT).after(result, result.embedding, AT)
    text = Reader(report_html(journey)).text
    assert "(unsure). Unsure: the map has it far from any value there is" in text
    near = replace(
        result.best,
        known_values=table.features[0].with_values([7.0, *table.features[0].values[1:]]).columns(),
    )
    sure = Journey.begun("x", data, table, AT).after(replace(result, best=near), near.embedding, AT)
    assert "nsure" not in Reader(report_html(sure)).text


def test_a_map_on_which_all_objects_coincide_is_reported(kinship):
    result = kinship.steps[0].fit
    flat = replace(result.best, embedding=np.zeros((14, 2)), stress=1.0)
    step = replace(kinship.steps[0], fit=replace(result, best=flat))
    journey = replace(kinship, steps=(step,), current_id=step.id)
    assert "All objects coincide" in Reader(report_html(journey)).text


def test_a_journey_without_steps_or_features_has_a_report(kinship):
    empty = Journey.begun("x", kinship.dissimilarities, FeatureTable(kinship.features.labels), AT)
    text = Reader(report_html(empty)).text
    assert "No step has been taken yet" in text
    assert "Grandmother" in text


# The archive


def test_an_archive_holds_everything_and_is_the_same_each_time(nasty):
    archive = bundle(nasty)
    assert archive == bundle(from_json(to_json(nasty)))
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        assert files.testzip() is None
        names = set(files.namelist())
        assert from_json(files.read("project.json").decode()).title == nasty.title
    assert names == {
        "project.json",
        "report.html",
        "dissimilarities.csv",
        "features.csv",
        "coordinates.csv",
        "coefficients.csv",
        "map.py",
        "README.txt",
    }


def test_own_weights_go_into_the_archive(nasty):
    with zipfile.ZipFile(io.BytesIO(bundle(nasty.visiting(nasty.steps[2].id)))) as files:
        assert "weights.csv" in files.namelist()


def test_an_archive_before_the_first_step_holds_the_data(kinship):
    empty = replace(kinship, steps=(), current_id=None)
    with zipfile.ZipFile(io.BytesIO(bundle(empty))) as files:
        names = set(files.namelist())
    assert names == {"project.json", "report.html", "dissimilarities.csv", "features.csv"}
