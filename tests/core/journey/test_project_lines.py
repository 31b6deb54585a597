"""What does not change in a project keeps its lines in the project's file."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cml_core import Problem, fit, load_dataset
from cml_core.journey import file as project_file
from cml_core.journey.file import from_json, lines_of, to_json
from cml_core.journey.journey import Journey
from cml_core.journey.lines import Line

AT = "2026-03-01T12:30:00+00:00"
LATER = "2026-03-01T12:31:00+00:00"


def begun(weights: np.ndarray | None = None) -> Journey:
    data = load_dataset("kinship14")
    return Journey.begun("Kin", data.values(), data.feature_table(), AT, pair_weights=weights)


def knowing(journey: Journey, *names: str) -> Journey:
    problem = Problem(journey.dissimilarities, journey.features.select(list(names)))
    found = fit(problem, n_init=3, seed=0)
    return journey.after(found, found.embedding, LATER)


def test_another_step_changes_no_line_but_the_first() -> None:
    before = knowing(begun())
    after = knowing(before, "Gender")
    old, new = to_json(before).split("\n"), to_json(after).split("\n")
    assert set(old[1:]) <= set(new[1:])
    assert len(max(new, key=len)) == len(max(old, key=len))
    assert len(from_json("\n".join(new)).steps) == 2


def test_what_stays_as_it_was_is_known_again_without_its_text() -> None:
    before = knowing(begun())
    after = knowing(before, "Gender")
    old, new = (
        [line for line in lines_of(journey) if isinstance(line, Line)]
        for journey in (before, after)
    )
    assert [str(line)[:8] for line in old] == [', "best"', ', "dissi']
    assert [line.of for line in old] == [before.steps[0].fit, before.dissimilarities]
    assert [line.of for line in new if line.of in {one.of for one in old}] == [
        line.of for line in old
    ]
    assert [str(line) for line in lines_of(after)] == to_json(after).split("\n")


def test_another_name_of_a_step_leaves_the_line_of_its_map() -> None:
    before = knowing(begun())
    after = before.renamed(before.steps[0].id, "Everything", "2026-03-01T12:32:00+00:00")
    lines = to_json(after).split("\n")
    gone = set(to_json(before).split("\n")) - set(lines)
    # What the project is, and what the step is called.
    assert len(gone) == 2
    assert not any('"embedding"' in line for line in gone)


@pytest.mark.parametrize("part", [1, 7, 1000])
def test_a_list_written_in_parts_is_the_same_list(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_file, "PART", part)
    weights = np.linspace(0.5, 2.0, 91)
    journey = begun(weights)
    written = json.loads(to_json(journey))
    assert written["dissimilarities"]["values"] == journey.dissimilarities.condensed.tolist()
    assert written["pair_weights"] == weights.tolist()
