"""Each question of the Evidence page is asked, and answered alike everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from app_driver import AppDriver
from evidence_driver import ASKED, EvidenceDriver, kept, of_the_library, read, told, verdicts
from playwright.sync_api import CDPSession, Page, expect
from scipy.spatial.distance import pdist, squareform

from cml_core import Fit
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.evidence.importance import Helped
from cml_core.evidence.known_weights import known_weights
from cml_core.evidence.neighbourhoods import neighbourhoods
from cml_core.evidence.other_optima import other_optima
from cml_core.evidence.ranking import candidates_among, what_might_it_be
from cml_core.evidence.result import ResultKind
from cml_core.evidence.shepard import shepard
from cml_core.evidence.stability import stability
from cml_core.values.words import percent

KNOWN = "Kinship terms, with Gender and Degree taken out"
ONE_MORE = ASKED["HiddenFeature"]


def report_of(page: Page) -> str:
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Report", exact=True).click()
    page.mouse.move(0, 0)
    return read(Path(waiting.value.path()).read_text())


def at_once(fit: Fit) -> tuple[str, ...]:
    """What needs no button, under "Can I trust this map?"."""
    return tuple(found.verdict for found in (neighbourhoods(fit), other_optima(fit)))


def test_the_page_the_report_and_the_library_say_the_same_of_the_example(
    page: Page, address: str, database: str
) -> None:
    app = AppDriver(page, address, "?tour=off")
    app.shows("Kinship terms, with nothing known yet")
    app.tick("Gender")
    app.shows("Kinship terms, with Gender taken out")
    app.tick("Degree")
    app.shows(KNOWN)
    evidence = EvidenceDriver(page)
    evidence.comes_from_discover()
    evidence.says(
        "This judges the map with Gender and Degree taken out, of 2 hidden dimensions: "
        "1.4 % of the squared dissimilarity is unexplained (Stress-\N{WORD JOINER}1 0.12)."
    )

    journey = kept(database, page.url)
    fit = journey.current.fit
    library = of_the_library(fit, journey.origin)
    for kind in ("HiddenFeature", "Dimensions"):
        evidence.run(kind)
        evidence.says(library[kind].verdict)
    shown = [float(row["Held out"]) / 100 for row in evidence.rows_with("Held out")]
    # Only how a number is written may differ.
    assert shown == pytest.approx(list(library["Dimensions"].held_out), rel=1e-12)

    evidence.open("Did it help?")
    evidence.set("Helped", count=999)
    evidence.button(ASKED["Helped"].button).click()
    expect(evidence.button("Stop")).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="Did it help?", exact=True)).to_be_checked()
    expect(evidence.main.get_by_text("with 999 shuffled ones")).to_be_visible()
    expect(evidence.button(ASKED["Helped"].button)).to_be_disabled()
    evidence.button("Stop").click()
    expect(page.get_by_text("stopped; nothing of it was kept")).to_be_visible()
    assert kept(database, page.url).current.result(ResultKind(Helped)) is None
    evidence.run("Helped")
    expect(page.get_by_text("nothing of it was kept")).to_have_count(0)
    for one in library["Helped"].features:
        evidence.says(one.verdict)

    evidence.open("What weighs how much?")
    weights = known_weights(fit)
    evidence.says(weights.verdict)
    evidence.open("What might it be?")
    features = kept(database, page.url).features
    ranking = what_might_it_be(fit, candidates_among(features, fit.problem.known.names))
    assert ranking.candidates[0].feature == "|Generation|"
    evidence.says(ranking.verdict)
    names = [row["Feature"] for row in evidence.rows_with("Known already")]
    assert names == [one.feature for one in ranking.candidates]

    evidence.open("Can I trust this map?")
    evidence.says(shepard(fit).verdict)
    for verdict in at_once(fit):
        evidence.says(verdict)
    for kind in ("AdvisedScale", "Stability/pairs", "Structure"):
        evidence.run(kind)
        evidence.says(library[kind].verdict)

    everything = [
        *verdicts(library),
        *map(told, (weights.verdict, ranking.verdict, *at_once(fit))),
    ]
    report = report_of(page)
    assert [verdict for verdict in everything if verdict not in report] == []
    shares = [
        library["HiddenFeature"].lowered,
        *library["Dimensions"].held_out,
        *(one.gain for one in library["Helped"].features),
        *(one.best for one in ranking.candidates),
        float(library["Structure"].shuffled.min()),
    ]
    # The kinship terms were sorted into groups: of that no chance is given.
    assert library["HiddenFeature"].p_value is None
    numbers = [percent(share, 1) for share in shares]
    assert [number for number in numbers if told(number) not in report] == []

    page.reload()
    evidence.open("Is anything left?")
    evidence.says(library["HiddenFeature"].verdict)
    expect(evidence.button(f"{ONE_MORE.button} again")).to_be_visible()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Discover").click()
    app.shows(KNOWN)
    app.idle()
    lines = page.locator(".st-key-chips").get_by_role("button")
    lines.nth(0).click()
    expect(page.get_by_text(told(library["HiddenFeature"].verdict), exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    lines.nth(2).click()
    for one in library["Helped"].features:
        expect(page.get_by_text(told(one.verdict), exact=True)).to_be_visible()


def boxes_in_all_pairs(evidence: EvidenceDriver) -> None:
    """Draw a box around the whole diagram: where ten pairs were listed, now all are."""
    assert len(evidence.rows_with("Off by")) == 10
    diagram = evidence.page.locator("[class*='st-key-shepard']")
    diagram.scroll_into_view_if_needed()
    box = diagram.bounding_box()
    assert box
    mouse = evidence.page.mouse
    mouse.move(box["x"] + 60, box["y"] + 60)
    mouse.down()
    mouse.move(box["x"] + box["width"] - 20, box["y"] + box["height"] - 110, steps=5)
    mouse.up()
    expect(evidence.table_with("Off by").locator("tr").nth(11)).to_be_attached()


def towns() -> tuple[bytes, bytes]:
    """Dissimilarities of places that differ in three ways, and a table that has all three."""
    random = np.random.default_rng(11)
    names = [f"Town {chr(65 + i)}" for i in range(16)]
    ways = pd.DataFrame(random.normal(size=(16, 3)), index=names, columns=["east", "north", "rain"])
    noise = squareform(random.uniform(0.95, 1.05, 120))
    table = pd.DataFrame(squareform(pdist(ways)) * noise, index=names, columns=names)
    chance = random.permutation(16).astype(float)
    return table.to_csv().encode(), ways.assign(luck=chance).to_csv(index_label="town").encode()


def test_what_was_brought_is_judged_like_an_example(
    page: Page, address: str, database: str
) -> None:
    app = AppDriver(page, address, "Data")
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4, timeout=60_000)
    brought = zip(("towns.csv", "ways.csv"), towns(), ("Town A", "rain"), strict=True)
    for place, (name, content, then_shown) in enumerate(brought):
        file = {"name": name, "mimeType": "text/csv", "buffer": content}
        fields.nth(place).set_input_files(files=[file])
        expect(page.locator(".st-key-doctor")).to_contain_text(then_shown)
    app.button("Make a map").click()
    app.shows("towns, with nothing known yet")
    app.tick("east")
    app.shows("towns, with east taken out")
    evidence = EvidenceDriver(page)
    evidence.comes_from_discover()
    fit = kept(database, page.url).current.fit

    evidence.run("HiddenFeature")
    tested = hidden_feature_test(fit, resamples=ONE_MORE.count, workers=1)
    evidence.says(tested.verdict)
    evidence.open("What might it be?")
    features = kept(database, page.url).features
    ranking = what_might_it_be(fit, candidates_among(features, ("east",)))
    evidence.says(ranking.verdict)
    assert {one.feature for one in ranking.candidates[:2]} == {"north", "rain"}
    evidence.open("Can I trust this map?")
    for verdict in (shepard(fit).verdict, *at_once(fit)):
        evidence.says(verdict)
    boxes_in_all_pairs(evidence)
    evidence.run("Stability/pairs")
    steady = stability(fit, refits=ASKED["Stability/pairs"].count, workers=1)
    evidence.says(steady.verdict)
    report = report_of(page)
    for found in (tested, ranking, steady):
        assert told(found.verdict) in report


def test_a_finger_scrolls_the_page_over_every_picture(
    open_page: Callable[..., Page], address: str
) -> None:
    telephone = "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130.0 Mobile Safari/537.36"
    page = open_page(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        user_agent=telephone,
    )
    AppDriver(page, address, "Evidence")
    evidence = EvidenceDriver(page)
    evidence.open("Can I trust this map?")
    touch = page.context.new_cdp_session(page)
    for name in ("shepard", "pairs-map", "near-curves"):
        picture = page.locator(f"[class*='st-key-{name}']")
        picture.evaluate("element => element.scrollIntoView({block: 'center'})")
        before = evidence.main.evaluate("element => element.scrollTop")
        box = picture.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        _swipe_up(touch, x, y)
        page.wait_for_function(
            "before => document.querySelector('[data-testid=stMain]').scrollTop > before + 50",
            arg=before,
        )


def _swipe_up(touch: CDPSession, x: float, y: float) -> None:
    send = touch.send
    send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for up in range(10, 160, 10):
        points = [{"x": x, "y": y - up}]
        send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
