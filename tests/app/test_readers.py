"""Whoever came to look sees everything, changes nothing, and may work on a copy."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from page_tools import button, page_of, press, said, tick, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import this_server
from cml_app.evidence_requests import begin as begin_evidence
from cml_app.keeping.store import ReadOnlyProject
from cml_app.keeping.tokens import reading_token
from cml_app.scenes import bare_scene
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.evidence.neighbourhoods import Neighbourhoods
from cml_core.evidence.result import ResultKind
from cml_core.journey.file import to_json

DRAWN = Feature.numeric("Drawn", range(14))

CHANGES: list[Callable[[Workspace], object]] = [
    lambda held: held.ask(held.question.knowing("Degree")),
    lambda held: held.add(DRAWN),
    lambda held: held.bring([DRAWN]),
    lambda held: held.replace("Gender", DRAWN),
    lambda held: held.rename("Gender", "Sex"),
    lambda held: held.remove("Gender"),
    lambda held: held.change(held.journey.titled("Mine", this_server.now())),
    lambda held: held.keep(),
    lambda held: held.share(shared=False),
    lambda held: held.forget(),
    lambda held: begin_evidence(
        held, ResultKind(Neighbourhoods), "look", lambda **_: pytest.fail("computed")
    ),
]


@pytest.fixture
def owner(app: AppTest) -> AppTest:
    tick(app, "Gender")
    held = workspace_of(app)
    held.attempt(held.change, held.journey.noted(held.step.id, "Not for others", this_server.now()))
    held.attempt(held.change, held.journey.noted(held.step.id, "For all", this_server.now()))
    held.share(shared=True)
    return app


@pytest.fixture
def reader(owner: AppTest) -> AppTest:
    page = page_of()
    page.query_params["project"] = reading_token(str(workspace_of(owner).token))
    return page.run()


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_refused_by_the_workspace_itself(
    owner: AppTest, reader: AppTest, change: Callable[[Workspace], object]
) -> None:
    held = workspace_of(reader)
    before = to_json(held.journey)
    with pytest.raises(ReadOnlyProject):
        change(held)
    held.attempt(change, held)
    assert "someone's project" in str(held.trouble)
    assert to_json(held.journey) == before
    token = str(workspace_of(owner).token)
    kept = this_server.store().load(token, this_server.moment())
    assert kept.document == to_json(workspace_of(owner).journey)


def test_a_reader_sees_the_steps_and_notes_and_not_what_was_taken_back(reader: AppTest) -> None:
    held = workspace_of(reader)
    assert held.step.note == "For all"
    assert "Not for others" not in to_json(held.journey)
    assert "Duplicate it to work on it." in said(reader)
    ticks = [box for box in reader.checkbox if box.label in ("Gender", "Degree")]
    assert len(ticks) == 2
    assert all(box.disabled for box in ticks)
    held.attempt(held.visit, held.journey.steps[0].id)
    assert reader.run().title[0].value.endswith("with nothing known yet")
    assert held.trouble is None


def test_no_page_breaks_for_a_reader(reader: AppTest) -> None:
    for page in ("pages/1_Data.py", "pages/3_Evidence.py", "pages/2_Discover.py"):
        reader.switch_page(page).run()
        assert not reader.exception
        assert not [error for error in reader.error if "went wrong" in error.value]


def test_an_open_page_ends_with_the_link(owner: AppTest, reader: AppTest) -> None:
    workspace_of(owner).share(shared=False)
    reader.run()
    assert "No project is kept" in reader.error[0].value
    press(reader, "Begin anew")
    assert workspace_of(reader).may_change
    assert not reader.error


def test_a_reader_has_no_tool_that_makes_a_feature(owner: AppTest, reader: AppTest) -> None:
    assert set(bare_scene(workspace_of(reader)).tools) == {"move", "select"}
    assert "arrow" in bare_scene(workspace_of(owner)).tools


def test_a_duplicate_is_the_readers_own_and_leaves_the_original_alone(
    owner: AppTest, reader: AppTest
) -> None:
    press(reader, "Duplicate")
    copy = workspace_of(reader)
    assert copy.may_change
    assert copy.journey.title == "Kinship terms (copy)"
    assert len(copy.journey.steps) == len(workspace_of(owner).journey.steps)
    tick(reader, "Degree")
    assert reader.title[0].value.endswith("with Gender and Degree taken out")
    assert copy.token not in (workspace_of(owner).token, reader.query_params.get("other"))
    kept = this_server.store().load(str(workspace_of(owner).token), this_server.moment())
    assert kept.document == to_json(workspace_of(owner).journey)
    assert button(reader, "Duplicate")


def test_who_no_longer_shares_is_no_longer_seen(owner: AppTest) -> None:
    held = workspace_of(owner)
    held.share(shared=False)
    page = page_of()
    page.query_params["project"] = reading_token(str(held.token))
    page.run()
    assert "No project is kept" in page.error[0].value
