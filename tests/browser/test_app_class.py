"""A class looks for what is hidden; nothing of the truth is on its way to a student."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import struct
import zipfile
from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from app_driver import AppDriver
from hands import finger_drag, tap, type_over
from playwright.sync_api import Page, Response, expect
from scipy.stats import spearmanr
from serving import APP, started
from test_app_accessibility import found

from cml_core import Feature
from cml_core.puzzles.puzzle import Puzzle
from cml_core.puzzles.scoring import best_arrow, score

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}
DOWNLOADS = ("Report", "Table", "Excel", "Weights", "Python", "Project")
# A class view follows within so many milliseconds.
FOLLOWS = 3000
# What a page loads that is the same for everyone; so is what Streamlit asks for itself.
PROGRAM = ("script", "font", "stylesheet", "image")
SEED = "271828182845904"
NICKNAME = "<b>Ann</b>"


class Listener:
    """All data that a page is sent, whatever way they come."""

    def __init__(self, page: Page) -> None:
        self._heard: list[bytes] = []
        self._answers: list[Response] = []
        page.on("response", lambda answer: self._answers.append(answer))
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))

    def _frame(self, sent: str | bytes) -> None:
        self._heard.append(sent.encode() if isinstance(sent, str) else sent)

    def heard(self) -> bytes:
        """To be asked before the page goes elsewhere, for a browser then forgets its answers."""
        answers, self._answers = self._answers, []
        for answer in answers:
            same = answer.request.resource_type in PROGRAM or "/_stcore/" in answer.url
            if answer.status == HTTPStatus.OK and not same:
                self._heard.append(answer.body())
        return b"\n".join(self._heard)


def traces(puzzle: Puzzle) -> dict[str, bytes]:
    """What would give the puzzle away: its seed, and hidden values as text and as numbers."""
    found = {"the seed": str(puzzle.seed).encode()}
    for feature in puzzle.truth.features:
        for label, value in zip(puzzle.labels, feature.values.tolist(), strict=True):
            found[f"{feature.name} of {label} in words"] = f"{value:.9f}"[:9].encode()
            found[f"{feature.name} of {label} in bits"] = struct.pack("<d", value)
    return found


def given_away(puzzle: Puzzle, sent: bytes) -> list[str]:
    return [what for what, trace in traces(puzzle).items() if trace in sent]


def rows(database: Path, what: str) -> list[Any]:
    with closing(sqlite3.connect(database)) as raw:
        return raw.execute(what).fetchall()


def along(puzzle: Puzzle, worst: bool = False) -> tuple[str, str]:
    """Two cars on the map, the way between which tells best, or worst, what is hidden."""
    points = puzzle.map().embedding
    pairs = [(i, j) for i in range(len(points)) for j in range(i)]
    apart = np.array([np.linalg.norm(points[i] - points[j]) for i, j in pairs])
    far = [pair for pair, length in zip(pairs, apart, strict=True) if length > apart.max() / 2]

    def told(pair: tuple[int, int]) -> float:
        way = points @ (points[pair[1]] - points[pair[0]])
        return score(puzzle, Feature.numeric("way", way), puzzle.labels).share

    i, j = (min if worst else max)(far, key=told)
    return puzzle.labels[i], puzzle.labels[j]


def hand_in(app: AppDriver, name: str) -> None:
    app.idle()
    type_over(app.page.get_by_label("Name", exact=True), name)
    app.button("Hand in").click()
    app.idle()


def count(page: Page, name: str) -> Any:
    return page.get_by_test_id("stMetric").filter(has_text=name).get_by_test_id("stMetricValue")


def downloaded(page: Page, name: str) -> bytes:
    """A file that is taken home; of an archive everything in it."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    data = Path(waiting.value.path()).read_bytes()
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"\n".join(archive.read(one) for one in archive.namelist())


def test_a_teacher_and_two_students_and_a_server_that_is_killed(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    database = tmp_path / "projects.sqlite3"
    env = {"CML_DATABASE_URL": f"sqlite:///{database}"}
    server, address = started(APP, env, tmp_path)
    teacher = open_page(color_scheme="dark")
    teacher.goto(f"{address}/Learn?part=Make+a+puzzle")
    teacher.get_by_text("More settings").click(timeout=60_000)
    teacher.locator("label").filter(has_text="Ask students for a name").click()
    teacher.get_by_label(re.compile("^Seed")).fill(SEED)
    teacher.get_by_role("button", name="Make the puzzle").click()
    expect(count(teacher, "Opened")).to_have_text("0")
    link = teacher.locator("code").first.inner_text()
    assert found(teacher) == []
    code = teacher.get_by_alt_text("The link as a QR code")
    assert code.evaluate("image => image.complete && image.naturalWidth > 0")
    (content,) = rows(database, "SELECT content FROM cml_puzzles")[0]
    puzzle = Puzzle(**json.loads(content)["puzzle"])

    # A student at a desk finds it, after an arrow in the wrong direction.
    desk = open_page()
    listening = Listener(desk)
    path = link.removeprefix(f"{address}/")
    first = AppDriver(desk, address, path)
    first.has_run()
    first.button("Begin").click()
    first.settled()
    start, end = along(puzzle, worst=True)
    first.draw_arrow((start,), (end,))
    hand_in(first, "Price")
    expect(desk.get_by_text(re.compile("turn the arrow"))).to_be_visible()
    first.button("Clear drawing").click()
    start, end = along(puzzle)
    first.draw_arrow((start,), (end,))
    hand_in(first, "Comfort")
    expect(desk.get_by_text("nothing else is hidden").first).to_be_visible()
    # The class view follows by itself.
    expect(count(teacher, "Solved")).to_have_text("1", timeout=FOLLOWS)
    expect(count(teacher, "Opened")).to_have_text("1")

    told, best = rows(database, "SELECT content, best FROM cml_answers")[0]
    (answer,) = json.loads(told)["answers"]
    expected = abs(spearmanr(answer["heights"], puzzle.truth[answer["fits"]].values)[0])
    assert best == pytest.approx(min(expected / best_arrow(puzzle), 1.0), abs=1e-12)
    percent = int(100 * best)
    expect(desk.get_by_text(f"1 of 1 found. Best {percent} % in 2 tries.")).to_be_visible()

    assert found(desk) == []

    # Another one by phone, with a name that is no markup.
    phone = open_page(**PHONE)
    overhearing = Listener(phone)
    second = AppDriver(phone, address, path)
    second.has_run()
    phone.get_by_label(re.compile("^A name for your teacher")).fill(NICKNAME)
    phone.keyboard.press("Tab")
    tap(phone.get_by_role("button", name="Begin"))
    second.settled()
    tap(phone.get_by_role("button", name="7 clue cards"))
    expect(phone.get_by_text(puzzle.cards[0].said).first).to_be_visible()
    phone.keyboard.press("Escape")
    tap(phone.get_by_role("group", name="Tools").get_by_role("button", name="Arrow"))
    second.map.evaluate("element => element.scrollIntoView({block: 'center'})")
    second.at_rest()
    places = second.places()
    finger_drag(phone, places[start], places[end])
    field = phone.get_by_label("Name", exact=True)
    field.fill("Speed")
    tap(phone.get_by_role("button", name="Hand in", exact=True))
    second.idle()
    expect(phone.get_by_text("nothing else is hidden").first).to_be_visible()
    expect(count(teacher, "Solved")).to_have_text("2", timeout=FOLLOWS)
    expect(teacher.locator(f'td:text-is("{NICKNAME}")')).to_have_count(1)

    assert found(teacher) == []
    assert found(phone) == []

    # The server is killed, and nothing is lost.
    listening.heard()
    server.kill()
    server.wait()
    server, _ = started(APP, env, tmp_path, port=int(address.rsplit(":", 1)[1]))
    desk.reload()
    first.settled()
    expect(desk.get_by_text(f"1 of 1 found. Best {percent} % in 2 tries.")).to_be_visible()
    teacher.reload()
    expect(count(teacher, "Solved")).to_have_text("2", timeout=60_000)

    # Of what is hidden nothing has come to a student, and nothing can be taken home.
    taken = b"\n".join(downloaded(desk, name) for name in DOWNLOADS)
    sent = listening.heard() + overhearing.heard() + taken
    assert len(sent) > 10**5
    assert given_away(puzzle, sent) == []

    # Once it is closed everyone sees it; by then the same search finds it.
    teacher.get_by_role("button", name="Close", exact=True).click()
    teacher.get_by_role("button", name="Close it now").click()
    expect(teacher.get_by_role("heading", name="Your puzzle, closed")).to_be_visible()
    start, end = along(puzzle)
    first.draw_arrow((start,), (end,))
    hand_in(first, "Too late")
    expect(desk.get_by_text("This puzzle is closed")).to_be_visible()
    assert given_away(puzzle, listening.heard()) == []
    desk.goto(link)
    hidden = puzzle.hidden_names[0]
    expect(desk.get_by_text(f"Hidden was {hidden}.")).to_be_visible(timeout=60_000)
    expect(desk.get_by_text(re.compile(f"2 answers tell {hidden}"))).to_be_visible()
    desk.get_by_text("All values of what was hidden").click()
    expect(desk.get_by_test_id("stDataFrame")).to_be_visible()
    assert found(desk) == []
    assert len(given_away(puzzle, listening.heard())) >= puzzle.n_objects
    expect(desk.get_by_text(NICKNAME)).to_have_count(0)
    server.kill()
    server.wait()


def test_links_of_a_puzzle_that_is_not_there_say_so(page: Page, address: str) -> None:
    for query in ("puzzle=" + "x" * 22, "puzzle=easy-1", "puzzle=a&teacher=b"):
        page.goto(f"{address}/Learn?{query}")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("There is no puzzle under this link.", timeout=60_000)
        expect(page.get_by_role("button", name="Begin")).to_have_count(0)
    page.get_by_role("button", name="Learn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn")
