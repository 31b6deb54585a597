"""A kind that nobody thought of is one value and one line: the whole program then knows it."""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, Feature, FeatureTable, Fit, Problem, fit
from cml_core.drawing.levels import flipped, rounded, with_value
from cml_core.errors import ConditionalMappingError, UnknownOption, UnsuitableFeature
from cml_core.evidence.known_weights import known_weights
from cml_core.evidence.ranking import what_might_it_be
from cml_core.evidence.surface import surface
from cml_core.files.joining.inferred_kinds import FeatureChoice, inferred
from cml_core.files.measures.computing import compared
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.report.report import report_html
from cml_core.report.tables import files_of_map
from cml_core.values.arrays import FloatArray
from cml_core.values.kinds.kind import Kind
from cml_core.values.kinds.parts import HasValues, Parts
from cml_core.values.kinds.registry import KINDS

# The module of the new kind ---------------------------------------------------------------------


def _check(feature: HasValues) -> None:
    if np.nanmin(feature.values) <= 0:
        raise UnsuitableFeature(
            f"{feature.name} is {np.nanmin(feature.values):g} for an object, which has no "
            "logarithm.",
            remedy="Correct the value, or make the feature numeric.",
        )


def _columns(feature: HasValues) -> FloatArray:
    return np.log2(feature.values)[:, None]


def _column_names(feature: HasValues) -> tuple[str, ...]:
    return (f"{feature.name} (log2)",)


def _decoded(columns: FloatArray, _: HasValues) -> FloatArray:
    return 2.0 ** columns[:, 0]


def _recognised(texts: Sequence[str], _: bool) -> Parts | None:
    if not all(text.startswith("2^") for text in texts):
        return None
    return Parts(np.array([2.0 ** float(text[2:]) for text in texts]), origin="powers of two")


LOGARITHMIC = Kind(
    "logarithmic",
    meaning="a quantity above zero; equal ratios mean the same everywhere on its scale",
    step="twice as much",
    check=_check,
    columns=_columns,
    column_names=_column_names,
    decoded=_decoded,
    heights=lambda feature: np.log2(feature.values),
    recognised=_recognised,
)

# What the program does with it ------------------------------------------------------------------

N = 16
LABELS = tuple(f"object {k}" for k in range(N))
RANDOM = np.random.default_rng(5)
HIDDEN = RANDOM.normal(size=(N, 2))
SIZES = 2.0 ** RANDOM.uniform(0, 8, N)
AT = "2026-01-31T12:00:00Z"


@pytest.fixture(autouse=True)
def _known_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    # The line in the registry.
    monkeypatch.setitem(KINDS, LOGARITHMIC.name, LOGARITHMIC)  # type: ignore[arg-type]


def size() -> Feature:
    """The feature with its first value missing."""
    return Feature.of("logarithmic", "Size", np.where(np.arange(N) == 0, np.nan, SIZES))


def problem_with(feature: Feature) -> Problem:
    """Distances that two hidden dimensions and the logarithm of the sizes make exactly."""
    points = np.column_stack([HIDDEN, 0.7 * np.log2(SIZES)])
    return Problem(Dissimilarities(LABELS, pdist(points)), FeatureTable(LABELS, (feature,)))


def fitted() -> Fit:
    return fit(problem_with(size()), seed=0)


def test_it_is_made_and_what_it_cannot_be_is_refused_in_its_own_words() -> None:
    feature = size()
    assert repr(feature) == "Feature('Size', logarithmic, 1 missing)"
    assert feature.shown()[:2] == [None, SIZES[1]]
    with pytest.raises(UnsuitableFeature, match="Size is -1 for an object"):
        Feature.of("logarithmic", "Size", [1, -1])
    with pytest.raises(UnsuitableFeature, match="yet it has 1 levels"):
        Feature("Size", "logarithmic", np.ones(2), ("a",))


def test_it_is_unknown_without_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(KINDS, "logarithmic")  # type: ignore[arg-type]
    with pytest.raises(UnknownOption, match="logarithmic"):
        size()


def test_it_is_read_from_texts_and_chosen_for_numbers() -> None:
    read = inferred("Size", ["2^3", "2^-1"])
    assert (read.kind, read.shown(), read.origin) == ("logarithmic", [8, 0.5], "powers of two")
    choice = FeatureChoice("Size", "logarithmic")
    assert FeatureChoice.from_dict(json.loads(json.dumps(choice.to_dict()))) == choice
    assert choice.applied(Feature.numeric("Size", [1, 8])).kind == "logarithmic"
    assert choice.applied(Feature.categorical("Size", ["8", "1"])).shown() == [8, 1]
    with pytest.raises(UnsuitableFeature, match="no logarithm"):
        choice.applied(Feature.numeric("Size", [0, 8]))


def test_a_fit_sees_its_logarithm_and_fills_its_gaps_with_amounts() -> None:
    found = fitted()
    assert found.problem.encoding.names == ("Size (log2)",)
    # Exact data; the sizes themselves explain far less.
    assert found.stress < 1e-9
    assert fit(problem_with(Feature.numeric("Size", SIZES)), seed=0).stress > 1e-3
    (filled,) = found.imputed()
    # A fit of exact data stops at a relative error of 1e-4 or less.
    assert filled.value == pytest.approx(SIZES[0], rel=1e-3)


def test_it_is_changed_as_its_values_allow() -> None:
    feature = size()
    turned = flipped(feature)
    assert turned.kind == "logarithmic"
    assert np.nanmin(turned.values) == pytest.approx(np.nanmin(feature.values))
    corrected = with_value(feature, LABELS, LABELS[0], 3.0)
    assert corrected.shown()[0] == 3.0
    with pytest.raises(UnsuitableFeature, match="no logarithm"):
        with_value(feature, LABELS, LABELS[0], 0.0)
    assert rounded(feature, 3).kind == "numeric"


def test_a_project_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fitted()
    problem = found.problem
    journey = Journey.begun("Sizes", problem.dissimilarities, problem.known, AT)
    stored = to_json(journey.after(found, found.embedding, AT))
    read = from_json(stored)
    assert read.features["Size"].identity() == size().identity()
    assert read.current is not None
    assert read.current.fit.imputed() == found.imputed()
    monkeypatch.delitem(KINDS, "logarithmic")  # type: ignore[arg-type]
    with pytest.raises(ConditionalMappingError, match="logarithmic"):
        from_json(stored)


def test_the_report_and_the_program_tell_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = fitted()
    problem = found.problem
    journey = Journey.begun("Sizes", problem.dissimilarities, problem.known, AT)
    assert "<td>logarithmic</td>" in report_html(journey.after(found, found.embedding, AT))
    for name, content in files_of_map(found, problem.known).items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    again = runpy.run_path(str(tmp_path / "map.py"))["result"]
    assert "unexplained" in capsys.readouterr().out
    assert again.problem.known["Size"].shown() == size().shown()
    # Of exact data nothing is left but rounding.
    assert again.stress < 1e-9


def test_evidence_weighs_and_ranks_it() -> None:
    (weight,) = known_weights(fitted()).features
    assert (weight.kind, weight.step) == ("logarithmic", "twice as much")
    assert weight.per_step == pytest.approx(0.49, rel=1e-3)
    problem = problem_with(size())
    alone = fit(Problem(problem.dissimilarities, problem.known.without("Size"), 3), seed=0)
    (candidate,) = what_might_it_be(alone, problem.known, permutations=99).candidates
    assert candidate.linear > 0.9
    assert candidate.direction.shape == (3,)
    assert np.nanmax(surface(size(), alone.embedding).height) <= 8


def test_measurements_of_it_can_be_compared() -> None:
    apart = compared(FeatureTable(LABELS, (size(),)), "gower")
    assert np.nanmax(apart.values) == 1.0
    assert np.isnan(apart.values[0, 1:]).all()
