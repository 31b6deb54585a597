"""The tables that a visitor takes home, as other programs open them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
from app_driver import AppDriver
from playwright.sync_api import Page

from cml_core import load_dataset

LABELS = load_dataset("kinship14").values().labels


def downloaded(page: Page, name: str) -> tuple[str, bytes]:
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_the_table_and_the_workbook_hold_the_same_map(page: Page, address: str) -> None:
    app = AppDriver(page, address)
    app.shows("Kinship terms, with nothing known yet")
    app.idle()
    name, written = downloaded(page, "Table")
    assert name == "kinship-terms.csv"
    table = pd.read_csv(io.BytesIO(written), index_col="object")
    name, written = downloaded(page, "Excel")
    assert name == "kinship-terms.xlsx"
    head, *rows = openpyxl.load_workbook(io.BytesIO(written)).active.iter_rows(values_only=True)
    assert head == ("object", *table.columns)
    assert tuple(row[0] for row in rows) == tuple(table.index) == LABELS
    # The parser of pandas may miss the last bit.
    places = table[["dimension 1", "dimension 2"]].to_numpy()
    assert np.allclose([row[1:3] for row in rows], places, rtol=1e-15, atol=0)
