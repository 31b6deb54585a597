"""What notebooks call, word for word, and that scikit-learn's tools can handle it."""

from __future__ import annotations

import inspect
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone
from sklearn.manifold import MDS, Isomap
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import get_tags

from cml_core import ConditionalIsomap, ConditionalMDS, load_dataset
from cml_core.errors import (
    AdjustedData,
    LabelMismatch,
    LengthMismatch,
    NotConverged,
    RedundantFeatures,
    UnknownOption,
    UnsuitableWeights,
)

ESTIMATORS = [ConditionalMDS, ConditionalIsomap]
NAMES = [f"thing {letter}" for letter in "abcdefghijkl"]


def table(seed=0, n=12, dimensions=3, noise=0.15):
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, dimensions))
    condensed = pdist(points) * np.exp(noise * random.normal(size=n * (n - 1) // 2))
    D = pd.DataFrame(squareform(condensed), index=NAMES[:n], columns=NAMES[:n])
    return D, pd.DataFrame(points[:, :2], index=NAMES[:n], columns=["size", "age"])


def fitted(D, V=None, weights=None, estimator=ConditionalMDS, **options):
    options = {"n_components": 1, "random_state": 0, "n_init": 3} | options
    return estimator(**options).fit(D, V, weights)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_parameters_and_their_defaults_are_those_promised(estimator):
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(estimator).parameters.items()
    }
    promised = {
        "n_components": 2,
        "coef": "full",
        "solver": "lbfgs",
        "init": "auto",
        "n_init": "auto",
        "max_iter": 1000,
        "tol": 1e-9,
        "random_state": None,
        "scale": "ratio",
        "ties": "auto",
        "n_landmarks": "auto",
    }
    if estimator is ConditionalIsomap:
        promised |= {"n_neighbors": 5, "epsilon": None, "mutual": False}
    assert defaults == promised
    assert estimator().get_params() == promised
    assert list(inspect.signature(estimator.fit).parameters) == ["self", "D", "V", "weights"]


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(("p", "q"), [(2, 2), (0, 2), (2, 0), (1, 1)])
def test_the_attributes_have_the_shapes_promised(estimator, p, q):
    D, V = table()
    model = fitted(D, V.iloc[:, :q] if q else None, estimator=estimator, n_components=p)
    assert model.embedding_.shape == (12, p)
    assert np.abs(model.embedding_.mean(axis=0)).max(initial=0.0) < 1e-12
    assert model.coef_.shape == (q, q)
    assert model.known_.shape == (12, q)
    assert model.coef_names_ == ["size", "age"][:q]
    assert isinstance(model.stress_, float)
    assert model.stress_path_.shape == (model.n_iter_ + 1,)
    assert model.stress_path_[-1] == model.stress_
    assert model.converged_ is True
    assert isinstance(model.alternatives_, list)
    if estimator is ConditionalIsomap:
        assert model.geodesic_.shape == (12, 12)


def test_the_map_lies_on_its_principal_axes_unless_a_start_was_given():
    D, V = table()
    model = fitted(D, V[["age"]], n_components=2)
    products = model.embedding_.T @ model.embedding_
    assert abs(products[0, 1]) < 1e-10 * products[0, 0]
    assert products[0, 0] >= products[1, 1]
    turned = model.embedding_ @ np.array([[0.6, -0.8], [0.8, 0.6]])
    again = fitted(D, V[["age"]], n_components=2, init=(turned, model.coef_))
    assert np.allclose(again.embedding_, turned, rtol=0, atol=1e-3)


def test_the_published_updates_return_what_the_last_one_gave():
    D, V = table()
    U0 = np.random.default_rng(0).normal(size=(12, 2))
    options = {"solver": "smacof", "init": (U0, np.eye(2)), "tol": -1, "n_components": 2}
    with pytest.warns(NotConverged, match="iteration limit"):
        model = fitted(D, V, max_iter=5, **options)
    assert model.n_iter_ == 5
    with pytest.warns(NotConverged):
        onward = fitted(D, V, **options | {"init": (model.embedding_, model.coef_)}, max_iter=3)
    with pytest.warns(NotConverged):
        together = fitted(D, V, max_iter=8, **options)
    # The updates remember nothing: five and three are eight.
    assert np.allclose(onward.embedding_, together.embedding_, rtol=0, atol=1e-12)
    assert np.allclose(onward.coef_, together.coef_, rtol=0, atol=1e-12)


def test_a_square_array_a_labelled_table_and_a_condensed_vector_are_the_same_data():
    D, V = table()
    square = D.to_numpy()
    models = [fitted(each, V.to_numpy()) for each in (square, squareform(square), square.tolist())]
    models += [fitted(D, V), fitted(pd.DataFrame(square), pd.DataFrame(V.to_numpy()))]
    for model in models[1:]:
        assert np.array_equal(model.embedding_, models[0].embedding_)


def test_known_features_are_joined_by_label():
    D, V = table()
    shuffled = V.sample(frac=1, random_state=1)
    assert list(shuffled.index) != NAMES
    expected = fitted(D, V)
    assert np.array_equal(fitted(D, shuffled).embedding_, expected.embedding_)
    more = pd.concat([shuffled, pd.DataFrame({"size": [0.0], "age": [1.0]}, index=["stranger"])])
    with pytest.raises(LabelMismatch, match="stranger"):
        fitted(D, more)
    with pytest.raises(LabelMismatch, match="thing c"):
        fitted(D, V.drop(index="thing c"))


def test_labels_on_the_columns_of_the_dissimilarities_are_labels_too():
    D, V = table()
    unnamed_rows = pd.DataFrame(D.to_numpy(), columns=D.columns)
    model = fitted(unnamed_rows, V.sample(frac=1, random_state=1))
    assert np.array_equal(model.embedding_, fitted(D, V).embedding_)


def test_a_series_is_one_feature_and_is_joined_by_label():
    D, V = table()
    model = fitted(D, V["age"].sample(frac=1, random_state=2))
    assert model.coef_names_ == ["age"]
    assert np.array_equal(model.embedding_, fitted(D, V[["age"]]).embedding_)
    assert fitted(D, V["age"].to_numpy()).coef_names_ == ["feature 1"]


def test_columns_of_text_are_categorical_and_the_others_are_not():
    D, V = table()
    mixed = V.assign(kind=list("xyz" * 4), sure=[True, False] * 6)
    assert fitted(D, mixed).coef_names_ == ["size", "age", "kind [1]", "kind [2]", "sure [1]"]
    assert fitted(D.to_numpy(), np.array(list("xyz" * 4))).coef_.shape == (2, 2)


def test_rows_of_mixed_values_keep_their_numbers_as_numbers():
    D, V = table()
    mixed = V.assign(kind=list("xyz" * 4))
    mixed.iloc[4, 0] = np.nan
    expected = fitted(D, mixed)
    as_objects = fitted(D, mixed.to_numpy())
    as_lists = fitted(D, mixed.to_numpy().tolist())
    assert expected.coef_.shape == as_objects.coef_.shape == as_lists.coef_.shape == (4, 4)
    assert as_lists.stress_ == pytest.approx(expected.stress_, rel=1e-12)


def test_gaps_are_allowed_in_both_tables():
    D, V = table()
    D.iloc[2, 5] = D.iloc[5, 2] = np.nan
    V.iloc[3, 0] = np.nan
    model = fitted(D, V)
    assert np.isfinite(model.embedding_).all()
    assert np.isfinite(model.known_).all()
    assert np.allclose(model.known_[:, 1], V["age"], rtol=0, atol=1e-12)


def test_v_without_columns_and_no_v_at_all_are_metric_scaling():
    D, V = table()
    assert np.array_equal(fitted(D, V[[]]).embedding_, fitted(D).embedding_)


@pytest.mark.parametrize("V", [np.zeros((5, 2)), np.zeros((2, 2, 2)), [1.0, 2.0]])
def test_features_of_another_shape_are_refused(V):
    with pytest.raises(LengthMismatch):
        fitted(table()[0], V)


def test_weights_come_as_nothing_a_name_an_array_or_a_labelled_table():
    D, V = table()
    with np.errstate(divide="ignore"):
        W = 1.0 / D
    sammon = fitted(D, V, "sammon")
    assert np.allclose(fitted(D, V, W.to_numpy()).embedding_, sammon.embedding_, atol=1e-6)
    shuffled = W.sample(frac=1, random_state=0).sample(frac=1, axis=1, random_state=1)
    assert np.allclose(fitted(D, V, shuffled).embedding_, sammon.embedding_, atol=1e-6)
    ones = np.ones((12, 12))
    # One and the same problem by two ways of preconditioning.
    assert fitted(D, V, ones).stress_ == pytest.approx(fitted(D, V).stress_, rel=1e-6)
    assert sammon.stress_ != pytest.approx(fitted(D, V).stress_, rel=1e-3)


def test_only_the_sum_of_both_directions_of_a_weight_counts():
    D, V = table()
    W = np.random.default_rng(0).uniform(0.1, 1.0, size=(12, 12))
    one, other = fitted(D, V, W), fitted(D, V, 0.5 * (W + W.T))
    assert np.array_equal(one.embedding_, other.embedding_)


@pytest.mark.parametrize(
    "weights", ["kruskal", np.ones((3, 3)), -np.ones((12, 12)), np.full((12, 12), np.nan), "12"]
)
def test_weights_that_make_no_sense_are_refused(weights):
    with pytest.raises((UnsuitableWeights, UnknownOption)):
        fitted(table()[0], None, weights)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_scikit_learn_can_clone_change_and_print_it(estimator):
    init = (np.ones((3, 2)), np.eye(1))
    model = estimator(3, coef="diagonal", init=init, random_state=7)
    twin = clone(model)
    assert twin is not model
    assert twin.get_params()["coef"] == "diagonal"
    assert np.array_equal(twin.init[0], init[0])
    assert model.set_params(n_components=1, solver="smacof") is model
    assert model.get_params()["solver"] == "smacof"
    text = repr(estimator(3, coef="diagonal"))
    assert text == f"{estimator.__name__}(n_components=3, coef='diagonal')"
    with pytest.raises(UnknownOption, match="perplexity"):
        model.set_params(perplexity=30)
    tags = get_tags(model)
    assert tags.input_tags.pairwise
    assert tags.input_tags.allow_nan


def test_fitting_changes_none_of_the_parameters_and_none_of_the_data():
    D, V = table()
    before = D.copy(), V.copy()
    model = ConditionalMDS(1, random_state=0)
    params = model.get_params()
    assert model.fit(D, V) is model
    assert model.get_params() == params
    pd.testing.assert_frame_equal(D, before[0])
    pd.testing.assert_frame_equal(V, before[1])


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_fit_transform_returns_the_embedding(estimator):
    D, V = table()
    model = estimator(1, random_state=0)
    returned = model.fit_transform(D, V)
    assert np.array_equal(returned, model.embedding_)
    assert np.array_equal(returned, clone(model).fit(D, V).embedding_)


def test_it_is_the_last_step_of_a_pipeline():
    D, V = table()
    roots = Pipeline(
        [("root", FunctionTransformer(np.sqrt)), ("map", ConditionalMDS(1, random_state=0))]
    )
    embedding = roots.fit_transform(D, V)
    assert np.array_equal(embedding, ConditionalMDS(1, random_state=0).fit_transform(np.sqrt(D), V))
    roots.set_params(map__n_components=2)
    assert roots.fit(D, V)[-1].embedding_.shape == (12, 2)


def test_a_fitted_model_survives_pickling():
    D, V = table()
    model = fitted(D, V)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.embedding_, model.embedding_)
    assert again.fit_.seed == model.fit_.seed
    assert not again.fit_.embedding.flags.writeable


def test_a_random_state_may_be_anything_scikit_learn_takes():
    D, V = table(noise=0.6)
    options = {"init": "random", "n_init": 2, "n_components": 2, "max_iter": 1000}
    for make in (
        lambda: 3,
        lambda: np.int64(3),
        lambda: np.random.default_rng(3),
        lambda: np.random.RandomState(3),
    ):
        one, two = (fitted(D, V, random_state=make(), **options) for _ in range(2))
        assert np.array_equal(one.embedding_, two.embedding_)
    generator = np.random.default_rng(3)
    one, two = (fitted(D, V, random_state=generator, **options) for _ in range(2))
    assert one.fit_.seed != two.fit_.seed
    assert fitted(D, V, random_state=None, **options).fit_.seed >= 0
    with pytest.raises(UnknownOption, match="random_state"):
        fitted(D, V, random_state="lucky")


def test_what_a_person_should_know_is_a_warning():
    D, V = table()
    with pytest.warns(RedundantFeatures, match="twin says the same as size"):
        fitted(D, V.assign(twin=2 * V["size"]))
    with pytest.warns(NotConverged):
        fitted(D, V, max_iter=1)
    D.iloc[0, 1] = D.iloc[1, 0] = 0.0
    with pytest.warns(AdjustedData, match="1 dissimilarit"):
        fitted(D, V, "sammon")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted(D, V)


def raw_stress(D, embedding):
    return ((squareform(np.asarray(D)) - pdist(embedding)) ** 2).sum()


def by_sklearn(D, **options):
    options = {"metric": "precomputed", "metric_mds": True, "normalized_stress": False} | options
    return MDS(2, init="random", n_init=4, max_iter=3000, random_state=0, **options).fit(D)


@pytest.mark.parametrize("name", ["kinship14", "faces", "ekman", "noise"])
@pytest.mark.slow
def test_metric_scaling_leaves_no_more_stress_than_scikit_learn_does(name):
    D = table(noise=0.5)[0] if name == "noise" else load_dataset(name).dissimilarities
    theirs = raw_stress(D, by_sklearn(D.to_numpy(), eps=1e-10).embedding_)
    model = ConditionalMDS(2, random_state=0).fit(D)
    assert raw_stress(D, model.embedding_) <= theirs * (1 + 1e-9)
    total = (squareform(D.to_numpy()) ** 2).sum()
    assert model.stress_ == pytest.approx(raw_stress(D, model.embedding_) / total, rel=1e-9)


def test_the_closed_form_with_nothing_known_is_classical_scaling():
    D = load_dataset("kinship14").dissimilarities
    J = np.eye(14) - 1 / 14
    values, vectors = np.linalg.eigh(-0.5 * J @ D.to_numpy() ** 2 @ J)
    expected = vectors[:, :-4:-1] * np.sqrt(values[:-4:-1])
    model = ConditionalMDS(3, solver="closed_form").fit(D)
    assert np.allclose(np.abs(model.embedding_), np.abs(expected), rtol=1e-8, atol=1e-8)
    assert model.n_iter_ == 0
    assert model.converged_


def test_sammon_weights_with_nothing_known_are_the_sammon_mapping():
    D = load_dataset("ekman").dissimilarities
    model = ConditionalMDS(2, random_state=0).fit(D, weights="sammon")
    delta, distance = squareform(D.to_numpy()), pdist(model.embedding_)
    # Sammon (1969): E = sum((delta - d)^2 / delta) / sum(delta).
    error = ((delta - distance) ** 2 / delta).sum() / delta.sum()
    assert model.stress_ == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("k", [4, 6])
def test_isomap_is_conditional_isomap_with_nothing_known(k):
    points = np.random.default_rng(0).normal(size=(40, 3))
    D = squareform(pdist(points))
    theirs = Isomap(n_neighbors=k, n_components=2, metric="precomputed").fit(D)
    ours = ConditionalIsomap(2, n_neighbors=k, solver="closed_form").fit(D)
    assert np.allclose(ours.geodesic_, theirs.dist_matrix_, rtol=1e-12)
    assert np.allclose(np.abs(ours.embedding_), np.abs(theirs.embedding_), rtol=1e-6, atol=1e-8)


def test_epsilon_takes_the_place_of_the_number_of_neighbours():
    D, V = table()
    model = fitted(D, V, estimator=ConditionalIsomap, epsilon=1e3)
    assert np.allclose(model.geodesic_, shortest_paths(D.to_numpy()), rtol=1e-12)
    assert model.get_params()["n_neighbors"] == 5


def shortest_paths(edges):
    """By Floyd and Warshall."""
    paths = edges.copy()
    for k in range(len(paths)):
        paths = np.minimum(paths, paths[:, [k]] + paths[[k]])
    return paths


def test_conditional_isomap_takes_sammon_weights_from_the_dissimilarities_as_given():
    D, V = table()
    with np.errstate(divide="ignore"):
        W = 1.0 / D.to_numpy()
    named = fitted(D, V, "sammon", estimator=ConditionalIsomap, n_neighbors=4)
    given = fitted(D, V, W, estimator=ConditionalIsomap, n_neighbors=4)
    assert named.stress_ == pytest.approx(given.stress_, rel=1e-9)
