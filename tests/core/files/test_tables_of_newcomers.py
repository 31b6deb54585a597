"""Tables of new objects: dissimilarities or measurements as the fitted objects have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

from cml_core import ConditionalMDS, load_dataset
from cml_core.errors import ConditionalMappingError
from cml_core.files.newcomers import newcomers, read_newcomers, template
from cml_core.files.preparation import Preparation
from cml_core.files.source import RawFile, Source
from cml_core.fitting.landmarks.new_objects import new_objects

KNOWN = ["Gender", "Degree"]


def table_of(frame: pd.DataFrame):
    return read_newcomers(RawFile("new.csv", frame.to_csv().encode()))


@pytest.fixture(scope="module")
def kinship():
    data = load_dataset("kinship14")
    known = data.feature_table().select(KNOWN)
    model = ConditionalMDS(random_state=0).fit(data.dissimilarities, known)
    return data.values(), known, model.fit_


def whole_table(data, known) -> pd.DataFrame:
    frame = pd.DataFrame(data.square(), columns=data.labels, index=[f"{n}?" for n in data.labels])
    return frame.assign(**{feature.name: feature.shown() for feature in known.features})


def test_fitted_objects_under_other_names_are_placed_where_they_lie(kinship) -> None:
    data, known, fit = kinship
    found = newcomers(table_of(whole_table(data, known).iloc[:, ::-1]), data, known)
    placed = new_objects(fit, found.delta, found.known)
    np.testing.assert_allclose(placed.embedding, fit.embedding, atol=1e-6)
    assert found.labels[0] == f"{data.labels[0]}?"
    assert found.notes == ()


def test_what_the_table_lacks_is_said_and_found_with_the_place(kinship) -> None:
    data, known, fit = kinship
    frame = whole_table(data, known).drop(columns=["Degree", data.labels[3], data.labels[4]])
    found = newcomers(table_of(frame.assign(Shoe=range(14)).iloc[:1]), data, known)
    placed = new_objects(fit, found.delta, found.known)
    assert np.isfinite(placed.embedding).all()
    assert "no Degree" in found.notes[0]
    assert "nothing of 2 objects" in found.notes[1]
    assert found.notes[2] == "Not used on this map: Shoe."


ANSWERS = pd.DataFrame(
    np.random.default_rng(0).normal(size=(24, 5)),
    columns=list("pqrst"),
    index=[f"person {i}" for i in range(24)],
)


def source_of(frame: pd.DataFrame, **choices) -> Source:
    file = RawFile("answers.csv", frame.to_csv().encode())
    return Source((file,), Preparation(metric="euclidean", **choices))


def test_measurements_are_compared_as_those_of_the_fitted_objects() -> None:
    old, new = ANSWERS[:20], ANSWERS[20:]
    source = source_of(old, columns=tuple("pqr"), without=("person 2",), names=(("person 0", "A"),))
    data = source.dissimilarities()
    known = load_dataset("kinship14").feature_table().select([])
    found = newcomers(table_of(new), data, known, source)
    kept = old.drop(index="person 2")[list("pqr")]
    np.testing.assert_allclose(found.delta, cdist(new[list("pqr")], kept), rtol=1e-12)
    assert found.labels == tuple(new.index)
    assert "s" in found.notes[-1]


def test_a_template_has_every_column_and_nothing_else(kinship) -> None:
    data, known, _ = kinship
    assert template(data, known, None).strip().split(",") == ["New object", *data.labels, *KNOWN]
    source = source_of(ANSWERS, columns=("q", "r"))
    wanted = template(source.dissimilarities(), known, source).strip().split(",")
    assert wanted == ["New object", "q", "r", *KNOWN]


def test_what_cannot_be_compared_is_refused_with_a_way_out(kinship) -> None:
    data, known, _ = kinship
    frame = whole_table(data, known)
    scaled = source_of(ANSWERS[:20], scaling="standardise")
    plain = source_of(ANSWERS[:20])
    words = ANSWERS[20:].assign(q=["low", "high", "low", "high"])
    cases = [
        (frame[KNOWN], data, None, "No column is called as one of the objects"),
        (frame.assign(**{data.labels[1]: "far"}), data, None, f"{data.labels[1]}.*'?far"),
        (ANSWERS[20:].drop(columns="q"), plain.dissimilarities(), plain, "no column 'q'"),
        (words, plain.dissimilarities(), plain, "'q' is numeric here and ordinal"),
        (ANSWERS[20:] + 9, scaled.dissimilarities(), scaled, "depends on all of them"),
    ]
    for table, fitted, source, fact in cases:
        with pytest.raises(ConditionalMappingError, match=fact) as caught:
            newcomers(table_of(table), fitted, known.select([]), source)
        assert caught.value.remedy
