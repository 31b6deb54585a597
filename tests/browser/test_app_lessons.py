"""Lessons six to ten: change a setting, see the picture answer, answer wrongly and then rightly."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Locator, Page, expect
from runs import answered
from test_app_accessibility import THEMES, found

from cml_core.lessons import crowding, dimensions, filling_in, not_proof, surface

# A machine that others use as well.
SLOW = 60_000


def test_the_lessons_from_surfaces_to_filling_in_answer_and_are_answered(
    page: Page, address: str
) -> None:
    for number, lesson in enumerate(
        (_follow_a_surface, _see_things_crowd, _guess_how_many, _look_for_the_real_map, _fill_in)
    ):
        page.emulate_media(color_scheme=THEMES[number % 2])
        lesson(page, address)
        answered(page)
        assert found(page) == [], lesson.__name__


def _follow_a_surface(page: Page, address: str) -> None:
    page.goto(f"{address}/Learn?lesson=surface&k=11")
    _tells(page, f"{surface.unrolled(11).right:.3f}")
    slider = page.get_by_role("slider", name="Neighbours")
    slider.focus()
    page.keyboard.press("ArrowRight")
    cut = surface.unrolled(12)
    _tells(page, "1 short-cut")
    _tells(page, f"{cut.right:.3f}")
    _types(page, "What is the largest number", "12")
    _says(page, "Not yet. With so many, at least one edge is red")
    _types(page, "What is the largest number", "11")
    _says(page, "Right. One neighbour more")
    page.get_by_role("button", name="Remove the worst edge").click()
    mended = surface.unrolled(12, removed=1).right
    _tells(page, f"{mended:.3f}")
    assert _query(page)["removed"] == ["1"]
    # What a teacher sends opens what the teacher sees.
    page.reload()
    _tells(page, f"{mended:.3f}")
    _types(page, "Take one neighbour more", f"{cut.right:.3f}")
    _says(page, "Not yet. Read R² off")
    _types(page, "Take one neighbour more", f"{mended:.3f}")
    _says(page, f"Right. It was {cut.right:.3f}")


def _see_things_crowd(page: Page, _: str) -> None:
    page.get_by_role("button", name="Next: Crowding").click()
    expect(page).not_to_have_url(re.compile("removed="))
    _tells(page, f"{crowding.equally_different(7).stress:.4f}")
    page.get_by_role("slider", name="How many").focus()
    page.keyboard.press("ArrowRight")
    _tells(page, f"{crowding.equally_different(8).stress:.4f}")
    _types(page, "How many things can be equally far apart", "4")
    _says(page, f"Not yet. With so many the stress is {crowding.equally_different(4).stress:.4f}")
    _types(page, "How many things can be equally far apart", "3")
    _says(page, "Right. An equal-sided triangle")
    page.get_by_role("radio", name="Three clusters").click()
    picture = page.get_by_role("img", name="Three clusters by t-SNE.")
    expect(picture).to_be_visible(timeout=SLOW)
    before = picture.get_attribute("src")
    page.get_by_role("slider", name="Step").focus()
    page.keyboard.press("ArrowLeft")
    expect(picture).not_to_have_attribute("src", str(before), timeout=SLOW)
    page.get_by_role("button", name="Play").click()
    # It ends where the slider stood at first.
    expect(picture).to_have_attribute("src", str(before), timeout=SLOW)
    state = crowding.three_clusters(15, 15)
    ratio = crowding.LESSON.checks[-1]
    right = str(ratio.answer(state))
    wrong = next(said for said in ratio.choices if said != right)
    _picks(page, wrong)
    _says(page, "Not yet.")
    _picks(page, right)
    _says(page, f"in truth it is {state.truth.far:.1f} times")


def _guess_how_many(page: Page, address: str) -> None:
    page.goto(f"{address}/Learn?lesson=dimensions&noise=5")
    state = dimensions.covered(0, 0.05, 30)
    expect(page.get_by_text("Hidden features: ?")).to_be_visible(timeout=SLOW)
    assert not any(name in page.locator("body").inner_text() for name in state.hidden)
    _picks(page, dimensions.CANNOT_TELL)
    _says(page, "Not yet. They can")
    _picks(page, str(len(state.hidden)))
    _says(page, "Right. There are")
    page.locator("label").filter(has_text="Uncover what was hidden").click()
    expect(page.get_by_text("No bend").or_(page.get_by_text("bends clearly"))).to_be_visible()
    page.get_by_role("button", name="Draw another lot").click()
    expect(page.get_by_text("Hidden features: ?")).to_be_visible(timeout=SLOW)


def _look_for_the_real_map(page: Page, address: str) -> None:
    page.goto(f"{address}/Learn?lesson=not-proof")
    real = not_proof.line_up(0).real + 1
    expect(page.get_by_role("img", name=re.compile(r"Map \d+: 14 points"))).to_have_count(20)
    _picks(page, str(real % 20 + 1))
    _says(page, "Not yet. That one is of shuffled numbers")
    _picks(page, str(real))
    _says(page, "Right. Pointing blindly")
    page.locator("label").filter(has_text="Uncover the real one").click()
    _tells(page, f"Map {real} is the real one")
    page.locator("label").filter(has_text="Gender is known").click()
    _tells(page, "Gender is known. One is of what people said")
    expect(page.get_by_text("is the real one.")).to_have_count(0)


def _fill_in(page: Page, address: str) -> None:
    page.goto(f"{address}/Learn?lesson=filling-in")
    _tells(page, "points 1 and 9 8.00 apart")
    _picks(page, filling_in.TITLES[filling_in.MEU])
    _tells(page, "points 1 and 9 2.83 apart")
    _types(page, "How far apart does most entropy", "8")
    _says(page, "Not yet. That is the way along the chain")
    _types(page, "How far apart does most entropy", "2.83")
    _says(page, "Right. Most entropy supposes nothing")
    told = page.locator(".drag .map").evaluate("element => element.mapDebug()")
    end = next(one for one in told["objects"] if one["label"] == "9")
    x, y = told["stage"]["left"] + end["x"], told["stage"]["top"] + end["y"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 120, steps=6)
    page.mouse.up()
    expect(page.get_by_text("points 1 and 9 2.83 apart")).to_have_count(0, timeout=SLOW)
    assert _query(page)["at"][0].startswith("9,")


def _query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlparse(page.url).query)


def _tells(page: Page, words: str) -> None:
    expect(page.locator("p").filter(has_text=words).first).to_be_visible(timeout=SLOW)


def _says(page: Page, words: str) -> None:
    expect(page.get_by_test_id("stAlert").filter(has_text=words)).to_be_visible(timeout=SLOW)


def _types(page: Page, question: str, said: str) -> None:
    box = page.get_by_label(re.compile(f"^{question}"))
    box.fill(said)
    box.press("Enter")


def _picks(page: Page, choice: str) -> None:
    _choice(page, choice).click()


def _choice(page: Page, choice: str) -> Locator:
    return page.locator("label").filter(has_text=re.compile(f"^{re.escape(choice)}$")).first
