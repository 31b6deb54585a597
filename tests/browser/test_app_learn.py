"""The Learn page in a browser: dragged, by keyboard alone, from an address, on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from hands import drag, finger_drag, press_enter_on, tab_to
from playwright.sync_api import Page, expect
from runs import answered
from test_app_accessibility import found

from cml_core.lessons import stress

PHONE = {"width": 390, "height": 844}
CITIES = list(stress.CITIES)


class Lesson:
    """A tab with a lesson in it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.map = page.locator(".drag .map")
        page.goto(address)
        self.idle()

    def idle(self) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_be_visible(timeout=60_000)
        answered(self.page)

    def at_rest(self) -> None:
        self.idle()
        expect(self.map).to_have_attribute("data-settled", "true")

    def place(self, label: str) -> tuple[float, float]:
        """Where an object is, in pixels of the page."""
        told = self.map.evaluate("element => element.mapDebug()")
        one = next(one for one in told["objects"] if one["label"] == label)
        return told["stage"]["left"] + one["x"], told["stage"]["top"] + one["y"]

    def shown(self) -> float:
        """The stress that the page itself computes."""
        return float(self.page.locator(".drag").get_attribute("data-shown") or "nan")

    def computed(self) -> float:
        """The stress of the places in the address."""
        told = parse_qs(urlsplit(self.page.url).query).get("at", [""])[0]
        places = np.array(stress.best_map().embedding)
        for part in filter(None, told.split(";")):
            name, x, y = part.split(",")
            places[CITIES.index(name)] = float(x), float(y)
        return stress.share_wrong(stress.flights().condensed, places)

    def says(self, words: str) -> None:
        expect(self.page.locator(".st-key-lesson-numbers")).to_contain_text(words)


def test_a_dragged_city_has_one_stress_on_the_page_in_python_and_in_a_new_tab(
    open_page: Callable[..., Page], address: str
) -> None:
    lesson = Lesson(open_page(), f"{address}/Learn?lesson=stress")
    lesson.at_rest()
    assert lesson.shown() == pytest.approx(stress.best_map().stress, abs=1e-9)
    rome, moscow = lesson.place("Rome"), lesson.place("Moscow")
    drag(lesson.page, rome, ((rome[0] + moscow[0]) / 2, rome[1]), moscow)
    lesson.says("11.7 %")
    lesson.at_rest()
    assert lesson.shown() == pytest.approx(0.117, abs=0.001)
    assert lesson.shown() == pytest.approx(lesson.computed(), abs=1e-9)
    # What was not touched lies where it lay.
    assert lesson.place("Moscow") == pytest.approx(moscow, abs=0.5)

    again = Lesson(open_page(), f"{lesson.page.url}&turn=120&mirror=true")
    again.at_rest()
    again.says("11.7 %")
    assert again.shown() == pytest.approx(lesson.shown(), abs=1e-12)
    again.page.get_by_text("Nothing", exact=True).click()
    again.says("Right.")
    again.page.get_by_role("button", name="Relax").click()
    again.says("less than 0.01 %")
    again.at_rest()
    expect(again.page.locator(".drag output")).to_have_text("0.0000019")
    assert again.shown() == pytest.approx(again.computed(), abs=1e-9)
    assert found(again.page) == []


def test_three_lessons_with_the_keyboard_alone(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(color_scheme="dark")
    lesson = Lesson(page, f"{address}/Learn")
    assert found(page) == []
    tab_to(page, "1 · What stress is")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("lesson=stress"))
    lesson.at_rest()
    before = lesson.shown()
    tab_to(page, "Rome")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("at=Rome"))
    lesson.at_rest()
    assert lesson.shown() > 1000 * before
    assert lesson.shown() == pytest.approx(lesson.computed(), abs=1e-9)

    press_enter_on(page.get_by_role("button", name="Next: Three ways to be faithful"))
    lesson.idle()
    expect(page).not_to_have_url(re.compile("at=Rome|turn="))  # left behind with its lesson
    lesson.says("Stress-1 0.1312")
    tab_to(page, "Power of every dissimilarity")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"power=1\.3"))
    lesson.says("nothing of their spread")
    assert found(page) == []

    press_enter_on(page.get_by_role("button", name="Next: Starts and traps"))
    lesson.idle()
    lesson.says("One start cannot know")
    press_enter_on(page.get_by_role("button", name="One more start"))
    lesson.says("2 starts")
    expect(page).to_have_url(re.compile("starts=0-2-0"))
    assert found(page) == []


def test_pairs_that_were_not_fitted_answer_in_the_background_and_may_be_stopped(
    page: Page, address: str
) -> None:
    lesson = Lesson(page, f"{address}/Learn?lesson=did-it-help")
    ask = page.get_by_role("button", name="Ask pairs that were not fitted")
    ask.click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(ask).to_be_disabled()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(ask).to_be_enabled()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    lesson.says("The stress cannot tell")
    # An arrow is read off anew without the pairs held out, and takes no shuffling.
    page.get_by_text("An arrow on this map", exact=True).first.click()
    expect(page).to_have_url(re.compile("add=An"))
    lesson.idle()
    ask.click()
    lesson.says("There is no p-value for what was read off the map.")
    expect(ask).to_be_disabled()
    assert found(page) == []


def test_on_a_phone_a_finger_moves_a_city_and_nothing_is_wider_than_the_screen(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")
    lesson = Lesson(page, f"{address}/Learn?lesson=stress")
    lesson.at_rest()
    x, y = lesson.place("Vienna")
    finger_drag(page, (x, y), (x + 40, y - 60), (x + 60, y - 90))
    expect(page).to_have_url(re.compile("at=Vienna"))
    lesson.at_rest()
    assert lesson.shown() == pytest.approx(lesson.computed(), abs=1e-9)
    main = page.get_by_test_id("stMain")
    for path in ("Learn", *(f"Learn?lesson={name}" for name in ("traps", "taking-out"))):
        Lesson(page, f"{address}/{path}")
        assert found(page) == []
        assert main.evaluate("element => element.scrollWidth") <= PHONE["width"]


def test_the_stress_of_a_map_leads_to_its_lesson_and_the_guide_to_all(
    page: Page, address: str
) -> None:
    lesson = Lesson(page, address)
    expect(page.get_by_role("link", name="Learn in short lessons")).to_have_attribute(
        "href", re.compile("Learn$")
    )
    lesson.map = page.locator(".st-key-map .map")
    lesson.at_rest()
    page.locator(".st-key-summary").get_by_test_id("stTooltipIcon").first.hover()
    link = page.get_by_role("link", name="A lesson: what stress is")
    expect(link).to_have_attribute("href", re.compile(r"Learn\?lesson=stress"))
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Learn").click()
    expect(lesson.page.get_by_role("heading", level=1)).to_have_text("Learn")
