"""What single people said is brought, judged by people drawn anew, and shown person by person."""

from __future__ import annotations

import numpy as np
import pytest
from app_driver import AppDriver
from evidence_driver import ASKED, EvidenceDriver, kept, told
from playwright.sync_api import Page, expect
from scipy.spatial.distance import pdist
from test_app_evidence import report_of
from test_app_scale import choose_scale

from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.evidence.individuals import individuals
from cml_core.evidence.stability import stability

NAMES = [f"Tea {letter}" for letter in "ABCDEFGHIJ"]
PEOPLE = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"]


def seen_by_each() -> list[np.ndarray]:
    """Places of ten teas as six people see them: each stretches two ways, with an error."""
    random = np.random.default_rng(7)
    places = random.normal(size=(10, 2))
    return [
        places * random.uniform(0.6, 1.4, 2) + 0.6 * random.normal(size=places.shape)
        for _ in PEOPLE
    ]


def rater_list() -> bytes:
    lines = ["person,first,second,rating"]
    first, second = np.triu_indices(10, 1)
    for person, places in zip(PEOPLE, seen_by_each(), strict=True):
        distances = pdist(places)
        ratings = np.round(1 + 6 * distances / distances.max())
        lines += [
            f"{person},{NAMES[i]},{NAMES[j]},{rating:g}"
            for i, j, rating in zip(first, second, ratings, strict=True)
        ]
    return "\n".join(lines).encode()


def sorting() -> bytes:
    lines = ["person,object,pile"]
    for person, places in zip(PEOPLE, seen_by_each(), strict=True):
        piles = (places[:, 0] > 0) + 2 * (places[:, 1] > 0)
        lines += [f"{person},{name},{pile}" for name, pile in zip(NAMES, piles, strict=True)]
    return "\n".join(lines).encode()


@pytest.mark.parametrize(("name", "content"), [("ratings", rater_list()), ("sorting", sorting())])
def test_answers_are_judged_by_people_and_found_again_in_the_report_and_the_library(
    page: Page, address: str, database: str, name: str, content: bytes
) -> None:
    app = AppDriver(page, address, "Data")
    file = {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": content}
    fields = page.get_by_test_id("stFileUploaderDropzoneInput")
    expect(fields).to_have_count(4, timeout=60_000)
    fields.first.set_input_files(files=[file])
    expect(page.locator(".st-key-doctor")).to_contain_text("Tea A")
    app.button("Make a map").click()
    app.shows(f"{name}, with nothing known yet")
    evidence = EvidenceDriver(page)
    evidence.comes_from_discover()
    journey = kept(database, page.url)
    fit, answers, origin = journey.current.fit, journey.answers, journey.origin
    assert answers.people == tuple(PEOPLE)
    assert origin.kind == name

    evidence.run("HiddenFeature")
    tested = hidden_feature_test(
        fit, answers=answers, origin=origin, resamples=ASKED["HiddenFeature"].count
    )
    assert tested.people == len(PEOPLE)
    evidence.says(tested.verdict)
    evidence.open("Can I trust this map?")
    evidence.run("Stability/people")
    steady = stability(fit, left_out="people", answers=answers, refits=20)
    evidence.says(steady.verdict)
    evidence.open("Do people differ?")
    evidence.run("Individuals")
    differing = individuals(fit, answers, folds=ASKED["Individuals"].count)
    for part in differing.verdicts:
        evidence.says(part)
    rows = evidence.rows_with("Person")
    assert {row["Person"] for row in rows} == set(PEOPLE)

    if name == "ratings":
        weighted_people_are_shown_in_place_of_the_mean(page)
        tested = of_their_order_ratings_have_a_chance(page, app, evidence, database)
    report = report_of(page)
    for found in (tested, steady, differing):
        assert [part for part in found.verdicts if told(part) not in report] == []


def of_their_order_ratings_have_a_chance(
    page: Page, app: AppDriver, evidence: EvidenceDriver, database: str
) -> HiddenFeature:
    """The test by people drawn anew, on the scale on which ratings were found to hold."""
    choose_scale(page, "Only the order")
    app.idle()
    evidence.comes_from_discover()
    evidence.open("Is anything left?")
    journey = kept(database, page.url)
    evidence.run("HiddenFeature")
    tested = hidden_feature_test(
        journey.current.fit,
        answers=journey.answers,
        origin=journey.origin,
        resamples=ASKED["HiddenFeature"].count,
    )
    assert tested.people == len(PEOPLE)
    assert tested.p_value is not None
    evidence.says(tested.verdict)
    return tested


def weighted_people_are_shown_in_place_of_the_mean(page: Page) -> None:
    """The choice beside the map, there and back; the report is of the mean."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Discover").click()
    whose = page.get_by_role("combobox", name="Whose map")
    for chosen, before in (("weighted people", "people on average"), ("people on average", "")):
        expect(whose).to_be_visible(timeout=60_000)
        whose.click()
        page.get_by_role("option", name=f"Map: {chosen}").click()
        expect(page.get_by_role("button", name="Back to the map")).to_have_count(int(bool(before)))
        expect(page.get_by_text("cannot be turned")).to_have_count(int(bool(before)))
