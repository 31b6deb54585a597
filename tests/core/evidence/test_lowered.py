"""What a feature lowers by being added at all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, fit, load_dataset
from cml_core.drawing.arrow import Arrow
from cml_core.errors import UnknownOption
from cml_core.evidence.lowered import Lowered, added_feature, left_by_chance
from cml_core.evidence.work import Cancelled, Stage

N = 18
RANDOM = np.random.default_rng(3)
LABELS = tuple(f"object {i:02}" for i in range(N))
TRUE = RANDOM.normal(size=(N, 4))
AGE, SIZE = (Feature.numeric(name, TRUE[:, k]) for k, name in enumerate(("Age", "Size")))
NOISE = Feature.numeric("Noise", RANDOM.normal(size=N))


@pytest.fixture(scope="module")
def before() -> Fit:
    distances = pdist(TRUE)
    seen = np.abs(distances * (1 + 0.1 * RANDOM.normal(size=distances.size)))
    return fit(Problem(Dissimilarities(LABELS, seen), FeatureTable(LABELS, (AGE,)), 2), seed=0)


def added(before: Fit, feature: Feature) -> Lowered:
    found = left_by_chance(before, fit(before.problem.knowing(feature), seed=0))
    assert found is not None
    return found


def test_a_feature_that_says_something_leaves_less_than_its_shuffles(before: Fit) -> None:
    size = added(before, SIZE)
    assert (size.feature, size.before) == ("Size", before.stress)
    assert size.after < 0.8 * size.dealt_out < size.before
    assert size.other_arrow is None
    assert size.verdict.startswith("A shuffled Size would have left ")


def test_a_feature_that_says_nothing_leaves_what_its_shuffles_leave(before: Fit) -> None:
    noise = added(before, NOISE)
    # It is one draw of the same chance; shuffles differ by about 2 % of the whole.
    assert noise.after == pytest.approx(noise.dealt_out, rel=0.06)
    # Anything that is added lowers it.
    assert max(noise.after, noise.dealt_out) < noise.before


def test_what_whole_fits_of_shuffled_features_leave_is_told_without_them(before: Fit) -> None:
    shuffled = [
        fit(before.problem.knowing(SIZE.with_values(RANDOM.permutation(SIZE.values))), seed=0)
        for _ in range(5)
    ]
    whole = np.mean([one.stress for one in shuffled])
    # Seven shuffles here and five there, each within some 2 %.
    assert added(before, SIZE).dealt_out == pytest.approx(whole, rel=0.04)


def test_what_is_read_off_the_map_stands_beside_arrows_in_no_particular_direction(
    before: Fit,
) -> None:
    drawn = Arrow((0, 0), (1, 1)).feature("Drawn", before.embedding, ["Age"])
    found = added(before, drawn)
    assert found.other_arrow is not None
    # Any direction of the map gives it a dimension to spare; which one hardly matters.
    assert found.after == pytest.approx(found.other_arrow, rel=0.1)
    assert max(found.after, found.other_arrow) < found.dealt_out < found.before
    assert "Whatever is read off a map lowers this" in found.verdict
    assert "an arrow in no particular direction would have left" in found.verdict


def test_where_more_than_one_feature_differs_nothing_is_said(before: Fit) -> None:
    problem = before.problem
    others = [
        problem,
        problem.knowing(SIZE).knowing(NOISE),
        problem.without("Age"),
        problem.without("Age").knowing(SIZE),
        replace(problem.knowing(SIZE), scale="ordinal"),
        replace(problem.knowing(SIZE), n_components=1),
        replace(problem.knowing(SIZE), coef="diagonal"),
    ]
    for other in others:
        assert added_feature(problem, other) is None
    assert left_by_chance(before, before) is None


def test_the_order_of_what_is_known_makes_no_difference(before: Fit) -> None:
    both = FeatureTable(LABELS, (SIZE, AGE))
    found = added_feature(before.problem, replace(before.problem, known=both))
    assert found is SIZE


@pytest.mark.parametrize("scale", ["ordinal", "power"])
def test_it_is_told_on_other_scales_as_well(before: Fit, scale: str) -> None:
    there = fit(replace(before.problem, scale=scale), seed=0)
    size = added(there, SIZE)
    assert size.after < size.dealt_out < size.before


def test_groups_and_missing_values_are_shuffled_too(before: Fit) -> None:
    sides = Feature.categorical("Side", [None, *np.where(TRUE[1:, 1] > 0, "up", "down")])
    side = added(before, sides)
    assert side.after < side.dealt_out <= side.before


def test_with_no_dimension_left_nothing_can_be_drawn_but_shuffles_tell() -> None:
    data = load_dataset("kinship14")
    table = data.feature_table()
    flat = fit(Problem(data.values(), table.select(["Gender"]), 0), seed=0)
    found = added(flat, table["Generation"])
    assert found.after < found.dealt_out < found.before


def test_the_seed_repeats_it_and_a_number_of_refits_that_makes_no_sense_is_refused(
    before: Fit,
) -> None:
    after = fit(before.problem.knowing(SIZE), seed=0)
    one, again, other = (left_by_chance(before, after, seed=seed) for seed in (1, 1, 2))
    assert one == again != other
    with pytest.raises(UnknownOption):
        left_by_chance(before, after, refits=0)


def test_refits_can_be_stopped_between_two_of_them(before: Fit) -> None:
    seen: list[int] = []

    def on_step(stage: Stage) -> bool:
        seen.append(stage.done)
        return stage.done == 2

    with pytest.raises(Cancelled):
        left_by_chance(before, fit(before.problem.knowing(SIZE), seed=0), on_step=on_step)
    assert seen == [1, 2]
