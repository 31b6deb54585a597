"""What comes later to the map of very many objects: places as they are found, and new objects."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from test_point_map import FEW, MANY, SCRIPT, Points


@pytest.fixture
def address(serve: Callable[..., str]) -> str:
    return serve(SCRIPT)


def press(points: Points, label: str) -> None:
    points.page.get_by_role("button", name=label, exact=True).click()


def test_places_that_arrive_are_painted_as_they_come_and_travel_once(
    page: Page, address: str
) -> None:
    points = Points(page, address)
    points.show("arriving")
    expect(points.stage).to_have_accessible_name("Points: 2,000 of 100,000 objects have a place")
    points.settled()
    before = len(points.fetched)
    view = points.debug()["view"]
    for quarter in (1, 2, 3):
        press(points, "More")
        there = round(quarter * MANY / 4 + (4 - quarter) * 500)
        expect(points.stage).to_have_accessible_name(
            f"Points: {there:,} of 100,000 objects have a place"
        )
        points.settled()
        assert points.debug()["painted"] == MANY
        assert points.debug()["placed"] == there
        assert len(points.fetched) == before + quarter
        # Four bytes for the place and four for whose it is.
        assert points.fetched[-1] <= 8 * (MANY // 4 - 500)
    press(points, "More")
    expect(points.stage).to_have_accessible_name("Points: 100,000 objects")
    points.settled()
    assert sum(points.fetched[before:]) <= 8 * 98_000
    assert len(points.fetched) == before + 4
    assert points.debug()["view"]["scale"] == pytest.approx(view["scale"], rel=0.3)
    press(points, "Run again")
    expect(page.get_by_text(re.compile("run 7|run 8"))).to_be_visible()
    assert len(points.fetched) == before + 4


def put(points: Points, count: int) -> None:
    field = points.page.get_by_role("spinbutton", name="New objects")
    field.fill(str(count))
    field.press("Enter")


def test_new_objects_are_seen_told_apart_and_taken_off(page: Page, address: str) -> None:
    points = Points(page, address, n=FEW)
    before, view = points.seen(), points.debug()["view"]
    put(points, 8)
    expect(points.stage).to_have_accessible_name("Points: 3,000 objects, and 8 new")
    points.settled()
    found = points.debug()
    assert [one["far"] for one in found["newcomers"]] == [True, *[False] * 7]
    assert found["newcomers"][0]["label"] == "New 0"
    # They lie about the map, which is seen from further off.
    assert found["view"]["scale"] < view["scale"]
    picture = points.seen()
    for one in found["newcomers"]:
        x, y = one["at"]
        assert 0 < x < found["view"]["width"]
        assert 0 < y < found["view"]["height"]
        inked = outline(picture, (x, y))
        assert inked > 20
        assert picture.getpixel((round(x), round(y))) == (255, 255, 255)
    # A broken outline has less ink than a whole one.
    inks = [outline(picture, one["at"]) for one in found["newcomers"]]
    assert inks[0] < 0.8 * min(inks[1:])
    put(points, 0)
    expect(points.stage).to_have_accessible_name("Points: 3,000 objects")
    points.settled()
    assert points.debug()["newcomers"] == []
    assert points.debug()["view"]["scale"] == pytest.approx(view["scale"])
    assert points.seen().size == before.size


def outline(picture, at, reach: int = 10) -> int:
    """Dark pixels about a place."""
    x, y = (round(v) for v in at)
    patch = picture.crop((x - reach, y - reach, x + reach, y + reach))
    return sum(count for count, colour in patch.getcolors(10_000) if max(colour) < 150)


def test_twenty_thousand_new_objects_are_small_and_travel_once(page: Page, address: str) -> None:
    points = Points(page, address, n=FEW)
    put(points, 30_000)
    expect(points.stage).to_have_accessible_name("Points: 3,000 objects, and 30,000 new")
    points.settled()
    found = points.debug()["newcomers"]
    assert len(found) == 20_000
    # Names are kept for those that nothing is like.
    assert [one["label"] for one in found[:2]] == ["New 0", ""]
    assert points.fetched[-1] <= 8 * 20_000
    fetched = list(points.fetched)
    press(points, "Run again")
    points.settled()
    points.drag((200, 100), (260, 60))
    points.settled()
    assert points.fetched == fetched
