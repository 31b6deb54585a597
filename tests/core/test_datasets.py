"""The example datasets say where they come from, and hold what was published."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform

import cml_core
from cml_core import load_dataset
from cml_core.datasets import CAR_FEATURES, Dataset, dataset_names, simulate_car_brands
from cml_core.errors import ConditionalMappingError, UnknownDataset, UnknownOption

FOLDER = Path(cml_core.__file__).parents[1] / "datasets"
NAMES = ("ekman", "faces", "kinship", "kinship14", "morse", "car_brands")


@pytest.fixture(params=NAMES)
def data(request: pytest.FixtureRequest) -> Dataset:
    return load_dataset(request.param)


def refused(kind: type[ConditionalMappingError], name: Any, **options: Any) -> Any:
    with pytest.raises(kind) as info:
        load_dataset(name, **options)
    assert type(info.value) is kind
    return info.value


def test_every_dataset_is_listed() -> None:
    assert dataset_names() == NAMES


def test_every_card_has_its_tables_and_every_table_its_card() -> None:
    cards = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.toml")}
    assert set(cards) == set(NAMES) - {"car_brands"}
    files = {card.get("files", name) for name, card in cards.items()}
    tables = {f"{file}.{part}.csv" for file in files for part in ("dissimilarities", "features")}
    assert {path.name for path in FOLDER.glob("*.csv")} == tables


@pytest.mark.parametrize(
    ("name", "objects", "features"),
    [
        ("ekman", 14, ["Wavelength"]),
        ("faces", 13, ["PU", "AR", "TS"]),
        ("kinship", 15, ["Gender", "Generation", "Degree"]),
        ("kinship14", 14, ["Gender", "Generation", "Degree"]),
        ("morse", 36, ["Length", "Dashes", "First", "Last"]),
        ("car_brands", 30, ["Quality", "Safety", "Value", "Performance"]),
    ],
)
def test_datasets_have_the_published_shape(name: str, objects: int, features: list[str]) -> None:
    data = load_dataset(name)
    assert data.dissimilarities.shape == (objects, objects)
    assert data.features.shape == (objects, len(features))
    assert list(data.features.columns) == features


def test_tables_are_complete_symmetric_and_of_the_same_objects(data: Dataset) -> None:
    square = data.dissimilarities.to_numpy()
    assert np.isfinite(square).all()
    assert (square == square.T).all()
    assert not np.diag(square).any()
    assert (square[~np.eye(len(square), dtype=bool)] > 0).all()
    labels = list(data.dissimilarities.index)
    assert labels == list(data.dissimilarities.columns)
    assert labels == list(data.features.index) == list(data.raw.index)
    assert all(isinstance(label, str) for label in labels)
    assert len(set(labels)) == len(labels)


def test_every_dataset_says_where_it_comes_from_and_what_to_look_for(data: Dataset) -> None:
    assert str(data.year) in data.source
    assert 1950 <= data.year <= 2026
    for text in (data.title, data.source, data.licence, data.about, data.look_for):
        assert len(text.split()) >= 2
    assert data.title in repr(data)
    assert set(data.kinds) == set(data.features.columns)


def test_datasets_become_values_of_the_core(data: Dataset) -> None:
    objects, known = data.values(), data.feature_table()
    assert objects.labels == known.labels == tuple(data.dissimilarities.index)
    np.testing.assert_array_equal(objects.square(), data.dissimilarities)
    for feature, (name, values) in zip(known.features, data.features.items(), strict=True):
        card = data.kinds[str(name)]
        assert (feature.name, feature.kind) == (card.get("name", name), card["kind"])
        assert feature.missing.tolist() == values.isna().tolist()


@pytest.mark.parametrize(
    ("name", "first", "second", "published", "dissimilarity"),
    [
        ("kinship", "Aunt", "Uncle", 27, 27),
        ("kinship", "Cousin", "Nephew", 51, 51),
        ("kinship", "Mother", "Nephew", 81, 81),
        ("kinship14", "Sister", "Brother", 28, 28),
        ("faces", "Grief at death of mother", "Physical exhaustion", 1.15, 1.15**0.5),
        ("faces", "Very pleasant surprise", "Anger at seeing dog beaten", 11.87, 11.87**0.5),
        ("ekman", "434", "445", 0.86, 1 - 0.86),
        ("ekman", "472", "610", 0, 1),
        ("ekman", "434", "674", 0.16, 1 - 0.16),
        ("morse", "A .-", "I ..", 46, 1 - 0.55),
        ("morse", "I ..", "A .-", 64, 1 - 0.55),
        ("morse", "N -.", "Y -.--", 16, 1 - 0.11),
        ("morse", "9 ----.", "0 -----", 78, 1 - 0.795),
    ],
)
def test_published_numbers_are_kept_and_turned_as_the_card_says(
    name: str, first: str, second: str, published: float, dissimilarity: float
) -> None:
    data = load_dataset(name)
    assert data.raw.loc[first, second] == published
    assert data.dissimilarities.loc[first, second] == pytest.approx(dissimilarity, rel=1e-15)
    assert data.values().between(first, second) == data.dissimilarities.loc[first, second]


@pytest.mark.parametrize(
    ("name", "transform", "turned"),
    [
        ("kinship", "none", lambda raw: raw),
        ("faces", "square root", np.sqrt),
        ("ekman", "one minus", lambda raw: 1 - raw),
        ("morse", "one minus mean percentage", lambda raw: 1 - (raw + raw.T) / 200),
    ],
)
def test_every_pair_is_turned_in_the_same_way(name: str, transform: str, turned: Any) -> None:
    data = load_dataset(name)
    assert data.transform == transform
    apart = ~np.eye(len(data.raw), dtype=bool)
    np.testing.assert_array_equal(
        data.dissimilarities.to_numpy()[apart], turned(data.raw.to_numpy())[apart]
    )


@pytest.mark.parametrize(
    ("name", "label", "values"),
    [
        ("kinship", "Aunt", ["female", -1, 3]),
        ("kinship", "Cousin", [None, 0, 4]),
        ("kinship", "Grandson", ["male", 2, 2]),
        ("faces", "Light sleep", [4.1, 1.3, 1]),
        ("ekman", "674", [674]),
        ("morse", "X -..-", [0.55, 0.5, "long", "long"]),
    ],
)
def test_published_features_are_kept(name: str, label: str, values: list[object]) -> None:
    table = load_dataset(name).feature_table().to_frame()
    assert [None if pd.isna(v) else v for v in table.loc[label]] == values


def test_the_features_of_a_morse_code_are_those_of_its_sounds() -> None:
    data = load_dataset("morse")
    for label, features in data.features.iterrows():
        code = str(label).split()[1]
        lengths = [0.05 if sound == "." else 0.15 for sound in code]
        assert features["Length"] == pytest.approx(sum(lengths) + 0.05 * (len(code) - 1), abs=1e-9)
        # The table has four decimals.
        assert features["Dashes"] == pytest.approx(code.count("-") / len(code), abs=5e-5)
        assert [features["First"], features["Last"]] == [1 + ".-".index(code[i]) for i in (0, -1)]


def test_whether_a_morse_code_is_the_same_as_itself_was_asked_too() -> None:
    raw = load_dataset("morse").raw
    same = np.diag(raw)
    assert (same.min(), same.max()) == (83, 97)
    # Of all rows only B's reaches its highest figure off the diagonal as well (with X): the note
    # on these data in the manual of fechner, for R.
    tied = (raw.to_numpy() >= same[:, None]).sum(axis=1) > 1
    assert raw.index[tied].tolist() == ["B -..."]


def test_only_cousin_has_no_gender() -> None:
    with_cousin = load_dataset("kinship").feature_table()
    gender = with_cousin["Gender"]
    assert gender.kind == "categorical"
    assert set(gender.levels) == {"male", "female"}
    assert np.array(with_cousin.labels)[gender.missing].tolist() == ["Cousin"]
    without = load_dataset("kinship14")
    assert "Cousin" not in without.dissimilarities.index
    assert not without.features.isna().any(axis=None)
    expected = load_dataset("kinship").dissimilarities.drop(index="Cousin", columns="Cousin")
    pd.testing.assert_frame_equal(without.dissimilarities, expected)


def test_changing_a_loaded_table_does_not_change_the_next_one(data: Dataset) -> None:
    before = data.dissimilarities.iloc[0, 1]
    data.dissimilarities.iloc[0, 1] = -5.0
    data.features.iloc[0, 0] = -5.0
    fresh = load_dataset(data.name)
    assert fresh.dissimilarities.iloc[0, 1] == before
    assert fresh.features.iloc[0, 0] != -5.0


@pytest.mark.parametrize("name", ["kinshp", "", "Kinship", None, "../datasets/kinship", 3])
def test_an_unknown_dataset_is_answered_with_those_there_are(name: Any) -> None:
    error = refused(UnknownDataset, name)
    assert repr(name) in error.fact
    assert all(known in error.remedy for known in NAMES)


def test_fixed_datasets_take_no_options() -> None:
    assert "'kinship'" in refused(UnknownOption, "kinship", seed=1).fact


def test_car_brands_have_the_published_weights_and_settings() -> None:
    published = [90, 88, 83, 82, 81, 70, 68]
    assert list(CAR_FEATURES.values()) == published
    assert sum(published) == 562
    default = load_dataset("car_brands")
    spelled = simulate_car_brands(30, noise=0.2, feature_noise=0.05, known=4, seed=0)
    pd.testing.assert_frame_equal(default.dissimilarities, spelled.dissimilarities)
    pd.testing.assert_frame_equal(default.features, spelled.features)
    assert [default.features.index[0], default.features.index[-1]] == ["Brand 1", "Brand 30"]


MANY = {"n_objects": 200, "known": 7}


def true_distances(data: Dataset) -> np.ndarray:
    weights = np.array(list(CAR_FEATURES.values())) / sum(CAR_FEATURES.values())
    return pdist(data.raw.to_numpy() * weights)


def test_simulated_distances_are_weighted_and_noisy_as_published() -> None:
    data = simulate_car_brands(**MANY, noise=0.2, seed=3)
    noise = squareform(data.dissimilarities) / true_distances(data) - 1
    # 19900 draws: the standard errors are 0.2 / 141 and 0.2 / 199; five of them.
    assert noise.mean() == pytest.approx(0, abs=5 * 0.2 / 141)
    assert noise.std() == pytest.approx(0.2, abs=5 * 0.2 / 199)
    exact = simulate_car_brands(**MANY, noise=0.0, seed=3)
    np.testing.assert_allclose(squareform(exact.dissimilarities), true_distances(exact), rtol=1e-12)


def test_simulated_features_are_uniform_and_seen_with_noise() -> None:
    data = simulate_car_brands(**MANY, feature_noise=0.05, seed=4)
    true = data.raw.to_numpy()
    assert true.min() >= 0
    assert true.max() <= 1
    # 1400 draws: the standard errors of a mean and of a relative deviation; five of them.
    assert true.mean() == pytest.approx(0.5, abs=5 * np.sqrt(1 / 12 / 1400))
    noise = data.features.to_numpy() / true - 1
    assert noise.mean() == pytest.approx(0, abs=5 * 0.05 / np.sqrt(1400))
    assert noise.std() == pytest.approx(0.05, abs=5 * 0.05 / np.sqrt(2800))
    exact = simulate_car_brands(feature_noise=0.0, known=7)
    np.testing.assert_array_equal(exact.features, exact.raw)


def test_a_seed_repeats_the_simulation_and_another_does_not() -> None:
    one, two, other = (load_dataset("car_brands", seed=seed) for seed in (5, 5, 6))
    pd.testing.assert_frame_equal(one.dissimilarities, two.dissimilarities)
    pd.testing.assert_frame_equal(one.features, two.features)
    assert (one.dissimilarities.to_numpy() != other.dissimilarities.to_numpy()).sum() == 30 * 29
    assert (one.features.to_numpy() != other.features.to_numpy()).all()


@pytest.mark.parametrize("known", [0, 1, 4, 7])
def test_the_weightiest_features_are_known_first(known: int) -> None:
    data = load_dataset("car_brands", known=known)
    assert list(data.features.columns) == list(CAR_FEATURES)[:known]
    assert list(CAR_FEATURES.values()) == sorted(CAR_FEATURES.values(), reverse=True)
    # How many are known does not change what is simulated.
    pd.testing.assert_frame_equal(data.dissimilarities, load_dataset("car_brands").dissimilarities)


@pytest.mark.parametrize("known", [("Value", "Quality"), ["Value", "Quality"]])
def test_known_features_can_be_named(known: Any) -> None:
    data = load_dataset("car_brands", known=known)
    assert data.feature_table().names == ("Value", "Quality")
    whole = load_dataset("car_brands", known=7).features
    pd.testing.assert_frame_equal(data.features, whole[["Value", "Quality"]])


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("known", -1),
        ("known", 8),
        ("known", 1.5),
        ("known", "Value"),
        ("known", ("Value", "Price")),
        ("known", ("Value", "Value")),
        ("n_objects", 2),
        ("n_objects", 3.5),
        ("n_objects", "10"),
        ("noise", -0.1),
        ("noise", float("nan")),
        ("feature_noise", float("inf")),
        ("seed", -1),
        ("colour", "red"),
    ],
)
def test_an_unsuitable_option_of_the_simulation_is_named(option: str, value: Any) -> None:
    error = refused(UnknownOption, "car_brands", **{option: value})
    assert option in error.fact
    assert str(value) in error.fact or option == "colour"


def test_the_scales_of_the_faces_are_spelled_out_and_published_as_they_were() -> None:
    data = load_dataset("faces")
    assert data.feature_table().names == ("Pleasantness (PU)", "Attention (AR)", "Tension (TS)")
    assert list(data.features.columns) == ["PU", "AR", "TS"]
    assert data.feature_table()["Tension (TS)"].values.tolist() == data.features["TS"].tolist()
