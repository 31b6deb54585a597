"""From one map to the next: objects glide, and the map stays the same piece of the page."""

from __future__ import annotations

from collections.abc import Callable

from map_driver import SCRIPT, MapDriver
from playwright.sync_api import Page, expect

MARK = "element => { element.mark = 'the same'; }"
# Where object A is in every frame, until the map has settled on the second arrangement.
FOLLOW = """element => new Promise(done => {
  const places = [];
  const look = () => {
    const found = element.mapDebug();
    places.push(found.objects[0].x);
    const there = element.dataset.mapId === "square second";
    if (there && element.dataset.settled === "true") done(places);
    else requestAnimationFrame(look);
  };
  look();
})"""
START_FOLLOWING = f"element => {{ element.followed = ({FOLLOW})(element); }}"


def test_objects_glide_to_their_new_places_in_the_same_piece_of_the_page(
    page: Page, serve: Callable[..., str]
) -> None:
    square = MapDriver(page, serve(SCRIPT), "square")
    square.root.evaluate(MARK)
    square.root.evaluate(START_FOLLOWING)
    square.second_map("square second")
    places = square.root.evaluate("element => element.followed")
    assert square.root.evaluate("element => element.mark") == "the same"
    first, last = places[0], places[-1]
    between = [place for place in places if first + 5 < place < last - 5]
    assert len(between) >= 3
    assert between == sorted(between)
    labels = [one["label"] for one in square.debug()["objects"]]
    assert labels == ["A", "B", "F", "D", "E"]
    named = [label["text"] for label in square.debug()["labels"]]
    assert "C" not in named


def test_nothing_glides_for_those_who_want_no_motion(
    open_page: Callable[..., Page], serve: Callable[..., str]
) -> None:
    page = open_page(reduced_motion="reduce")
    square = MapDriver(page, serve(SCRIPT), "square")
    square.root.evaluate(START_FOLLOWING)
    square.second_map("square second")
    places = square.root.evaluate("element => element.followed")
    assert len({round(place) for place in places}) == 2


def test_the_map_can_go_and_come_back(page: Page, serve: Callable[..., str]) -> None:
    square = MapDriver(page, serve(SCRIPT), "square")
    square.root.evaluate("element => { window.old = element; }")
    toggle = page.get_by_text("Mounted")
    toggle.click()
    expect(square.root).to_have_count(0)
    frames = page.evaluate("() => window.old.dataset.frame")
    page.evaluate("() => document.fonts.dispatchEvent(new Event('loadingdone'))")
    toggle.click()
    square.settled()
    square.draw_arrow()
    # What was left behind does nothing any more.
    assert page.evaluate("() => window.old.dataset.frame") == frames


def test_two_tabs_do_not_share_what_is_drawn(
    open_page: Callable[..., Page], serve: Callable[..., str]
) -> None:
    one = MapDriver(open_page(), serve(SCRIPT), "square")
    other = MapDriver(open_page(), serve(SCRIPT), "square")
    one.draw_arrow()
    other.tool("Select")
    other.expect_drawing(None)
    assert other.debug()["drawing"] is None
