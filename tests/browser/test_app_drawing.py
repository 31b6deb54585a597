"""Drawing does what hands do: each gesture at human speed, once."""

from __future__ import annotations

import re

import pytest
from app_driver import FAR, AppDriver
from hands import click_once, lasso, look, type_over, type_slowly
from playwright.sync_api import Locator, Page, expect
from rectangles import bring, distances, features

OPENING = "Kinship terms, with nothing known yet"
# Resolves once there are so many colours, or after ten seconds.
_FILLS = """(element, count) => new Promise((resolve) => {
  const until = Date.now() + 10000;
  const look = () => {
    const fills = new Set(element.mapDebug().objects.map((one) => one.style.fill)).size;
    if (fills === count || Date.now() > until) resolve(fills);
    else requestAnimationFrame(look);
  };
  look();
})"""


@pytest.fixture
def app(page: Page, address: str) -> AppDriver:
    opened = AppDriver(page, address)
    opened.shows(OPENING)
    opened.idle()
    return opened


def panel(app: AppDriver) -> Locator:
    return app.page.locator(".st-key-discovery")


def levels_field(app: AppDriver) -> Locator:
    return app.page.get_by_role("spinbutton", name="Levels")


def name_field(app: AppDriver) -> Locator:
    return app.page.get_by_role("textbox", name="Name", exact=True)


def tool(app: AppDriver, name: str) -> None:
    app.page.get_by_role("group", name="Tools").get_by_role("button", name=name).click()
    app.at_rest()


def colours(app: AppDriver) -> dict[str, str]:
    """The fill of each object on the map."""
    app.idle()
    return {one["label"]: one["style"]["fill"] for one in app.debug()["objects"]}


def expect_fills(app: AppDriver, count: int) -> None:
    """The map comes to be told apart by so many colours."""
    assert app.map.evaluate(_FILLS, count) == count


def test_the_number_of_levels_that_was_typed_is_rounded_to_by_one_click(app: AppDriver) -> None:
    app.draw_arrow(("Mother",), FAR)
    app.idle()
    type_over(levels_field(app), "4")
    # The field still has the focus: nothing but this click says that the number is whole.
    click_once(app.button("Round"))
    expect_fills(app, 4)
    expect(levels_field(app)).to_have_value("4")
    look(app.page)
    # More levels again, counted from what was drawn: nothing was lost by rounding to four.
    type_over(levels_field(app), "6")
    click_once(app.button("Round"))
    expect_fills(app, 6)
    expect(levels_field(app)).to_have_attribute("max", "14")


def test_the_number_of_levels_has_steppers_and_enter_rounds(app: AppDriver) -> None:
    app.draw_arrow(("Mother",), FAR)
    app.idle()
    before = int(levels_field(app).input_value())
    app.page.get_by_test_id("stNumberInputStepDown").locator("visible=true").first.click()
    look(app.page)
    expect(levels_field(app)).to_have_value(str(before - 1))
    levels_field(app).press("Enter")
    expect_fills(app, before - 1)


def test_a_lasso_stands_against_the_rest_and_enter_in_the_name_adds_it(app: AppDriver) -> None:
    tool(app, "Select")
    lasso(app, "Niece", "Aunt")
    expect(panel(app).get_by_text("2 selected: Aunt, Niece.")).to_be_visible()
    expect_fills(app, 2)
    found = colours(app)
    assert found["Aunt"] == found["Niece"] != found["Uncle"]
    expect(app.button("Add to known")).to_be_in_viewport(ratio=1)
    look(app.page)
    name_field(app).click()
    type_slowly(app.page, "Far women")
    app.page.keyboard.press("Enter")
    app.shows("Kinship terms, with Far women taken out")
    # The visitor's own colouring is back, which was none.
    expect_fills(app, 1)


def test_each_selection_that_gets_a_name_is_another_level(app: AppDriver) -> None:
    tool(app, "Select")
    group = app.page.get_by_role("textbox", name="Name of the group")
    for labels, name in ((("Niece", "Aunt"), "Women"), (("Uncle", "Nephew"), "Men")):
        lasso(app, *labels)
        expect(panel(app).get_by_text(f"2 selected: {', '.join(sorted(labels))}.")).to_be_visible()
        expect(group).to_be_visible()
        look(app.page)
        group.click()
        type_slowly(app.page, name)
        app.page.keyboard.press("Enter")
        expect(app.page.get_by_text(re.compile(rf"Groups: .*{name} \(2\)"))).to_be_visible()
        app.idle()
    expect_fills(app, 3)
    legend = app.page.locator(".legend")
    for level in ("Women", "Men", "the rest"):
        expect(legend).to_contain_text(level)
    click_once(app.button("Forget the groups"))
    # What is still selected stands against the rest again.
    expect(legend).to_contain_text("these")
    expect_fills(app, 2)


def test_a_click_on_a_label_that_objects_share_selects_them_all(app: AppDriver) -> None:
    # The second tick follows the first at once.
    app.tick("Gender")
    app.tick("Degree")
    app.shows("Kinship terms, with Gender and Degree taken out")
    tool(app, "Select")
    shared = next(one for one in app.debug()["labels"] if len(one["objects"]) == 2)
    stage = app.debug()["stage"]
    app.page.mouse.click(
        stage["left"] + shared["left"] + shared["width"] * 0.9,
        stage["top"] + shared["top"] + shared["height"] / 2,
    )
    names = [app.debug()["objects"][i]["label"] for i in shared["objects"]]
    expect(panel(app).get_by_text(f"2 selected: {', '.join(names)}.")).to_be_visible()


def test_the_map_has_the_colours_of_a_draft_and_goes_back_to_the_visitors_own(
    app: AppDriver,
) -> None:
    box = app.page.get_by_role("combobox", name="Colour").locator("visible=true")
    box.click()
    type_slowly(app.page, "Gender")
    app.page.keyboard.press("Enter")
    expect_fills(app, 2)
    own = colours(app)
    app.draw_arrow(("Mother",), FAR)
    expect(app.page.locator(".legend")).to_contain_text("Your discovery")
    assert len(set(colours(app).values())) > 10
    app.button("Clear drawing").click()
    expect_fills(app, 2)
    assert colours(app) == own


def test_values_are_written_as_people_write_them(app: AppDriver) -> None:
    # An arrow through two objects begins in the first: its place there is next to nothing.
    stage = app.page.get_by_role("application")
    stage.focus()
    for key in ("n", "Enter", "n", "n", "Enter", "x"):
        app.page.keyboard.press(key)
    expect(app.button("Add to known")).to_be_visible()
    app.idle()
    values = app.page.get_by_test_id("stDataFrame").first.locator("td:nth-child(2)")
    expect(values.first).to_have_text(re.compile(r"^-?\d+(\.\d{1,2})?$"))
    for text in values.all_inner_texts():
        assert re.fullmatch(r"-?\d+(\.\d{1,2})?", text), text
    assert "-0" not in values.all_inner_texts()
    assert not re.search(r"\de[-−]", app.page.locator(".legend").inner_text(), re.I)


def test_what_is_drawn_stands_along_a_line_that_loads_nothing(app: AppDriver) -> None:
    loaded: list[str] = []
    app.page.on("request", lambda request: loaded.append(request.url))
    app.draw_arrow(("Brother", "Sister"), FAR)
    line = panel(app).get_by_role("img", name=re.compile("^14 objects along a line, from "))
    expect(line).to_be_visible()
    dots = line.locator("[title*=': ']")
    expect(dots).to_have_count(14)
    expect(dots.first).to_have_attribute("title", re.compile(r"^\w+: -?\d+\.\d+$"))
    inner, around = dots.first.bounding_box(), line.bounding_box()
    assert inner
    assert around
    assert around["y"] <= inner["y"] < around["y"] + around["height"]
    app.idle()
    assert not [url for url in loaded if "Plotly" in url]


@pytest.mark.parametrize("further", [0, 14])
def test_add_to_known_stays_in_sight(page: Page, address: str, further: int) -> None:
    app = AppDriver(page, address, "Data")
    bring(page, "rectangles.csv", distances())
    bring(page, "sides.csv", features(further), field=1)
    app.button("Make a map").click()
    app.shows("rectangles, with nothing known yet")
    app.draw_arrow(("1x1",), ("4x4",))
    app.idle()
    expect(app.button("Add to known")).to_be_in_viewport(ratio=1)
    app.button("Round").click()
    app.idle()
    expect(app.button("Add to known")).to_be_in_viewport(ratio=1)
    expect(name_field(app)).to_be_in_viewport(ratio=1)
    assert page.get_by_test_id("stMain").evaluate("element => element.scrollTop") == 0
