"""Known columns of very many objects of every kind: read, fitted, told again, and guessed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from cml_core import ConditionalMDS, Feature, FeatureTable, Measurements
from cml_core.errors import UnsuitableFeature
from cml_core.evidence.large.columns_told import columns_told
from cml_core.fitting.geometry import canonical_correlations
from cml_core.many.likely import known_order, likely_period, own_period
from cml_core.many.loop import Candidate, Loop
from cml_core.many.maps import map_again
from cml_core.many.opened import Opened, opened
from cml_core.many.origins import Whence
from cml_core.many.sight import Seen, sight

N = 400
RANDOM = np.random.default_rng(3)
HOUR = RANDOM.integers(0, 24, N).astype(float)
GRADE = RANDOM.integers(0, 3, N)
MONTH = RANDOM.integers(0, 12, N)
HIDDEN = RANDOM.normal(size=(N, 2))
GRADES = ("low", "medium", "high")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ANGLE = 2 * np.pi * HOUR / 24


@pytest.fixture(scope="module")
def whence(tmp_path_factory: pytest.TempPathFactory) -> Whence:
    inner = np.column_stack([HIDDEN, 3 * np.cos(ANGLE), 3 * np.sin(ANGLE), 2.0 * GRADE])
    vectors = inner @ np.linalg.qr(RANDOM.normal(size=(12, 5)))[0].T
    gap = np.arange(N) % 40 == 7
    held = pa.table(
        {
            "vector": list(vectors + 0.02 * RANDOM.normal(size=vectors.shape)),
            "hour": pa.array(HOUR, mask=gap),
            "grade": pa.array(np.array(GRADES)[GRADE], mask=gap),
            "month": np.array(MONTHS)[MONTH],
            "size": np.array(["S1", "S2", "S3"])[GRADE],
            "count": GRADE * 10 + 1_000_001,
        }
    )
    path = tmp_path_factory.mktemp("kinds") / "held.parquet"
    parquet.write_table(held, path)
    return Whence("path", str(path))


def table(whence: Whence) -> Opened:
    return opened(Loop(whence, ("vector",)))


def test_columns_are_read_as_any_kind(whence: Whence) -> None:
    held = table(whence)
    hour = held.column(Candidate("hour", "circular", period=24.0))
    assert (hour.kind, hour.period) == ("circular", 24.0)
    assert held.column(Candidate("month", "circular")).period == 12.0
    assert held.column(Candidate("month", "circular")).values.min() == 1.0
    grade = held.column(Candidate("grade", "ordinal"))
    assert grade.levels == GRADES
    there = ~grade.missing
    np.testing.assert_array_equal(grade.values[there], GRADE[there])
    size = held.column(Candidate("size", "ordinal", order=("S3", "S2", "S1")))
    np.testing.assert_array_equal(size.values, 2 - GRADE)
    # Numbers rise, and as groups are spelled in full.
    count = held.column(Candidate("count", "ordinal"))
    np.testing.assert_array_equal(count.values, GRADE)
    assert held.column(Candidate("count", "categorical")).levels[0] == "1000001"


@pytest.mark.parametrize(
    ("candidate", "words"),
    [
        (Candidate("size", "ordinal"), "The order of 'S"),
        (Candidate("size", "ordinal", order=("S1", "S2")), "leaves out 'S3'"),
        (Candidate("size", "circular"), "period"),
        (Candidate("hour", "circular"), "begins again is not said"),
    ],
)
def test_what_a_kind_lacks_is_said_in_words(
    whence: Whence, candidate: Candidate, words: str
) -> None:
    with pytest.raises(UnsuitableFeature, match=words):
        table(whence).column(candidate)


def test_hours_and_grades_that_are_taken_out_leave_what_is_hidden(whence: Whence) -> None:
    candidates = (Candidate("hour", "circular", 24.0), Candidate("grade", "ordinal"))
    loop = Loop(whence, ("vector",), candidates=candidates, n_landmarks=150)
    loop = Loop.from_json(loop.knowing(["hour", "grade"]).to_json())
    assert loop.candidates == candidates
    found = map_again(loop)
    assert canonical_correlations(found.places, HIDDEN).min() > 0.99
    as_amounts = (Candidate("hour", "numeric"), Candidate("grade", "numeric"))
    plain = Loop(whence, ("vector",), candidates=as_amounts[:1], n_landmarks=150)
    assert found.fit.stress < map_again(plain.knowing(["hour"])).fit.stress / 4


def test_measurements_take_known_features_of_every_kind_beside_them(whence: Whence) -> None:
    held = Measurements(table(whence).measurements.rows)
    features = FeatureTable(
        held.names,
        (
            Feature.circular("hour", HOUR, 24.0),
            Feature.ordinal("grade", [GRADES[k] for k in GRADE], GRADES),
        ),
    )
    model = ConditionalMDS(solver="landmarks", n_landmarks=150, random_state=0)
    found = model.fit(held, features).embedding_
    assert canonical_correlations(found, HIDDEN).min() > 0.99


def test_the_map_tells_hours_round_their_circle(whence: Whence) -> None:
    found = map_again(Loop(whence, ("vector",), n_landmarks=150)).fit
    hour = Feature.circular("hour", HOUR, 24.0)
    moved = Feature.circular("moved", (HOUR + 12) % 24, 24.0)
    told = {one.feature: one.share for one in columns_told(found, [hour, moved]).told}
    assert told["hour"] > 0.8
    # Where the day begins says nothing of how well it is told.
    assert told["moved"] == pytest.approx(told["hour"], abs=1e-9)


def test_kinds_are_guessed_by_words_and_names(whence: Whence) -> None:
    seen = {one.name: one for one in sight(whence.rows()).columns}
    assert known_order(seen["grade"]) == GRADES
    assert known_order(seen["size"]) == ()
    assert known_order(seen["hour"]) == ()
    assert own_period(seen["month"]) == 12.0
    assert own_period(seen["grade"]) is None
    periods = {"hour": 24, "HourOfDay": 24, "birth month": 12, "direction": 360}
    assert {name: likely_period(Seen(name, "amounts")) for name in periods} == periods
    assert likely_period(Seen("when", "amounts", date=True)) == 365.25
