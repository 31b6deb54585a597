"""The scales: what does not matter on each, what stands in place of the data, and what is exact."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from cml_core import ConditionalMDS, Dissimilarities, FeatureTable, Problem, fit, load_dataset
from cml_core.errors import ConditionalMappingError
from cml_core.fitting.scales.admissible import nearest
from cml_core.fitting.scales.isotonic import scratch_for
from cml_core.fitting.scales.ordinal import TIES
from cml_core.fitting.scales.registry import SCALES

modest = settings(max_examples=12)
seeds = st.integers(0, 2**32 - 1)
ALL = tuple(SCALES)
CHANGING = [name for name in ALL if name != "ratio"]
ADMITTING = ["interval", "spline", "ordinal"]
SHAPES = [
    {},
    {"q": 0},
    {"p": 0},
    {"q": 0, "p": 1},
    {"missing_pairs": 8},
    {"missing_entries": 3},
    {"weights": "general", "coef": "diagonal", "missing_pairs": 4},
]
shapes = st.sampled_from(SHAPES)
# What makes no difference on a scale.
MEANING_THE_SAME = {
    "ordinal": [np.exp, np.cbrt, lambda d: 1e6 * d**3 - 2e-3, lambda d: np.log1p(9 * d)],
    "interval": [lambda d: 0.01 * d, lambda d: 7 * d + 50, lambda d: 1e5 * d + 3],
    "spline": [lambda d: 0.01 * d, lambda d: 7 * d + 50, lambda d: 1e5 * d + 3],
    "power": [np.square, np.sqrt, lambda d: 1e4 * d**1.7, lambda d: 0.3 * d],
}
cases = st.sampled_from([(s, k) for s, ways in MEANING_THE_SAME.items() for k in range(len(ways))])


def named(shape):
    return " ".join(f"{key}={value}" for key, value in shape.items()) or "usual"


def on(problem, scale, **options):
    return replace(problem, scale=scale, **options)


def with_values(problem, condensed):
    labels = problem.dissimilarities.labels
    return replace(problem, dissimilarities=Dissimilarities.from_condensed(condensed, labels))


def of(condensed, **options):
    data = Dissimilarities.from_condensed(np.asarray(condensed, float))
    return Problem(data, FeatureTable(data.labels), **options)


def same(one, other):
    """Two fits of what means the same."""
    assert other.stress == pytest.approx(one.stress, rel=1e-9, abs=1e-14)
    # A stress within 1e-9 of the lowest fixes places to its root at worst.
    size = one.distances().max()
    assert np.allclose(other.distances(), one.distances(), rtol=0, atol=1e-4 * size)
    assert np.allclose(other.scaled, one.scaled, rtol=0, atol=1e-4, equal_nan=True)


@modest
@given(seed=seeds, shape=shapes, case=cases)
@pytest.mark.slow
def test_what_means_the_same_on_a_scale_is_fitted_the_same(simulate, seed, shape, case):
    scale, way = case
    problem = on(simulate(11, noise=0.3, seed=seed, **shape), scale)
    changed = with_values(problem, MEANING_THE_SAME[scale][way](problem.dissimilarities.condensed))
    same(*(fit(each, n_init=2, seed=0) for each in (problem, changed)))


@pytest.mark.parametrize("shape", SHAPES, ids=named)
@pytest.mark.slow
def test_ordinal_fits_are_the_same_to_nine_digits_after_any_rising_change(shape, simulate):
    problem = on(simulate(12, noise=0.3, **shape), "ordinal")
    one = fit(problem, n_init=3, seed=0)
    for way in MEANING_THE_SAME["ordinal"]:
        other = fit(with_values(problem, way(problem.dissimilarities.condensed)), n_init=3, seed=0)
        assert other.stress == pytest.approx(one.stress, rel=1e-9)
        assert np.allclose(other.distances(), one.distances(), rtol=1e-9)
        assert np.allclose(other.scaled, one.scaled, rtol=1e-9, equal_nan=True)


def test_the_power_found_is_of_the_data_as_they_are_given(simulate):
    problem = on(simulate(20, 1, 2, noise=0.05), "power")
    one = fit(problem, n_init=2, seed=0)
    # Distances with an error of 5 %: the likelihood is as good as flat within .1.
    assert one.power == pytest.approx(1.0, abs=0.1)
    bent = with_values(problem, problem.dissimilarities.condensed**2.5)
    assert fit(bent, n_init=2, seed=0).power == pytest.approx(one.power / 2.5, rel=1e-9)
    delta = problem.dissimilarities.condensed
    expected = delta**one.power / np.sqrt(np.mean(delta ** (2 * one.power)))
    assert one.scaled == pytest.approx(expected, rel=1e-12)


@modest
@given(seed=seeds, scale=st.sampled_from(CHANGING))
def test_the_order_of_the_objects_does_not_matter(simulate, seed, scale):
    problem = on(simulate(10, 2, 2, noise=0.3, seed=seed, missing_pairs=4), scale)
    order = np.random.default_rng(seed).permutation(10)
    labels = tuple(problem.dissimilarities.labels[i] for i in order)
    square = problem.dissimilarities.square()[np.ix_(order, order)]
    shuffled = replace(
        problem,
        dissimilarities=Dissimilarities.from_square(square, labels),
        known=problem.known.for_objects(labels),
    )
    # From the closed form, for random starts are thrown object by object.
    one, other = (
        fit(each, init="closed_form", max_iter=5, tol=-1.0, seed=0) for each in (problem, shuffled)
    )
    # A few steps, each of which amplifies what rounding parts.
    assert other.stress == pytest.approx(one.stress, rel=1e-7)
    moved = squareform(np.nan_to_num(one.scaled))[np.ix_(order, order)]
    assert np.allclose(squareform(np.nan_to_num(other.scaled)), moved, rtol=0, atol=1e-4)


@modest
@given(
    seed=seeds,
    shape=shapes,
    scale=st.sampled_from(CHANGING),
    ties=st.sampled_from(TIES),
    steps=st.sampled_from([0, 3, 1000]),
)
def test_the_stress_is_that_of_the_map_and_of_what_stands_in_place_of_the_data(
    simulate, seed, shape, scale, ties, steps
):
    problem = on(simulate(11, noise=0.4, seed=seed, **shape), scale, ties=ties)
    found = fit(problem, n_init=2, max_iter=steps, seed=0)
    counts = problem.counting
    weights = problem.pair_weights[counts] if problem.pair_weights.size else np.ones(counts.sum())
    h, d = found.scaled[counts], found.distances()[counts]
    assert np.array_equal(np.isnan(found.scaled), ~counts)
    assert weights @ (h - d) ** 2 == pytest.approx(found.stress * (weights @ h**2), rel=1e-9)
    assert weights @ h**2 == pytest.approx(weights.sum(), rel=1e-9)
    # It rises with the dissimilarities; a line or a curve to rounding.
    order = np.lexsort((h, problem.targets.condensed[counts]))
    assert np.diff(h[order]).min() >= -1e-9
    assert np.diff(found.stress_path).max(initial=0.0) <= 0.0
    assert found.stress == found.stress_path[-1]
    # Stress-1 as Kruskal has it, at the best size of the map.
    if scale in ADMITTING:
        assert left_at(problem, found.distances()) == pytest.approx(found.stress, rel=1e-8)


def left_at(problem, distances):
    """The f of these distances."""
    admissible = SCALES[problem.scale].admits(problem.judged)
    left, size = nearest(
        admissible,
        scratch_for(admissible.ranks),
        distances,
        problem.pair_weights,
        np.empty(distances.size),
    )
    return left / size


@modest
@given(seed=seeds, shape=shapes, levels=st.sampled_from([0, 7]))
def test_whoever_believes_less_has_a_lower_stress_at_the_same_map(simulate, seed, shape, levels):
    problem = simulate(12, noise=0.4, seed=seed, **shape)
    if levels:
        delta = problem.dissimilarities.condensed
        problem = with_values(problem, np.ceil(levels * delta / np.nanmax(delta)))
    distances = fit(problem, n_init=1, max_iter=5, seed=0).distances()
    f = {scale: left_at(on(problem, scale, ties="secondary"), distances) for scale in ADMITTING}
    f["primary"] = left_at(on(problem, "ordinal", ties="primary"), distances)
    # The stress on the ratio scale is at its best size here, where it is the least.
    delta, counts = problem.judged.values, problem.counting
    w = problem.pair_weights if problem.pair_weights.size else np.ones(counts.size)
    fit_of_line = (w * delta * distances).sum() ** 2
    f["ratio"] = 1 - fit_of_line / ((w * delta**2).sum() * (w * distances**2).sum())
    least_first = ["primary", "ordinal", "spline", "interval", "ratio"]
    for less, more in pairwise(least_first):
        # What makes the equations of curves solvable costs 1e-12.
        assert f[less] <= f[more] + 1e-11


@pytest.mark.parametrize("scale", ADMITTING)
def test_a_fit_that_goes_on_from_the_ratio_map_never_ends_above_it(scale, simulate):
    problem = simulate(14, noise=0.3)
    ratio = fit(problem, n_init=3, seed=0)
    assert fit(on(problem, scale), n_init=3, seed=0).stress <= ratio.stress


def bent(shape, n=16):
    points = np.random.default_rng(5).normal(size=(n, 2))
    d = pdist(points)
    return shape(d)


@pytest.mark.parametrize(
    ("scale", "shape"),
    [
        ("interval", lambda d: 3 * d + 5),
        ("power", lambda d: d**3),
        ("power", np.sqrt),
        ("spline", lambda d: 3 * d + 5),
        ("ordinal", np.exp),
        ("ordinal", lambda d: d / (1 + d)),
    ],
)
def test_distances_that_were_bent_as_the_scale_allows_are_fitted_exactly(scale, shape):
    found = fit(of(bent(shape), scale=scale), n_init=8, seed=0)
    # The search for a power ends within .04 of it.
    assert found.stress < (1e-4 if scale == "power" else 1e-9)
    assert found.converged


def test_the_constant_that_was_added_is_found():
    delta = bent(lambda d: 3 * d + 5)
    slope, constant = np.polyfit(delta, fit(of(delta, scale="interval"), seed=0).scaled, 1)
    assert constant / slope == pytest.approx(-5.0, abs=1e-3)


def test_the_scaled_of_a_ratio_scale_are_the_dissimilarities(simulate):
    problem = simulate(9, missing_pairs=3)
    found = fit(problem, n_init=2, seed=0)
    assert np.array_equal(found.scaled, problem.targets.condensed, equal_nan=True)
    assert found.power == 1.0


def test_on_a_ratio_scale_nothing_has_changed(simulate):
    problem = simulate(12, noise=0.3, missing_pairs=3)
    one, other = (fit(each, seed=1) for each in (problem, on(problem, "ratio", ties="primary")))
    assert np.array_equal(one.embedding, other.embedding)
    assert np.array_equal(one.stress_path, other.stress_path)


# As they were before there were other scales: projects and caches know problems by them.
FINGERPRINTS = {
    "plain": "35728563cf3ebeb5d7b8a2f3e8902fe1bbdc3be6d7641deb0a104748f86827fa",
    "sammon": "3882019e4dee1bd9c5fcaea13b7c70445b14615b729eb9158b3d79c81bde17e8",
    "weighted": "a801d1f23528bb69b1d2189c1d1378ce324fcad9e24e77b56687298fa495c257",
}


def kinship(**options):
    data = load_dataset("kinship14")
    return Problem(data.values(), data.feature_table(), **options)


def test_a_question_on_a_ratio_scale_has_the_fingerprint_that_it_always_had():
    asked = {"plain": None, "sammon": "sammon", "weighted": np.arange(1.0, 92.0)}
    found = {name: kinship(weights=w).fingerprint() for name, w in asked.items()}
    assert found == FINGERPRINTS


def test_another_scale_or_other_ties_are_another_question():
    asked = [{"scale": scale} for scale in ALL]
    asked += [{"scale": "ordinal", "ties": ties} for ties in ("primary", "secondary")]
    assert len({kinship(**options).fingerprint() for options in asked}) == len(asked)


@pytest.mark.parametrize("option", ["scale", "ties"])
def test_a_scale_or_ties_that_there_are_not_are_refused_with_those_that_there_are(option):
    with pytest.raises(ConditionalMappingError) as caught:
        kinship(**{option: "nominal"})
    assert option in caught.value.fact
    known = ALL if option == "scale" else TIES
    assert all(name in caught.value.remedy for name in known)


@pytest.mark.parametrize("solver", ["smacof", "closed_form"])
@pytest.mark.parametrize("scale", CHANGING)
def test_a_solver_that_takes_dissimilarities_as_they_are_is_refused_in_words(solver, scale):
    with pytest.raises(ConditionalMappingError) as caught:
        fit(kinship(scale=scale), solver=solver)
    assert solver in caught.value.fact
    assert scale in caught.value.fact
    assert "lbfgs" in caught.value.remedy
    assert "ratio" in caught.value.remedy


def test_every_scale_says_in_words_what_it_believes():
    said = [scale.believed for scale in SCALES.values()]
    assert all(said)
    assert len(set(said)) == len(said)


def test_the_estimator_asks_on_a_scale_and_gives_what_stands_in_place_of_the_data():
    data = load_dataset("kinship14")
    model = ConditionalMDS(2, scale="ordinal", ties="primary", n_init=2, random_state=0)
    model.fit(data.dissimilarities, data.features[["Gender"]])
    assert (model.fit_.problem.scale, model.fit_.problem.ties) == ("ordinal", "primary")
    assert np.array_equal(model.scaled_, model.fit_.scaled)
    assert model.get_params()["scale"] == "ordinal"


@pytest.mark.parametrize("scale", ALL)
@pytest.mark.parametrize(
    "delta",
    [
        np.ones(10),
        np.array([1, 2, 2, 2, 2, 1, 2, 2, 1, 2]),
        np.array([0, 2, 2, 2, 2, 0, 2, 2, 0, 2]),
        np.array([1.0, 2.0, 2.5]),
        np.array([3.0, 3.0, 3.0]),
        np.array([0.0, 1.0, 1.0]),
        np.array([0, 0.5, 1, 2, 3, 0.7, 1.5, 0, 2.2, 1.1]),
        1e100 * np.arange(1.0, 11.0),
        1e-100 * np.arange(1.0, 11.0),
    ],
    ids=[
        "all equal",
        "two values",
        "two values, one zero",
        "three objects",
        "three equal",
        "three, one zero",
        "zeros",
        "enormous",
        "tiny",
    ],
)
@pytest.mark.filterwarnings("error")
@pytest.mark.slow
def test_odd_data_have_a_map_and_finite_numbers(scale, delta):
    for p in (0, 1):
        found = fit(of(delta, scale=scale, n_components=p), n_init=4, seed=0)
        assert np.isfinite(found.embedding).all()
        assert np.isfinite(found.scaled).all()
        assert 0.0 <= found.stress <= 1.0 + 1e-12
        assert found.power > 0


def test_zeros_stay_zeros_at_any_power():
    points = np.random.default_rng(5).normal(size=(16, 2))
    points[[1, 9]] = points[[0, 8]]
    delta = pdist(points) ** 2
    found = fit(of(delta, scale="power"), n_init=3, seed=0)
    assert np.array_equal(found.scaled == 0, delta == 0)
    # The last step of the search is .04 of a power.
    assert found.power == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize("scale", CHANGING)
def test_with_nothing_known_and_nothing_hidden_all_is_left(scale, simulate):
    found = fit(on(simulate(8, 0, 2, hidden=0), scale), seed=0)
    assert found.stress == pytest.approx(1.0, rel=1e-12)
    assert np.mean(found.scaled**2) == pytest.approx(1.0)
