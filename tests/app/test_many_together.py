"""Two tabs with one loop of many objects: what is made in either is there for whoever comes."""

from __future__ import annotations

from many_tools import DRAWN, buyers, settled, visit_of
from page_tools import name_and_add, page_of, press, said, tick
from streamlit.testing.v1 import AppTest

from cml_core.drawing.arrow import Arrow
from cml_core.many.loop import Loop


def opened(token: str | None) -> AppTest:
    page = page_of("pages/6_Many.py")
    page.query_params["many"] = token
    return settled(page.run())


def drawn(page: AppTest, name: str, arrow: Arrow) -> None:
    DRAWN["drawing"] = arrow
    page.run()
    settled(name_and_add(page, name))
    DRAWN.clear()
    assert not page.exception


def kept(page: AppTest) -> Loop:
    """What whoever opens the address finds."""
    return visit_of(opened(visit_of(page).token)).made


def test_two_tabs_keep_the_steps_drawings_and_findings_of_each_other(many: AppTest) -> None:
    one = buyers(many)
    other = opened(visit_of(one).token)
    settled(tick(one, "Age"))
    settled(press(one, "Judge this map"))
    settled(tick(other, "Region"))
    drawn(one, "Seen", Arrow((0.0, 0.0), (1.0, 0.0)))
    drawn(other, "Seen", Arrow((0.0, 0.0), (0.0, 1.0)))
    found = kept(one)
    assert {step.known for step in found.steps} == {
        (), ("Age",), ("Region",), ("Age", "Seen"), ("Region", "Seen (2)"),
    }  # fmt: skip
    assert [one.drawn["end"] for one in found.discoveries] == [[1.0, 0.0], [0.0, 1.0]]
    assert len(next(step for step in found.steps if step.known == ("Age",)).found) == 4
    # Each stands where it stood, with the map of what it asked.
    assert visit_of(one).made.step.known == ("Age", "Seen")
    assert "With Region and Seen (2) taken out" in said(settled(other.run()))
    # A map begun before the other tab wrote finds its step, whatever number that has now.
    settled(tick(one, "Channel"))
    assert visit_of(one).made.step.known == ("Age", "Channel", "Seen")
    assert len(kept(one).steps) == 6


def test_what_is_found_after_the_other_tab_wrote_goes_to_its_own_step(many: AppTest) -> None:
    one = buyers(many)
    other = opened(visit_of(one).token)
    settled(tick(one, "Age"))
    settled(tick(other, "Region"))
    settled(press(other, "Judge this map"))
    steps = {step.known: len(step.found) for step in kept(one).steps}
    assert steps == {(): 0, ("Age",): 0, ("Region",): 4}
