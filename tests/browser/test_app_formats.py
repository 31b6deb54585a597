"""Files of many programs, one after the other, on one page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import AppDriver
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "core" / "files" / "corpus"
# One of each family; what is refused comes between, and takes nothing with it.
FILES = {
    "pandas_uscities.ods": "10 objects",
    "lo_uscities.xls": "10 objects",
    "bad_tree.nwk": "a tree (Newick)",
    "pyreadstat_uscities.sav": "10 objects",
    "pandas_uscities.parquet": "10 objects",
    "bad_hdf5.h5ad": "an HDF5 file",
    "r_uscities.RData": "10 objects",
    "scipy_uscities.mat": "10 objects",
    "pasted_html.txt": "10 objects",
    "pandas_records.json": "10 objects",
    "orange.tab": "3 objects",
    "splitstree.nex": "Most alike: a and b",
    "pyreadstat_uscities.dta": "10 objects",
    "pandas_uscities.feather": "10 objects",
    "r_dput.txt": "10 objects",
    "r_uscities_ascii.rds": "10 objects",
    "markdown.txt": "10 objects",
    "printed_numpy.txt": "Most alike: object",
    "condensed.csv": "Most alike: object",
    "ucinet_full.dl": "Most alike: ",
    "mega_lower.meg": "Most alike: ",
    "gensim_word2vec.bin": "10 objects",
}


@pytest.fixture
def data(page: Page, serve: Callable[..., str], tmp_path: Path) -> AppDriver:
    address = serve(ROOT / "app.py", {"CML_DATABASE_URL": f"sqlite:///{tmp_path}/p.sqlite3"})
    return AppDriver(page, address, "Data")


def test_files_of_many_programs_are_read_or_refused_by_name(page: Page, data: AppDriver) -> None:
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    doctor = page.locator(".st-key-doctor")
    for name, told in FILES.items():
        expect(fields).to_have_count(4)
        fields.nth(0).set_input_files(CORPUS / name)
        expect(doctor).to_contain_text(told, timeout=20_000)
        page.get_by_role("button", name=f"Remove {name}", exact=True).click()
        expect(doctor).to_have_count(0)
