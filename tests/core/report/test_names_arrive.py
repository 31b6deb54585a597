"""The table that is taken home has the very same names wherever it is opened."""

from __future__ import annotations

import io

import numpy as np
import openpyxl
import pandas as pd
import pytest

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, fit
from cml_core.files.exact_csv import from_csv, to_csv
from cml_core.report.tables import coordinates_csv, coordinates_xlsx

NAMES = (
    "=1+1", "-5", "+1", "@SUM(A1)", "\N{MINUS SIGN}x", " =1", "\N{FULLWIDTH EQUALS SIGN}1",
    "'=quoted", "NA", "1e5", "O'Brien", 'so "called"', "a, b", "two\nlines", "=cmd|' /C calc'!A0",
)  # fmt: skip


@pytest.fixture(scope="module")
def features() -> FeatureTable:
    levels = ["=yes", "-no"] * 8
    return FeatureTable(NAMES, (Feature.categorical("=kind", levels[: len(NAMES)]),))


@pytest.fixture(scope="module")
def found(features: FeatureTable) -> Fit:
    places = np.random.default_rng(2).normal(size=(len(NAMES), 3))
    data = Dissimilarities.of(np.linalg.norm(places[:, None] - places, axis=2), labels=NAMES)
    return fit(Problem(data, features.select([])), n_init=1, seed=0)


def test_pandas_finds_the_very_same_names(found: Fit, features: FeatureTable) -> None:
    written = coordinates_csv(found, features)
    table = pd.read_csv(io.StringIO(written), dtype=str, keep_default_na=False)
    assert tuple(table["object"]) == NAMES
    assert list(table.columns) == ["object", "dimension 1", "dimension 2", "=kind"]
    assert table["=kind"].tolist() == features["=kind"].shown()


def test_a_workbook_holds_names_as_texts_that_are_never_run_and_numbers_in_full(
    found: Fit, features: FeatureTable
) -> None:
    book = openpyxl.load_workbook(io.BytesIO(coordinates_xlsx(found, features)))
    head, *rows = book.active.iter_rows()
    assert [cell.value for cell in head] == ["object", "dimension 1", "dimension 2", "=kind"]
    assert tuple(row[0].value for row in rows) == NAMES
    assert {cell.data_type for row in rows for cell in (row[0], row[3])} == {"s"}
    assert [[cell.value for cell in row[1:3]] for row in rows] == found.embedding.tolist()
    assert [row[3].value for row in rows] == features["=kind"].shown()


def test_a_gap_is_an_empty_cell_and_an_empty_text_a_text(found: Fit) -> None:
    gaps = Feature.numeric("gap", [np.nan, *range(len(NAMES) - 1)])
    written = coordinates_xlsx(found, FeatureTable(NAMES, (gaps,)))
    rows = list(openpyxl.load_workbook(io.BytesIO(written)).active.iter_rows(values_only=True))
    assert [row[3] for row in rows[1:4]] == [None, 0, 1]
    sheet = from_csv(to_csv(["a", "b"], ["x"], [["", None]]))
    assert (sheet.texts("a"), sheet.texts("b")) == ([""], [None])


def test_a_table_that_a_spreadsheet_has_saved_again_is_still_read() -> None:
    sheet = from_csv('object,a,"b ""c"""\r\nx,1,\r\n=y,,two\r\n')
    assert (sheet.columns, sheet.rows) == (("a", 'b "c"'), ("x", "=y"))
    assert sheet.numbers(["a"]).ravel()[0] == 1
    assert sheet.texts('b "c"') == [None, "two"]
