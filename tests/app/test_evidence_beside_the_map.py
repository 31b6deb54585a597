"""Evidence that comes to the map by itself: the chips of the Discover page, without a browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from page_tools import SECONDS, computed, page_of, press, said, tick, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import evidence_job, unasked
from cml_app.evidence_job import Chosen
from cml_app.panels.evidence import ahead
from cml_app.settings import Settings
from cml_core.errors import NothingObserved
from cml_core.evidence.calibrated import why_no_chance
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.feature_help import FeatureHelp
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import Helped
from cml_core.evidence.importance_as_chosen import HelpedAsChosen
from cml_core.evidence.result import Result, ResultKind
from cml_core.evidence.structure import Structure
from cml_core.values.arrays import frozen
from cml_core.values.origin import Origin

ICONS = (":material/lightbulb:", ":material/hourglass_empty:", ":material/help:")
KINDS = [Structure, HiddenFeature, Dimensions, Helped]


class Bench:
    """Does what nobody asked for in this process, and counts it."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.held = False

    def run(self, work: Callable[..., Any], must_stop: Callable[[], bool]) -> Any:
        while self.held:
            time.sleep(0.005)
            if must_stop():
                break
        found = work(workers=1, on_step=lambda _: must_stop())
        self.done.append(type(found).__name__)
        return found


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    bench = Bench()
    settings = replace(Settings.from_environment({"HOME": "/nowhere"}), evidence_unasked=True)
    place = unasked.Unasked(settings, lambda: evidence_job.computations().busy, bench.run)
    monkeypatch.setattr(unasked, "unasked", lambda: place)
    monkeypatch.setattr(ahead.Unasked, "usual", lambda one: Chosen(one.request.repeats.least))
    yield bench
    bench.held = False


def chips(app: AppTest) -> list[str]:
    """What they say."""
    found: list[str] = []

    def look(block: Any) -> None:
        proto = getattr(block, "proto", None)
        popover = getattr(proto, "popover", None)
        if popover is not None and popover.icon in ICONS:
            found.append(popover.label.replace("\\", "").replace("\u00a0", " "))
        for child in getattr(block, "children", {}).values():
            look(child)

    look(app.main)
    return found


def settled(app: AppTest) -> AppTest:
    """The page once nothing is under way that nobody asked for."""
    last = time.monotonic() + SECONDS
    app.run()
    while (job := workspace_of(app).ahead) is not None and time.monotonic() < last:
        if job.done:
            app.run()
        time.sleep(0.01)
    return app


def found(app: AppTest) -> list[type[Result]]:
    return [type(one) for one in workspace_of(app).step.results]


def test_after_a_tick_the_chips_fill_by_themselves_and_the_evidence_page_has_the_same(
    app: AppTest, bench: Bench
) -> None:
    tick(app, "Gender")
    assert all(label.endswith("Looking …") for label in chips(app))
    settled(app)
    step = workspace_of(app).step
    hidden, dimensions, helped = (
        step.result(ResultKind(kind)) for kind in (HiddenFeature, Dimensions, Helped)
    )
    assert hidden is not None
    assert dimensions is not None
    assert helped is not None
    assert chips(app)[:2] == [hidden.brief, dimensions.brief]
    assert chips(app)[2].startswith(f"Gender {helped.features[0].brief}")
    before = list(bench.done)
    app.switch_page("pages/3_Evidence.py").run()
    for result in (hidden, dimensions):
        assert result.verdict in said(app)
    assert {"Test for one more again", "Try 0, 1, 2, … again"} <= {one.label for one in app.button}
    assert workspace_of(app).evidence is None
    assert bench.done == before
    # A reload finds them with the project, and computes nothing either.
    again = page_of()
    again.query_params["project"] = workspace_of(app).token
    settled(again.run())
    assert chips(again)[:2] == [hidden.brief, dimensions.brief]
    assert bench.done == before


def test_what_data_without_structure_leave_stands_beside_the_share(
    app: AppTest, bench: Bench
) -> None:
    settled(tick(app, "Gender"))
    structure = workspace_of(app).step.result(ResultKind(Structure))
    assert structure
    share = f"{structure.shuffled.mean():.1%}".replace("%", " %")
    assert f"Data without any structure would leave {share}." in said(app)
    assert "**2.6 %** of the squared dissimilarity is unexplained" in said(app)
    assert "(Stress-\N{WORD JOINER}1 0.16; " in said(app)


def test_nobody_who_only_came_to_look_is_computed_for(app: AppTest, bench: Bench) -> None:
    settled(app)
    assert bench.done == []
    assert all(label.endswith("Ask") for label in chips(app))


def test_the_next_tick_takes_the_place_of_what_is_under_way(app: AppTest, bench: Bench) -> None:
    bench.held = True
    tick(app, "Gender")
    first = workspace_of(app).ahead
    tick(app, "Degree")
    second = workspace_of(app).ahead
    assert first is not None
    assert second is not None
    assert not first.wanted
    assert second.step_id == workspace_of(app).step.id != first.step_id
    bench.held = False
    settled(app)
    assert found(app)[: len(KINDS)] == KINDS
    first_step = workspace_of(app).journey.step(first.step_id)
    assert first_step.results == ()
    # Of two known features, what was added last is judged.
    helped = workspace_of(app).step.result(ResultKind(Helped))
    assert [one.name for one in helped.features] == ["Degree"]


def test_what_is_asked_on_the_evidence_page_is_not_computed_a_second_time(
    app: AppTest, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.held = True
    monkeypatch.setattr(ahead, "QUESTIONS", (ahead.HIDDEN,))
    tick(app, "Gender")
    under_way = workspace_of(app).ahead
    assert under_way is not None
    app.switch_page("pages/3_Evidence.py").run()
    app.number_input(key="count-HiddenFeature").set_value(19).run()
    press(app, "Test for one more")
    assert not under_way.wanted
    computed(app)
    bench.held = False
    app.switch_page("pages/2_Discover.py").run()
    settled(app)
    assert bench.done == []
    assert workspace_of(app).step.result(ResultKind(HiddenFeature)).null.size == 19


def test_what_would_take_long_waits_for_a_button(
    app: AppTest, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "CHEAP", 0.0)
    settled(tick(app, "Gender"))
    assert bench.done == []
    assert chips(app) == ["Anything left? Ask", "How many dimensions? Ask", "Did it help? Ask"]
    press(app, "Try 0, 1, 2, …")
    assert chips(app)[1] == "How many dimensions? Looking …"
    computed(app)
    assert found(app) == [Dimensions]
    assert chips(app)[1] == workspace_of(app).step.results[0].brief


def test_what_cannot_be_computed_says_why_and_is_not_tried_again(
    app: AppTest, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> Callable[..., Any]:
        def work(**_: Any) -> Any:
            bench.done.append("refused")
            raise NothingObserved("There are too few pairs.", remedy="Bring more.")

        return work

    monkeypatch.setattr(ahead, "QUESTIONS", (replace(ahead.DIMENSIONS, work=refused),))
    settled(tick(app, "Gender"))
    assert "There are too few pairs. Bring more." in said(app)
    settled(app)
    assert bench.done == ["refused"]
    assert not app.error


def given(app: AppTest, *results: Result) -> AppTest:
    """The page once these were found about the current step."""
    held = workspace_of(app)
    for result in results:
        held.journey = held.journey.found(held.step.id, result, "2026-01-01T12:00")
    return app.run()


def dimensions(best: int) -> Dimensions:
    errors = np.full((5, 3), 0.5) + np.array([0.0, 0.01, 0.02])
    errors[best:] -= 0.3
    errors[best + 1 :] += 0.01 * np.arange(1, 5 - best)[:, None] + 0.1
    return Dimensions((0, 1, 2, 3, 4), frozen(np.linspace(0.5, 0.1, 5)), frozen(errors), 0)


def help_of(name: str, gain: float, n_components: int) -> FeatureHelp:
    clear = 0.01 if gain > 0.05 else 0.6
    return FeatureHelp(
        name, 0.2, 0.2 + gain, 0.01, frozen(np.full(9, 0.3)), clear, clear, 0.0, False, False,
        n_components=n_components,
    )  # fmt: skip


def helped(name: str, gain: float, n_components: int, kind: type[Helped] = Helped) -> Helped:
    return kind((help_of(name, gain, n_components),), 9, 3, 0)


def test_a_map_of_as_many_dimensions_as_are_left_is_one_press_away(app: AppTest) -> None:
    given(tick(app, "Gender"), dimensions(3))
    assert chips(app)[1] == "3 dimensions left"
    press(app, "Show with 3 dimensions")
    assert workspace_of(app).step.embedding.shape[1] == 3
    assert workspace_of(app).question.known_names == ("Gender",)


def test_where_ratings_are_bent_their_order_is_offered_in_place_of_dimensions(app: AppTest) -> None:
    given(tick(app, "Gender"), replace(dimensions(4), bent=True))
    assert chips(app)[1] == "How many dimensions? Cannot be told"
    assert "Show with 4 dimensions" not in {one.label for one in app.button}
    press(app, "Count them as “Only the order”")
    assert workspace_of(app).question.scale == "ordinal"
    assert workspace_of(app).step.problem.scale == "ordinal"


def test_of_ratings_of_which_no_chance_is_given_their_order_is_offered_too(app: AppTest) -> None:
    tick(app, "Gender")
    fit = workspace_of(app).step.fit
    sorted_, rated = (
        HiddenFeature(
            2, 0.5, frozen(np.array([0.1, 0.2])), None, 0.5, 0,
            why_no_p_value=why_no_chance(fit, Origin(kind), fit.best),
        )
        for kind in ("sorting", "ratings")
    )  # fmt: skip
    given(app, sorted_)
    offered = "Count them as “Only the order”"
    assert offered not in {one.label for one in app.button}
    given(app, rated)
    press(app, offered)
    assert workspace_of(app).step.problem.scale == "ordinal"


def test_where_one_dimension_is_left_its_direction_can_be_drawn(app: AppTest) -> None:
    given(tick(app, "Gender"), dimensions(1))
    press(app, "Draw this direction")
    held = workspace_of(app)
    points = held.shown - held.shown.mean(axis=0)
    assert held.draft is not None
    along = np.asarray(held.draft.edited.values)
    direction = np.linalg.svd(points)[2][0]
    assert abs(np.corrcoef(along, points @ direction)[0, 1]) == pytest.approx(1.0)


def test_what_does_not_help_can_be_taken_out_again(app: AppTest) -> None:
    given(tick(app, "Gender"), dimensions(2), helped("Gender", 0.01, 2))
    assert chips(app)[2] == "Gender does not clearly help"
    press(app, "Take Gender out again")
    assert workspace_of(app).step.problem.known.names == ()
    assert not next(box for box in app.checkbox if box.label == "Gender").value


@pytest.mark.parametrize("chosen", [None, 4])
def test_nothing_is_to_be_taken_out_before_it_was_judged_with_the_dimensions_that_are_chosen(
    app: AppTest, chosen: int | None
) -> None:
    found = [] if chosen is None else [dimensions(chosen)]
    given(tick(app, "Gender"), *found, helped("Gender", 0.01, 2))
    assert chips(app)[2] == "Gender does not clearly help"
    assert "Take Gender out again" not in {one.label for one in app.button}


def test_a_verdict_is_told_with_the_dimensions_that_held_out_pairs_choose_as_well(
    app: AppTest,
) -> None:
    tick(app, "Gender")
    given(app, dimensions(4), helped("Gender", 0.01, 2), helped("Gender", 0.2, 4, HelpedAsChosen))
    assert chips(app)[2] == "Gender helps beside 4 dimensions"
    assert "does not clearly help beside 2 hidden dimensions" in said(app)
    assert "helps beside 4 hidden dimensions" in said(app)
    given(app, dimensions(0), helped("Gender", 0.2, 0, HelpedAsChosen))
    assert chips(app)[2] == "Gender helps beside no dimension"
    given(app, dimensions(4), helped("Gender", 0.2, 4, HelpedAsChosen))
    # What helps once the map has room for it is not to be taken out.
    assert "Take Gender out again" not in {one.label for one in app.button}
    app.switch_page("pages/3_Evidence.py").run()
    app.button_group(key="question").set_value("Did it help?").run()
    assert "helps beside 4 hidden dimensions" in said(app)
    assert "Judge them with these again" in {one.label for one in app.button}


def test_what_was_judged_of_the_last_feature_alone_is_said_to_be_that(app: AppTest) -> None:
    tick(app, "Gender")
    given(tick(app, "Degree"), helped("Degree", 0.2, 2))
    assert chips(app)[2] == "Degree helps"
    app.switch_page("pages/3_Evidence.py").run()
    app.button_group(key="question").set_value("Did it help?").run()
    assert "So far only what was added last was judged: Degree." in said(app)
    assert "Judge the known features" in {one.label for one in app.button}
