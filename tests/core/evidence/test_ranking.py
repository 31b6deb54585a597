"""What might it be: features ranked by how well a map predicts them."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, fit, load_dataset
from cml_core.drawing.arrow import Arrow
from cml_core.drawing.curve import Curve
from cml_core.drawing.groups import from_groups
from cml_core.drawing.levels import flipped, rounded, with_missing
from cml_core.drawing.order import from_order
from cml_core.drawing.typed import from_text
from cml_core.errors import LabelMismatch, UnknownOption
from cml_core.evidence.candidate import Candidate
from cml_core.evidence.ranking import Ranking, candidates_among, what_might_it_be

N = 24
RANDOM = np.random.default_rng(5)
LABELS = tuple(f"object {i:02}" for i in range(N))
PLACES = RANDOM.normal(size=(N, 2))
AGE = Feature.numeric("Age", RANDOM.normal(size=N))
STRAIGHT = Feature.numeric("Straight", PLACES[:, 0])
CURVED = Feature.numeric("Curved", (PLACES**2).sum(axis=1))
NOISE = Feature.numeric("Noise", RANDOM.normal(size=N))
SIDES = Feature.categorical("Sides", np.where(PLACES[:, 1] > 0, "up", "down"), ["down", "up"])


@pytest.fixture(scope="module")
def mapped() -> Fit:
    """A map that is exactly PLACES but for a turn."""
    objects = Dissimilarities(LABELS, pdist(np.column_stack([PLACES, 0.8 * AGE.values])))
    return fit(Problem(objects, FeatureTable(LABELS, (AGE,)), 2), seed=0)


def ranked(found: Fit, *features: Feature, **options: int) -> Ranking:
    options = {"permutations": 199} | options
    return what_might_it_be(found, FeatureTable(found.labels, features), **options)


def only(found: Fit, feature: Feature, **options: int) -> Candidate:
    (candidate,) = ranked(found, feature, **options).candidates
    return candidate


def test_the_best_predicted_comes_first(mapped: Fit) -> None:
    found = ranked(mapped, NOISE, SIDES, CURVED, STRAIGHT)
    assert [one.feature for one in found.candidates][::3] == ["Straight", "Noise"]
    shares = [one.best for one in found.candidates]
    assert shares == sorted(shares, reverse=True)
    straight, noise = found.candidates[0], found.candidates[-1]
    # The data are exact, so the map has the feature as an axis.
    assert straight.linear == pytest.approx(1, abs=1e-6)
    assert straight.correlation == pytest.approx(1, abs=1e-6)
    assert straight.stands_out
    assert not noise.stands_out
    assert found.verdict.startswith("Look at Straight first, then at ")
    assert found.verdict.endswith("(tested: 4).")


def test_what_is_known_is_left_out_by_name(mapped: Fit) -> None:
    found = ranked(mapped, AGE, NOISE)
    assert [one.feature for one in found.candidates] == ["Noise"]
    assert found.verdict.startswith("No feature is predicted from the map better than chance")
    assert ranked(mapped, AGE).candidates == ()
    assert "no feature that is not known" in ranked(mapped, AGE).verdict


def test_the_map_of_gender_and_degree_shows_the_distance_between_generations() -> None:
    data = load_dataset("kinship14")
    table = data.feature_table()
    generation = table["Generation"]
    apart = Feature.numeric("|Generation|", np.abs(generation.values))
    noise = Feature.numeric("Noise", np.random.default_rng(0).normal(size=14))
    problem = Problem(data.values(), table.select(["Gender", "Degree"]), 2)
    found = what_might_it_be(fit(problem, seed=0), table.with_feature(noise).with_feature(apart))
    assert [one.feature for one in found.candidates] == ["|Generation|", "Generation", "Noise"]
    # By themselves 14 terms would make both stand out; but they are seven couples.
    assert found.together == (2,) * 7
    assert not any(one.stands_out for one in found.candidates)
    assert "dealt out together, as 7 couples: what they share counts once." in found.verdict
    # Aunt and Uncle and the like lie in one place, so a surface has much to go by; but only the
    # first is there in a straight direction.
    assert found.candidates[0].linear > 0.5 > found.candidates[1].linear


def test_the_direction_is_where_a_feature_increases(mapped: Fit) -> None:
    U = mapped.embedding
    for feature in (STRAIGHT, SIDES):
        direction = only(mapped, feature).direction
        assert np.linalg.norm(direction) == pytest.approx(1)
        assert np.corrcoef(U @ direction, feature.values)[0, 1] > 0.5
    slopes = np.linalg.lstsq(U - U.mean(axis=0), NOISE.values - NOISE.values.mean())[0]
    # The plane's penalty is a billionth.
    np.testing.assert_allclose(
        only(mapped, NOISE).direction, slopes / np.linalg.norm(slopes), atol=1e-6
    )


def test_several_categories_and_angles_have_no_direction(mapped: Fit) -> None:
    three = Feature.categorical("Three", RANDOM.choice(list("abc"), N))
    angle = Feature.circular("Angle", np.degrees(np.arctan2(*PLACES.T)))
    for feature in (three, angle):
        assert only(mapped, feature).direction.size == 0
    assert only(mapped, angle).stands_out


def test_how_much_was_known_before_is_told(mapped: Fit) -> None:
    older = Feature.numeric("Older", 3 * AGE.values + 0.3 * NOISE.values)
    candidate = only(mapped, older)
    assert candidate.already_known > 0.9
    assert "of it follows from what is known already." in candidate.verdict
    assert only(mapped, NOISE).already_known < 0.5
    assert "known already" not in only(mapped, NOISE).verdict


def test_with_nothing_known_nothing_was_known_before(mapped: Fit) -> None:
    bare = fit(mapped.problem.without("Age"), seed=0)
    assert only(bare, AGE).already_known == 0


def test_features_read_off_a_map_are_recognised_whatever_is_made_of_them() -> None:
    groups = {"a": LABELS[:5], "b": LABELS[5:9]}
    ring = Curve(np.array([[1.0, 0], [0, 1], [-1, 0]]), closed=True)
    read = [
        Arrow((0, 0), (1, 1)).feature("x", PLACES, ["Age", "Gender"]),
        Curve(np.array([[0.0, 0], [1, 1]])).feature("x", PLACES),
        ring.feature("x", PLACES, ["Age"]),
        from_groups("x", LABELS, groups),
    ]
    for feature in (*read, flipped(read[0]), rounded(flipped(read[1]), 2)):
        assert feature.read_off_map
        assert with_missing(feature, LABELS, LABELS[:1]).read_off_map
    given_otherwise = [
        AGE,
        from_order("x", LABELS, LABELS[:5]),
        from_text("x", LABELS, "\n".join(map(str, range(N)))),
    ]
    assert not any(feature.read_off_map for feature in given_otherwise)


def test_a_feature_read_off_a_map_gets_no_p_value(mapped: Fit) -> None:
    drawn = Arrow((0, 0), (1, 0)).feature("Drawn", mapped.embedding, ["Age"])
    found = ranked(mapped, drawn, NOISE)
    first = found.candidates[0]
    assert first.read_off_map
    assert first.p_value is first.adjusted is None
    assert first.linear == pytest.approx(1)
    assert "fits the map because it was made to" in first.verdict
    assert found.verdict.endswith(
        "Drawn was read off a map; that a map predicts it proves nothing."
    )
    # It does not count among those that were tried.
    assert found.candidates[1].adjusted == found.candidates[1].p_value


@pytest.mark.parametrize(
    ("feature", "why"),
    [
        (Feature.numeric("x", [7.0] * N), "same for all"),
        (Feature.numeric("x", [1.0, 2, 3, 4] + [np.nan] * (N - 4)), "Fewer than 5"),
        (Feature.categorical("x", LABELS), "fewer than two objects each"),
        (Feature.numeric("x", 3 * AGE.values + 1), "follows from what is known"),
    ],
    ids=["constant", "few", "a category each", "known"],
)
def test_what_cannot_be_tested_says_why_and_comes_last(
    mapped: Fit, feature: Feature, why: str
) -> None:
    last = ranked(mapped, feature, NOISE).candidates[-1]
    assert last.feature == "x"
    assert last.p_value is last.adjusted is None
    assert why in last.why_no_p_value
    assert why in last.verdict
    assert ranked(mapped, feature).verdict == "None of these features can be tested."


def test_where_so_much_is_known_that_little_is_left_nothing_is_tested(mapped: Fit) -> None:
    rows = np.arange(9)
    few = reordered(mapped, rows)
    more = tuple(Feature.numeric(f"known {k}", RANDOM.normal(size=9)) for k in range(4))
    known = FeatureTable(few.labels, more)
    fitted = fit(Problem(few.problem.dissimilarities, known, 2), seed=0)
    assert only(fitted, NOISE.taken(rows)).p_value is not None
    fifth = known.with_feature(Feature.numeric("known 5", RANDOM.normal(size=9)))
    fitted = fit(Problem(few.problem.dissimilarities, fifth, 2), seed=0)
    assert "So much is known" in only(fitted, NOISE.taken(rows)).why_no_p_value


def test_a_map_of_no_dimension_predicts_nothing(mapped: Fit) -> None:
    flat = fit(replace(mapped.problem, n_components=0), seed=0)
    candidate = only(flat, STRAIGHT)
    assert (candidate.correlation, candidate.linear, candidate.smooth) == (0, 0, 0)
    assert candidate.p_value is None
    assert candidate.direction.size == 0
    assert "in one place" in candidate.why_no_p_value


def test_missing_values_are_left_out(mapped: Fit) -> None:
    values = STRAIGHT.values.copy()
    values[::4] = np.nan
    candidate = only(mapped, STRAIGHT.with_values(values))
    assert candidate.n_objects == N - 6
    assert candidate.linear == pytest.approx(1, abs=1e-6)


def test_a_feature_is_judged_alike_whoever_else_is_judged(mapped: Fit) -> None:
    alone = only(mapped, NOISE)
    among = ranked(mapped, STRAIGHT, NOISE, CURVED).candidates[-1]
    assert among.p_value == alone.p_value
    assert among.adjusted == pytest.approx(alone.p_value)


def reordered(found: Fit, rows: np.ndarray) -> Fit:
    """The same map of these objects, in this order."""
    problem = found.problem
    square = squareform(problem.dissimilarities.condensed)[np.ix_(rows, rows)]
    labels = tuple(found.labels[i] for i in rows)
    asked = Problem(
        Dissimilarities(labels, squareform(square)), problem.known.for_objects(labels), 2
    )
    best = replace(
        found.best, embedding=found.embedding[rows], known_values=found.known_values[rows]
    )
    return replace(found, problem=asked, best=best)


@given(st.permutations(range(N)))
@settings(max_examples=10)
def test_the_order_of_the_objects_changes_nothing(mapped: Fit, order: list[int]) -> None:
    turned = reordered(mapped, np.array(order))
    table = FeatureTable(LABELS, (NOISE, CURVED))
    before, after = (
        what_might_it_be(found, table, permutations=199).candidates for found in (mapped, turned)
    )
    assert [one.p_value for one in before] == [one.p_value for one in after]
    assert [one.best for one in before] == [one.best for one in after]
    assert [one.already_known for one in before] == [one.already_known for one in after]


@given(st.floats(0, 2 * np.pi), st.booleans(), st.floats(0.01, 100))
@settings(max_examples=10)
def test_turning_mirroring_and_scaling_the_map_changes_nothing(
    mapped: Fit, angle: float, mirrored: bool, scale: float
) -> None:
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = scale * turn * ([1, -1] if mirrored else [1, 1])
    turned = replace(mapped, best=replace(mapped.best, embedding=mapped.embedding @ turn))
    for feature in (NOISE, CURVED):
        before, after = only(mapped, feature), only(turned, feature)
        # Decompositions round.
        assert after.best == pytest.approx(before.best, abs=1e-8)
        assert after.p_value == before.p_value
        np.testing.assert_allclose(after.direction, before.direction @ turn / scale, atol=1e-6)


def families(jitter: float, seed: int) -> tuple[Fit, np.ndarray, np.random.Generator]:
    """A map of seven couples and two families of three, and the group of each object."""
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(11), [2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3])
    true = random.normal(size=(11, 3))[groups] + jitter * random.normal(size=(groups.size, 3))
    distances = pdist(true)
    seen = np.abs(distances * (1 + 0.1 * random.normal(size=distances.size)))
    labels = tuple(f"object {i:02}" for i in range(groups.size))
    known = FeatureTable(labels, (Feature.numeric("known", true[:, 0]),))
    return fit(Problem(Dissimilarities(labels, seen), known, 2), seed=0), groups, random


@pytest.mark.parametrize("jitter", [0.0, 0.1])
def test_what_couples_and_families_share_is_an_alarm_as_rarely_as_the_p_value_says(
    jitter: float,
) -> None:
    found = []
    for seed in range(40):
        mapped, groups, random = families(jitter, seed)
        shared = Feature.numeric("Shared", random.normal(size=11)[groups])
        found.append(only(mapped, shared, permutations=99).p_value)
    tested = np.array([p for p in found if p is not None])
    assert tested.size > 30
    # A binomial count of 40 with mean 2 and standard deviation 1.4; four of these are allowed.
    # Dealt out one by one, 30 and more were alarms.
    assert np.sum(tested <= 0.05) <= 7


def test_squares_and_products_of_what_is_known_are_alarms_no_more_often() -> None:
    alarms, tested = 0, 0
    for seed in range(12):
        random = np.random.default_rng(seed)
        true = random.normal(size=(40, 3))
        # Bent dissimilarities leave curves of what is known on the map.
        labels = tuple(f"object {i:02}" for i in range(40))
        bent = Dissimilarities(labels, 1.0 - np.exp(-pdist(true) / 2.0))
        known = [Feature.numeric(f"known {k}", true[:, k]) for k in range(2)]
        mapped = fit(Problem(bent, FeatureTable(labels, tuple(known)), 2), n_init=5, seed=0)
        curves = {"square": true[:, 0] ** 2, "product": true[:, 0] * true[:, 1]}
        for name, curve in curves.items():
            noisy = Feature.numeric(name, curve + 0.75 * curve.std() * random.normal(size=40))
            found = only(mapped, noisy, permutations=99).p_value
            assert found is not None
            alarms, tested = alarms + (found <= 0.05), tested + 1
    # A binomial count of 24 with mean 1.2 and standard deviation 1.1; four of these are allowed.
    # With a plane taken out, half of them were alarms.
    assert tested == 24
    assert alarms <= 5


def test_where_families_are_few_it_is_said_that_nothing_can_be_tested() -> None:
    groups = np.repeat(np.arange(5), [5, 5, 5, 5, 4])
    random = np.random.default_rng(1)
    true = random.normal(size=(5, 3))[groups]
    labels = tuple(f"object {i:02}" for i in range(24))
    known = FeatureTable(labels, (Feature.numeric("known", true[:, 0]),))
    gathered = fit(Problem(Dissimilarities(labels, pdist(true)), known, 2), seed=0)
    candidate = only(gathered, Feature.numeric("Noise", random.normal(size=24)))
    assert candidate.p_value is None
    assert "too few groups are left" in candidate.why_no_p_value


def test_dealt_out_values_are_alarms_as_rarely_as_the_p_value_says(mapped: Fit) -> None:
    random = np.random.default_rng(1)
    values = np.array([1.0] * 8 + [2.0] * 8 + [9.0] * 8)
    dealt = [Feature.numeric(f"x{k}", random.permutation(values)) for k in range(200)]
    found = ranked(mapped, *dealt, permutations=99).candidates
    p_values = np.array([one.p_value for one in found])
    # Exact: binomial with mean 10 and standard deviation 3.1 at 5 %, 100 and 7.1 at 50 %; four
    # of these. After adjusting for all, any alarm at all has a chance of 5 %, and the lowest
    # p-value that 99 dealings can give is too high for one in 200.
    assert np.sum(p_values <= 0.05) <= 22
    assert abs(np.sum(p_values <= 0.5) - 100) <= 28
    assert not any(one.stands_out for one in found)


def test_what_hangs_together_with_the_known_is_no_alarm_where_the_map_leaks(mapped: Fit) -> None:
    leaking = mapped.embedding + 0.7 * np.outer(AGE.values, [1, 1])
    leaky = replace(mapped, best=replace(mapped.best, embedding=leaking))
    random = np.random.default_rng(2)
    related = [
        Feature.numeric(f"x{k}", 0.8 * AGE.values + 0.6 * random.normal(size=N)) for k in range(100)
    ]
    p_values = [one.p_value for one in ranked(leaky, *related, permutations=99).candidates]
    # The map predicts all of them a little, through what is known. Of 100 tests at 5 %, 5 are
    # alarms with a standard deviation of 2.2; four of these.
    assert np.sum(np.array(p_values) <= 0.05) <= 14


def test_the_seed_repeats_the_ranking(mapped: Fit) -> None:
    one, again, other = (only(mapped, NOISE, seed=seed).p_value for seed in (3, 3, 4))
    assert one == again
    assert one != other
    assert ranked(mapped, NOISE, seed=3).seed == 3


@pytest.mark.parametrize(
    "options", [{"permutations": 0}, {"permutations": 9.5}, {"seed": -1}], ids=str
)
def test_options_that_make_no_sense_are_refused(mapped: Fit, options: dict) -> None:
    with pytest.raises(UnknownOption):
        ranked(mapped, NOISE, **options)


def test_features_of_other_objects_are_refused(mapped: Fit) -> None:
    with pytest.raises(LabelMismatch):
        what_might_it_be(mapped, FeatureTable(("a", "b"), (Feature.numeric("x", [1, 2]),)))


def test_results_are_read_only_and_speak_for_themselves(mapped: Fit) -> None:
    found = ranked(mapped, STRAIGHT)
    again = pickle.loads(pickle.dumps(found))
    assert not again.candidates[0].direction.flags.writeable
    assert not found.candidates[0].direction.flags.writeable
    assert repr(found) == f"Ranking({found.verdict})"
    assert repr(found.candidates[0]) == f"Candidate({found.candidates[0].verdict})"


def test_the_verdict_of_a_candidate_says_how_and_whether_it_could_be_chance(mapped: Fit) -> None:
    straight, curved = only(mapped, STRAIGHT), only(mapped, CURVED)
    assert "along a straight direction" in straight.verdict
    assert "would rarely do as well (p = 0.005" in straight.verdict
    assert "in a curved way" in curved.verdict
    worthless = replace(straight, linear=-0.2, smooth=-0.1, adjusted=0.6)
    assert worthless.verdict.startswith("Nothing of Straight can be predicted from the map.")
    assert "can easily do as well (p = 0.6" in worthless.verdict


def test_sizes_of_what_goes_both_ways_are_candidates_too():
    data = load_dataset("kinship14")
    table = data.feature_table()
    found = candidates_among(table, ["Gender", "Degree"])
    assert found.names == ("Generation", "|Generation|")
    assert np.array_equal(found["|Generation|"].values, np.abs(table["Generation"].values))
    assert candidates_among(found, ["Generation"]).names == ("|Generation|",)
    assert candidates_among(table, ["Gender", "Generation"]).names == ("Degree",)


def test_with_gender_and_degree_known_the_number_of_generations_comes_first():
    data = load_dataset("kinship14")
    table = data.feature_table()
    known = ["Gender", "Degree"]
    found = fit(Problem(data.values(), table.select(known)), seed=0)
    ranking = what_might_it_be(found, candidates_among(table, known))
    assert [one.feature for one in ranking.candidates] == ["|Generation|", "Generation"]
    # Seven couples, of which four have one and the same value, and Degree is taken out.
    assert 0.05 < ranking.candidates[0].p_value < 0.5


def test_the_size_of_what_was_read_off_a_map_or_is_nought_but_for_rounding_is_no_candidate():
    labels = tuple("abcdef")
    drawn = replace(Feature.numeric("Drawn", [-1, 0, 1, 2, 3, 4]), read_off_map=True)
    rounded_off = Feature.numeric("Rounded", [-3e-8, 1, 2, 3, 4, 5])
    table = FeatureTable(labels, (drawn, rounded_off))
    assert candidates_among(table, []).names == ("Drawn", "Rounded")
