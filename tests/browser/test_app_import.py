"""Data of any kind come in: the doctor explains, the visitor chooses, the map can be repeated."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest
from app_driver import BOTH_ORDERS, AppDriver
from openpyxl import Workbook
from playwright.sync_api import Locator, Page, expect
from runs import answered

ROOT = Path(__file__).parents[2]

LEAVES = """tree,leaves,height
Oak,broad,20
ash ,broad,25
élm,broad,30
fir,needles,40
yew,needles,10
junyper,scales,4
"""
CORRELATIONS = """,u,v,w,x,y
u,1,.9,.2,-.1,.3
v,.9,1,.3,0,.2
w,.2,.3,1,.6,.5
x,-.1,0,.6,1,.7
y,.3,.2,.5,.7,1
"""
MEASURED = "name\tlength\twidth\tsort\n" + "".join(
    f"item {k}\t{k * 1.5}\t{(k * 7) % 5}\t{'ab'[k % 2]}\n" for k in range(9)
)


@pytest.fixture
def data(page: Page, address: str) -> AppDriver:
    return AppDriver(page, address, "Data")


def bring(page: Page, name: str, content: bytes | str, field: int = 0) -> None:
    content = content.encode() if isinstance(content, str) else content
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4)
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    fields.nth(field).set_input_files(files=[file])


def doctor(page: Page) -> Locator:
    return page.locator(".st-key-doctor")


def make(page: Page) -> Locator:
    return page.get_by_role("button", name="Make a map", exact=True)


def is_right(page: Page) -> None:
    """The two objects that are named as most alike are."""
    doctor(page).get_by_text("Right", exact=True).click()
    expect(page.locator(".st-key-finding-which_way")).to_have_count(0)
    answered(page)


def downloaded(page: Page, label: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label, exact=True).click()
    # The button's help lies over its neighbours while the mouse is there.
    page.mouse.move(0, 0)
    return Path(waiting.value.path()).read_bytes()


def test_a_wrong_file_is_mended_and_its_map_repeated_elsewhere(
    page: Page, data: AppDriver, tmp_path: Path
) -> None:
    bring(page, "trees.csv", BOTH_ORDERS)
    expect(doctor(page)).to_contain_text("Needs a choice")
    is_right(page)
    expect(doctor(page)).to_contain_text("d(ash, elm) = 2.5 but d(elm, ash) = 3.5")
    expect(make(page)).to_be_disabled()
    doctor(page).get_by_text("Average both directions").click()
    expect(make(page)).to_be_enabled()
    bring(page, "leaves.csv", LEAVES, field=1)
    expect(doctor(page)).to_contain_text("Oak")
    doctor(page).get_by_role("button", name="junyper is juniper").click()
    make(page).click()
    data.shows("trees, with nothing known yet")
    data.tick("leaves")
    data.shows("trees, with leaves taken out")
    archive = zipfile.ZipFile(io.BytesIO(downloaded(page, "Python")))
    archive.extractall(tmp_path / "home")
    assert (tmp_path / "home" / "raw-1.csv").read_text() == BOTH_ORDERS
    found = _printed(tmp_path)
    # The program repeats the fit from the raw file, so only rounding may differ.
    assert found["unexplained"] == pytest.approx(found["as saved"], rel=1e-9)
    report = downloaded(page, "Report").decode()
    assert "Both directions were averaged" in report
    assert "trees.csv" in report


def test_another_sheet_that_is_offered_is_read_and_mapped(page: Page, data: AppDriver) -> None:
    book = Workbook()
    book.active.append(["Author", "A. Miller"])
    book.active.append(["Year", "2024"])
    sheet = book.create_sheet("Data")
    for row in csv.reader(BOTH_ORDERS.replace(",", ".").splitlines(), delimiter=";"):
        sheet.append([float(cell) if cell[:1].isdigit() else cell for cell in row])
    stream = io.BytesIO()
    book.save(stream)
    bring(page, "study.xlsx", stream.getvalue())
    page.get_by_role("button", name="Read the sheet Data").click()
    is_right(page)
    doctor(page).get_by_text("Average both directions").click()
    make(page).click()
    data.shows("study, with nothing known yet")


def _printed(folder: Path) -> dict[str, float]:
    """What map.py prints in an environment of its own, with the package installed from scratch."""
    environment = folder / "new"
    venv.create(environment, with_pip=False)
    site = next((environment / "lib").glob("python3*")) / "site-packages"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    (site / "needed.pth").write_text(str(Path(np.__file__).parents[1]))
    done = subprocess.run(
        [str(environment / "bin" / "python"), "-P", str(folder / "home" / "map.py")],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", "NUMBA_CACHE_DIR": str(folder / "compiled")},
    )
    assert done.returncode == 0, done.stderr
    lines = (line.split(":") for line in done.stdout.splitlines())
    return {name: float(value) for name, value in lines}


def test_correlations_become_dissimilarities_by_a_choice(page: Page, data: AppDriver) -> None:
    bring(page, "scales.csv", CORRELATIONS)
    expect(doctor(page)).to_contain_text("correlations")
    expect(make(page)).to_be_disabled()
    doctor(page).get_by_text("One minus each", exact=True).click()
    expect(make(page)).to_be_enabled()
    make(page).click()
    data.shows("scales, with nothing known yet")
    places = data.coordinates()
    near = np.hypot(*np.subtract(places["u"], places["v"]))
    far = np.hypot(*np.subtract(places["u"], places["x"]))
    assert near < far


def test_measurements_become_a_map_once_it_is_said_how_to_compare_them(
    page: Page, data: AppDriver
) -> None:
    bring(page, "items.tsv", MEASURED)
    expect(doctor(page)).to_contain_text("table of measurements")
    expect(make(page)).to_have_count(0)
    doctor(page).get_by_label("Compare by").fill("Gower")
    page.keyboard.press("Enter")
    expect(make(page)).to_be_enabled()
    make(page).click()
    data.shows("items, with nothing known yet")
    assert len(data.places()) == 9


def test_a_pasted_table_is_as_good_as_a_file(page: Page, data: AppDriver) -> None:
    page.get_by_text("… or paste a table").click()
    page.get_by_label("Table", exact=True).fill("a b 1\na c 2\nb c 1.5\na d 3\nb d 2\nc d 1\n")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Read it").click()
    is_right(page)
    expect(make(page)).to_be_enabled()
    make(page).click()
    data.shows("pasted table, with nothing known yet")
    assert set(data.places()) == {"a", "b", "c", "d"}


def test_what_was_brought_waits_while_another_page_is_looked_at(
    page: Page, data: AppDriver
) -> None:
    bring(page, "trees.csv", BOTH_ORDERS)
    is_right(page)
    doctor(page).get_by_text("Average both directions").click()
    expect(make(page)).to_be_enabled()
    page.get_by_role("link", name="Discover").click()
    data.shows("Kinship terms, with nothing known yet")
    page.get_by_role("link", name="Data").click()
    expect(make(page)).to_be_enabled()
    expect(doctor(page)).to_contain_text("trees.csv")
    page.get_by_role("button", name="Discard").click()
    expect(doctor(page)).to_have_count(0)


def test_a_file_that_is_too_large_is_refused_in_the_page(
    page: Page, data: AppDriver, tmp_path: Path
) -> None:
    # As a path: handing its bytes to the browser takes longer than a busy machine is given.
    large = tmp_path / "large.csv"
    large.write_bytes(b"0," * 41_000_000)
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4)
    fields.nth(0).set_input_files(large)
    expect(page.get_by_text("File must be 80.0MB or smaller.")).to_be_visible()
    expect(doctor(page)).to_have_count(0)
    expect(page.get_by_text("Something went wrong")).to_have_count(0)
