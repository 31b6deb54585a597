"""Puzzles in the app: making, beginning, handing in, and a server that forgets."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from page_tools import field, page_of, press, said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import class_mode, server, this_server
from cml_app.class_mode import Task
from cml_app.keeping.puzzles import LONGEST_NAME, Keys, Puzzles, Sheet
from cml_app.panels.class_mode import making
from cml_app.this_server import moment
from cml_core import Feature
from cml_core.puzzles.puzzle import LEVELS, Puzzle
from cml_core.puzzles.scoring import score

SEED = "Seed, a whole number; empty: by lot"


def learn(**query: str) -> AppTest:
    page = page_of("pages/5_Learn.py")
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def to_make() -> AppTest:
    return learn(part="Make a puzzle")


def made(**settings: object) -> tuple[AppTest, Keys]:
    app = to_make()
    for label, value in settings.items():
        field(app, label).set_value(value)
    press(app, "Make the puzzle")
    assert not app.exception
    return app, Keys(app.query_params["puzzle"], app.query_params["teacher"])


def puzzles() -> Puzzles:
    found = this_server.store().puzzles()
    assert found is not None
    return found


def task(keys: Keys) -> Task:
    return Task.of(puzzles().by_teacher(keys, moment()))


def sheet(keys: Keys) -> Sheet:
    """Of the only student."""
    (found,) = puzzles().sheets(keys, moment())[1]
    return found


def begun(link: str) -> AppTest:
    """Discover, with the puzzle of a link begun."""
    app = page_of().run()
    app.query_params["puzzle"] = link
    app.switch_page("pages/5_Learn.py").run()
    press(app, "Begin")
    assert not app.exception
    return app.switch_page("pages/2_Discover.py").run()


def alerts(app: AppTest) -> str:
    return " ".join(one.value for one in app.error).replace("\\", "")


@pytest.mark.usefixtures("begun_anew")
def test_a_puzzle_by_lot_is_one_in_which_something_can_be_found() -> None:
    _, keys = made()
    made_by_lot = task(keys)
    assert making.clearness(made_by_lot.puzzle) >= LEVELS["easy"].visible
    # Nobody can try all seeds.
    assert made_by_lot.puzzle.seed > 2**40
    assert not made_by_lot.asks_names


@pytest.mark.usefixtures("begun_anew")
def test_a_seed_makes_its_puzzle_and_what_is_no_seed_is_refused() -> None:
    _, keys = made(**{SEED: " 12 "})
    assert task(keys).puzzle == Puzzle.at("easy", 12)
    app = to_make()
    field(app, SEED).set_value("1.5")
    press(app, "Make the puzzle")
    assert "The seed is '1.5'." in alerts(app)
    assert "teacher" not in app.query_params


@pytest.mark.usefixtures("begun_anew")
def test_beyond_so_many_puzzles_an_hour_a_teacher_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CML_PUZZLES_PER_HOUR", "1")
    made()
    app = press(to_make(), "Make the puzzle")
    assert "1 puzzles were made on this server within the last hour" in alerts(app)


@pytest.mark.usefixtures("begun_anew")
def test_links_that_open_nothing_say_so() -> None:
    _, keys = made()
    for query in (
        {"puzzle": "x" * 22},
        {"puzzle": "easy-1"},
        {"puzzle": keys.teacher},
        {"puzzle": keys.puzzle, "teacher": keys.puzzle},
    ):
        app = learn(**query)
        assert "There is no puzzle under this link." in alerts(app)
        assert not [one for one in app.button if one.label == "Begin"]


@pytest.mark.usefixtures("begun_anew")
def test_a_project_of_a_puzzle_holds_nothing_hidden_and_is_known_again_by_its_token() -> None:
    _, keys = made()
    app = begun(keys.puzzle)
    held = workspace_of(app)
    puzzle = task(keys).puzzle
    document = this_server.store().load(str(held.token), moment()).document
    assert str(puzzle.seed) not in document
    for value in puzzle.truth.features[0].values:
        assert repr(float(value))[:9] not in document
    assert [len(step.problem.known) for step in held.journey.steps] == [0, len(puzzle.given)]
    # In another session, by its address alone.
    again = page_of("pages/2_Discover.py")
    again.query_params["project"] = str(held.token)
    again.run()
    assert "1 feature hidden." in said(again)


@pytest.mark.usefixtures("begun_anew")
def test_what_was_added_can_be_handed_in_unless_its_objects_are_another_puzzles() -> None:
    _, keys = made(**{SEED: "12"})
    app = begun(keys.puzzle)
    held, puzzle = workspace_of(app), Puzzle.at("easy", 12)
    mine = Feature.numeric("mine", puzzle.truth.features[0].values ** 2)
    held.journey = held.journey.with_feature(mine, this_server.now())
    seat = app.session_state["seat"]
    app.session_state["seat"] = seat[0], replace(seat[1], task=Task(Puzzle.at("easy", 13)))
    press(app.run(), "mine")
    assert "This feature is not about the objects of this puzzle" in alerts(app)
    assert sheet(keys).tries == 0
    app.session_state["seat"] = seat
    press(app.run(), "mine")
    assert sheet(keys).tries == 1
    assert sheet(keys).best == score(puzzle, mine, puzzle.labels).share
    assert "1 of 1 found. Best 100 % in 1 try." in said(app).replace("*", "")
    puzzles().close(keys, moment())
    press(app, "mine")
    assert "This puzzle is closed" in alerts(app)
    assert sheet(keys).tries == 1


@pytest.mark.usefixtures("begun_anew")
def test_a_name_is_asked_for_only_where_wanted_and_is_short_text_without_what_is_unseen() -> None:
    assert class_mode.printable("  <b>An\x00n</b>\u202e\n x  ") == "<b>Ann</b> x"
    assert len(class_mode.printable("x" * 99)) == LONGEST_NAME


def test_without_memory_a_link_makes_the_puzzle_and_scores_it(
    begun_anew: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CML_KEEP_PROJECTS", "off")
    page = said(to_make())
    assert "A curious student could compute the answer from the link." in page
    app = begun("easy-5")
    seat = app.session_state["seat"][1]
    assert seat.task.puzzle == Puzzle.at("easy", 5)
    assert "1 feature hidden." in said(app)
    assert "There is no puzzle under this link." in alerts(learn(puzzle="x" * 22))
    assert "There is no puzzle under this link." in alerts(learn(puzzle="hard-1", teacher="x"))


@pytest.mark.usefixtures("begun_anew")
def test_what_has_expired_is_forgotten_while_the_server_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made()

    def count() -> int:
        with closing(sqlite3.connect(tmp_path / "projects.sqlite3")) as raw:
            return int(raw.execute("SELECT count(*) FROM cml_puzzles").fetchone()[0])

    server.forget_what_expired()
    assert count() == 1
    later = moment() + timedelta(days=30)
    monkeypatch.setattr(this_server, "moment", lambda: later)
    server.forget_what_expired()
    assert count() == 0
