"""Steps, branches, copies of a project, and project files."""

from __future__ import annotations

import copy
import json
import os
import pickle
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from hostile import HOSTILE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Neighbourhood, Problem, fit
from cml_core.errors import (
    DuplicateLabels,
    LabelMismatch,
    LengthMismatch,
    NotConverged,
    UnknownFeature,
    UnknownOption,
    UnreadableFile,
)
from cml_core.journey import migrations
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.journey.step import JourneyStep
from cml_core.journey.undoing import recorded, undone, without_history
from cml_core.values.origin import Origin

NAMES = tuple("abcdefgh")
SETTINGS = {
    "known": (),
    "n_components": 2,
    "coef": "full",
    "weights": None,
    "neighbourhood": None,
}


def time(second: int) -> str:
    return f"2026-01-31T12:00:{second:02d}+00:00"


@pytest.fixture(scope="module")
def data() -> Dissimilarities:
    random = np.random.default_rng(0)
    points = random.normal(size=(8, 4))
    table = np.linalg.norm(points[:, None] - points[None], axis=2)
    table *= np.exp(0.1 * random.normal(size=table.shape))
    table = (table + table.T) / 2
    table[0, 3] = table[3, 0] = np.nan
    return Dissimilarities.from_square(table, NAMES)


@pytest.fixture(scope="module")
def features() -> FeatureTable:
    return FeatureTable(
        NAMES,
        (
            Feature.numeric("Size", [1, 2, 3, 4.5, 5, 6, 0.1, np.nan]),
            Feature.categorical("Group", ["x", "y", "x", "y", None, "y", "x", "x"]),
            Feature.ordinal("Rank", ["lo", "hi", "lo", "mid"] * 2, ["lo", "mid", "hi"]),
            Feature.circular("Hue", [0, 40, 80, 120, 160, 200, 240, 300]),
        ),
    )


@pytest.fixture(scope="module")
def answer(data, features):
    """Answers to questions, each fitted once."""
    kept: dict[str, Fit] = {}

    def ask(*names: str, table: FeatureTable = features, seed: int = 0, **options) -> Fit:
        problem = Problem(data, table.select(names), **options)
        key = f"{problem.fingerprint()} {seed}"
        if key not in kept:
            kept[key] = fit(problem, n_init=4, seed=seed)
        return kept[key]

    return ask


@pytest.fixture
def begun(data, features) -> Journey:
    return Journey.begun("Things", data, features, time(0))


def taken(journey: Journey, result: Fit, second: int = 1) -> Journey:
    return journey.after(result, result.embedding, time(second))


@pytest.fixture
def rich(begun, answer, data) -> Journey:
    """Every kind of feature, setting, and text."""
    weights = np.linspace(0.5, 2, data.condensed.size)
    journey = taken(begun, answer("Size"))
    journey = taken(journey, answer("Size", "Hue", coef="diagonal"), 2)
    journey = taken(journey, answer("Size", weights=weights), 3)
    root = journey.steps[0].id
    journey = taken(journey.visiting(root), answer("Group", "Rank", n_components=3), 4)
    journey = taken(journey, answer("Size", weights="sammon", neighbourhood=Neighbourhood(4)), 5)
    journey = taken(journey, answer(n_components=0, neighbourhood=Neighbourhood(epsilon=9.0)), 6)
    journey = journey.renamed(root, "<b>Erste</b> \u202e🙂", time(7))
    noted = recorded(journey, journey.noted(root, "Line 1\nLine 2", time(8)))
    moved = recorded(noted, noted.titled("A thing", time(8)).visiting(journey.steps[-1].id))
    drawn = Feature.numeric("Drawn", np.arange(8.0), origin="place along an arrow")
    added = recorded(moved, moved.with_feature(drawn, time(9)).titled("Things", time(9)))
    said = recorded(added, added.with_origin(Origin("ratings"), time(9)).visiting(root))
    return undone(said, time(9))


def same(a: Journey, b: Journey) -> bool:
    """Whether two journeys agree in every byte."""
    return to_json(a) == to_json(b)


# Steps


def test_a_journey_begins_without_steps(begun):
    assert begun.steps == ()
    assert begun.current is None
    assert begun.as_rows() == ()
    assert repr(begun) == "Journey('Things': 8 objects, 4 features, 0 steps)"


def test_each_fit_is_a_step_from_the_one_before(begun, answer):
    journey = taken(taken(begun, answer()), answer("Size"), 2)
    first, second = journey.steps
    assert (first.parent, second.parent) == (None, first.id)
    assert journey.current is second
    assert journey.changed == time(2)
    assert begun.steps == ()
    assert repr(second).endswith("Size known, stress " + f"{second.fit.stress:.6g})")


def test_a_step_keeps_the_map_as_it_was_shown(begun, answer):
    result = answer("Size")
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    shown = result.embedding @ turn + 3
    step = begun.after(result, shown, time(1)).current
    assert np.array_equal(step.embedding, shown)
    assert not step.embedding.flags.writeable
    assert step.fit.stress == result.stress
    assert np.array_equal(step.fit.coef, result.coef)


def test_other_minima_are_turned_with_the_map(begun, answer):
    result = answer("Size")
    assert result.alternatives
    shown = result.embedding[:, ::-1] * [1, -1]
    step = begun.after(result, shown, time(1)).current
    for before, after in zip(result.alternatives, step.fit.alternatives, strict=True):
        assert np.allclose(after.embedding, before.embedding[:, ::-1] * [1, -1], atol=1e-6)


def test_a_map_of_something_else_is_not_taken_for_the_fits(begun, answer):
    result = answer("Size")
    with pytest.raises(UnknownOption, match="not the map of the fit"):
        begun.after(result, 1.01 * result.embedding, time(1))
    with pytest.raises(LengthMismatch, match="The map shown"):
        begun.after(result, result.embedding[:, :1], time(1))


def test_a_fit_of_other_data_does_not_belong_to_the_journey(begun, answer, features):
    other = Dissimilarities(NAMES, np.arange(1.0, 29))
    result = fit(Problem(other, FeatureTable(NAMES)), n_init=1, seed=0)
    with pytest.raises(LabelMismatch, match="other dissimilarities"):
        taken(begun, result)


def test_asking_again_is_a_visit(begun, answer):
    journey = taken(taken(begun, answer()), answer("Size"), 2)
    again = taken(journey, answer(), 3)
    assert again.current is journey.steps[0]
    assert len(again.steps) == 2
    assert again.changed == time(2)


def test_the_order_of_ticks_is_not_another_question(begun, answer):
    journey = taken(begun, answer("Size", "Rank"))
    assert len(taken(journey, answer("Rank", "Size"), 2).steps) == 1


def test_a_better_answer_is_a_step_and_a_worse_one_a_visit(begun, answer):
    good = answer("Size")
    poor = replace(good, best=replace(good.best, stress=good.stress * 1.1), converged=False)
    journey = taken(taken(begun, poor), good, 2)
    assert [step.fit.converged for step in journey.steps] == [False, True]
    assert journey.name_of(journey.current_id) == "Better map"
    back = taken(journey, poor, 3)
    assert len(back.steps) == 2
    assert back.current.fit.converged
    lower = replace(good, best=replace(good.best, stress=good.stress * 0.9))
    assert len(taken(journey, lower, 3).steps) == 3


def test_ids_are_stable_and_differ(begun, answer):
    results = [answer(), answer("Size"), answer("Size", coef="diagonal"), answer(n_components=1)]
    ids = [taken(begun, result).current_id for result in results]
    assert len(set(ids)) == 4
    assert ids == [taken(begun, result, 9).current_id for result in results]


def test_a_step_can_be_branched_from(begun, answer):
    journey = taken(taken(begun, answer()), answer("Size"), 2)
    root, size = (step.id for step in journey.steps)
    journey = taken(journey.visiting(root), answer("Rank"), 3)
    rank = journey.current_id
    assert [step.id for step in journey.children(root)] == [size, rank]
    assert [step.id for step in journey.children(None)] == [root]
    assert journey.step(rank).parent == root
    with pytest.raises(UnknownOption, match="No step of the journey is 'nowhere'"):
        journey.visiting("nowhere")


# Names and rows


@pytest.mark.parametrize(
    ("before", "now", "name"),
    [
        ({}, {"known": ("Size",)}, "+ Size"),
        ({"known": ("Size", "Hue")}, {"known": ("Hue",)}, "− Size"),
        ({"known": ("Size",)}, {"known": ("Hue", "Rank")}, "+ Hue, + Rank, − Size"),
        ({}, {"weights": "sammon"}, "Sammon weights"),
        ({"weights": "sammon"}, {}, "Equal weights"),
        ({}, {"weights": np.linspace(1, 2, 28)}, "Weights of the data"),
        (
            {"weights": np.linspace(2, 3, 28)},
            {"weights": np.linspace(1, 2, 28)},
            "Weights of the data",
        ),
        ({}, {"n_components": 3}, "3 dimensions"),
        ({}, {"n_components": 1}, "1 dimension"),
        ({"known": ("Size",)}, {"known": ("Size",), "coef": "diagonal"}, "Each feature by itself"),
        ({}, {"neighbourhood": Neighbourhood(4)}, "Isomap, 4 neighbours"),
        ({}, {"neighbourhood": Neighbourhood(4, mutual=True)}, "Isomap, 4 mutual neighbours"),
        ({}, {"neighbourhood": Neighbourhood(epsilon=9.5)}, "Isomap within 9.5"),
        ({"neighbourhood": Neighbourhood(4)}, {}, "No Isomap"),
        ({}, {"known": ("Size",), "weights": "sammon"}, "+ Size, Sammon weights"),
    ],
)
def test_a_step_is_called_after_what_it_changed(begun, answer, before, now, name):
    journey = begun
    for second, asked in enumerate((before, now), 1):
        options = {**SETTINGS, **asked}
        journey = taken(journey, answer(*options.pop("known"), **options), second)
    assert journey.name_of(journey.current_id) == name


def test_the_first_step_is_called_after_what_is_known(begun, answer):
    assert taken(begun, answer()).as_rows()[0].name == "Nothing known"
    assert taken(begun, answer("Size", "Hue")).as_rows()[0].name == "Size, Hue known"
    first = taken(begun, answer("Size", n_components=1)).as_rows()[0]
    assert first.name == "Size known, 1 dimension"


def test_a_corrected_feature_is_called_changed(begun, answer, features):
    corrected = features["Rank"].with_values(np.array([0.0, 2, 0, 1, 0, 2, 0, 0]))
    journey = taken(begun, answer("Rank")).with_feature(corrected, time(2))
    journey = taken(journey, answer("Rank", table=journey.features), 3)
    assert journey.name_of(journey.current_id) == "Rank changed"
    assert (
        journey.steps[0].problem.known.features[0].values.tolist()
        == features["Rank"].values.tolist()
    )


def test_names_and_notes_are_the_persons_own(begun, answer):
    journey = taken(begun, answer())
    step_id = journey.current_id
    named = journey.renamed(step_id, "Start", time(2)).noted(step_id, "Look left", time(3))
    assert named.name_of(step_id) == "Start"
    assert (named.current.note, named.current.changed) == ("Look left", time(3))
    assert named.renamed(step_id, "", time(4)).name_of(step_id) == "Nothing known"


def test_a_line_goes_on_and_branches_are_indented_before_it(begun, answer):
    journey = taken(taken(begun, answer()), answer(weights="sammon"), 2)
    sammon, root = journey.current_id, journey.steps[0].id
    journey = taken(journey, answer("Hue", weights="sammon"), 3)
    journey = taken(journey.visiting(root), answer("Size"), 4)
    journey = taken(journey.visiting(root), answer("Rank"), 5)
    rows = journey.as_rows()
    assert [(row.depth, row.name) for row in rows] == [
        (0, "Nothing known"),
        (1, "Sammon weights"),
        (1, "+ Hue"),
        (1, "+ Rank"),
        (0, "+ Size"),
    ]
    assert [row.is_current for row in rows] == [False, False, False, True, False]
    assert rows[1].step.id == sammon


# Features


def test_features_come_and_go_and_steps_keep_theirs(begun, answer):
    journey = taken(begun, answer("Size")).without_feature("Size", time(2))
    assert "Size" not in journey.features
    assert journey.steps[0].problem.known.names == ("Size",)
    with pytest.raises(UnknownFeature):
        journey.without_feature("Size", time(3))


def test_a_feature_is_renamed_wherever_it_is_known(begun, answer):
    journey = taken(taken(begun, answer()), answer("Size"), 2)
    renamed = journey.renamed_feature("Size", "Length", time(3))
    assert renamed.features.names == ("Length", "Group", "Rank", "Hue")
    assert renamed.name_of(renamed.current_id) == "+ Length"
    assert renamed.steps[0] is journey.steps[0]
    assert np.array_equal(renamed.current.embedding, journey.current.embedding)
    again = taken(renamed, answer("Length", table=renamed.features), 4)
    assert len(again.steps) == 2
    assert journey.renamed_feature("Size", "Size", time(3)) is journey
    with pytest.raises(UnknownFeature, match="Width"):
        journey.renamed_feature("Width", "Length", time(3))


def test_a_name_that_another_feature_bears_or_bore_is_refused(begun, answer):
    with pytest.raises(DuplicateLabels, match="'Hue'"):
        begun.renamed_feature("Size", "Hue", time(1))
    journey = taken(begun, answer("Size", "Hue")).without_feature("Hue", time(2))
    with pytest.raises(DuplicateLabels, match="'Hue'"):
        journey.renamed_feature("Size", "Hue", time(3))


def test_ids_stay_apart_when_a_new_feature_takes_an_old_name(begun, answer, features):
    journey = taken(begun, answer("Size")).renamed_feature("Size", "Length", time(2))
    journey = journey.with_feature(features["Size"], time(3))
    journey = taken(journey, answer("Size"), 4)
    assert len({step.id for step in journey.steps}) == 2


# Construction


def test_what_is_no_tree_is_refused(begun, answer):
    journey = taken(taken(begun, answer()), answer("Size"), 2)
    first, second = journey.steps
    for steps in ((second, first), (first, first), (replace(first, parent="x"),)):
        with pytest.raises(UnknownOption, match="occurs twice, or before"):
            replace(journey, steps=steps)
    with pytest.raises(UnknownOption, match="current step is x"):
        replace(journey, current_id="x")
    with pytest.raises(UnknownOption, match="current step is None"):
        replace(journey, current_id=None)


def test_features_and_data_must_be_of_the_same_objects(data):
    with pytest.raises(LabelMismatch):
        Journey.begun("x", data, FeatureTable(NAMES[::-1]), time(0))


@pytest.mark.parametrize("at", ["yesterday", "", None])
def test_times_are_checked(data, features, at):
    with pytest.raises(UnknownOption, match="is no time"):
        Journey.begun("x", data, features, at)


def test_copies_and_pickles_stay_the_same_and_read_only(rich):
    for twin in (copy.deepcopy(rich), pickle.loads(pickle.dumps(rich))):
        assert same(twin, rich)
        assert not twin.steps[0].embedding.flags.writeable


# Copies


def test_two_copies_are_merged(begun, answer):
    start = taken(begun, answer())
    mine = taken(start, answer("Size"), 2).noted(start.current_id, "mine", time(3))
    theirs = taken(start, answer("Rank"), 2).renamed(start.current_id, "theirs", time(4))
    theirs = taken(theirs, answer("Rank", "Hue"), 5)
    theirs = replace(theirs, title="Their title", changed=time(6))
    theirs = theirs.with_feature(Feature.numeric("New", np.arange(8.0)), time(7))
    both = mine.merged(theirs)
    assert {step.id for step in both.steps} == {s.id for s in (*mine.steps, *theirs.steps)}
    assert both.name_of(start.current_id) == "theirs"
    assert (both.title, both.changed, both.created) == ("Their title", time(7), time(0))
    assert both.current_id == theirs.current_id
    assert "New" in both.features
    for step in theirs.steps:
        assert both.step(step.id).parent == step.parent
    other_way = theirs.merged(mine)
    assert {s.id: s.note for s in other_way.steps} == {s.id: s.note for s in both.steps}
    assert (other_way.title, other_way.current_id) == (both.title, both.current_id)


def test_of_features_changed_in_both_copies_the_later_copy_has_its_way(begun, features):
    edited = features["Size"].with_values(np.arange(8.0))
    removed = begun.without_feature("Hue", time(1))
    later = begun.with_feature(edited, time(2))
    for both in (removed.merged(later), later.merged(removed)):
        assert both.features["Size"].identity() == edited.identity()
        assert "Hue" in both.features


def test_merging_with_itself_or_with_an_old_copy_changes_nothing(rich, begun):
    assert same(rich.merged(rich), rich)
    assert same(rich.merged(begun), rich)
    assert same(begun.merged(rich), rich)


def test_the_same_steps_taken_in_another_order_make_no_circle(begun, answer):
    mine = taken(taken(begun, answer()), answer("Size"), 2)
    theirs = taken(taken(begun, answer("Size")), answer(), 2)
    both = mine.merged(theirs)
    assert len(both.steps) == 2
    assert len(both.as_rows()) == 2
    assert both.steps[0].parent is None


def test_times_in_different_zones_are_compared_as_moments(begun):
    early = replace(begun, title="early", changed="2026-01-31T23:00:00+10:00")  # 13:00 UTC
    late = replace(begun, title="late", changed="2026-01-31T14:00:00")
    assert early.merged(late).title == "late"


def test_projects_of_different_data_are_not_merged(begun):
    other = Dissimilarities(NAMES, np.arange(1.0, 29))
    with pytest.raises(LabelMismatch, match="different dissimilarities"):
        begun.merged(Journey.begun("x", other, FeatureTable(NAMES), time(0)))


# Files


def identical(a: JourneyStep, b: JourneyStep) -> bool:
    maps = [(a.fit.best, *a.fit.alternatives), (b.fit.best, *b.fit.alternatives)]
    return (
        a.problem.fingerprint() == b.problem.fingerprint()
        and repr(a.fit) == repr(b.fit)
        and a.fit.remarks == b.fit.remarks
        and a.fit.stress_path.tobytes() == b.fit.stress_path.tobytes()
        and all(
            (one.stress, one.starts) == (other.stress, other.starts)
            and one.embedding.tobytes() == other.embedding.tobytes()
            and one.embedding.shape == other.embedding.shape
            and one.coef.tobytes() == other.coef.tobytes()
            and one.known_values.tobytes() == other.known_values.tobytes()
            for one, other in zip(*maps, strict=True)
        )
    )


def test_a_project_is_opened_as_it_was_saved_bit_for_bit(rich):
    opened = from_json(to_json(rich))
    assert same(opened, rich)
    assert opened.dissimilarities.fingerprint == rich.dissimilarities.fingerprint
    assert len(opened.steps) == 6
    for before, after in zip(rich.steps, opened.steps, strict=True):
        assert identical(before, after)
        assert before.question == after.question
        assert not after.embedding.flags.writeable
        assert (before.id, before.note, before.given_name) == (
            after.id,
            after.note,
            after.given_name,
        )
    for name in rich.features.names:
        assert opened.features[name].identity() == rich.features[name].identity()


def test_an_opened_journey_goes_on_where_it_was(rich, answer):
    opened = from_json(to_json(rich))
    visited = taken(opened, answer("Size"), 20)
    assert len(visited.steps) == len(rich.steps)
    assert visited.current_id == rich.steps[0].id


def test_single_precision_stays_single_precision(data, answer):
    single = Dissimilarities(NAMES, data.condensed.astype(np.float32))
    result = replace(answer(), problem=Problem(single, FeatureTable(NAMES)))
    journey = taken(Journey.begun("x", single, FeatureTable(NAMES), time(0)), result)
    opened = from_json(to_json(journey))
    assert opened.dissimilarities.condensed.dtype == np.float32
    assert opened.dissimilarities.fingerprint == single.fingerprint
    assert identical(opened.steps[0], journey.steps[0])


def test_a_fit_that_was_stopped_is_still_not_converged(begun, answer):
    result = fit(answer("Size").problem, max_iter=1, n_init=1, seed=0)
    opened = from_json(to_json(taken(begun, result)))
    assert not opened.steps[0].fit.converged
    assert NotConverged in [remark.category for remark in opened.steps[0].fit.remarks]


def test_a_project_without_steps_can_be_saved(begun):
    assert same(from_json(to_json(begun)), begun)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(), st.text(), st.lists(st.text(), min_size=3, max_size=3, unique=True))
def test_any_text_survives(title, note, labels):
    data = Dissimilarities(tuple(labels), np.array([1.0, np.nan, 1 / 3]))
    journey = Journey.begun(title, data, FeatureTable(tuple(labels)), time(0))
    result = fit(Problem(data, journey.features, n_components=1), n_init=1, seed=0)
    journey = taken(journey, result)
    journey = journey.noted(journey.current_id, note, time(2))
    opened = from_json(to_json(journey))
    assert (opened.title, opened.steps[0].note) == (title, note)
    assert opened.dissimilarities.labels == tuple(labels)


def test_a_file_that_is_no_project_is_refused():
    for text in ("{}", "[]", "3", '{"format": "other", "version": 1}'):
        with pytest.raises(UnreadableFile, match="not a project"):
            from_json(text)


def test_a_newer_project_is_refused_with_a_remedy(rich):
    content = json.loads(to_json(rich))
    newest = content["version"]
    content["version"] = newest + 1
    says = f"version {newest + 1}; this program knows up to {newest}"
    with pytest.raises(UnreadableFile, match=says) as info:
        from_json(json.dumps(content))
    assert "newer version of the program" in info.value.remedy
    content["version"] = 0
    with pytest.raises(UnreadableFile, match="version 0, which never was"):
        from_json(json.dumps(content))


def test_an_older_project_is_brought_up_to_date_version_by_version(rich, monkeypatch):
    def heading(old):
        return {**old, "heading": old["name"]}

    def title(old):
        return {**old, "title": old["heading"].upper()}

    monkeypatch.setattr(migrations, "VERSION", 3)
    monkeypatch.setattr(migrations, "MIGRATIONS", (heading, title))
    content = json.loads(to_json(rich))
    content["name"] = content.pop("title")
    content["version"] = 1
    assert from_json(json.dumps(content)).title == "THINGS"


@pytest.mark.parametrize(
    ("origin", "unit"),
    [
        ("dates, as days since 1970-01-01", "days since 1970-01-01"),
        ("given in cm", "cm"),
        ("given in cm, rounded to 3 levels", "cm"),
        ("given", ""),
    ],
)
def test_units_of_an_older_project_are_told_by_what_was_their_origin(rich, origin, unit):
    content = json.loads(to_json(rich))
    content["version"] = 5
    for one in content["features"]:
        one["origin"] = origin
        del one["unit"]
    assert {one.unit for one in from_json(json.dumps(content)).features.features} == {unit}


def test_a_project_of_the_first_version_has_no_raw_files(rich):
    content = json.loads(to_json(rich))
    for name in ("source", "pair_weights"):
        del content[name]
    content["version"] = 1
    opened = from_json(json.dumps(content))
    assert (opened.source, opened.pair_weights) == (None, None)
    assert to_json(opened) == to_json(without_history(rich))


def test_what_is_said_of_the_origin_is_kept_and_can_be_changed(rich):
    said = Origin("ratings", people=16, lowest=1, highest=7)
    told = rich.with_origin(said, time(40))
    assert (told.origin, told.changed) == (said, time(40))
    assert from_json(to_json(told)).origin == said
    assert told.with_origin(Origin(), time(41)).origin == rich.origin == Origin()


def test_of_two_copies_the_later_origin_holds_unless_it_says_nothing(rich):
    earlier = rich.with_origin(Origin("sorting", people=20), time(40))
    later = rich.with_origin(Origin("counts"), time(41))
    silent = replace(rich, changed=time(42))
    assert later.merged(earlier).origin == earlier.merged(later).origin == later.origin
    assert silent.merged(earlier).origin == earlier.origin


@pytest.mark.parametrize(
    ("name", "value"),
    [("kind", "guessed"), ("people", -1), ("lowest", "low"), ("cases", 1.5), ("highest", -1.0)],
)
def test_a_made_up_origin_is_refused(rich, name, value):
    content = json.loads(to_json(rich))
    content["origin"][name] = value
    with pytest.raises(UnreadableFile, match="origin"):
        from_json(json.dumps(content))


@pytest.mark.parametrize("share", [0, 0.001, 0.1, 0.5, 0.9, 0.99999])
def test_a_file_that_was_cut_off_says_where(rich, share):
    text = to_json(rich)
    with pytest.raises(UnreadableFile, match=r"line \d+, column") as info:
        from_json(text[: int(share * len(text))])
    assert "cut off" in info.value.remedy


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"format": NaN}', '{"format": ' + "9" * 5000 + "}"]
)
def test_absurd_nesting_and_numbers_are_refused(text):
    with pytest.raises(UnreadableFile):
        from_json(text)


def test_files_larger_than_allowed_are_refused(rich):
    text = to_json(rich)
    with pytest.raises(UnreadableFile, match=r"\d+ characters; at most 100 are read"):
        from_json(text, most_characters=100)
    with pytest.raises(UnreadableFile, match="8 objects; at most 7"):
        from_json(text, most_objects=7)
    with pytest.raises(UnreadableFile, match="6 steps; at most 5"):
        from_json(text, most_steps=5)


def put(content, path, value):
    *way, last = path
    for key in way:
        content = content[key]
    content[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["title"], 3, "title is 3, not a text"),
        (["created"], "soon", "In the project file: 'soon' is no time"),
        (["objects"], {}, "objects is {}, not a list"),
        (["objects", 1], None, r"objects\[1\] is None, not a text"),
        (["objects", 1], "a", "In dissimilarities of the project file: More than one object"),
        (["objects"], ["a", "b"], "In dissimilarities of the project file"),
        (["dissimilarities"], [], "dissimilarities is .*, not a set of named fields"),
        (["dissimilarities", "type"], "int8", "not one of float32, float64"),
        (["dissimilarities", "type"], [], "not one of float32, float64"),
        (["dissimilarities", "values", 3], -1, "In dissimilarities of the project file"),
        (["dissimilarities", "values", 3], "1", "dissimilarities.values is .* finite numbers"),
        (["dissimilarities", "values", 3], True, "dissimilarities.values is .* finite numbers"),
        (["dissimilarities", "values", 3], 10**400, "dissimilarities.values is .* finite numbers"),
        (["dissimilarities", "values", 3], [1], "dissimilarities.values is .* finite numbers"),
        (["dissimilarities", "values"], None, "dissimilarities.values is None"),
        (["features", 0, "kind"], "odd", r"In features\[0\] of the project file: kind is 'odd'"),
        (["features", 0, "values"], [1, 2], "In now of the project file: Size has 2 values"),
        (["features", 1, "levels"], ["x", "x"], r"features\[1\].levels is .* names of their own"),
        (["features", 1, "levels"], ["x"], r"In features\[1\] .* beyond its 1 levels"),
        (["features", 3, "period"], -1, r"In features\[3\] .* circular with period -1"),
        (["features", 3, "period"], "360", r"features\[3\].period is '360', not a finite number"),
        (["now", 0], 99, r"now\[0\] is 99, not the place of one of 5 features"),
        (["now", 0], -1, r"now\[0\] is -1, not a whole number"),
        (["now", 0], 1, "In now of the project file: More than one feature"),
        (
            ["history", "past", 0, "words", 0, 0],
            "x",
            r"words\[0\]\[0\] is 'x', not one of the steps",
        ),
        (["history", "past", 0, "words"], None, r"past\[0\] is .* not something that was done"),
        (["history", "past", 2, "features"], [[0]], r"features is .* a list of 2"),
        (["history", "past", 2, "features", 1], [9], "not the place of one of 5 features"),
        (["history", "future"], [{}] * 101, "future is .* not a list of up to 100"),
        (["steps", 0, "id"], None, r"steps\[0\].id is None, not a text"),
        (["steps", 1, "parent"], "x", "In the project file: Step .* occurs twice, or before"),
        (["current"], "x", "In the project file: The current step is x"),
        (["steps", 0, "n_components"], 7, r"steps\[0\].best.embedding is .* table of 8 x 7"),
        (["steps", 0, "n_components"], True, r"steps\[0\].n_components is True"),
        (["steps", 0, "n_components"], 10**50, r"steps\[0\].n_components is 1000"),
        (["steps", 0, "coef"], "odd", r"In steps\[0\] of the project file: coef is 'odd'"),
        (["steps", 0, "weights"], "odd", r"In steps\[0\] of the project file: weights is 'odd'"),
        (["steps", 2, "weights", 0], -1, r"In steps\[2\] of the project file"),
        (["steps", 4, "neighbourhood", "epsilon"], 1, r"In steps\[4\] of the project file"),
        (["steps", 4, "neighbourhood"], "near", r"steps\[4\].neighbourhood is 'near'"),
        (["steps", 0, "best", "coef"], [[1, 2]], r"steps\[0\].best.coef .* table of 1 x 1"),
        (["steps", 0, "best", "known"], None, r"steps\[0\].best.known is None"),
        (["steps", 0, "best", "embedding", 2, 0], None, r"steps\[0\].best.embedding\[2\]"),
        (["steps", 0, "best", "stress"], "low", "stress is 'low', not a finite number"),
        (["steps", 0, "converged"], 1, "converged is 1, not true or false"),
        (["steps", 0, "seed"], 1.5, "seed is 1.5, not a whole number"),
        (["steps", 0, "remarks"], [["x"]], r"remarks\[0\] is .* list of 2"),
        (["steps", 0, "remarks"], [["x", "y"]], r"remarks\[0\]\[1\] is 'y', not one of"),
    ],
)
def test_what_was_changed_by_hand_is_named(rich, path, value, message):
    content = json.loads(to_json(rich))
    put(content, path, value)
    with pytest.raises(UnreadableFile, match=message) as info:
        from_json(json.dumps(content))
    assert info.value.remedy


def fields_of(content, path=()):
    """Every place in a parsed file."""
    if isinstance(content, dict | list):
        items = content.items() if isinstance(content, dict) else enumerate(content)
        for key, value in items:
            yield (*path, key)
            yield from fields_of(value, (*path, key))


def test_mutual_neighbours_are_kept_and_those_before_them_look_as_they_did(begun, answer):
    near = Neighbourhood(5)
    for neighbourhood in (near, replace(near, mutual=True)):
        text = to_json(taken(begun, answer("Size", neighbourhood=neighbourhood)))
        assert ('"mutual"' in text) == neighbourhood.mutual
        assert from_json(text).current.fit.problem.neighbourhood == neighbourhood


@pytest.mark.slow
def test_a_missing_field_is_named_wherever_it_is(rich):
    text = to_json(rich)
    fields = [path for path in fields_of(json.loads(text)) if isinstance(path[-1], str)]
    assert len(fields) > 100
    for *way, name in fields:
        content = json.loads(text)
        parent = content
        for key in way:
            parent = parent[key]
        del parent[name]
        with pytest.raises(UnreadableFile, match=r"missing|not a project"):
            from_json(json.dumps(content))


leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([-1, 0, 2**31, 2**63, 2**64, 10**400, -0.0, 5e-324, 1e308, 1e-308]),
    st.floats(),
    st.text(st.characters(), max_size=5),
    st.sampled_from(HOSTILE),
)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


def meddled_with(content, data):
    """One place has something else, nothing, what stands elsewhere, or a list of another length."""
    places = list(fields_of(content))
    *way, last = data.draw(st.sampled_from(places))
    parent = content
    for key in way:
        parent = parent[key]
    match data.draw(st.integers(0, 4)):
        case 0:
            del parent[last]
        case 1:
            other = content
            for key in data.draw(st.sampled_from(places)):
                other = other[key] if isinstance(other, dict) or key < len(other) else None
                if not isinstance(other, dict | list):
                    break
            parent[last] = deepcopy(other)
        case 2 if isinstance(parent[last], list):
            parent[last] = parent[last] * data.draw(st.integers(0, 3))
        case _:
            parent[last] = data.draw(anything)


@pytest.mark.slow
@settings(
    max_examples=int(os.environ.get("CML_FUZZ", 300)),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_whatever_stands_in_a_file_it_opens_or_says_what_is_wrong(rich, data):
    content = json.loads(to_json(rich))
    for _ in range(data.draw(st.integers(1, 3))):
        meddled_with(content, data)
    try:
        opened = from_json(json.dumps(content))
    except UnreadableFile:
        return
    assert same(from_json(to_json(opened)), opened)


@pytest.mark.parametrize("name", ["title", "objects", "steps", "version", "dissimilarities"])
def test_of_a_field_that_stands_twice_no_mixture_is_made(rich, name):
    text = to_json(rich)
    twice = f'{{"{name}": {{"a": [1]}}, {text[1:]}'
    assert same(from_json(twice), rich)
    with pytest.raises(UnreadableFile):
        from_json(f'{text[:-1]}, "{name}": {{"a": [1]}}}}')


@pytest.mark.parametrize("half", ["\\ud800", "\\uDFFF", "\\udc00\\ud800"])
def test_half_a_character_is_refused_and_two_halves_are_one(rich, half):
    text = to_json(rich.titled("name of it", rich.changed))
    with pytest.raises(UnreadableFile, match="half a character"):
        from_json(text.replace("name of it", f"name {half} it"))
    assert from_json(text.replace("name of it", "\\ud83d\\ude00")).title == "\N{GRINNING FACE}"
    assert from_json(text.replace("name of it", "\\\\ud800")).title == "\\ud800"


@settings(max_examples=100)
@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_a_text_that_is_no_project_is_an_error_of_its_own(text):
    with pytest.raises(UnreadableFile):
        from_json(text)
