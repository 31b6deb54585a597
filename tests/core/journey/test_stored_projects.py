"""Projects that earlier versions stored open with the maps, names and results of then."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cml_core.evidence import candidates_among, did_it_help, what_might_it_be
from cml_core.evidence.result import kind_of
from cml_core.journey.file import from_json, to_json
from cml_core.values.origin import Origin

STORED = Path(__file__).parents[2] / "stored"
EXPECTED = json.loads((STORED / "expected.json").read_text(encoding="utf-8"))


def opened(name: str):
    return from_json((STORED / f"{name}.version3.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", EXPECTED)
def test_a_stored_project_opens_as_it_was(name):
    journey, then = opened(name), EXPECTED[name]
    features = {f.name: [f.kind, f.origin, f.read_off_map] for f in journey.features.features}
    assert (journey.title, journey.current_id) == (then["title"], then["current"])
    assert features == then["features"]
    assert sorted(journey.drawn_on()) == then["drawn_on"]
    rows = [[row.depth, row.name, row.step.id, row.is_current] for row in journey.as_rows()]
    assert rows == then["rows"]
    for step in journey.steps:
        shown = then["steps"][step.id]
        assert list(step.problem.known.names) == shown["known"]
        assert (step.fit.stress, step.note) == (shown["stress"], shown["note"])
        assert step.embedding.ravel().tolist() == shown["embedding"]
        assert {str(kind_of(found)): found.verdict for found in step.results} == shown["findings"]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_stored_project_is_saved_in_the_form_of_today_and_opens_again(name):
    text = to_json(opened(name))
    assert to_json(from_json(text)) == text


def test_the_raw_files_of_a_stored_project_still_give_its_dissimilarities():
    journey = opened("colours")
    again = journey.source.dissimilarities()
    assert np.array_equal(again.condensed, journey.dissimilarities.condensed)


def test_a_project_of_version_6_opens_without_an_origin_and_finds_its_people_again():
    journey = from_json((STORED / "trees.version6.json").read_text(encoding="utf-8"))
    assert journey.origin == Origin()
    assert journey.answers.people == ("Anna.csv", "Otto.csv", "Jo.csv", "Mia.csv")
    assert np.allclose(journey.answers.mean, journey.dissimilarities.condensed, rtol=0, atol=1e-12)
    assert [len(step.problem.known) for step in journey.steps] == [0, 1]


@pytest.mark.slow
def test_a_drawn_feature_gets_no_p_value_however_its_origin_is_worded():
    journey = opened("kinship")
    drawn = replace(journey.features["Bent"], origin="PLACE ALONG A CURVE, in my words")
    (step,) = [s for s in journey.steps if s.problem.known.names == ("Gender", "Degree")][:1]
    candidates = candidates_among(journey.features.with_feature(drawn), ())
    found = what_might_it_be(step.fit, candidates, permutations=19, seed=0).candidates
    assert [one.p_value for one in found if one.feature == "Bent"] == [None]
    helped = did_it_help(step.problem.knowing(drawn), shuffles=19, folds=3, seed=0)
    assert [one.p_value for one in helped.features if one.name == "Bent"] == [None]
