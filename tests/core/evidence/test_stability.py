"""Maps made again: with pairs drawn anew, and without one object at a time."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, FeatureTable, Neighbourhood, Problem, fit
from cml_core.errors import TooFewObjects, UnknownOption
from cml_core.evidence.map_size import NoMap, map_spread
from cml_core.evidence.resampling import (
    made_again,
    refittable,
    refittable_without,
)
from cml_core.evidence.stability import Stability, stability
from cml_core.evidence.work import Cancelled
from cml_core.values.answers import Answers
from cml_core.values.origin import Origin

modest = settings(max_examples=10)
seeds = st.integers(0, 2**32 - 1)
# Where a descent ends is known to about the root of its tolerance of 1e-9.
SAME_OPTIMUM = 1e-3


def relative(result):
    """Standard deviations of all coordinates, as shares of the map's spread."""
    return np.sqrt(np.einsum("nii->ni", result.covariances)) / map_spread(result.centres)


def of_places(places, spread, left_out="pairs", **changes):
    """A result with round spreads about these places."""
    n, p = places.shape
    whole = {
        "left_out": left_out,
        "refits": 10,
        "labels": tuple(f"object {i}" for i in range(n)),
        "centres": places,
        "covariances": spread**2 * np.broadcast_to(np.eye(p), (n, p, p)),
        "converged": 10,
        "seed": 0,
        "omitted": np.empty(0, np.int64),
        "influence": np.full(n, np.nan),
    }
    return Stability(**(whole | changes))


@pytest.fixture(scope="module")
def made(simulate):
    return fit(simulate(14, 2, 2, noise=0.1), n_init=5, seed=0)


@pytest.fixture(scope="module")
def pairs(made):
    return stability(made, refits=60, seed=3)


@pytest.mark.parametrize("left_out", ["pairs", "objects"])
def test_the_seed_repeats_the_refits_alone_and_in_several_processes(made, left_out):
    one, two = (
        stability(made, refits=6, left_out=left_out, seed=5, workers=workers)
        for workers in (None, 2)
    )
    assert np.array_equal(one.centres, two.centres)
    assert np.array_equal(one.covariances, two.covariances)
    assert np.array_equal(one.influence, two.influence, equal_nan=True)
    other = stability(made, refits=6, left_out=left_out, seed=6)
    assert not np.array_equal(one.centres, other.centres)
    assert (one.seed, one.refits, one.left_out) == (5, 6, left_out)


def test_centres_and_covariances_are_those_of_the_places_over_refits(made):
    places = []
    for k in range(4):
        random = np.random.default_rng([7, k])
        weights = random.multinomial(91, np.full(91, 1 / 91)).astype(float)
        places.append(made_again(replace(refittable(made), weights=weights)).places)
    found = stability(made, refits=4, seed=7)
    assert found.centres == pytest.approx(np.mean(places, axis=0))
    one = np.cov(np.array(places)[:, 5].T)
    assert found.covariances[5] == pytest.approx(one)
    assert found.converged == 4
    assert not found.covariances.flags.writeable
    assert not pickle.loads(pickle.dumps(found)).centres.flags.writeable


def test_exact_data_give_the_same_map_however_pairs_are_drawn(simulate):
    # Pairs outnumber what is to be found by far, so even those drawn have one exact map.
    exact = fit(simulate(16, 1, 2, noise=0.0), n_init=20, seed=0)
    assert exact.stress < 1e-10
    for left_out in ("pairs", "objects"):
        found = stability(exact, refits=20, left_out=left_out)
        assert found.spreads().max() < 0.01
        assert found.centres == pytest.approx(exact.embedding, abs=0.01)
    assert np.nanmax(found.influence) < 0.01


def test_noisier_data_spread_farther(simulate):
    quiet, loud = (
        stability(fit(simulate(16, 1, 2, noise=noise), n_init=5, seed=0), refits=40)
        for noise in (0.02, 0.3)
    )
    # Spreads grow about in proportion to the noise, which is fifteenfold.
    assert np.median(loud.spreads()) > 4 * np.median(quiet.spreads())


@modest
@given(seed=seeds, factor=st.sampled_from([1e-6, 3.0, 1e6]))
def test_the_unit_of_the_dissimilarities_scales_the_spread_and_nothing_else(simulate, seed, factor):
    # A little noise: with more, a draw can have two minima, and rounding decides between them.
    problem = simulate(14, 1, 2, noise=0.03, seed=seed)
    first = fit(problem, n_init=3, seed=0)
    larger = Dissimilarities(first.labels, factor * problem.dissimilarities.condensed)
    best = replace(first.best, embedding=factor * first.embedding, coef=factor * first.coef)
    second = replace(first, problem=replace(problem, dissimilarities=larger), best=best)
    for left_out in ("pairs", "objects"):
        one, two = (stability(made, refits=8, left_out=left_out) for made in (first, second))
        assert relative(two) == pytest.approx(relative(one), abs=SAME_OPTIMUM)
        limit = SAME_OPTIMUM * map_spread(two.centres)
        assert two.centres == pytest.approx(factor * one.centres, abs=limit)
        assert two.influence == pytest.approx(one.influence, abs=SAME_OPTIMUM, nan_ok=True)


@modest
@given(seed=seeds)
def test_a_turned_map_has_turned_outlines(simulate, seed):
    first = fit(simulate(14, 1, 2, noise=0.03, seed=seed), n_init=3, seed=0)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(2, 2)))[0]
    second = replace(first, best=replace(first.best, embedding=first.embedding @ turn))
    one, two = (stability(made, refits=8) for made in (first, second))
    size = map_spread(first.embedding)
    assert two.centres == pytest.approx(one.centres @ turn, abs=SAME_OPTIMUM * size)
    turned = turn.T @ one.covariances @ turn
    assert two.covariances == pytest.approx(turned, abs=SAME_OPTIMUM * size**2)


@modest
@given(seed=seeds)
def test_the_order_of_the_objects_does_not_matter_where_each_is_left_out(simulate, seed):
    first = fit(simulate(12, 1, 2, noise=0.03, seed=seed), n_init=3, seed=0)
    order = np.random.default_rng(seed).permutation(12)
    labels = tuple(first.labels[i] for i in order)
    square = first.problem.dissimilarities.square()[np.ix_(order, order)]
    problem = replace(
        first.problem,
        dissimilarities=Dissimilarities.from_square(square, labels),
        known=first.problem.known.for_objects(labels),
    )
    best = replace(
        first.best, embedding=first.embedding[order], known_values=first.known_values[order]
    )
    second = replace(first, problem=problem, best=best)
    one, two = (stability(made, left_out="objects") for made in (first, second))
    assert two.influence == pytest.approx(one.influence[order], abs=SAME_OPTIMUM)
    assert relative(two) == pytest.approx(relative(one)[order], abs=SAME_OPTIMUM)


def test_leaving_out_objects_is_a_jackknife(made):
    found = stability(made, left_out="objects")
    assert found.refits == 14
    assert found.omitted.tolist() == list(range(14))
    places = np.full((14, 14, 2), np.nan)
    for i in range(14):
        kept = np.delete(np.arange(14), i)
        again = made_again(refittable_without(made, i)).places
        assert again.mean(axis=0) == pytest.approx(made.embedding[kept].mean(axis=0))
        places[i, kept] = again
    ours = np.delete(places[:, 4], 4, axis=0)
    moves = ours - ours.mean(axis=0)
    assert found.covariances[4] == pytest.approx(12 / 13 * moves.T @ moves)
    gaps = np.nansum((places[4] - made.embedding) ** 2) / 13
    assert found.influence[4] == pytest.approx(np.sqrt(gaps) / map_spread(made.embedding))


def test_one_refit_without_an_object_is_the_fit_of_the_others(made):
    labels = made.labels[:3] + made.labels[4:]
    problem = replace(
        made.problem,
        dissimilarities=made.problem.dissimilarities.subset(labels),
        known=made.problem.known.for_objects(labels),
    )
    kept = np.delete(np.arange(14), 3)
    alone = fit(problem, init=(made.embedding[kept], made.coef), seed=0)
    found = made_again(refittable_without(made, 3))
    size = map_spread(made.embedding)
    assert pdist(found.places) == pytest.approx(pdist(alone.embedding), abs=SAME_OPTIMUM * size)


def test_of_many_objects_some_are_drawn_by_lot(made):
    found = stability(made, refits=5, left_out="objects", seed=1)
    assert found.refits == found.omitted.size == 5
    assert np.flatnonzero(np.isfinite(found.influence)).tolist() == found.omitted.tolist()
    assert np.isfinite(found.covariances).all()
    assert "(5 of 14 were)" in found.verdict
    other = stability(made, refits=5, left_out="objects", seed=2)
    assert found.omitted.tolist() != other.omitted.tolist()


def test_an_object_that_does_not_fit_in_moves_the_others_most(simulate):
    problem = simulate(14, 1, 2, noise=0.02)
    square = problem.dissimilarities.square()
    random = np.random.default_rng(0)
    square[6, :6] = square[:6, 6] = 3 * random.permutation(square[6, :6])
    odd = replace(problem, dissimilarities=Dissimilarities.from_square(square))
    found = stability(fit(odd, seed=0), left_out="objects")
    assert np.argmax(found.influence) == 6
    assert "without object 7" in found.verdict


@pytest.mark.slow
@pytest.mark.parametrize("left_out", ["pairs", "objects"])
@pytest.mark.parametrize(
    "changes",
    [
        {"missing_pairs": 12},
        {"weights": "sammon", "missing_pairs": 5},
        {"weights": "general"},
        {"missing_entries": 4},
        {"coef": "diagonal", "missing_entries": 4},
        {"q": 0},
        {"hidden": 1},
        {"hidden": 3},
        {"dtype": np.float32},
    ],
    ids=str,
)
def test_every_kind_of_problem_can_be_made_again(simulate, left_out, changes):
    q = changes.get("q", 2)
    options = {name: value for name, value in changes.items() if name != "q"}
    first = fit(simulate(13, q, 2, noise=0.1, **options), n_init=3, seed=0)
    found = stability(first, refits=5, left_out=left_out)
    p = first.embedding.shape[1]
    assert found.centres.shape == (13, p)
    assert np.linalg.eigvalsh(found.covariances).min() > -1e-9
    assert np.isfinite(found.ellipses()).all()
    # The refits stay near the map they were turned onto.
    assert map_spread(found.centres - first.embedding) < 0.5 * map_spread(first.embedding)


@pytest.mark.parametrize("left_out", ["pairs", "objects"])
def test_geodesics_themselves_are_drawn(simulate, left_out):
    problem = replace(simulate(16, 1, 2), neighbourhood=Neighbourhood(5))
    first = fit(problem, n_init=3, seed=0)
    plain = replace(problem, dissimilarities=problem.targets, neighbourhood=None)
    found = stability(first, refits=5, left_out=left_out)
    other = stability(replace(first, problem=plain), refits=5, left_out=left_out)
    assert np.array_equal(found.centres, other.centres)


def test_what_was_asked_is_checked_first(made, simulate):
    with pytest.raises(NoMap):
        stability(fit(simulate(8, 2, 0), seed=0))
    with pytest.raises(UnknownOption, match="left_out"):
        stability(made, left_out="features")
    with pytest.raises(UnknownOption, match="refits"):
        stability(made, refits=2)
    with pytest.raises(UnknownOption, match="seed"):
        stability(made, seed=-1)
    three = Dissimilarities.from_condensed([1.0, 2.0, 3.0])
    small = fit(Problem(three, FeatureTable(three.labels), n_components=1), n_init=1, seed=0)
    with pytest.raises(TooFewObjects, match="at least 4"):
        stability(small, left_out="objects")
    assert stability(small, refits=3).refits == 3


def test_it_reports_each_refit_and_can_be_cancelled(made):
    seen = []
    stability(made, refits=4, on_step=lambda stage: seen.append(stage.done))
    assert seen == [1, 2, 3, 4]
    with pytest.raises(Cancelled, match="Stopped after 2 of 4"):
        stability(made, refits=4, on_step=lambda stage: stage.done == 2)


def test_an_outline_holds_the_share_of_places_that_was_asked_for(pairs):
    random = np.random.default_rng(0)
    drawn = random.multivariate_normal(pairs.centres[2], pairs.covariances[2], size=20_000)
    for share in (0.5, 0.95):
        outline = pairs.ellipses(share, points=721)[2]
        assert outline[0] == pytest.approx(outline[-1])
        around = outline - pairs.centres[2]
        inverse = np.linalg.inv(pairs.covariances[2])
        reach = np.einsum("mi,ij,mj->m", around, inverse, around)
        gaps = drawn - pairs.centres[2]
        inside = np.einsum("mi,ij,mj->m", gaps, inverse, gaps) <= reach.mean()
        # Every corner lies on one and the same ellipse; five standard errors of a share.
        assert reach == pytest.approx(np.full(721, reach.mean()))
        assert inside.mean() == pytest.approx(share, abs=5 * (share * (1 - share) / 20_000) ** 0.5)


def test_outlines_are_drawn_in_any_two_dimensions_and_flat_in_one():
    random = np.random.default_rng(1)
    places, widths = random.normal(size=(4, 3)), np.diag([1.0, 4.0, 9.0])
    found = of_places(places, 1.0, covariances=np.broadcast_to(widths, (4, 3, 3)))
    outline = found.ellipses(axes=(2, 0))
    assert outline.shape == (4, 48, 2)
    extent = np.ptp(found.ellipses(axes=(2, 0), points=721), axis=1)
    assert extent[:, 0] == pytest.approx(3 * extent[:, 1])
    flat = of_places(places[:, :1], 2.0).ellipses(points=49)
    assert (flat[:, :, 1] == 0).all()
    # 95 % of a normal distribution lie within 1.96 standard deviations.
    assert np.ptp(flat[:, :, 0], axis=1) == pytest.approx(np.full(4, 2 * 1.95996 * 2.0), rel=1e-5)


@pytest.mark.parametrize("axes", [(0, 0), (0, 2), (0,), (0, 1, 1), (-1, 0), (0.5, 1), 0, "01"])
def test_axes_are_two_different_dimensions_of_the_map(pairs, axes):
    with pytest.raises(UnknownOption, match="axes"):
        pairs.ellipses(axes=axes)


@pytest.mark.parametrize("share", [0, 1, np.nan, "most"])
def test_a_share_lies_between_nothing_and_all(pairs, share):
    with pytest.raises(UnknownOption, match="share"):
        pairs.ellipses(share)


@pytest.mark.parametrize(
    ("spread", "words"),
    [(0.05, "does not hang on single pairs"), (0.2, "the whole holds"), (0.6, "too uncertain")],
)
def test_the_verdict_on_pairs_goes_by_the_typical_spread(spread, words):
    places = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    found = of_places(places, spread)
    assert found.spreads() == pytest.approx(np.full(4, spread * 2**0.5))
    assert words in found.verdict
    assert found.verdict in repr(found)
    assert "stopped early" not in found.verdict
    assert "3 of 10 refits stopped early" in replace(found, converged=7).verdict


@pytest.mark.parametrize(
    ("farthest", "words"),
    [(0.1, "no single object makes"), (0.3, "has a say"), (0.9, "the map hangs on")],
)
def test_the_verdict_on_objects_names_the_one_that_matters_most(farthest, words):
    places = np.eye(4)[:, :2]
    found = of_places(
        places,
        0.1,
        "objects",
        omitted=np.arange(4),
        influence=np.array([0.01, farthest, 0.02, 0.03]),
    )
    assert words in found.verdict
    assert "without object 1" in found.verdict
    assert "if other objects of the kind had been compared" in found.meaning
    assert "places that an object takes" in replace(found, left_out="pairs").meaning


def of_people(simulate, wrong=0.2, people=9):
    """A map of the mean of what people say, each with an error of their own about each object."""
    random = np.random.default_rng(0)
    problem = simulate(10, 1, 2, noise=0.0)
    true = problem.dissimilarities.condensed
    first, second = np.triu_indices(10, 1)
    factors = np.exp(wrong * random.normal(size=(people, 10)))
    names = tuple(f"person {k}" for k in range(people))
    answers = Answers.once(
        problem.known.labels, names, true * factors[:, first] * factors[:, second]
    )
    mean = Dissimilarities(answers.labels, answers.mean)
    return fit(replace(problem, dissimilarities=mean), n_init=5, seed=0), answers


def test_people_drawn_anew_move_places_as_far_as_people_differ(simulate):
    alike, differing = (
        stability(found, left_out="people", answers=answers, refits=30).spreads().mean()
        for found, answers in (of_people(simulate, wrong) for wrong in (0.02, 0.2))
    )
    # Ten times the differences; far from a map that is bent by them a spread grows in proportion.
    assert 3 * alike < differing < 30 * alike


def test_people_can_only_be_drawn_where_their_answers_are_mapped(simulate):
    found, answers = of_people(simulate)
    with pytest.raises(UnknownOption, match="single answers"):
        stability(found, left_out="people")
    by_ways = replace(found.problem, neighbourhood=Neighbourhood(4))
    with pytest.raises(UnknownOption, match="single answers"):
        stability(fit(by_ways, n_init=2, seed=0), left_out="people", answers=answers)


def test_outlines_of_people_lie_around_the_map_and_are_wide_enough_for_few_people(simulate):
    found, answers = of_people(simulate)
    steady = stability(found, left_out="people", answers=answers, refits=20)
    assert steady.people == answers.n_people
    assert np.array_equal(steady.centres, found.embedding)
    wide, narrow = (np.ptp(one.ellipses(), axis=1) for one in (steady, replace(steady, people=0)))
    assert np.all(wide > 1.2 * narrow)


def test_it_is_said_that_people_were_drawn(simulate):
    found, answers = of_people(simulate)
    judged = Origin("pairs")
    steady = stability(found, left_out="people", answers=answers, origin=judged, refits=5)
    assert "times to answers of people drawn anew" in steady.verdict
    assert steady.title == "How steady are the places? People drawn again"
    assert "with other people" in steady.meaning
