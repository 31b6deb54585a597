"""The loop with very many objects: steps, drawings, and the same maps again from its recipe."""

from __future__ import annotations

import html
import json

import numpy as np
import pytest

from cml_core.errors import TooManyObjects, UnknownFeature, UnreadableFile, UnsuitableFeature
from cml_core.evidence.large.columns_told import columns_told
from cml_core.evidence.large.unseen_pairs import unseen_pairs
from cml_core.fitting.geometry import canonical_correlations
from cml_core.many.loop import Candidate, Loop
from cml_core.many.maps import ManyMap, feature, make_map, told
from cml_core.many.merging import merged
from cml_core.many.opened import Opened, opened
from cml_core.many.origins import Whence
from cml_core.report.many import many_report

KNOWN = ("Age", "Region", "Channel")
ARROW = {"kind": "arrow", "start": [0.0, 0.0], "end": [1.0, 0.0]}
REGION = {"kind": "region", "points": [[-2.0, -2.0], [2.0, -2.0], [0.0, 2.0]]}


def begun(n_objects: int = 600, **options) -> Loop:
    candidates = (
        Candidate("Age", "numeric"),
        Candidate("Region", "categorical"),
        Candidate("Channel", "categorical"),
    )
    things = tuple(f"thing {k + 1}" for k in range(50))
    whence = Whence("buyers", n_objects=n_objects)
    return Loop(whence, things, candidates=candidates, n_landmarks=150, **options)


class Maps:
    """Maps of the steps of a loop, each made when it is first asked for."""

    def __init__(self, table: Opened, loop: Loop) -> None:
        self.table, self.loop = table, loop
        self.held: dict[str, ManyMap] = {}

    def __call__(self, step: str) -> ManyMap:
        if step not in self.held:
            parent = self.held.get(self.loop.at(step).parent)
            self.held[step] = make_map(self.table, self.loop, step, self, parent)
            self.loop = told(self.loop, step, self.held[step])
        return self.held[step]


@pytest.fixture(scope="module")
def walked() -> Maps:
    loop = begun()
    maps = Maps(opened(loop), loop)
    maps("1")
    maps.loop = maps.loop.knowing(KNOWN)
    maps("2")
    maps.loop = maps.loop.with_discovery("drawn", ARROW)
    maps("3")
    return maps


def test_the_map_shows_what_is_hidden_once_the_known_is_out(walked: Maps) -> None:
    hidden = np.column_stack([one.values for one in walked.table.truth()])
    assert canonical_correlations(walked("2").places, hidden).min() > 0.97
    assert walked.loop.at("2").unexplained < walked.loop.at("1").unexplained / 10


def test_a_map_is_turned_to_match_the_one_before(walked: Maps) -> None:
    before, after = walked("1").places, walked("2").places
    chosen = walked("2").fit.chosen
    a, b = (one[chosen] - one[chosen].mean(axis=0) for one in (before, after))
    left, _, right = np.linalg.svd(b.T @ a)
    np.testing.assert_allclose(left @ right, np.eye(2), atol=1e-8)


def test_the_recipe_makes_the_same_maps_again_in_any_order(walked: Maps) -> None:
    loop = Loop.from_json(walked.loop.to_json())
    assert loop == walked.loop
    again = Maps(opened(loop), loop)
    for step in ("3", "2"):
        np.testing.assert_allclose(again(step).places, walked(step).places, atol=1e-6)


def test_a_drawing_gives_every_object_its_value(walked: Maps) -> None:
    found = feature(walked.table, walked.loop, "drawn", walked)
    np.testing.assert_allclose(found.values, walked("2").places[:, 0])
    assert found.read_off_map
    inside = walked.loop.visiting("2").with_discovery("zone", REGION)
    zone = feature(walked.table, inside, "zone", walked)
    assert zone.levels == ("inside", "outside")
    x, y = walked("2").places.T
    within = (y > -2) & (y < 2 - 2 * np.abs(x))
    np.testing.assert_array_equal(zone.values == 0, within)


def test_the_same_question_is_the_same_step(walked: Maps) -> None:
    loop = walked.loop.visiting("1")
    assert loop.knowing(KNOWN[::-1]).current == "2"
    assert loop.knowing(["Age"]).step.parent == "1"


def test_names_are_given_once_and_unknown_ones_are_refused(walked: Maps) -> None:
    for name in ("Age", "drawn", "  "):
        with pytest.raises(UnknownFeature):
            walked.loop.with_discovery(name, ARROW)
    with pytest.raises(UnknownFeature, match="'Height'"):
        walked.loop.knowing(["Height"])
    with pytest.raises(UnsuitableFeature):
        walked.loop.with_discovery("nothing", {"kind": "region", "points": [[0, 0], [1, 1]]})


def test_what_is_no_recipe_is_refused_in_words() -> None:
    for text in ("", "{}", "[1]", '{"kind": "many objects", "version": 99}'):
        with pytest.raises(UnreadableFile, match="no recipe"):
            Loop.from_json(text)


def test_what_was_found_is_kept_with_its_step_and_told_in_the_report(walked: Maps) -> None:
    found = unseen_pairs(walked("2").fit)
    told = columns_told(walked("2").fit, [walked.table.column(Candidate("Age", "numeric"))])
    loop = walked.loop.visiting("2").judged("2", told).judged("2", found).judged("2", found)
    again = Loop.from_json(loop.to_json())
    assert [one.verdict for one in again.at("2").found] == [found.verdict, told.verdict]
    assert again.at("1").found == ()
    assert again.question("2") == walked.loop.question("2")
    assert [len(one.found) for one in merged(walked.loop, again).steps] == [0, 2, 0]
    page = many_report(again, walked("2"))
    assert html.unescape(page).count(found.heading) == 1
    assert "Without <bdi>Age</bdi>, <bdi>Region</bdi>, <bdi>Channel</bdi>" in page
    assert page.count("It was not judged.") == 2
    assert page.count("<circle") == 150


def test_findings_of_another_version_are_left_out_and_the_recipe_stays(walked: Maps) -> None:
    content = json.loads(walked.loop.to_json())
    content["steps"][1]["found"] = [{"kind": "Later"}, {"kind": "UnseenPairs"}]
    assert Loop.from_json(json.dumps(content)).at("2").found == ()
    for step in content["steps"]:
        del step["found"]
    assert Loop.from_json(json.dumps(content)) == walked.loop


def test_more_objects_than_are_allowed_are_refused() -> None:
    with pytest.raises(TooManyObjects, match="600 objects; at most 500"):
        opened(begun(), most=500)


def test_columns_are_read_as_the_kind_that_was_chosen() -> None:
    loop = begun()
    table = opened(loop)
    assert table.column(Candidate("Region", "categorical")).levels[0] == "North"
    with pytest.raises(UnsuitableFeature, match="holds words"):
        table.column(Candidate("Region", "numeric"))
    with pytest.raises(UnsuitableFeature, match="600 different values"):
        table.column(Candidate("Age", "categorical"))


def test_objects_are_called_as_their_column_says() -> None:
    verses = Loop(Whence("example", "verses"), ("embedding",), "cosine", called="Verse")
    table = opened(verses)
    before = table.size
    assert table.called(np.array([9999, 0]))[1].startswith("Genesis 1:1 In the beginning")
    # What they are called is at hand from then on, and counted.
    assert table.size > before + 10_000 * 20
    assert opened(begun()).called(np.array([41])) == ["object 42"]
