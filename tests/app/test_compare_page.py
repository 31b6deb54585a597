"""The Compare page without a browser: what it opens with, draws, tells, stops and hands on."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_tools import ROOT, SECONDS, page_of, press, said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import help_pages, joined_modules, views_job, views_requests
from cml_app.panels import compare, drafting
from cml_app.panels.compare_choices import CONDITIONED, Choices
from cml_app.panels.evidence import ahead
from cml_app.peer_maps import AGAIN, BY_LOT, DRAW, assets
from cml_app.settings import Settings
from cml_app.views_job import Views as Place
from cml_app.views_work import Wanted
from cml_core import fit, load_dataset
from cml_core.drawing.arrow import Arrow
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.fold_errors import FoldErrors
from cml_core.evidence.result import ResultKind
from cml_core.evidence.work import Cancelled
from cml_core.fitting.geometry import procrustes
from cml_core.peers import METHODS, Views, conditioned, drawn_by_lot, quality, view

QUICK = ("classical", "isomap")


class Bench:
    """Draws in this process, as often as the gate is open."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()

    def run(self, work: Callable[..., Any], must_stop: Callable[[], bool]) -> Any:
        while not self.gate.wait(0.005) and not must_stop():
            pass
        return work(workers=1, on_step=lambda _: must_stop())


@pytest.fixture
def bench(begun_anew: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """Two methods that take no time, and few repetitions where held-out pairs choose."""
    bench = Bench()
    place = Place(Settings.from_environment({"HOME": "/nowhere"}), bench.run)
    monkeypatch.setattr(place, "get_ready", lambda: None)
    monkeypatch.setattr(views_job, "views", lambda: place)
    for name in ("first_errors", "dimensions"):
        monkeypatch.setattr(views_job, name, partial(getattr(views_job, name), folds=3))
    yield bench
    bench.gate.set()


@pytest.fixture
def page(bench: Bench) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / "4_Compare.py"), default_timeout=SECONDS)
    app.session_state["compare-Methods"] = list(QUICK)
    return app.run()


def drawn(app: AppTest) -> AppTest:
    """The page once nothing is under way on it."""
    last = time.monotonic() + SECONDS
    while time.monotonic() < last:
        job = workspace_of(app).views.job
        if job is None or job.done:
            before = job
            app.run()
            if workspace_of(app).views.job is before:
                return app
        time.sleep(0.01)
    raise AssertionError("The pictures did not end.")


def sent(app: AppTest) -> dict[str, Any]:
    """What the browser was sent of the pictures."""
    found: list[dict[str, Any]] = []

    def look(block: Any) -> None:
        proto = getattr(block, "proto", None)
        if getattr(proto, "component_name", "").endswith("peer_maps"):
            found.append(json.loads(proto.json))
        for child in getattr(block, "children", {}).values():
            look(child)

    look(app.main)
    return found[-1]


def panel(app: AppTest, key: str) -> dict[str, Any]:
    return next(one for one in sent(app)["panels"] if one["key"] == key)


def answered(app: AppTest, **told: Any) -> AppTest:
    """The page after the browser has told something of the pictures."""
    app.session_state[compare.KEY] = told
    return app.run()


def test_a_newcomer_finds_kinship_terms_with_two_features_taken_out(page: AppTest) -> None:
    step = workspace_of(page).step
    assert step.problem.known.names == ("Gender", "Degree")
    assert workspace_of(page).token is None
    drawn(page)
    assert [one["key"] for one in sent(page)["panels"]] == [
        "classical-plain", "isomap-plain", "classical-conditioned", "isomap-conditioned",
    ]  # fmt: skip
    assert sent(page)["map"]["colour"]["name"] == "Generation"
    found = step_result(page)
    assert found is not None
    assert f"{found.chosen} dimensions chosen by held-out pairs" in said(page)
    assert not page.exception


def step_result(app: AppTest) -> Dimensions | None:
    return workspace_of(app).step.result(ResultKind(Dimensions))


def test_pictures_and_their_scores_are_those_of_the_library(page: AppTest) -> None:
    held, step = workspace_of(drawn(page)), workspace_of(page).step
    hidden = conditioned(step.fit, told_by=step_result(page))
    table = held.journey.features
    for key, data, target in (
        ("isomap-plain", step.problem.dissimilarities, step.problem.dissimilarities),
        ("isomap-conditioned", hidden.hidden, hidden.left),
    ):
        ours = view(data, "isomap")
        judged = quality(ours, target, table, ("Gender", "Degree"))
        shown = panel(page, key)["tries"][0]
        places = np.column_stack([shown["x"], shown["y"]])
        turned = procrustes(ours.places, step.embedding, scaling=True)
        assert places == pytest.approx(turned.points)
        assert shown["scores"][0]["value"] == f"{judged.trustworthiness:.2f}".lstrip("0")
        assert shown["scores"][2]["value"] == f"{judged.far:.2f}".lstrip("0")
        assert judged.verdict.endswith(shown["verdict"][1:])
        features = {bar["name"]: bar for _, bars in _groups(shown) for bar in bars}
        assert {one.name: one.share for one in judged.features} == {
            name: bar["share"] for name, bar in features.items()
        }


def _groups(shown: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    return [(group["name"], group["features"]) for group in shown["groups"]]


def test_the_hidden_distances_seen_by_isomap_show_generation_along_a_line(page: AppTest) -> None:
    drawn(page)
    held = workspace_of(page)
    three = conditioned(held.step.fit, 3)
    # Found by trying, independently: .955 with five neighbours, .62 on the map of two dimensions.
    places = view(three.hidden, "isomap", n_neighbors=5).places
    assert multiple_correlation(held, places) == pytest.approx(0.955, abs=0.003)
    assert multiple_correlation(held, held.step.embedding) == pytest.approx(0.62, abs=0.01)


def multiple_correlation(held: Any, places: Any) -> float:
    told = held.journey.features["Generation"].values
    told = told - told.mean()
    centred = places - places.mean(axis=0)
    left = told - centred @ np.linalg.lstsq(centred, told, rcond=None)[0]
    return float(np.sqrt(1 - (left @ left) / (told @ told)))


def test_what_is_selected_in_a_picture_is_selected_on_the_map(page: AppTest) -> None:
    drawn(page)
    revision = sent(page)["revision"]
    answered(page, grid={"revision": revision, "selected": [3, 1]})
    assert workspace_of(page).selected == (3, 1)
    answered(page, grid={"revision": "another", "selected": [2]})
    assert workspace_of(page).selected == (3, 1)


def test_a_view_is_drawn_on_and_the_feature_says_where_it_came_from(page: AppTest) -> None:
    drawn(page)
    held = workspace_of(page)
    held.select((3, 1))
    asked = {"what": DRAW, "key": "isomap-conditioned", "seed": 0, "press": "one"}
    answered(page, asked=asked)
    assert held.through is not None
    assert held.selected == (3, 1)
    along = Arrow(tuple(held.shown[0]), tuple(held.shown[5]))
    feature = drafting.read_off(held, along)
    words = "place along an arrow on the Isomap view of the hidden distances with Gender and Degree"
    assert feature.origin == f"{words} known"
    assert feature.read_off_map
    assert feature.line is None
    assert feature.values == pytest.approx(along.along(held.shown))
    held.look_through(None)
    assert held.shown is held.step.embedding


def test_another_try_draws_with_the_next_seed_and_keeps_the_first(page: AppTest) -> None:
    page.session_state["compare-Methods"] = ["classical", "tsne"]
    drawn(page.run())
    key = "tsne-plain"
    answered(page, asked={"what": AGAIN, "key": key, "seed": 0, "press": "one"})
    drawn(page)
    tries = panel(page, key)["tries"]
    assert [one["seed"] for one in tries] == [0, 1]
    assert METHODS["tsne"].by_chance
    assert panel(page, key)["again"]
    assert not panel(page, "classical-plain")["again"]


def test_what_is_stopped_stays_as_far_as_it_is_drawn_and_goes_on_when_asked(
    bench: Bench, page: AppTest
) -> None:
    drawn(page)
    bench.gate.clear()
    page.session_state["compare-Methods"] = [*QUICK, "sammon"]
    page.run()
    press(page, "Stop")
    assert "not drawn" in said(drawn(page))
    assert panel(page, "isomap-plain")["tries"]
    assert not panel(page, "sammon-plain")["tries"]
    bench.gate.set()
    drawn(press(page, "Go on"))
    assert panel(page, "sammon-plain")["tries"]


def test_who_stops_the_choosing_of_dimensions_keeps_the_pictures_and_may_go_on(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = views_job.dimensions

    def stopped(*_: object, **__: object) -> None:
        workspace_of(page).views.job.cancel()
        raise Cancelled("Stopped.", remedy="Go on.")

    monkeypatch.setattr(views_job, "dimensions", stopped)
    drawn(page)
    assert "2 so far: held-out pairs are choosing" in said(page)
    assert "it is open how many dimensions are hidden" in said(page)
    assert panel(page, "isomap-conditioned")["tries"]
    monkeypatch.setattr(views_job, "dimensions", choose)
    drawn(press(page, "Go on"))
    assert step_result(page) is not None
    assert "are choosing" not in said(page)


def test_pictures_of_a_number_that_is_not_chosen_after_all_are_drawn_anew(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Three dimensions, as it seems: those that are asked about later tell held-out pairs better.
    seeming = FoldErrors(np.outer([0.9, 0.8, 0.7, 0.6], np.ones(3)), seed=0)
    monkeypatch.setattr(views_job, "first_errors", lambda *_, **__: seeming)
    app = AppTest.from_file(str(ROOT / "pages" / "4_Compare.py"), default_timeout=SECONDS)
    app.session_state["compare-Methods"] = list(QUICK)
    held = workspace_of(drawn(app.run())).views
    found = step_result(app)
    assert found is not None
    assert (held.likely, app.slider[0].value) == (3, found.chosen)
    assert {one.hidden for one in held.seen} == {None, 3, found.chosen}
    assert panel(app, "isomap-conditioned")["tries"][0]["scores"]


def test_what_a_comparison_begins_with_is_drawn_before_and_kept_once_it_is_seen(
    bench: Bench, page: AppTest
) -> None:
    discover = page_of("pages/2_Discover.py").run()
    held = workspace_of(discover)
    job = held.views.job
    assert job is not None
    assert job.pictures == views_requests.USUAL
    while not job.done:
        time.sleep(0.01)
    assert workspace_of(discover.run()).views.job is job
    assert held.step.result(ResultKind(Views)) is None
    bench.gate.clear()
    page.session_state["workspace"] = held
    page.run()
    assert panel(page, "isomap-plain")["tries"][0]["scores"]
    assert held.step.result(ResultKind(Views)) is not None


def test_plain_pictures_of_another_step_are_there_at_once_and_judged_anew(
    bench: Bench, page: AppTest
) -> None:
    drawn(page)
    held = workspace_of(page)
    (before,) = [one.view for wanted, one in held.views.seen.items() if wanted == Wanted("isomap")]
    bench.gate.clear()
    held.answer(fit(replace(held.step.problem, n_components=1), seed=0))
    page.run()
    assert panel(page, "isomap-plain")["tries"]
    assert not panel(page, "isomap-plain")["tries"][0]["scores"]
    bench.gate.set()
    drawn(page)
    assert panel(page, "isomap-plain")["tries"][0]["scores"]
    assert workspace_of(page).views.seen[Wanted("isomap")].view is before


def test_a_method_that_cannot_draw_says_why_in_its_place_and_leaves_the_others_alone(
    page: AppTest,
) -> None:
    drawn(page)
    page.session_state["compare-k"] = 1
    drawn(page.run())
    isomap = panel(page, "isomap-plain")
    assert not isomap["tries"]
    assert "pieces" in isomap["trouble"]
    assert panel(page, "classical-plain")["tries"]


def test_where_choosing_takes_long_the_dimensions_of_the_map_are_taken_and_choosing_is_offered(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead.Unasked, "seconds", lambda *_: 1000.0)
    app = AppTest.from_file(str(ROOT / "pages" / "4_Compare.py"), default_timeout=SECONDS)
    app.session_state["compare-Methods"] = list(QUICK)
    drawn(app.run())
    assert step_result(app) is None
    assert app.slider[0].value == 2
    assert any(one.label == "Choose by held-out pairs" for one in app.button)
    assert panel(app, "isomap-conditioned")["tries"]


def test_pictures_are_kept_with_the_step_each_once(page: AppTest) -> None:
    held = workspace_of(drawn(page))
    kept = held.step.result(ResultKind(Views))
    assert [(one.method, one.hidden > 0) for one in kept.views] == [
        ("classical", False), ("isomap", False), ("classical", True), ("isomap", True),
    ]  # fmt: skip
    page.session_state["compare-Methods"] = ["isomap", "sammon"]
    again = workspace_of(drawn(page.run())).step.result(ResultKind(Views))
    assert len(again.views) == 6
    for one in again.views:
        if one.method == "isomap":
            key = f"isomap-{'conditioned' if one.hidden else 'plain'}"
            shown = panel(page, key)["tries"][0]
            assert shown["scores"][0]["value"] == f"{one.trustworthiness:.2f}".lstrip("0")


def test_one_method_alone_is_not_compared(page: AppTest) -> None:
    page.session_state["compare-Methods"] = ["classical"]
    page.run()
    assert "Choose two methods at least" in said(page)


def test_every_module_of_the_pictures_is_joined_once_and_shares_those_of_the_map() -> None:
    names = list(joined_modules.modules(assets.ENTRY))
    assert len(names) == len(set(names))
    own = sorted(path.name for path in assets.FOLDER.glob("*.js"))
    assert sorted(name for name in names if "/" not in name) == own
    assert "../../discovery_map/assets/canvas.js" in names
    joined = assets.javascript()
    assert "\nimport " not in joined
    assert joined.count("\nexport ") == 1
    for loose in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert loose not in joined
    lines = [Path(assets.FOLDER / name).read_text(encoding="utf-8").count("\n") for name in own]
    assert max(lines) < 400


def test_each_picture_leads_to_a_lesson_where_there_is_one(page: AppTest) -> None:
    page.session_state["compare-Methods"] = ["classical", "mds"]
    drawn(page.run())
    assert panel(page, "mds-plain")["lesson"] == "/Learn?lesson=stress"
    assert help_pages.lesson("no such lesson") == help_pages.address("other-eyes")


def test_of_more_objects_than_a_method_draws_some_are_drawn_by_lot(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(METHODS, "meu", replace(METHODS["meu"], most_objects=10))
    page.session_state["compare-Most entropy"] = ["meu"]
    drawn(page.run())
    refused = panel(page, "meu-plain")
    assert "draws 10 at most. Draw 10 of them by lot" in refused["trouble"]
    assert (refused["lot"], refused["tries"]) == (10, [])
    answered(page, asked={"what": BY_LOT, "key": "meu-plain", "seed": 0, "press": "one"})
    drawn(page)
    shown = panel(page, "meu-plain")
    assert not shown["draw"]
    assert shown["which"] == "plain, 10 by lot"
    data = load_dataset("kinship14").values()
    chosen = drawn_by_lot(data.labels, 10)
    (first,) = shown["tries"]
    assert [x is not None for x in first["x"]] == [label in chosen for label in data.labels]
    assert "10 of 14 objects, drawn by lot" in " ".join(first["details"])
    some = data.subset(chosen)
    trust = quality(view(some, "meu"), some).trustworthiness
    assert first["scores"][0]["value"] == f"{trust:.2f}".lstrip("0")
    # What a step keeps is of all its objects.
    kept = workspace_of(page).step.result(ResultKind(Views))
    assert kept is not None
    assert {one.method for one in kept.views} == set(QUICK)
    # Another try draws other lots.
    answered(page, asked={"what": AGAIN, "key": "meu-plain", "seed": 0, "press": "two"})
    drawn(page)
    first, again = panel(page, "meu-plain")["tries"]
    assert [x is None for x in first["x"]] != [x is None for x in again["x"]]


def test_another_try_of_t_sne_begins_elsewhere_and_ends_in_another_picture() -> None:
    choices = Choices(CONDITIONED, ("tsne",), 2, False, None, None, None)
    (place,) = choices.places
    first, again, further = (choices.wanted(place, seed) for seed in range(3))
    assert first.settings == ()
    data = load_dataset("kinship14").values()
    pictures = [
        view(data, one.method, seed=one.seed, **dict(one.settings)).places
        for one in (again, further)
    ]
    # In the plane of the first, the second one cannot be turned onto it.
    assert procrustes(*pictures).disparity > 0.01
