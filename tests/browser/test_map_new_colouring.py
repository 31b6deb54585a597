"""A kind of feature is one module and one line, and so are its colours: followed in a copy."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from copied_program import copied_program, put_in
from map_driver import MapDriver
from playwright.sync_api import Page, expect

SVG = "{http://www.w3.org/2000/svg}"
NEW = Path(__file__).with_name("new_colouring")


@pytest.fixture(scope="module")
def page_with_balances(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page beside a copy of the program, which has a kind and a colouring more."""
    copy = copied_program(tmp_path_factory.mktemp("program"))

    kinds = copy / "cml_core" / "values" / "kinds"
    shutil.copy(NEW / "balance.py", kinds)
    put_in(kinds / "registry.py", "import categorical", "import balance, categorical")
    put_in(kinds / "registry.py", "circular.KIND)", "circular.KIND, balance.KIND)")

    assets = copy / "cml_app" / "discovery_map" / "assets"
    shutil.copy(NEW / "diverging.js", assets / "colourings")
    last = 'import "./colourings/circular.js";\n'
    put_in(assets / "colourings.js", last, f'{last}import "./colourings/diverging.js";\n')
    palette = '        Palette("sequential"),\n'
    added = '        Palette("diverging", scale="RdBu"),\n'
    put_in(copy / "cml_app" / "palettes.py", palette, palette + added)
    return Path(shutil.copy(NEW / "page.py", copy))


def test_objects_and_legend_have_the_colours_of_the_new_kind(
    page: Page, serve: Callable[..., str], page_with_balances: Path
) -> None:
    shown = MapDriver(page, serve(page_with_balances), "one")
    styles = [one["style"] for one in shown.debug()["objects"]]
    assert [style["fill"] for style in styles[:2]] == ["#2166ac", "#b2182b"]
    assert [style["hollow"] for style in styles] == [False, False, False, False, True]
    legend = shown.root.locator(".legend")
    expect(legend).to_contain_text("Balance")
    expect(legend).to_contain_text("-8 to 8")
    expect(legend.locator(".entry")).to_have_text(["missing"])
    with page.expect_download() as saved:
        shown.button("Save as SVG").click()
    written = {text.text for text in ET.parse(saved.value.path()).iter(f"{SVG}text")}
    assert written >= {"Balance", "-8 to 8", "missing"}
