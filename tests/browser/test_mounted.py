"""What lives in an element of the page stays as long as the element does.

Streamlit lets a call of a component clean up where the next one has overtaken it, before or after
that one has been answered.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from cml_app.joined_modules import joined
from cml_app.undo_bar import FOLDER

OPENED = """async (script) => {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: show } = await import(url);
  window.sent = [];
  window.shown = () => show({
    data: { undo: "tick Gender", redo: "" },
    parentElement: document.body,
    setStateValue: (_, state) => window.sent.push(state),
  });
}"""


@pytest.fixture
def bar(page: Page) -> Page:
    page.set_content((FOLDER / "bar.html").read_text(encoding="utf-8"))
    page.evaluate(OPENED, joined(FOLDER / "bar.js"))
    return page


@pytest.mark.parametrize(
    "order",
    [
        pytest.param("const first = shown(); first(); shown();", id="before the next call"),
        pytest.param("const first = shown(); shown(); first();", id="after the next call"),
    ],
)
def test_a_call_that_was_overtaken_takes_nothing_away(bar: Page, order: str) -> None:
    bar.evaluate("() => { shown(); }")
    bar.keyboard.press("Control+z")
    bar.evaluate(f"() => {{ {order} }}")
    bar.keyboard.press("Control+z")
    bar.get_by_role("button", name="Undo: tick Gender").click()
    sent = bar.evaluate("() => sent")
    assert [len(state["moves"]) for state in sent] == [1, 2, 3]
    assert len({state["bar"] for state in sent}) == 1


def test_what_has_left_the_page_hears_nothing_more(bar: Page) -> None:
    bar.evaluate("() => { const leave = shown(); document.body.replaceChildren(); leave(); }")
    bar.keyboard.press("Control+z")
    assert bar.evaluate("() => sent") == []
