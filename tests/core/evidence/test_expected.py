"""Missing pairs: what a map expects of them, on every scale, and how well it tells pairs."""

import csv
import io

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, FeatureTable, Fit, Problem, fit
from cml_core.evidence import expected, told_pairs
from cml_core.evidence.result import ResultKind
from cml_core.evidence.told_pairs import ToldPairs
from cml_core.fitting.geodesics import Neighbourhood
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.report.report import report_html
from cml_core.report.tables import expected_csv

AT = "2026-01-01T12:00:00+00:00"
LABELS = tuple(f"o{k}" for k in range(20))
TRUE = pdist(np.random.default_rng(5).normal(size=(20, 2)))
GAPS = np.random.default_rng(6).permutation(TRUE.size)[:25]


def mapped(values: np.ndarray = TRUE, **options: object) -> Fit:
    given = values.copy()
    given[GAPS] = np.nan
    data = Dissimilarities(LABELS, given)
    return fit(Problem(data, FeatureTable(LABELS), **options), seed=0)  # type: ignore[arg-type]


def by_pair(found) -> dict[tuple[int, int], float]:
    pairs = zip(found.first.tolist(), found.second.tolist(), strict=True)
    return dict(zip(pairs, found.dissimilarity.tolist(), strict=True))


@pytest.mark.parametrize(
    ("scale", "bent", "off"),
    [
        ("ratio", TRUE, 1e-4),
        ("interval", TRUE + 2, 1e-3),
        ("power", TRUE**2, 0.05),
        ("spline", TRUE**2, 0.03),
        ("ordinal", TRUE**2, 0.05),
    ],
)
def test_without_errors_missing_pairs_are_told_in_the_data_s_own_unit(scale, bent, off) -> None:
    found = expected(mapped(bent, scale=scale))
    first, second = np.triu_indices(20, 1)
    told = by_pair(found)
    assert set(told) == {(int(first[k]), int(second[k])) for k in GAPS}
    errors = [told[int(first[k]), int(second[k])] - bent[k] for k in GAPS]
    assert np.sqrt(np.mean(np.square(errors))) < off * bent.std()


def test_those_that_are_expected_to_be_most_alike_come_first() -> None:
    found = expected(mapped())
    assert (np.diff(found.dissimilarity) >= 0).all()
    nearest = f"{LABELS[found.first[0]]} and {LABELS[found.second[0]]}"
    assert found.verdict.startswith("25 pairs of 190 are missing. Most alike")
    assert f"expected to be {nearest} ({found.dissimilarity[0]:.3g})" in found.verdict


def test_held_out_pairs_are_told_by_fits_that_have_not_seen_them() -> None:
    noisy = TRUE * (1 + 0.1 * np.random.default_rng(7).normal(size=TRUE.size))
    found = told_pairs(mapped(noisy).problem, seed=1)
    assert found.given.size == TRUE.size - GAPS.size
    error = np.sqrt(np.mean((found.given - found.told) ** 2))
    assert found.typical_error == pytest.approx(error)
    assert found.of_the_mean == pytest.approx(found.given.std())
    # What a fit has seen it tells better than what it has not.
    seen = mapped(noisy)
    counting = seen.problem.counting
    of_seen = np.sqrt(np.mean((seen.distances() - noisy)[counting] ** 2))
    assert of_seen < error < 0.5 * found.of_the_mean
    # As well as held-out pairs are told, missing ones are.
    truth = dict(zip(zip(*(side.tolist() for side in np.triu_indices(20, 1)), strict=True), noisy,
                     strict=True))  # fmt: skip
    told = by_pair(expected(seen))
    off = np.sqrt(np.mean([(told[pair] - truth[pair]) ** 2 for pair in told]))
    assert 0.5 * error < off < 2 * error


def test_what_only_chance_has_made_is_told_badly_and_that_is_said() -> None:
    random = np.random.default_rng(8).uniform(1, 2, TRUE.size)
    assert told_pairs(mapped(random).problem).verdict.startswith("Badly:")


def test_ways_through_neighbours_have_no_gaps() -> None:
    assert expected(mapped(neighbourhood=Neighbourhood(8))).verdict == "No pair is missing."


def test_table_report_project_and_archive_have_them() -> None:
    found = mapped()
    told = told_pairs(found.problem, folds=3)
    begun = Journey.begun("Gaps", found.problem.dissimilarities, FeatureTable(LABELS), AT)
    journey = begun.after(found, found.embedding, AT)
    assert journey.current is not None
    journey = from_json(to_json(journey.found(journey.current.id, told, AT)))
    assert journey.current is not None
    kept = journey.current.result(ResultKind(ToldPairs))
    assert kept is not None
    assert kept.typical_error == told.typical_error
    html = report_html(journey)
    assert "What is expected of missing pairs?" in html
    assert "Expected dissimilarity" in html
    rows = list(csv.DictReader(io.StringIO(expected_csv(journey.current.fit, kept))))
    assert len(rows) == 25
    assert float(rows[0]["expected dissimilarity"]) == expected(found).dissimilarity[0]
    assert float(rows[0]["typically off by"]) == told.typical_error
    assert rows[0]["one"] == LABELS[expected(found).first[0]]
