"""New objects on a map: it stays, they lie where a fit would put them, and strangers are told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

from cml_core import (
    ConditionalIsomap,
    ConditionalMDS,
    Measurements,
    load_dataset,
    new_objects,
)
from cml_core.errors import (
    ConditionalMappingError,
    FarOutside,
    LabelMismatch,
    LengthMismatch,
    NegativeDissimilarities,
    NotNumeric,
    ObjectWithoutPairs,
    UnknownOption,
    UnsuitableFeature,
    UnsuitableMeasurements,
)
from cml_core.fitting.geometry import canonical_correlations
from cml_core.fitting.landmarks import placing


def made(n: int = 900, seed: int = 0):
    """Counts of 25 things in clusters of uneven size: nothing that a fit assumes."""
    random = np.random.default_rng(seed)
    hidden = random.normal(size=(6, 2))[random.choice(6, n, p=[0.4, 0.2, 0.2, 0.1, 0.05, 0.05])]
    hidden = 2 * hidden + 0.4 * random.standard_t(5, size=(n, 2))
    topic, length = random.choice(["a", "b", "c"], n), random.gamma(2, size=n)
    inner = np.column_stack([hidden, 2 * (topic == "a"), 2 * (topic == "b"), length])
    X = np.sqrt(random.poisson(np.exp(2 + inner @ random.normal(size=(5, 25)) / 5)))
    return X.astype(float), hidden, pd.DataFrame({"topic": topic, "length": length})


# Of heavy tails some are outside, by right; where that matters it is asked for.
pytestmark = pytest.mark.filterwarnings("ignore::cml_core.errors.FarOutside")


@pytest.fixture(scope="module")
def data():
    return made()


@pytest.fixture(scope="module")
def by_landmarks(data):
    X, _, V = data
    model = ConditionalMDS(solver="landmarks", n_landmarks=250, random_state=0)
    return model.fit(Measurements(X[:700]), V[:700])


@pytest.fixture(scope="module")
def by_all_pairs(data):
    X, _, V = data
    return ConditionalMDS(random_state=0).fit(Measurements(X[:700]), V[:700])


def scale_of(model) -> float:
    return float(np.abs(model.embedding_).max())


def test_fitted_objects_are_placed_where_they_lie(data, by_landmarks, by_all_pairs) -> None:
    X, _, V = data
    for model in (by_landmarks, by_all_pairs):
        before = model.embedding_.copy()
        found = model.transform(Measurements(X[:700]), V[:700])
        np.testing.assert_allclose(found, before, atol=1e-6 * scale_of(model))
        np.testing.assert_array_equal(model.embedding_, before)
        by_array = model.transform(cdist(X[:700], X[:700]), V[:700])
        np.testing.assert_allclose(by_array, before, atol=1e-6 * scale_of(model))


@pytest.mark.parametrize("solver", ["lbfgs", "landmarks"])
def test_newton_by_itself_stays_where_the_fit_left_the_references(
    data, solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, _, V = data
    measured, known = Measurements(X[:400]), V[:400]
    # What is left over is what the fit has not converged to, and single precision.
    found = {
        tol: ConditionalMDS(solver=solver, n_landmarks=200, random_state=0, tol=tol, max_iter=9999)
        for tol in (1e-9, 1e-13)
    }
    for model in found.values():
        model.fit(measured, known)
    # The places of twins are no longer those that are stored.
    monkeypatch.setattr(placing, "_settle_twins", lambda *_: None)
    for tol, most, typical in ((1e-9, 1e-3, 1e-5), (1e-13, 1e-5, 1e-7)):
        model = found[tol]
        at = model.fit_.chosen if solver == "landmarks" else slice(None)
        moved = np.abs(model.transform(measured, known) - model.embedding_)[at] / scale_of(model)
        assert 0 < moved.max() < most
        assert np.median(moved) < typical


def test_gaps_in_what_is_known_keep_the_fitted_objects_in_place(data) -> None:
    X, _, V = data
    gappy = V.copy()
    gappy.loc[::9, "length"] = np.nan
    gappy.loc[::11, "topic"] = None
    model = ConditionalMDS(solver="landmarks", n_landmarks=150, random_state=0).fit(
        Measurements(X), gappy
    )
    found = model.transform(Measurements(X), gappy)
    np.testing.assert_allclose(found, model.embedding_, atol=1e-6 * scale_of(model))
    np.testing.assert_allclose(model.placed_.known_values, model.known_, atol=1e-4)


@pytest.mark.parametrize("isomap", [False, True])
@pytest.mark.parametrize("weights", [None, "sammon"])
def test_objects_of_a_published_table_are_placed_where_they_lie(isomap, weights) -> None:
    kin = load_dataset("kinship14")
    V = kin.features[["Gender", "Degree"]]
    kind = ConditionalIsomap(n_neighbors=5) if isomap else ConditionalMDS()
    model = kind.set_params(random_state=0).fit(kin.dissimilarities, V, weights)
    found = model.transform(kin.dissimilarities, V)
    shuffled = model.transform(kin.dissimilarities.iloc[[3, 1], ::-1], V.iloc[[3, 1]])
    np.testing.assert_allclose(found, model.embedding_, atol=1e-6 * scale_of(model))
    np.testing.assert_allclose(shuffled, model.embedding_[[3, 1]], atol=1e-6 * scale_of(model))
    assert model.placed_.labels == tuple(kin.dissimilarities.index[[3, 1]])


def test_new_objects_show_the_hidden_features_as_a_fit_of_everything_does(
    data, by_landmarks, by_all_pairs
) -> None:
    X, hidden, V = data
    everything = ConditionalMDS(random_state=0).fit(pdist(X), V)
    wanted = canonical_correlations(everything.embedding_[700:], hidden[700:])
    for model, lost in ((by_all_pairs, 0.005), (by_landmarks, 0.02)):
        found = model.transform(Measurements(X[700:]), V[700:])
        assert (canonical_correlations(found, hidden[700:]) > wanted - lost).all()


def test_dissimilarities_and_measurements_place_alike(data, by_landmarks) -> None:
    X, _, V = data
    delta = cdist(X[700:], X[:700])
    found = by_landmarks.transform(Measurements(X[700:]), V[700:])
    atol = 1e-5 * scale_of(by_landmarks)
    np.testing.assert_allclose(by_landmarks.transform(delta, V[700:]), found, atol=atol)
    to_landmarks = delta[:, by_landmarks.fit_.chosen]
    np.testing.assert_allclose(by_landmarks.transform(to_landmarks, V[700:]), found, atol=atol)


def test_what_is_not_known_of_a_new_object_is_found_with_its_place(data, by_all_pairs) -> None:
    X, _, V = data
    blank = V[700:].copy()
    blank["length"] = np.nan
    placed = new_objects(by_all_pairs.fit_, cdist(X[700:], X[:700]), blank)
    whole = new_objects(by_all_pairs.fit_, cdist(X[700:], X[:700]), V[700:])
    assert np.corrcoef(placed.known_values[:, 2], V["length"][700:])[0, 1] > 0.9
    # One more free number cannot fit worse, but for a rare object that ends in another minimum.
    assert (placed.unexplained <= whole.unexplained * (1 + 1e-4)).mean() > 0.97
    one = new_objects(by_all_pairs.fit_, cdist(X[700:], X[:700])[0], [[None, None]])
    assert one.embedding.shape == (1, 2)


def test_strangers_are_told_and_ordinary_objects_are_not(data, by_landmarks, by_all_pairs) -> None:
    X, _, V = data
    strange = X[700:705] + 40 * np.eye(25)[:5]
    for model in (by_landmarks, by_all_pairs):
        model.transform(Measurements(X[700:]), V[700:])
        assert (model.placed_.outside > 1).mean() < 0.05
        assert (model.placed_.outside > 0).all()
        with pytest.warns(FarOutside, match="5 of 5"):
            model.transform(Measurements(strange), V[700:705])
        assert (model.placed_.outside > 2).all()
        assert "5 of them outside" in repr(model.placed_)
    assert list(model.placed_.frame().columns)[-2:] == ["unexplained", "outside"]


def test_gaps_in_the_dissimilarities_of_new_objects_are_left_out(data, by_all_pairs) -> None:
    X, _, V = data
    delta = cdist(X[700:705], X[:700])
    gappy = delta.copy()
    gappy[:, ::3] = np.nan
    found = by_all_pairs.transform(gappy, V[700:705])
    whole = by_all_pairs.transform(delta, V[700:705])
    assert 0 < np.abs(found - whole).max() < 0.1 * scale_of(by_all_pairs)


def with_changed(delta, place, value):
    changed = delta.copy()
    changed[place] = value
    return changed


REFUSED = {
    "columns": (lambda d, V: (d[:, :5], V), LengthMismatch, "2 x 5"),
    "rows of V": (lambda d, V: (d, V[:1]), LengthMismatch, "1 rows for 2"),
    "no V": (lambda d, _: (d, None), LengthMismatch, "0 columns"),
    "V without a feature": (lambda d, V: (d, V[["topic"]]), LengthMismatch, "no length"),
    "a stray level": (lambda d, V: (d, V.assign(topic="z")), UnsuitableFeature, "'z'"),
    "infinite": (lambda d, V: (d, V.assign(length=np.inf)), UnsuitableFeature, "infinite"),
    "below zero": (
        lambda d, V: (with_changed(d, (1, 2), -1.0), V),
        NegativeDissimilarities,
        "new object 2 in column 3 is -1",
    ),
    "nothing known": (
        lambda d, V: (with_changed(d, 1, np.nan), V),
        ObjectWithoutPairs,
        "new object 2",
    ),
    "text": (lambda _, V: ([["a"] * 700] * 2, V), NotNumeric, "no table of numbers"),
    "other names": (
        lambda d, V: (pd.DataFrame(d, columns=[f"x{k}" for k in range(700)]), V),
        LabelMismatch,
        "no column 'object 1'",
    ),
    "another measure": (
        lambda _, V: (Measurements(np.ones((2, 25)), "cityblock"), V),
        UnsuitableMeasurements,
        "cityblock.*euclidean",
    ),
    "other columns": (
        lambda _, V: (Measurements(np.ones((2, 24))), V),
        UnsuitableMeasurements,
        "24 columns.*25",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_placed_is_refused_with_a_way_out(name, data, by_all_pairs) -> None:
    X, _, V = data
    make, kind, fact = REFUSED[name]
    with pytest.raises(ConditionalMappingError, match=fact) as caught:
        by_all_pairs.transform(*make(cdist(X[700:702], X[:700]), V[700:702]))
    assert type(caught.value) is kind


def test_maps_that_cannot_place_say_so(data) -> None:
    X = data[0][:20]
    square = squareform(pdist(X))
    with pytest.raises(UnknownOption, match="ordinal"):
        ConditionalMDS(scale="ordinal", random_state=0).fit(square).transform(square)
    with pytest.raises(UnsuitableMeasurements, match="made of dissimilarities"):
        ConditionalMDS(random_state=0).fit(square).transform(Measurements(X))
    with pytest.raises(UnknownOption, match="Nothing was fitted"):
        ConditionalMDS().transform(square)
    near = ConditionalIsomap(epsilon=square[square > 0].max(), random_state=0).fit(square)
    with pytest.raises(ObjectWithoutPairs, match="no neighbour within"):
        near.transform(square[:1] + 100.0)
