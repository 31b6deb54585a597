"""Maps of a list of pairs: as of a table where it is whole, and pairs held out tell how good."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist

from cml_core import ConditionalMDS, FeatureTable, Pairs, SparseProblem, fit_pairs
from cml_core.errors import (
    ConditionalMappingError,
    DisconnectedWeights,
    LabelMismatch,
    LengthMismatch,
    NegativeDissimilarities,
    NotConverged,
    NothingToExplain,
    NotNumeric,
    ObjectWithoutPairs,
    TooFewObjects,
    UnknownOption,
    UnsuitableMeasurements,
)
from cml_core.fitting.geometry import canonical_correlations


def made(n: int, per_object: int, noise: float, seed: int = 0):
    """Skewed hidden dimensions, popular objects in more pairs, and noise that grows with size."""
    random = np.random.default_rng(seed)
    hidden, known = random.exponential(size=(n, 2)), random.normal(size=(n, 2))
    popular = random.gamma(3, size=n)
    ends = random.choice(n, (n * per_object, 2), p=popular / popular.sum())
    ends = ends[ends[:, 0] != ends[:, 1]][: n * per_object // 2]
    # Nobody is left out.
    ends = np.vstack([ends, np.column_stack([np.arange(n), (np.arange(n) + 1) % n])])
    points = np.hstack([hidden, known])
    delta = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    delta = delta * np.exp(noise * random.standard_t(6, size=len(delta)))
    labels = tuple(f"thing {i}" for i in range(n))
    return Pairs(ends[:, 0], ends[:, 1], delta, labels), hidden, known


def whole(n: int = 40, seed: int = 1):
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, 4))
    delta = pdist(points) * np.exp(0.1 * random.normal(size=n * (n - 1) // 2))
    return np.triu_indices(n, 1), delta, points[:, 2:]


@pytest.mark.parametrize("coef", ["full", "diagonal"])
def test_a_list_of_all_pairs_gives_the_map_of_their_table(coef: str) -> None:
    (first, second), delta, known = whole()
    shuffled = np.random.default_rng(0).permutation(delta.size)
    pairs = Pairs(second[shuffled], first[shuffled], delta[shuffled])
    model = ConditionalMDS(coef=coef, random_state=0, n_init=5, tol=1e-13).fit(pairs, known)
    table = ConditionalMDS(coef=coef, random_state=0, tol=1e-13).fit(delta, known)
    assert model.stress_ == pytest.approx(table.stress_, rel=1e-6)
    np.testing.assert_allclose(np.abs(model.coef_), np.abs(table.coef_), rtol=1e-2, atol=1e-3)
    assert canonical_correlations(model.embedding_, table.embedding_).min() > 0.9999


def test_few_pairs_with_little_noise_show_what_is_hidden() -> None:
    pairs, hidden, known = made(2000, 20, 0.03)
    found = ConditionalMDS(random_state=0).fit(pairs, known).fit_
    # The unpopular are in four pairs or so, and lie where these leave them.
    assert canonical_correlations(found.embedding, hidden).min() > 0.98
    assert found.converged
    assert "are enough" in found.held_out.verdict


def test_held_out_pairs_are_told_as_pairs_that_nobody_observed_are() -> None:
    pairs, hidden, known = made(1500, 24, 0.1)
    found = ConditionalMDS(random_state=0).fit(pairs, known).fit_
    random = np.random.default_rng(9)
    first, second = random.integers(1500, size=(2, 20_000))
    truth = np.linalg.norm(
        np.hstack([hidden, known])[first] - np.hstack([hidden, known])[second], axis=1
    )
    new = truth * np.exp(0.1 * random.standard_t(6, size=truth.size))
    apart = np.linalg.norm(found.best.points[first] - found.best.points[second], axis=1)
    share = ((apart - new) ** 2).sum() / (new**2).sum()
    assert found.held_out.told == pytest.approx(share, rel=0.35)
    assert found.held_out.fitted < found.held_out.told


def test_too_few_pairs_for_their_noise_are_told_and_what_is_advised_clears_the_map() -> None:
    pairs, hidden, known = made(1500, 14, 0.15)
    few = ConditionalMDS(random_state=0).fit(pairs, known).fit_
    assert "too few" in few.held_out.verdict
    assert few.held_out.advised is not None
    more, hidden, known = made(1500, few.held_out.advised, 0.15)
    enough = ConditionalMDS(random_state=0).fit(more, known).fit_
    assert enough.held_out.misplaced < 1.5 * 0.005
    clear = [canonical_correlations(one.embedding, hidden).min() for one in (few, enough)]
    # The unpopular are in fewer pairs than the mean that is advised.
    assert clear[0] < 0.75
    assert clear[1] > 0.85


@pytest.mark.parametrize("n", [4, 40])
def test_where_no_pair_can_be_held_out_nothing_is_told_of_their_number(n: int) -> None:
    # A tree: without any one of its pairs it would fall apart.
    delta = np.random.default_rng(0).uniform(1, 2, n - 1)
    known = np.random.default_rng(1).normal(size=(n, 1))
    found = ConditionalMDS(1, random_state=0).fit(Pairs(range(n - 1), range(1, n), delta), known)
    held = found.fit_.held_out
    assert held.count == 0
    assert np.isnan(held.misplaced)
    assert held.advised is None
    assert "cannot be told" in held.verdict
    assert held.verdict in repr(found.fit_)


def test_gaps_in_what_is_known_are_filled() -> None:
    pairs, hidden, known = made(800, 30, 0.02)
    shown = known.copy()
    shown[::20, 0] = np.nan
    found = ConditionalMDS(random_state=0).fit(pairs, shown)
    assert np.corrcoef(found.known_[::20, 0], known[::20, 0])[0, 1] > 0.9
    assert canonical_correlations(found.embedding_, hidden).min() > 0.97


def test_no_table_of_all_pairs_is_made(memory_below) -> None:
    pairs, _, known = made(3000, 10, 0.05)
    with memory_below(3000 * 3000 * 8 // 3):
        ConditionalMDS(random_state=0).fit(pairs, known)


def test_names_and_a_frame_are_joined_by_label() -> None:
    (first, second), delta, known = whole(12)
    names = np.array([f"thing {i}" for i in range(12)])
    V = pd.DataFrame(known, index=names)[::-1]
    model = ConditionalMDS(random_state=0).fit(Pairs(names[first], names[second], delta), V)
    np.testing.assert_allclose(model.known_, known)
    assert model.fit_.labels == tuple(names)


def test_progress_is_told_and_a_true_answer_cancels() -> None:
    pairs, _, _ = made(300, 10, 0.05)
    problem = SparseProblem(pairs, FeatureTable(pairs.labels))
    found = fit_pairs(problem, seed=0, on_step=lambda step: step.iteration >= 3)
    assert (found.stopped, found.n_iter) == ("cancelled", 3)
    assert found.remarks[-1].category is NotConverged


def test_the_same_seed_gives_the_same_map() -> None:
    pairs, _, known = made(300, 10, 0.05)
    one, other = (ConditionalMDS(random_state=3).fit(pairs, known) for _ in range(2))
    np.testing.assert_array_equal(one.embedding_, other.embedding_)


REFUSED = {
    "two": (lambda: Pairs([0], [1], [1.0]), TooFewObjects, "2 objects"),
    "lengths": (lambda: Pairs([0, 1], [1, 2], [1.0]), LengthMismatch, "2 first"),
    "text": (lambda: Pairs([0, 1], [1, 2], ["a", 1]), NotNumeric, "no list of numbers"),
    "gap": (lambda: Pairs([0, 1], [1, 2], [1, np.nan]), NegativeDissimilarities, "object 2"),
    "self": (lambda: Pairs([0, 1, 2], [1, 2, 2], [1, 1, 1]), UnsuitableMeasurements, "Pair 3"),
    "zeros": (lambda: Pairs([0, 1], [1, 2], [0, 0]), NothingToExplain, "zero"),
    "alone": (lambda: Pairs([0, 1], [1, 3], [1, 1]), ObjectWithoutPairs, "object 3"),
    "pieces": (
        lambda: Pairs([0, 1, 3], [1, 2, 4], [1, 1, 1]),
        DisconnectedWeights,
        "2 groups.*object 4, object 5",
    ),
    "place": (lambda: Pairs([0, 1], [1, 9], [1, 1], ("a", "b", "c")), LabelMismatch, "place 9"),
    "name": (
        lambda: Pairs(["a", "b"], ["b", "z"], [1, 1], ("a", "b", "c")),
        LabelMismatch,
        "'z'",
    ),
    "scale": (
        lambda: ConditionalMDS(scale="ordinal").fit(made(50, 8, 0.1)[0]),
        UnknownOption,
        "scale='ordinal'",
    ),
    "new objects": (
        lambda: ConditionalMDS(random_state=0).fit(made(50, 8, 0.1)[0]).transform([[1.0] * 50]),
        UnknownOption,
        "list of pairs",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_map_is_refused_with_a_way_out(name: str) -> None:
    make, kind, fact = REFUSED[name]
    with pytest.raises(ConditionalMappingError, match=fact) as caught:
        make()
    assert type(caught.value) is kind
