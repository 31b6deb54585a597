"""A map tool is one module and one line on either side: followed here in a copy of the program."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from copied_program import copied_program, put_in
from map_driver import MapDriver
from playwright.sync_api import Page, expect

NEW_TOOL = Path(__file__).with_name("new_tool")


@pytest.fixture(scope="module")
def page_with_line_tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page beside a copy of the program, which has a tool more."""
    copy = copied_program(tmp_path_factory.mktemp("program"))

    assets = copy / "cml_app" / "discovery_map" / "assets"
    shutil.copy(NEW_TOOL / "line.js", assets / "tools")
    curve = 'import "./tools/curve.js";\n'
    put_in(assets / "tools.js", curve, f'{curve}import "./tools/line.js";\n')

    drawing = copy / "cml_core" / "drawing"
    shutil.copy(NEW_TOOL / "line.py", drawing)
    put_in(drawing / "registry.py", "import arrow, curve", "import arrow, curve, line")
    put_in(drawing / "registry.py", "curve.Curve)", "curve.Curve, line.Line)")
    return Path(shutil.copy(NEW_TOOL / "page.py", copy))


@pytest.fixture
def drawn_on(page: Page, serve: Callable[..., str], page_with_line_tool: Path) -> MapDriver:
    return MapDriver(page, serve(page_with_line_tool), "one")


def test_a_new_tool_has_its_button_beside_the_others_and_is_told_of(drawn_on: MapDriver) -> None:
    tools = drawn_on.page.get_by_role("group", name="Tools").get_by_role("button")
    expect(tools).to_have_text(["Move", "Select", "Arrow", "Curve", "Line"])
    expect(tools.last).to_have_attribute(
        "title", "Draw a line: each object gets its distance from it (L)"
    )
    expect(drawn_on.stage).to_have_accessible_description(
        re.compile("M, S, A, C and L choose the tools move, select, arrow, curve and line.")
    )


def test_what_is_drawn_with_a_new_tool_comes_back_as_a_feature(drawn_on: MapDriver) -> None:
    drawn_on.tool("Line")
    drawn_on.drag(drawn_on.from_map(-8, 0), drawn_on.from_map(8, 0))
    drawn_on.expect_drawing("line")
    found = drawn_on.returned()
    assert found["values"] == pytest.approx([-5, -5, 5, 5, 0], abs=0.1)
    assert found["origin"] == "distance from a line on the map with nothing known"


def test_a_new_tool_needs_no_mouse(drawn_on: MapDriver) -> None:
    keys = drawn_on.page.keyboard
    drawn_on.stage.focus()
    for key in ("n", "Enter", "n", "n", "Enter", "l"):
        keys.press(key)
    expect(drawn_on.button("Line through first and second selected")).to_be_visible()
    keys.press("w")
    drawn_on.expect_drawing("line")
    assert drawn_on.returned()["values"][2] == pytest.approx(0)
    expect(drawn_on.root.locator("[aria-live]")).to_contain_text("Line drawn.")
    keys.press("Delete")
    drawn_on.expect_drawing(None)
