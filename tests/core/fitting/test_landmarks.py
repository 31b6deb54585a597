"""Maps by landmarks: nearly those of all pairs, whatever the blocks, and they say how near."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import cdist, pdist

from cml_core import (
    ConditionalIsomap,
    ConditionalMDS,
    Feature,
    FeatureTable,
    LargeProblem,
    Measurements,
    fit_landmarks,
)
from cml_core.errors import LabelMismatch, NotConverged, UnknownOption
from cml_core.fitting import threads
from cml_core.fitting.geometry import canonical_correlations
from cml_core.fitting.landmarks import fit as fitting
from cml_core.fitting.landmarks import placing
from cml_core.fitting.landmarks.placing import placed
from cml_core.fitting.landmarks.references import references_at
from cml_core.values import measurements as values_measurements
from cml_core.values.measures import comparison


def made(n: int = 1500, seed: int = 0, clustered: bool = False) -> tuple[np.ndarray, ...]:
    """Answers to 30 questions, bent and unevenly noisy: measurements, hidden, known features.

    None of it is what stress assumes: answers saturate, errors grow with the answer, and the
    hidden dimensions are skewed or clustered.
    """
    random = np.random.default_rng(seed)
    hidden = random.exponential(size=(n, 2))
    if clustered:
        hidden = random.normal(size=(5, 2))[random.integers(5, size=n)] * 3
        hidden += 0.5 * random.normal(size=(n, 2))
    group = random.choice(["a", "b", "c"], n)
    age = random.normal(size=n)
    inner = np.column_stack([hidden, group == "a", group == "b", age])
    answers = np.tanh(inner @ random.normal(size=(5, 30)) / 4)
    answers += 0.05 * (1 + answers**2) * random.normal(size=answers.shape)
    return answers, hidden, age, group


def question(answers, age, group, measure: str = "euclidean") -> LargeProblem:
    held = Measurements(answers, measure)
    features = (Feature.numeric("age", age), Feature.categorical("group", group))
    return LargeProblem(held, FeatureTable(held.names, features))


def dense_stress(answers: np.ndarray, found, measure: str = "euclidean") -> float:
    """The normalised stress of a whole map, from all its pairs."""
    delta = pdist(answers, measure)
    distances = pdist(np.hstack([found.embedding, found.known_values @ found.coef]))
    return float(((delta - distances) ** 2).sum() / (delta**2).sum())


@pytest.fixture(scope="module")
def answers():
    return made()


@pytest.fixture(scope="module")
def found(answers):
    X, _, age, group = answers
    return fit_landmarks(question(X, age, group), n_landmarks=400, seed=0)


@pytest.fixture(scope="module")
def dense(answers):
    X, _, age, group = answers
    return ConditionalMDS(random_state=0).fit(pdist(X), pd.DataFrame({"age": age, "group": group}))


def test_the_map_is_nearly_that_of_all_pairs(answers, found, dense) -> None:
    excess = dense_stress(answers[0], found) / dense.stress_ - 1
    # What is lost falls as one over the number of landmarks: .3 % with 2,000.
    assert 0 < excess < 0.03
    assert canonical_correlations(found.embedding, dense.embedding_).min() > 0.999


def test_the_sample_tells_the_stress_of_the_whole_map(answers, found) -> None:
    # 1,500 objects are all in the sample, so nothing is left to chance.
    assert found.sampled.n_objects == 1500
    assert found.stress == pytest.approx(dense_stress(answers[0], found), rel=1e-6)


def test_who_has_been_placed_before_is_not_placed_again(answers, found, monkeypatch) -> None:
    X, _, age, group = answers
    monkeypatch.setattr(fitting, "everyone", lambda *_: pytest.fail("all are placed again"))
    blocks = []
    again = fit_landmarks(
        question(X, age, group),
        n_landmarks=400,
        seed=0,
        on_placed=lambda first, block: blocks.append((first, block.embedding)),
        again=found.everyone,
    )
    assert again.placed is found.placed
    assert (again.sampled, again.stopped, again.converged) == (
        found.sampled,
        found.stopped,
        found.converged,
    )
    np.testing.assert_array_equal(again.landmarks.embedding, found.landmarks.embedding)
    ((first, embedding),) = blocks
    assert first == 0
    np.testing.assert_array_equal(embedding, found.embedding)
    # Stopped before its landmarks are there, it is no whole map.
    stopped = fit_landmarks(
        question(X, age, group),
        n_landmarks=400,
        seed=0,
        on_step=lambda _: True,
        again=found.everyone,
    )
    assert np.isnan(stopped.placed.unexplained).any()


@pytest.mark.parametrize("clustered", [False, True])
def test_what_is_lost_against_all_pairs_is_told_about_right(clustered: bool) -> None:
    X, _, age, group = made(1200, 3, clustered)
    held = pd.DataFrame({"age": age, "group": group})
    best = ConditionalMDS(random_state=0).fit(pdist(X), held).stress_
    told, true = [], []
    for seed in range(8):
        one = fit_landmarks(question(X, age, group), n_landmarks=200, seed=seed)
        told.append(one.sampled.loss)
        true.append(dense_stress(X, one) / best - 1)
    assert 0.4 < np.mean(told) / np.mean(true) < 2.0


def test_the_standard_error_of_the_stress_covers_the_whole_map(monkeypatch) -> None:
    monkeypatch.setattr("cml_core.fitting.landmarks.fit.SAMPLE", 150)
    X, _, age, group = made(900, 5)
    off = []
    for seed in range(12):
        one = fit_landmarks(question(X, age, group), n_landmarks=100, seed=seed)
        off.append((one.stress - dense_stress(X, one)) / one.sampled.error)
    assert 0.4 < np.sqrt(np.mean(np.square(off))) < 1.7


@pytest.mark.parametrize("measure", ["euclidean", "cityblock"])
def test_more_landmarks_come_nearer_to_the_fit_of_all_pairs(measure: str) -> None:
    X, _, age, group = made(1200, 3, clustered=True)
    held = pd.DataFrame({"age": age, "group": group})
    best = ConditionalMDS(random_state=0).fit(pdist(X, measure), held).stress_
    asked, left, told = question(X, age, group, measure), [], []
    for count in (100, 200, 400):
        some = [fit_landmarks(asked, n_landmarks=count, seed=seed) for seed in range(4)]
        left.append(np.mean([dense_stress(X, one, measure) / best - 1 for one in some]))
        told.append(np.mean([one.sampled.loss for one in some]))
    assert left == sorted(left, reverse=True)
    assert told == sorted(told, reverse=True)
    assert left[2] < 0.5 * left[0]


def test_blocks_and_threads_change_nothing(answers, found, monkeypatch) -> None:
    X, _, age, group = answers
    for module in (values_measurements, comparison):
        monkeypatch.setattr(module, "BLOCK", 171)
    monkeypatch.setattr(placing, "PART", 19)
    monkeypatch.setenv("CML_THREADS", "1")
    threads.shared_threads.cache_clear()
    try:
        again = fit_landmarks(question(X, age, group), n_landmarks=400, seed=0)
    finally:
        threads.shared_threads.cache_clear()
    np.testing.assert_allclose(again.embedding, found.embedding, atol=1e-6)
    np.testing.assert_allclose(again.placed.unexplained, found.placed.unexplained, atol=1e-6)


def test_landmarks_lie_where_their_own_fit_put_them(found) -> None:
    np.testing.assert_array_equal(found.embedding[found.chosen], found.landmarks.embedding)


def test_an_object_lies_where_its_own_stress_is_least(answers, found) -> None:
    X, others = answers[0], np.setdiff1d(np.arange(1500), found.chosen)[:12]
    settled = found.references.settled
    for i in others:
        delta = cdist(X[[i]], X[found.chosen])[0]
        known = settled.known_places - found.known_values[i] @ settled.coef

        def own(u, delta=delta, known=known):
            apart = np.hstack([settled.embedding - u, known])
            return ((delta - np.linalg.norm(apart, axis=1)) ** 2).sum()

        best = minimize(own, found.embedding[i], method="Nelder-Mead", options={"xatol": 1e-9})
        scale = 1.0 / found.references.unit
        np.testing.assert_allclose(found.embedding[i], best.x, atol=1e-5 * scale)
        assert found.placed.unexplained[i] == pytest.approx(
            own(best.x) / (delta**2).sum(), rel=1e-4
        )


@pytest.mark.parametrize("measure", ["cityblock", "cosine", "correlation"])
def test_other_measures_show_the_hidden_features_as_the_fit_of_all_pairs_does(measure) -> None:
    X, _, age, group = made(900, 1)
    one = fit_landmarks(question(X, age, group, measure), n_landmarks=300, seed=0)
    V = pd.DataFrame({"age": age, "group": group})
    whole = ConditionalMDS(random_state=0).fit(pdist(X, measure), V)
    assert canonical_correlations(one.embedding, whole.embedding_).min() > 0.99


@pytest.mark.parametrize("n_components", [0, 1, 3])
def test_there_may_be_any_number_of_hidden_dimensions(n_components: int, answers) -> None:
    X, _, age, group = answers
    asked = question(X[:500], age[:500], group[:500])
    asked = LargeProblem(asked.measurements, asked.known, n_components=n_components)
    one = fit_landmarks(asked, n_landmarks=150, seed=0)
    assert one.embedding.shape == (500, n_components)
    assert one.stress == pytest.approx(dense_stress(X[:500], one), rel=1e-5)


def test_known_features_of_every_kind_and_with_gaps_are_taken_out() -> None:
    random = np.random.default_rng(2)
    n = 900
    hidden, angle, height = random.normal(size=n), random.uniform(0, 360, n), random.normal(size=n)
    size = random.integers(0, 3, n)
    turn = np.deg2rad(angle)
    inner = np.column_stack([2 * hidden, np.cos(turn), np.sin(turn), height**3 / 4, height, size])
    X = inner @ np.linalg.qr(random.normal(size=(20, 6)))[0].T + 0.05 * random.normal(size=(n, 20))
    gaps = random.random(n) < 0.1
    shown = np.where(gaps, np.nan, angle)
    held = Measurements(X)
    known = FeatureTable(
        held.names,
        (
            Feature.circular("angle", shown),
            Feature.of("curved", "height", height),
            Feature.ordinal("size", [("S", "M", "L")[k] for k in size], ["S", "M", "L"]),
        ),
    )
    one = fit_landmarks(LargeProblem(held, known, n_components=1), n_landmarks=300, seed=0)
    assert abs(np.corrcoef(one.embedding[:, 0], hidden)[0, 1]) > 0.98
    filled = known.features[0].decoded(one.known_values[:, :2])
    off = np.abs((filled - angle + 180) % 360 - 180)[gaps]
    assert np.median(off) < 15


def test_missing_entries_are_moved_to_the_least_stress_together_with_the_place() -> None:
    random = np.random.default_rng(4)
    points = random.normal(size=(40, 3))
    settled = _settled(points)
    references = references_at(settled, 1.0, (cdist(points, points) ** 2).mean(axis=0))
    new = random.normal(size=(5, 3))
    values = new[:, 2:].copy()
    values[1] = values[3] = np.nan
    delta = cdist(new, points).astype(np.float32)
    where = placed(references, delta, values)
    # The distances are exact, so the places are, and with them what is missing; but a point's
    # distances to others say nothing of in which order the two dimensions are.
    np.testing.assert_allclose(where.embedding, new[:, :2], atol=1e-5)
    np.testing.assert_allclose(where.known_values, new[:, 2:], atol=1e-5)
    assert (where.unexplained < 1e-9).all()


def test_missing_dissimilarities_and_weights_count_as_they_do_in_a_fit() -> None:
    random = np.random.default_rng(6)
    points, new = random.normal(size=(30, 2)), random.normal(size=(4, 2))
    settled = _settled(points, known=0)
    references = references_at(settled, 1.0, (cdist(points, points) ** 2).mean(axis=0))
    delta = cdist(new, points)
    wrong = delta.copy()
    wrong[:, :10] = 7.0
    gaps, weights = delta.copy(), np.ones_like(delta)
    gaps[:, :10], weights[:, :10] = np.nan, 0.0
    nothing = np.zeros((4, 0))
    one = placed(references, gaps.astype(np.float32), nothing)
    other = placed(references, wrong.astype(np.float32), nothing, weights)
    np.testing.assert_allclose(one.embedding, new, atol=1e-5)
    np.testing.assert_allclose(other.embedding, new, atol=1e-5)


def _settled(points: np.ndarray, known: int = 1):
    from cml_core.fitting.configuration import Configuration

    p = points.shape[1] - known
    return Configuration(points[:, :p], np.eye(known), points[:, p:])


def test_progress_is_told_and_a_true_answer_cancels(answers) -> None:
    X, _, age, group = answers
    steps = []
    fit_landmarks(question(X, age, group), n_landmarks=100, seed=0, on_step=steps.append)
    assert steps[-1].placed == 1500


def test_a_cancelled_fit_says_what_has_no_place(answers, monkeypatch) -> None:
    X, _, age, group = answers
    monkeypatch.setattr(comparison, "BLOCK", 400)
    one = fit_landmarks(
        question(X, age, group), n_landmarks=100, seed=0, on_step=lambda step: step.placed >= 800
    )
    assert np.isnan(one.embedding[:, 0]).sum() == 700
    assert (one.stopped, one.converged) == ("cancelled", False)
    assert "700 objects have no place" in one.remarks[-1].text
    assert one.remarks[-1].category is NotConverged
    at_once = fit_landmarks(question(X, age, group), n_landmarks=100, on_step=lambda _: True)
    assert np.isfinite(at_once.embedding[:, 0]).sum() == 100


def test_the_estimator_chooses_by_the_number_of_objects(answers, monkeypatch) -> None:
    X, _, age, group = answers
    monkeypatch.setattr("cml_core.estimators.DENSE_UP_TO", 1000)
    V = pd.DataFrame({"age": age, "group": group})
    model = ConditionalMDS(n_landmarks=200, random_state=0)
    assert "by 200 landmarks" in repr(model.fit(Measurements(X), V).fit_)
    assert model.embedding_.shape == (1500, 2)
    assert model.known_.shape == (1500, 3)
    assert model.coef_names_ == ["age", "group [1]", "group [2]"]
    whole = ConditionalMDS(random_state=0).fit(Measurements(X[:900]), V[:900])
    assert whole.scaled_.size == 900 * 899 // 2


def test_b_may_be_given_and_every_object_is_placed_by_it(answers, found) -> None:
    X, _, age, group = answers
    B = 0.5 * found.coef
    asked = question(X, age, group)
    asked = LargeProblem(asked.measurements, asked.known, coef=B)
    one = fit_landmarks(asked, n_landmarks=100, seed=0)
    np.testing.assert_allclose(one.coef, B, atol=1e-12)
    assert one.stress == pytest.approx(dense_stress(X, one), rel=1e-6)
    assert one.sampled.loss > 0


def test_the_same_seed_gives_the_same_map(answers) -> None:
    X, _, age, group = answers
    one, other = (fit_landmarks(question(X, age, group), n_landmarks=100, seed=7) for _ in range(2))
    np.testing.assert_array_equal(one.embedding, other.embedding)
    copy = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(copy.embedding, one.embedding)


def test_landmarks_may_be_all_objects(answers) -> None:
    X, _, age, group = answers
    one = fit_landmarks(question(X[:80], age[:80], group[:80]), n_landmarks=2000, seed=0)
    np.testing.assert_array_equal(one.embedding, one.landmarks.embedding)
    assert one.stress == pytest.approx(one.landmarks.stress, rel=1e-9)
    assert np.isnan(one.sampled.loss)


@pytest.mark.parametrize(
    "asked",
    [{"scale": "ordinal"}, {"init": "random"}, {"n_landmarks": 2}],
)
def test_what_needs_all_pairs_is_refused_with_a_way_out(asked) -> None:
    X = made(50)[0]
    with pytest.raises(UnknownOption, match=next(iter(asked))):
        ConditionalMDS(solver="landmarks", **asked).fit(Measurements(X))


def test_landmarks_need_measurements_and_no_neighbourhood() -> None:
    X = made(50)[0]
    with pytest.raises(UnknownOption, match="holds all pairs already"):
        ConditionalMDS(solver="landmarks").fit(pdist(X))
    with pytest.raises(UnknownOption, match="neighbourhood"):
        ConditionalIsomap(solver="landmarks").fit(Measurements(X))
    with pytest.raises(UnknownOption, match="weights"):
        ConditionalMDS(solver="landmarks").fit(Measurements(X), weights="sammon")


def test_features_of_other_objects_are_refused() -> None:
    with pytest.raises(LabelMismatch):
        LargeProblem(Measurements(np.eye(3)), FeatureTable(("a", "b", "c")))


@pytest.mark.parametrize(("groups", "landmarks"), [(0, 40), (7, 40), (33, 20), (300, 10)])
def test_many_groups_take_fewer_landmarks(groups: int, landmarks: int, monkeypatch) -> None:
    for name, value in (("MORE_LANDMARKS", 40), ("FEWEST_LANDMARKS", 10), ("USUAL_COLUMNS", 8)):
        monkeypatch.setattr(fitting, name, value)
    measured = Measurements(np.zeros((600, 2)))
    kinds = (Feature.categorical("Group", [f"{k % groups}" for k in range(600)]),) if groups else ()
    asked = LargeProblem(measured, FeatureTable(measured.names, kinds), 0)
    assert asked.n_columns == max(groups - 1, 0)
    assert fitting._count("auto", asked) == landmarks
    assert fitting._count(123, asked) == 123
