"""The papers, run again: the rows that take a second, against what `docs/PAPERS.md` tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.papers import spectral
from benchmarks.papers.documents import ROWS
from benchmarks.papers.gplvm import log_likelihood
from benchmarks.papers.row import (
    CANNOT_BE_RUN,
    HOLDS,
    QUICK_REPLICATES,
    REPLICATES,
    VERDICTS,
    Between,
    Effort,
    Found,
    Row,
    Verdict,
)
from benchmarks.papers.write import Outcome, section
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.journey.file import from_json

PAGE = Path(__file__).parents[2] / "docs" / "PAPERS.md"
BRIEF = [row for row in ROWS.values() if row.brief]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads of linear algebra would only get in the way of tables as small as these."""
    with capped_linear_algebra(1):
        yield


def told_on_the_page() -> dict[str, str]:
    """The verdict of each row, as the page tells it."""
    found = re.findall(r"^\| ([^|]+) \| .+ \| \*\*([^*]+)\*\* \|$", PAGE.read_text("utf-8"), re.M)
    return dict(found)


@pytest.mark.parametrize("row", BRIEF, ids=lambda row: row.id)
def test_a_brief_row_is_within_its_tolerance_and_as_the_page_tells_it(row: Row) -> None:
    found = row.compute(Effort(QUICK_REPLICATES))
    assert row.off(found) == ()
    assert row.judge(found.numbers).kind == told_on_the_page()[row.id]


def test_the_page_tells_a_verdict_of_every_row() -> None:
    told = told_on_the_page()
    assert list(told) == list(ROWS)
    assert set(told.values()) <= set(VERDICTS)


def test_every_picture_of_the_page_is_there_and_none_is_left_over() -> None:
    named = set(re.findall(r"\(pictures/papers/([^)]+)\)", PAGE.read_text("utf-8")))
    there = {path.name for path in (PAGE.parent / "pictures" / "papers").iterdir()}
    assert named == there


def row_of(found: float, expected: float | Between, tolerance: float = 0.1) -> tuple[Row, Found]:
    row = Row(
        "X",
        "A claim.",
        "nothing",
        lambda _effort: Found({"a": found}),
        lambda _numbers: Verdict(HOLDS, "It does."),
        expected={"a": expected},
        tolerance=tolerance,
    )
    return row, row.compute(Effort())


def test_a_number_that_leaves_its_tolerance_is_told() -> None:
    for wanted in (1.0, Between(0.9, 1.0)):
        assert row_of(1.05, wanted)[0].off(row_of(1.05, wanted)[1]) == ()
        row, found = row_of(1.15, wanted)
        assert row.off(found)[0].startswith("X: a is 1.15")
    # A number that is none is no number within tolerance.
    row, found = row_of(np.nan, 1.0)
    assert row.off(found)


def test_fewer_data_sets_have_a_wider_tolerance() -> None:
    row, _ = row_of(1.0, 1.0)
    assert row.tolerance_of("a", REPLICATES) == row.tolerance_of("a", 0) == 0.1
    assert row.tolerance_of("a", REPLICATES // 4) == pytest.approx(0.2)


def test_a_row_without_its_data_says_where_to_get_them() -> None:
    row = ROWS["M-8"]
    with pytest.raises(spectral.CannotBeRun, match=r"uw-floor\.txt.*--data"):
        row.compute(Effort())
    outcome = Outcome.of(row, "The data are not here.")
    assert outcome.verdict.kind == CANNOT_BE_RUN
    assert "Cannot be run.** The data are not here." in section(outcome)


def test_what_the_robot_heard_is_read_by_time_and_station(tmp_path: Path) -> None:
    lines = ["1.0 aa 0 0 -70", "1.0 bb 0 0 -55", "2.5 bb 3 4 -85", "4.0 aa 6 8 -40"]
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / spectral.ROBOT).write_text("\n".join(lines))
    heard, way = spectral.robot(Effort(data=tmp_path))
    # A station that is not heard is weaker than any that is.
    assert heard == pytest.approx(np.array([[1.0, 2.0], [-7 / 15, 0.0], [3.0, -7 / 15]]))
    assert way.tolist() == [[0, 0], [3, 4], [6, 8]]


def test_markers_of_the_runner_are_placed_about_their_middle(tmp_path: Path) -> None:
    frames = []
    for k in range(9):
        places = [k, 0, 0, k + 400, 800, 0, -9999.99 if k == 3 else 5, 5, 5]
        frames.append(" ".join(map(str, [k + 1, k / 60, *places])))
    (tmp_path / spectral.RUN).write_text("Field Time A:X A:Y A:Z B:X\n" + "\n".join(frames))
    placed = spectral.motion(Effort(data=tmp_path))
    # The third marker is lost in one frame; every fourth frame is taken, the last one left out.
    assert placed == pytest.approx(np.tile([-0.5, 0.5, -1.0, 1.0, 0.0, 0.0], (2, 1)))


def test_the_score_prefers_the_places_that_measurements_were_made_from() -> None:
    random = np.random.default_rng(0)
    places = random.uniform(size=(40, 2))
    measured = np.column_stack([np.sin(3 * places[:, 0]), places[:, 1] ** 2, places.prod(axis=1)])
    measured -= measured.mean(axis=0)
    shuffled = places[random.permutation(40)]
    assert log_likelihood(places, measured) > log_likelihood(shuffled, measured) + 50
    # Axes are brought to one variance, so units do not matter.
    assert log_likelihood(places * [10, 0.1], measured) == pytest.approx(
        log_likelihood(places, measured), rel=1e-6
    )


def test_projects_beside_the_pictures_open_as_their_maps() -> None:
    opened = {
        path.stem: from_json(path.read_text("utf-8"))
        for path in (PAGE.parent / "pictures" / "papers").glob("*.json")
    }
    assert all(len(journey.steps) == 1 for journey in opened.values())
    step = opened["k-f2-1"].current
    assert step is not None
    assert step.fit.problem.known.names == ("Gender",)
    assert step.fit.stress == pytest.approx(ROWS["K-F2"].expected["stress"], rel=1e-6)
