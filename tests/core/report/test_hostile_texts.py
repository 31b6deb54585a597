"""No name, level, note or title becomes code, markup or a formula; each comes back as it was."""

from __future__ import annotations

import ast
import csv
import io
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import openpyxl
import pytest
from hostile import CANARY, HOSTILE
from scipy.spatial.distance import pdist

import cml_core
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.evidence import (
    candidates_among,
    known_weights,
    neighbourhoods,
    redundancy,
    what_might_it_be,
)
from cml_core.files.exact_csv import from_csv
from cml_core.files.preparation import Preparation
from cml_core.files.source import FeatureSource, RawFile, Source
from cml_core.files.writing import WRITERS
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.report.evidence import results_html
from cml_core.report.map_svg import NamedLine, escaped, map_svg
from cml_core.report.report import report_html
from cml_core.report.tables import bundle, coef_csv, coordinates_csv, coordinates_xlsx
from cml_core.values.drawn_line import DrawnLine

AT = "2026-01-31T12:00:00Z"
TITLE = "".join(HOSTILE[:-1])


@pytest.fixture(scope="module")
def journey() -> Journey:
    """Everything that can have a name has one of these, and every name is somewhere."""
    n = len(HOSTILE)
    random = np.random.default_rng(7)
    data = Dissimilarities.from_condensed(pdist(random.normal(size=(n, 4))), HOSTILE)
    numeric = [
        replace(Feature.numeric(f"{name}!", random.normal(size=n), origin=name), unit=name)
        for name in HOSTILE
    ]
    levels = Feature.categorical("levels", [*HOSTILE[:-2], "x", None])
    features = FeatureTable(HOSTILE, (levels, *numeric))
    begun = Journey.begun(TITLE, data, features, AT)
    for known in ([], [one.name for one in numeric[:2]], [numeric[17].name]):
        found = fit(Problem(data, features.select(known)), n_init=1, seed=1)
        begun = begun.after(found, found.embedding, AT)
        begun = begun.noted(begun.current_id, TITLE, AT).renamed(begun.current_id, HOSTILE[18], AT)
    return begun


def test_a_project_file_brings_every_text_back(journey: Journey) -> None:
    again = from_json(to_json(journey))
    assert again.title == TITLE
    assert again.dissimilarities.labels == HOSTILE
    assert again.features.names == journey.features.names
    assert again.features["levels"].levels == journey.features["levels"].levels
    told = [(one.origin, one.unit) for one in again.features.features[1:]]
    assert told == [(name, name) for name in HOSTILE]
    assert [(step.note, step.given_name) for step in again.steps] == [(TITLE, HOSTILE[18])] * 3


def run(program: str, folder: Path) -> str:
    """What a program prints in a folder; where a text has become code there is another file."""
    there = set(folder.iterdir())
    environment = {**os.environ, "PYTHONPATH": str(Path(cml_core.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-W", "error", program],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert CANARY not in {path.name for path in set(folder.iterdir()) - there}
    return done.stdout


@pytest.mark.slow
def test_the_program_runs_none_of_them_and_makes_the_same_map(
    journey: Journey, tmp_path: Path
) -> None:
    with zipfile.ZipFile(io.BytesIO(bundle(journey))) as archive:
        archive.extractall(tmp_path)
        assert {Path(name).name for name in archive.namelist()} == set(archive.namelist())
    program = (tmp_path / "map.py").read_text("utf-8")
    texts = {node.value for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Constant)}
    assert {TITLE, f"{HOSTILE[17]}!"} <= texts
    assert all(sign.isprintable() or sign == "\n" for sign in program)
    told = run("map.py", tmp_path)
    assert f"unexplained: {journey.current.fit.stress!r}"[:22] in told


@pytest.mark.slow
def test_the_program_of_raw_files_with_hostile_names_runs_none_of_them(tmp_path: Path) -> None:
    """The names of the files, and of choices about them, come from outside as well."""
    name = f"../../{HOSTILE[0]}{HOSTILE[2]}.csv"
    table = RawFile(name, b",a,b,c,d\na,0,1,2,3\nb,1,0,1,2\nc,2,1,0,1\nd,3,2,1,0\n")
    sizes = FeatureSource(RawFile(name, b"name,size\na,1\nb,2\nc,4\nd,7\n"))
    source = Source((table,), Preparation(), sizes, notes=HOSTILE)
    values = source.dissimilarities()
    features = sizes.features(values.labels)
    begun = replace(Journey.begun(name, values, features, AT), source=source)
    found = fit(Problem(values, features.select(["size"])), n_init=1, seed=1)
    with zipfile.ZipFile(io.BytesIO(bundle(begun.after(found, found.embedding, AT)))) as packed:
        assert not [one for one in packed.namelist() if "/" in one or "\\" in one]
        packed.extractall(tmp_path)
    assert f"unexplained: {found.stress!r}"[:22] in run("map.py", tmp_path)


class Page(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_shows_them_as_text_and_has_no_markup_of_theirs(journey: Journey) -> None:
    page = Page(report_html(journey))
    plain = Page(report_html(replace(journey, title="x")))
    assert page.tags == plain.tags
    assert not page.tags & {"script", "img", "iframe", "textarea", "b", "i", "object", "link"}
    assert not [name for name in page.attributes if name.startswith("on") or name == "srcdoc"]
    seen = " ".join(page.text.replace("\N{NO-BREAK SPACE}", " ").split())
    for name in HOSTILE[17:28]:
        assert " ".join(name.split()) in seen


def test_what_evidence_says_of_them_is_text_as_well(journey: Journey) -> None:
    found = journey.current.fit
    candidates = candidates_among(journey.features, found.problem.known.names)
    results = [
        known_weights(found),
        neighbourhoods(found),
        redundancy(found, permutations=19),
        what_might_it_be(found, candidates, permutations=19),
    ]
    written = results_html(results, found)
    page = Page(written)
    assert not page.tags & {"script", "img", "iframe", "textarea", "b", "i", "object", "link"}
    assert not [name for name in page.attributes if name.startswith("on") or name == "srcdoc"]
    assert "<img src=x onerror=window.hacked=1>" in page.text
    # What turns the direction of writing turns nothing around it.
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" in written
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in re.sub("<bdi>.*?</bdi>", "", written)


def test_a_picture_of_the_map_is_well_formed_and_has_no_markup_of_theirs(journey: Journey) -> None:
    lines = [NamedLine(name, DrawnLine(((0.0, 0.0), (1.0, 1.0)))) for name in HOSTILE]
    svg = map_svg(journey.steps[0].embedding, HOSTILE, TITLE, lines).svg
    root = ET.fromstring(svg)
    tags = {element.tag.split("}")[1] for element in root.iter()}
    assert tags <= {"svg", "title", "rect", "g", "line", "text", "circle", "polygon", "polyline"}
    assert not [key for one in root.iter() for key in one.keys() if key.startswith("on")]  # noqa: SIM118
    told = {element.text or "" for element in root.iter() if element.tag.endswith("title")}
    assert "<img src=x onerror=window.hacked=1>" in told
    assert all("<" not in escaped(name) and '"' not in escaped(name) for name in HOSTILE)


def test_a_table_brings_every_name_and_level_back(journey: Journey) -> None:
    written = coordinates_csv(journey.current.fit, journey.features)
    sheet = from_csv(written)
    assert sheet.rows == HOSTILE
    assert sheet.columns[2:] == journey.features.names
    assert sheet.texts("levels") == journey.features["levels"].shown()
    (head, *_) = csv.reader(io.StringIO(coef_csv(journey.steps[1].fit), newline=""))
    assert len(head) == 3


def test_a_workbook_holds_no_formula_and_every_name_that_a_cell_can_hold(journey: Journey) -> None:
    packed = coordinates_xlsx(journey.current.fit, journey.features)
    book = openpyxl.load_workbook(io.BytesIO(packed))
    head, *rows = book.active.iter_rows()
    cells = [cell for row in (head, *rows) for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
    for name, row in zip(HOSTILE, rows, strict=True):
        held = "".join("\ufffd" if ord(c) < 32 and c not in "\t\n\r" else c for c in name)
        held = held.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
        assert (row[0].value or "").replace("\r\n", "\n") == held.replace("\r\n", "\n")


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS.keys())
def test_every_kind_of_file_is_written_or_said_not_to_hold_such_names(writer) -> None:
    for name in HOSTILE:
        labels = (name, "one", "two", "three")
        data = Dissimilarities.from_condensed([1.0, 2.0, 3.0, 1.0, 2.0, 1.0], labels)
        if not writer.obstacle(data):
            assert isinstance(writer.write(data), bytes)
