"""Did it help: features that do, that do not, that repeat others, that were read off a map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cml_core import Feature, FeatureTable, Problem, fit, load_dataset
from cml_core.datasets import simulate_car_brands
from cml_core.drawing.arrow import Arrow
from cml_core.drawing.curve import Curve
from cml_core.errors import NothingToExplain, UnknownFeature, UnknownOption
from cml_core.evidence.dimensions import dimensions
from cml_core.evidence.feature_help import FeatureHelp, InPlace
from cml_core.evidence.importance import Helped, did_it_help
from cml_core.evidence.importance_as_chosen import HelpedAsChosen, did_it_help_as_chosen
from cml_core.evidence.refits import with_values
from cml_core.evidence.rereading import read_anew, reading_of
from cml_core.evidence.shuffled import said_by_others, shuffled_feature
from cml_core.fitting.scales.registry import SCALES
from cml_core.values.answers import Answers

# Together they take longer than `make quick` has.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def kinship():
    data = load_dataset("kinship14")
    return Problem(data.values(), data.feature_table().select(["Gender", "Degree"]))


@pytest.fixture(scope="module")
def judged(kinship):
    """Gender and Degree, a feature of chance, and Degree again in other units."""
    random = np.random.default_rng(1)
    degree = kinship.known["Degree"].values
    problem = kinship.knowing(Feature.numeric("Chance", random.permutation(degree)))
    problem = problem.knowing(Feature.numeric("Degree again", 10 * degree + 3))
    found = did_it_help(problem, ["Gender", "Chance", "Degree again"], shuffles=19)
    return {one.name: one for one in found.features}


@pytest.mark.slow
def test_a_feature_that_drives_the_data_helps(judged):
    gender = judged["Gender"]
    assert gender.p_value == 0.05
    assert gender.gain > 2 * gender.gain_error
    # Chance happens to know a little of Gender, Degree nothing.
    assert gender.already_known < 0.1


@pytest.mark.slow
def test_a_shuffled_feature_does_not_help(judged):
    chance = judged["Chance"]
    assert chance.p_value > 0.2
    assert "Chance does not " in chance.verdict


def test_what_others_say_already_is_not_judged(judged):
    again = judged["Degree again"]
    assert again.already_known == pytest.approx(1.0)
    assert again.p_value is None
    assert again.adjusted is None
    assert not again.null.size
    assert again.verdict == (
        "Degree again says nothing that the other known features do not say, so it cannot be "
        "judged apart from them."
    )


def test_p_values_are_adjusted_for_their_number(judged):
    p, q = sorted(one.p_value for one in judged.values() if one.p_value is not None)
    assert sorted(one.adjusted for one in judged.values() if one.p_value is not None) == (
        pytest.approx([min(2 * p, q), q])
    )


def test_by_default_every_known_feature_is_judged(kinship):
    found = did_it_help(kinship, shuffles=1, folds=3)
    assert [one.name for one in found.features] == ["Gender", "Degree"]
    assert found.verdict == " ".join(one.verdict for one in found.features)
    assert (found.shuffles, found.folds, found.seed) == (1, 3, 0)


def test_only_known_features_are_judged(kinship):
    with pytest.raises(UnknownFeature):
        did_it_help(kinship, ["Generation"])
    with pytest.raises(UnknownOption):
        did_it_help(kinship, seed=-1)


def test_the_same_seed_repeats_it_also_in_other_processes(kinship):
    here, elsewhere = (
        did_it_help(kinship, ["Degree"], shuffles=3, folds=3, workers=workers).features[0]
        for workers in (None, 2)
    )
    assert np.array_equal(here.null, elsewhere.null)
    assert here.held_out_with == elsewhere.held_out_with


def degree_arrow(kinship):
    """The feature that an arrow up the numbers of generations reads off the map."""
    embedding = fit(kinship, seed=0).embedding
    generations = np.abs(load_dataset("kinship14").features["Generation"].to_numpy(float))
    slope = np.linalg.lstsq(embedding, generations - generations.mean())[0]
    tip = tuple(0.3 * slope / np.linalg.norm(slope))
    return Arrow((0.0, 0.0), tip).feature("Drawn", embedding, kinship.known.names)


def test_a_feature_read_off_a_map_gets_no_p_value_and_is_read_off_anew(kinship):
    drawn = degree_arrow(kinship)
    anew, naive = (
        did_it_help(kinship.knowing(drawn), ["Drawn"], shuffles=3, read_off=maps).features[0]
        for maps in ({"Drawn": kinship}, None)
    )
    assert anew.read_off_map
    assert anew.read_anew
    assert anew.p_value is None
    assert anew.gain > 2 * anew.gain_error
    assert "it helps" in anew.verdict
    # What has seen the pairs it is judged on does better on them than it should.
    assert naive.held_out_with < anew.held_out_with
    assert naive.read_off_map
    assert not naive.read_anew
    assert naive.p_value is None
    assert "no surprise and no evidence" in naive.verdict


def test_what_is_read_off_a_map_of_noise_does_not_help():
    data = simulate_car_brands(20, noise=0.3, feature_noise=0.0, known=7, seed=2)
    problem = Problem(data.values(), data.feature_table(), n_components=1)
    places = fit(problem, seed=0).embedding
    drawn = Arrow((0.0, 0.0), (0.1, 0.0)).feature("Noise", places, problem.known.names)
    found = did_it_help(
        replace(problem, n_components=0).knowing(drawn),
        ["Noise"],
        shuffles=1,
        read_off={"Noise": problem},
    ).features[0]
    assert found.gain < 2 * found.gain_error
    assert "does not" in found.verdict


def test_a_reading_from_all_pairs_is_the_feature_itself(kinship):
    drawn = degree_arrow(kinship)
    (again,) = read_anew(reading_of(drawn, kinship, 0), kinship.dissimilarities.condensed, 0)
    # The same map, found again to a tolerance of 1e-7 in its stress.
    assert again.values == pytest.approx(drawn.values, abs=2e-3 * np.ptp(drawn.values))


def test_an_angle_is_read_anew_as_its_two_columns(kinship):
    embedding = fit(kinship, seed=0).embedding
    turn = np.linspace(0, 2 * np.pi, 40)[:-1]
    circle = 0.2 * np.column_stack([np.cos(turn), np.sin(turn)])
    angle = Curve(circle, closed=True).feature("Angle", embedding, kinship.known.names)
    columns = read_anew(reading_of(angle, kinship, 0), kinship.dissimilarities.condensed, 0)
    assert [column.kind for column in columns] == ["numeric", "numeric"]
    found = np.column_stack([column.values for column in columns])
    assert found == pytest.approx(angle.columns(), abs=0.05)


def test_a_feature_that_the_map_does_not_tell_stays_as_it_is(kinship):
    few = np.full(14, np.nan)
    few[:3] = [1.0, 2.0, 4.0]
    feature = Feature.numeric("Few", few, "place along an arrow on the map with Gender known")
    seen = kinship.dissimilarities.condensed
    assert read_anew(reading_of(feature, kinship, 0), seen, 0) == (feature,)


def test_what_others_predict_stays_with_the_objects_when_the_rest_is_shuffled(simulate):
    problem = simulate(60, 2, 1)
    other = problem.known.features[0].values
    random = np.random.default_rng(0)
    values = 3.0 * other + random.standard_normal(60)
    values[4] = np.nan
    problem = problem.knowing(Feature.numeric("Third", values))
    feature = problem.known["Third"]
    said = said_by_others(problem, feature)
    (dealt,) = shuffled_feature(problem, feature, said, random)
    assert np.isnan(dealt.values[4])
    assert np.isnan(dealt.values).sum() == 1
    rows = ~np.isnan(values)
    own, own_dealt = (each[rows] - said.predicted[rows, 0] for each in (values, dealt.values))
    assert np.sort(own_dealt) == pytest.approx(np.sort(own))
    # 59 residuals dealt out at random correlate by less than .5 but once in ten thousand times.
    assert abs(np.corrcoef(own, own_dealt)[0, 1]) < 0.5
    assert np.corrcoef(dealt.values[rows], other[rows])[0, 1] > 0.8


def test_a_category_keeps_its_kind_where_its_columns_act_as_one(simulate):
    problem = simulate(12, 1, 1, coef="diagonal")
    groups = Feature.categorical("Group", [*list("abcabcabcab"), None])
    problem = problem.knowing(groups)
    said = said_by_others(problem, groups)
    (dealt,) = shuffled_feature(problem, groups, said, np.random.default_rng(0))
    assert dealt.kind == "categorical"
    assert np.isnan(dealt.values[-1])
    assert np.array_equal(np.sort(dealt.values), np.sort(groups.values), equal_nan=True)


def test_a_category_becomes_its_columns_where_they_act_freely(simulate):
    problem = simulate(12, 1, 1)
    groups = Feature.categorical("Group", list("abcabcabcabc"))
    problem = problem.knowing(groups)
    said = said_by_others(problem, groups)
    dealt = shuffled_feature(problem, groups, said, np.random.default_rng(0))
    assert [one.kind for one in dealt] == ["numeric", "numeric"]


def test_a_feature_that_is_the_same_for_all_is_not_judged(simulate):
    problem = simulate(10, 1, 1).knowing(Feature.numeric("Constant", np.ones(10)))
    assert said_by_others(problem, problem.known["Constant"]) is None
    found = did_it_help(problem, ["Constant"], shuffles=3, folds=3).features[0]
    assert (found.p_value, found.already_known) == (None, 1.0)


def test_gaps_in_features_and_pairs_are_no_obstacle(simulate):
    problem = simulate(14, 2, 1, missing_pairs=5, missing_entries=3, weights="sammon")
    found = did_it_help(problem, shuffles=2, folds=3)
    assert all(np.isfinite(one.null).all() for one in found.features)


def test_the_only_known_feature_can_be_judged(simulate):
    problem = simulate(12, 1, 1)
    found = did_it_help(problem, shuffles=19, folds=4).features[0]
    assert found.already_known == pytest.approx(0.0)
    assert found.p_value == 0.05
    assert len(problem.known) == 1


def test_the_verdict_says_how_much_and_what_of():
    found = FeatureHelp("Size", 0.02, 0.05, 0.001, np.ones(99), 0.01, 0.04, 0.1, False, False)
    assert found.verdict == (
        "Size helps: of the dissimilarity of pairs held out, 2.0 % stays unexplained with it, "
        "5.0 % without it."
    )
    unclear = replace(found, p_value=0.2, adjusted=0.4)
    assert "hardly more than when shuffled" in unclear.verdict


def test_the_verdict_says_beside_how_many_dimensions():
    found = FeatureHelp("Size", 0.02, 0.05, 0.001, np.ones(99), 0.01, 0.04, 0.1, False, False)
    for count, words in ((2, "2 hidden dimensions"), (1, "1 hidden dimension"), (0, "no hidden")):
        assert f"Size helps beside {words}" in replace(found, n_components=count).verdict
    unclear = replace(found, adjusted=0.4, n_components=2)
    assert "does not clearly help beside 2 hidden dimensions, hardly more" in unclear.verdict


def test_a_few_words_say_the_same_as_the_verdict():
    helps = FeatureHelp("Size", 0.02, 0.05, 0.001, np.ones(99), 0.01, 0.04, 0.1, False, False)
    unclear = replace(helps, adjusted=0.4)
    harmful = replace(unclear, held_out_with=0.06)
    for one in (helps, unclear, harmful):
        assert f"Size {one.brief}" in one.verdict
    assert (helps.brief, harmful.brief) == ("helps", "does not help")
    untold = replace(helps, p_value=None, adjusted=None)
    assert "cannot be judged" in untold.brief
    assert [one.judged for one in (helps, untold)] == [True, False]
    assert [one.is_worth_it for one in (helps, unclear, harmful, untold)] == [True] + [False] * 3


def test_with_too_few_dimensions_a_feature_is_hidden_by_what_is_left_out(simulate):
    # Three features made the data, and one is known: beside none of the others it hardly shows.
    problem = simulate(14, 1, 2, hidden=0, noise=0.02)
    beside_none = did_it_help(problem, shuffles=19, folds=4)
    beside_two = did_it_help_as_chosen(problem, 2, shuffles=19, folds=4)
    assert isinstance(beside_two, HelpedAsChosen)
    assert beside_two.features[0].n_components == 2
    assert beside_none.features[0].n_components == 0
    assert beside_two.features[0].helps
    assert beside_two.features[0].p_value <= beside_none.features[0].p_value
    assert beside_two.features[0].held_out_with < beside_none.features[0].held_out_with
    assert beside_two.heading != beside_none.heading


def test_the_length_of_morse_codes_shows_with_the_dimensions_that_held_out_pairs_choose():
    data = load_dataset("morse")
    problem = Problem(data.values(), data.feature_table().select(["Length", "Dashes"]))
    chosen = dimensions(problem).chosen
    assert chosen > problem.n_components == 2
    (shown,) = did_it_help(problem, ["Length"], shuffles=19).features
    (as_chosen,) = did_it_help_as_chosen(problem, chosen, ["Length"], shuffles=19).features
    assert "does not clearly help beside 2 hidden dimensions" in shown.verdict
    assert f"Length helps beside {chosen} hidden dimensions" in as_chosen.verdict


def test_a_hidden_feature_takes_the_place_of_the_dimension_that_holds_it(simulate):
    # Two features made the data; one dimension is hidden, and the map finds it before the second
    # feature is known.
    problem = simulate(12, 2, 0, hidden=1, noise=0.05)
    found = did_it_help(problem, ["known 2"], shuffles=19, folds=4).features[0]
    assert found.adjusted > 0.05
    assert found.in_place.n_components == 0
    # One of twenty dealings, itself counted with the nineteen shuffled ones.
    assert found.in_place.p_value == found.in_place.adjusted == 0.05
    assert found.in_place.null.size == 19
    assert found.takes_place
    assert "takes the place of a hidden dimension" in found.verdict
    assert "does not" not in found.verdict


def test_chance_takes_no_place(simulate):
    problem = simulate(12, 1, 1, noise=0.05)
    chance = np.random.default_rng(5).standard_normal(12)
    problem = problem.knowing(Feature.numeric("Chance", chance))
    found = did_it_help(problem, ["Chance"], shuffles=19, folds=4).features[0]
    assert found.in_place.held_out_with > found.held_out_without + found.in_place.short_error
    assert not found.takes_place
    assert "place" not in found.verdict


def test_where_no_dimension_is_hidden_none_has_its_place_taken(simulate):
    found = did_it_help(simulate(10, 2, 0), shuffles=1, folds=3)
    assert [one.in_place for one in found.features] == [None, None]
    assert not any("dimension" in column.head for column in found.table().columns)


def test_what_is_read_off_a_map_takes_the_place_of_the_dimension_it_was_read_off(simulate):
    problem = simulate(12, 1, 1, noise=0.05)
    places = fit(problem, seed=0).embedding
    drawn = Arrow((0.0,), (1.0,)).feature("Drawn", places, problem.known.names)
    asked = problem.knowing(drawn)
    anew, naive = (
        did_it_help(asked, ["Drawn"], shuffles=1, folds=4, read_off=maps).features[0]
        for maps in ({"Drawn": problem}, None)
    )
    assert anew.in_place.p_value is None
    assert anew.takes_place
    assert "Read off anew" in anew.verdict
    # What cannot be read off anew has seen the pairs that would judge it.
    assert naive.in_place is None


PLACE = InPlace(1, 0.048, 0.3, 0.02, 0.004, np.ones(99), 0.01, 0.01)


def test_as_well_is_within_one_standard_error_and_better_than_chance():
    found = FeatureHelp("Size", 0.051, 0.05, 0.01, np.ones(99), 0.4, 0.4, 0.1, False, False, PLACE)
    assert found.verdict == (
        "Size takes the place of a hidden dimension: with it and 1 hidden dimension, pairs held "
        "out are told as well as with 2 without it (4.8 % of their dissimilarity stays "
        "unexplained, 5.0 % without it). Beside all of them it adds nothing, for the map has "
        "found it already."
    )
    assert replace(found, in_place=replace(PLACE, held_out_with=0.0539)).takes_place
    assert not replace(found, in_place=replace(PLACE, held_out_with=0.0541)).takes_place
    assert not replace(found, in_place=replace(PLACE, adjusted=0.06)).takes_place
    assert not replace(found, in_place=None).takes_place
    # Of what was read off a map: by more than two standard errors.
    read = replace(PLACE, p_value=None, adjusted=None)
    assert replace(found, in_place=read).takes_place
    assert not replace(found, in_place=replace(read, held_out_without=0.087)).takes_place


def test_what_helps_may_make_a_dimension_needless_too():
    found = FeatureHelp("Size", 0.02, 0.05, 0.001, np.ones(9), 0.01, 0.04, 0.1, False, False, PLACE)
    assert found.verdict == (
        "Size helps: of the dissimilarity of pairs held out, 2.0 % stays unexplained with it, "
        "5.0 % without it; with it and 1 hidden dimension, they are told as well as "
        "with 2 without it."
    )


def test_the_table_says_who_takes_a_place_and_leaves_open_who_was_not_asked():
    found = FeatureHelp("Size", 0.051, 0.05, 0.01, np.ones(99), 0.4, 0.4, 0.1, False, False, PLACE)
    again = FeatureHelp("Again", 0.05, 0.05, 0.01, np.empty(0), None, None, 1.0, False, False)
    rows = Helped((found, again), 99, 10, 0).table().frame()
    assert list(rows["Takes a dimension's place"]) == [True, False]
    assert rows["With it, one dimension fewer"][0] == 0.048
    assert np.isnan(rows["With it, one dimension fewer"][1])


@pytest.mark.parametrize("scale", ["interval", "power", "spline", "ordinal"])
def test_on_any_scale_a_feature_that_drives_the_data_helps_and_chance_does_not(simulate, scale):
    problem = replace(simulate(12, 2, 0, noise=0.02), scale=scale)
    problem = problem.knowing(
        Feature.numeric("Chance", np.random.default_rng(4).standard_normal(12))
    )
    found = did_it_help(problem, ["known 1", "Chance"], shuffles=19, folds=3)
    true, chance = found.features
    assert (true.p_value, true.adjusted) == (0.05, 0.1)
    assert chance.p_value > 0.05
    assert found.scale == scale
    assert f'count as "{SCALES[scale].title}"' in found.facts[1]


def test_on_the_interval_scale_neither_unit_nor_zero_matters(simulate):
    problem = replace(simulate(12, 1, 1), scale="interval")
    moved = with_values(problem, 3.0 + 7.0 * problem.dissimilarities.condensed)
    one, other = (did_it_help(each, shuffles=2, folds=3).features[0] for each in (problem, moved))
    # Fits of what means the same end the same, up to rounding and a tolerance of 1e-7.
    assert other.held_out_with == pytest.approx(one.held_out_with, rel=1e-4)
    assert other.null == pytest.approx(one.null, rel=1e-4)


def test_dissimilarities_that_are_all_alike_tell_nothing_on_a_scale_without_zero(simulate):
    problem = with_values(replace(simulate(8, 1, 1), scale="ordinal"), np.ones(28))
    with pytest.raises(NothingToExplain):
        did_it_help(problem)


def test_people_are_held_out_with_the_pairs_and_it_is_said(simulate):
    problem = simulate(12, 2, 0, noise=0.0)
    random = np.random.default_rng(0)
    said = problem.dissimilarities.condensed * np.exp(0.2 * random.standard_normal((6, 66)))
    answers = Answers.once(problem.known.labels, tuple("abcdef"), said)
    problem = with_values(problem, answers.mean)
    pairs, people = (
        did_it_help(problem, ["known 1"], shuffles=19, answers=each) for each in (None, answers)
    )
    assert (pairs.folds, pairs.people) == (10, 0)
    assert (people.folds, people.people) == (6, 6)
    assert "a part of the 6 people was held out too" in people.facts[1]
    assert people.features[0].p_value == 0.05
    # One person's answer of a pair is further off than the mean of all six.
    assert people.features[0].held_out_with > 2 * pairs.features[0].held_out_with


def test_labels_do_not_matter(simulate):
    problem = simulate(12, 2, 1)
    renamed = Problem(
        type(problem.dissimilarities)(tuple("abcdefghijkl"), problem.dissimilarities.condensed),
        FeatureTable(tuple("abcdefghijkl"), problem.known.features),
        n_components=1,
    )
    first, second = (did_it_help(each, shuffles=2, folds=3) for each in (problem, renamed))
    assert first.features[0].held_out_with == second.features[0].held_out_with
