"""Do people differ, how far do they agree, and who is unlike the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, fit
from cml_core.errors import NothingObserved
from cml_core.evidence.agreement import agreement_of, unlike_others
from cml_core.evidence.held_out_answers import HeldOut, dealt_objects, errors_held_out
from cml_core.evidence.individuals import Individuals, individuals
from cml_core.evidence.refits import as_fitted
from cml_core.fitting.people import people_of
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray, frozen

OBJECTS, PEOPLE = 16, 12
LABELS = tuple(f"object {k}" for k in range(OBJECTS))
NAMES = tuple(f"person {k}" for k in range(PEOPLE))


def asked(values: FloatArray, size: FloatArray, scale: str = "ratio") -> tuple[Fit, Answers]:
    answers = Answers.once(LABELS, NAMES[: len(values)], values)
    known = FeatureTable(LABELS, (Feature.numeric("Size", size),))
    problem = Problem(Dissimilarities(LABELS, answers.mean), known, scale=scale)
    return fit(problem, n_init=5, seed=0), answers


def people(seed: int, *, alike: bool, noise: float = 0.2) -> tuple[FloatArray, FloatArray]:
    """Answers of people, and what is known of the objects."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(OBJECTS, 3))
    weights = np.sqrt(random.gamma(2.0, 0.5, size=(PEOPLE, 3)))
    distances = np.array([pdist(places * (1.0 if alike else own)) for own in weights])
    values = np.abs(distances * (1 + noise * random.normal(size=distances.shape)))
    return values, places[:, 2]


@pytest.fixture(scope="module")
def differing() -> Individuals:
    return individuals(*asked(*people(0, alike=False)))


@pytest.mark.parametrize("scale", ["ratio", "power", "ordinal"])
def test_people_who_differ_are_said_to(scale: str) -> None:
    found = individuals(*asked(*people(1, alike=False), scale), folds=3)
    assert found.differ
    assert found.verdicts[0].startswith("People weigh differently")
    assert (found.not_told < found.not_told_alike).mean() > 0.8


@pytest.mark.parametrize("scale", ["ratio", "ordinal"])
def test_people_who_differ_by_noise_alone_are_not_said_to(scale: str) -> None:
    found = individuals(*asked(*people(2, alike=True), scale), folds=3)
    # Own weights always leave less of what was fitted, which proves nothing.
    assert (found.unexplained < found.unexplained_alike).mean() > 0.5
    assert not found.differ
    assert "the map of the mean" in found.verdicts[0].lower()


def test_of_answers_of_two_values_people_are_never_said_to_differ() -> None:
    values, size = people(9, alike=False)
    parted = (values > np.median(values, axis=1, keepdims=True)).astype(float)
    found = individuals(*asked(parted, size), folds=3)
    assert found.coarse
    assert not found.differ
    assert "cannot be told from answers of two values" in found.verdicts[0]
    parted[0, 0] = 0.5
    assert not individuals(*asked(parted, size), folds=3).coarse


def test_there_is_a_row_for_each_person_and_shares_add_up(differing: Individuals) -> None:
    table = differing.table()
    assert [row[0] for row in table.rows()] == list(NAMES)
    assert differing.dimensions == ("Dimension 1", "Dimension 2", "Size")
    frame = table.frame()
    assert frame[list(differing.dimensions)].sum(axis=1).to_numpy() == pytest.approx(1.0)
    assert differing.table_of_weights().frame().shape == (PEOPLE, 4)
    assert differing.sketch.names == ("Dimension 1", "Dimension 2")


def test_the_same_seed_finds_the_same(differing: Individuals) -> None:
    again = individuals(*asked(*people(0, alike=False)))
    assert np.array_equal(again.not_told, differing.not_told)
    assert np.array_equal(again.weights, differing.weights)


def trial_of(values: FloatArray, size: FloatArray, folds: int) -> HeldOut:
    fitted, answers = asked(values, size)
    judged = people_of(fitted.problem, answers)
    dealt = dealt_objects(judged, OBJECTS, folds, 0)
    return HeldOut(as_fitted(fitted.problem), judged, dealt, 0)


def test_held_out_answers_are_not_seen() -> None:
    values, size = people(3, alike=False)
    trial = trial_of(values, size, 4)
    held_out = trial.held_out(0)
    wild = np.where(held_out, 100.0, values)
    plain, changed = (
        np.sqrt(errors_held_out(replace(trial, people=one), 0) / held_out.sum(axis=1))
        for one in (trial.people, replace(trial.people, values=wild))
    )
    assert plain.max() < 5.0
    # What is told of them, some units, is as far from 100 as it ever was.
    assert changed == pytest.approx(100.0, abs=12.0)


def test_every_object_is_held_out_once_by_everybody_with_all_of_its_pairs() -> None:
    values, size = people(4, alike=True)
    values[2, :30] = np.nan
    trial = trial_of(values, size, 5)
    for row in trial.dealt:
        assert np.ptp(np.bincount(row, minlength=5)) <= 1
    # Not the same ones for all, for else nobody would tell of their places.
    assert len({tuple(row) for row in trial.dealt.tolist()}) > 1
    first, second = np.triu_indices(OBJECTS, 1)
    often = np.sum([trial.held_out(fold) for fold in range(5)], axis=0)
    apart = trial.dealt[:, first] != trial.dealt[:, second]
    assert (often == np.where(apart, 2, 1)).all()
    assert trial.times() == pytest.approx((often * ~np.isnan(values)).sum(axis=1))


def test_agreement_is_that_of_the_correlations() -> None:
    values, _ = people(5, alike=False)
    values[1, 3:9] = np.nan
    answers = Answers.once(LABELS, NAMES, values)
    found = agreement_of(answers, np.arange(PEOPLE))
    seen = ~np.isnan(values[1])
    others = np.delete(values, 1, axis=0).mean(axis=0)
    expected = np.corrcoef(values[1, seen], others[seen])[0, 1]
    assert found.with_others[1] == pytest.approx(expected)
    assert found.common[1] == seen.sum()
    twos = [
        np.corrcoef(values[a, both], values[b, both])[0, 1]
        for a in range(PEOPLE)
        for b in range(a)
        for both in [~np.isnan(values[a] + values[b])]
    ]
    assert found.between == pytest.approx(np.mean(twos))


def test_who_answers_at_random_is_unlike_the_others() -> None:
    values, size = people(6, alike=True)
    values[7] = np.random.default_rng(0).permutation(values[7])
    found = individuals(*asked(values, size), folds=2)
    assert np.flatnonzero(found.unlike).tolist() == [7]
    assert "Unlike the others" in found.verdict
    assert "person 7" in found.verdict


def test_a_correlation_that_chance_explains_is_not_unlike() -> None:
    near = np.array([0.90, 0.90, 0.90, 0.88])
    # Of few pairs .88 is nothing beside .90; of very many it would be.
    assert not unlike_others(near, np.full(4, 50)).any()
    assert unlike_others(near, np.full(4, 100_000)).tolist() == [False, False, False, True]


def test_who_is_left_out_is_said() -> None:
    values, size = people(7, alike=True)
    values[3] = 2.0
    found = individuals(*asked(values, size), folds=2)
    assert found.not_fitted == ("person 3",)
    assert "person 3" in found.remarks
    assert "person 3" not in found.people


def test_a_feature_is_renamed_and_a_dimension_is_none(differing: Individuals) -> None:
    assert differing.mentions("Size")
    assert differing.renamed("Size", "Length").dimensions[-1] == "Length"
    assert not differing.mentions("Dimension 1")
    assert differing.renamed("Dimension 1", "Length") is differing


def test_two_people_are_too_few() -> None:
    values, size = people(8, alike=True)
    with pytest.raises(NothingObserved, match="too few"):
        individuals(*asked(values[:2], size))


def test_who_is_unlike_the_others_is_said_first_where_words_are_few(differing: Individuals) -> None:
    alike = frozen(np.full(PEOPLE, 0.8))
    agreed = replace(differing, with_others=alike)
    assert agreed.brief == "People weigh differently"
    odd = np.where(np.arange(PEOPLE) < 1, 0.1, 0.8)
    assert replace(agreed, with_others=frozen(odd)).brief == "1 person unlike the others"
    unsure = replace(agreed, not_told_alike=agreed.not_told)
    assert unsure.brief == "People weigh alike"
    assert replace(unsure, coarse=True).brief == "Whether people differ is unsure"
