"""Raw files and the choices made of them: kept with a project, and repeated from it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cml_core
from cml_core import FeatureTable, Problem, fit
from cml_core.errors import AsymmetricDissimilarities, UnreadableFile
from cml_core.files import source
from cml_core.files.doctor import prepared_weights
from cml_core.files.joining.inferred_kinds import FeatureChoice
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import ORDINARY
from cml_core.files.source import FeatureSource, RawFile, Source, dissimilarities_of, raw_table
from cml_core.journey.entry import Entry
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.journey.source import source_content, source_of
from cml_core.report.program import _raw_features, script
from cml_core.report.report import report_html
from cml_core.report.tables import bundle
from cml_core.values.origin import Origin

AT = "2026-01-31T12:00:00Z"
LONG = b"from,to,dissimilarity,weight\n" + b"".join(
    f"{a},{b},{abs(i - j) + 0.3 * (i < j)},{1 + i}\n".encode()
    for i, a in enumerate("abcdef")
    for j, b in enumerate("abcdef")
    if i != j
)
KNOWN = b"name,size,sort\na,1,x\nB,2,y\nc,3,x\nd,4,y\ne,5,x\nfff,6,y\n"
AVERAGED = Preparation(format="pairs", asymmetry="average")


def features() -> FeatureSource:
    return FeatureSource(
        RawFile("facts.csv", KNOWN),
        accepted=(("fff", "f"),),
        choices=(FeatureChoice("size", kind="ordinal"), FeatureChoice("sort", called="type")),
    )


def origin(**changes: object) -> Source:
    return replace(Source((RawFile("../../etc/pairs.csv", LONG),), AVERAGED, features()), **changes)


@pytest.fixture
def journey() -> Journey:
    made = origin()
    values = made.dissimilarities()
    weights = prepared_weights(raw_table(made.files, AVERAGED), AVERAGED)
    known = made.features.features(values.labels)
    begun = Journey.begun("Letters", values, known, AT, source=made, pair_weights=weights)
    problem = Problem(values, known.select(["type"]), weights=weights)
    result = fit(problem, seed=0)
    return begun.after(result, result.embedding, AT)


def test_choices_lead_from_raw_files_to_the_data():
    made = origin().dissimilarities()
    assert made.labels == tuple("abcdef")
    # From a to c it is 2.3 by weight 1, from c to a 2 by weight 3.
    assert made.between("a", "c") == pytest.approx(2.075)
    with pytest.raises(AsymmetricDissimilarities):
        dissimilarities_of(origin().files, Preparation(format="pairs"))


def test_features_are_joined_renamed_and_retyped_as_was_chosen():
    table = features().features(tuple("abcdef"))
    assert table.names == ("size", "type")
    assert table["size"].kind == "ordinal"
    assert not table["type"].missing.any()


def test_every_choice_is_told_in_a_sentence():
    left_out = FeatureChoice("size", used=False)
    told = replace(origin(), features=replace(features(), choices=(left_out,))).choices_in_words()
    assert "Both directions were averaged." in told
    assert "In the features, 'fff' was taken for 'f'." in told
    assert told[-1] == "The feature 'size' was left out."
    assert origin().choices_in_words()[-2:] == (
        "The feature 'size' was made ordinal.",
        "The feature 'sort' was called 'type'.",
    )


def test_several_files_are_several_raters():
    first = RawFile("ann.csv", b",x,y,z\nx,0,1,2\ny,1,0,3\nz,2,3,0\n")
    second = RawFile("bob.csv", b",z,y,x\nz,0,5,4\ny,5,0,3\nx,4,3,0\n")
    made = dissimilarities_of((first, second), Preparation())
    assert made.condensed.tolist() == [2.0, 3.0, 4.0]
    raw = raw_table((first, second), Preparation())
    assert np.nanmax(raw.spread) == pytest.approx(np.sqrt(2))


def test_what_is_wrong_with_one_of_several_files_names_it():
    first = RawFile("ann.csv", b",x,y,z\nx,0,1,2\ny,1,0,3\nz,2,3,0\n")
    second = RawFile("bob.csv", b",x,y,z\nx,0,1,2\ny,1,0,far\nz,2,3,0\n")
    with pytest.raises(UnreadableFile, match=r"In bob\.csv: Line 3, cell 4 .* is 'far'"):
        raw_table((first, second), Preparation())


def test_all_sheets_of_an_archive_are_raters_too():
    held = io.BytesIO()
    np.savez(held, one=1.0 - np.eye(4), two=3.0 - 3.0 * np.eye(4))
    file = RawFile("both.npz", held.getvalue())
    made = dissimilarities_of((file,), Preparation(sheet=source.ALL_PARTS))
    assert set(made.condensed.tolist()) == {2.0}


def test_measurements_need_a_way_to_be_compared():
    file = RawFile("facts.csv", KNOWN)
    with pytest.raises(UnreadableFile, match="table of measurements"):
        dissimilarities_of((file,), Preparation(format="measurements"))
    made = dissimilarities_of((file,), Preparation(format="measurements", metric="gower"))
    assert made.n_objects == 6


def test_a_project_keeps_its_raw_files_and_choices(journey):
    opened = from_json(to_json(journey))
    assert opened.source == journey.source
    assert np.array_equal(opened.pair_weights, journey.pair_weights)
    assert opened.source.dissimilarities().fingerprint == journey.dissimilarities.fingerprint
    assert np.array_equal(opened.current.problem.weights, journey.pair_weights)
    assert to_json(opened) == to_json(journey)


def test_weights_of_the_data_are_written_once(journey):
    content = json.loads(to_json(journey))
    assert content["steps"][0]["weights"] == "pair_weights"


def test_a_file_too_large_to_keep_is_named_and_its_program_does_without(journey, monkeypatch):
    monkeypatch.setattr(source, "KEPT_UP_TO", 10)
    kept = origin().as_kept()
    assert not kept.repeatable
    assert kept.files[0].digest == origin().files[0].digest
    with pytest.raises(UnreadableFile, match="too large to be kept"):
        kept.dissimilarities()
    with zipfile.ZipFile(io.BytesIO(bundle(replace(journey, source=kept)))) as archive:
        assert "raw-1.csv" not in archive.namelist()
        assert b"dissimilarities.csv" in archive.read("map.py")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"data": "AAAA"}, "packed file"),
        ({"data": "eJxLBAAAYgBi"}, "not the one that was brought"),
        ({"data": 3}, "packed file"),
        ({"name": None}, "not a text"),
    ],
)
def test_a_damaged_raw_file_is_refused(journey, change, words):
    content = json.loads(to_json(journey))
    content["source"]["files"][0] |= change
    with pytest.raises(UnreadableFile, match=words):
        from_json(json.dumps(content))


def test_a_raw_file_that_unpacks_to_more_than_is_kept_is_refused(journey, monkeypatch):
    text = to_json(journey)
    monkeypatch.setattr("cml_core.journey.source.KEPT_UP_TO", 10)
    with pytest.raises(UnreadableFile, match="more than a project keeps"):
        from_json(text)


@pytest.mark.parametrize("place", [("preparation", []), ("preparation", {"colour": "red"})])
def test_choices_that_never_were_are_refused(journey, place):
    content = json.loads(to_json(journey))
    content["source"][place[0]] = place[1]
    with pytest.raises(UnreadableFile):
        from_json(json.dumps(content))


def test_the_report_says_where_the_data_came_from(journey):
    page = report_html(journey)
    assert journey.source.files[0].digest in page
    assert "pairs.csv" in page
    assert "averaged" in page
    assert "Where the data came from" not in report_html(replace(journey, source=None))


@pytest.mark.slow
def test_the_program_repeats_everything_from_the_raw_file(journey, tmp_path):
    with zipfile.ZipFile(io.BytesIO(bundle(journey))) as archive:
        assert archive.read("raw-1.csv") == LONG
        archive.extractall(tmp_path)
    assert "etc" not in "".join(path.name for path in tmp_path.iterdir())
    (tmp_path / "dissimilarities.csv").unlink()
    assert (tmp_path / "raw-features.csv").read_bytes() == KNOWN
    assert "from_file['type']" in (tmp_path / "map.py").read_text()
    done = _run(tmp_path)
    assert done.returncode == 0, done.stderr
    found = dict(line.split(":") for line in done.stdout.splitlines())
    # The same computation on the same machine: equal but for the order of sums.
    assert float(found["unexplained"]) == pytest.approx(journey.current.fit.stress, rel=1e-9)


RATED = b"rater,a,b,rating\n" + b"".join(
    f"{who},{a},{b},{abs(i - j) + k + (i * j * k) % 3}\n".encode()
    for k, who in enumerate(("Anna", "Otto", "<b>Jo</b>"))
    for i, a in enumerate("abcdef")
    for j, b in enumerate("abcdef")
    if i < j
)


def rated() -> Journey:
    made = Source((RawFile("ratings.csv", RATED),))
    values = made.dissimilarities()
    begun = Journey.begun("Rated", values, FeatureTable(values.labels), AT, source=made)
    result = fit(Problem(values, begun.features), seed=0)
    return begun.after(result, result.embedding, AT)


def test_the_report_says_who_answered_and_how():
    told = rated().with_origin(Origin("ratings", people=3, lowest=1, highest=9), AT)
    page = report_html(told)
    assert "3 people rated pairs on a scale from 1 to 9." in page
    assert "What each of 3 people said is kept beside the mean: Anna, Otto, &lt;b&gt;Jo" in page
    silent = report_html(replace(told, source=None).with_origin(Origin(), AT))
    assert "people" not in silent.partition("<section")[0]


@pytest.mark.slow
def test_the_program_repeats_the_answers_of_people(tmp_path):
    journey = rated()
    with zipfile.ZipFile(io.BytesIO(bundle(journey))) as archive:
        archive.extractall(tmp_path)
    done = _run(tmp_path)
    assert done.returncode == 0, done.stderr
    found = dict(line.split(":") for line in done.stdout.splitlines())
    assert int(found["people"]) == 3
    # The same computation on the same machine: equal but for the order of sums.
    assert float(found["unexplained"]) == pytest.approx(journey.current.fit.stress, rel=1e-9)


def test_a_feature_that_was_changed_since_is_not_taken_from_the_raw_file(journey):
    known = journey.features["type"].with_values([0, 1, 0, 1, 1, 1])
    problem = replace(journey.current.problem, known=FeatureTable(tuple("abcdef"), (known,)))
    text = script(fit(problem, seed=0, n_init=1), "", journey.source)
    assert "from_file" not in text
    assert "Feature.of('categorical', 'type'" in text


@pytest.mark.slow
def test_the_program_refuses_a_raw_file_that_was_changed(journey, tmp_path):
    with zipfile.ZipFile(io.BytesIO(bundle(journey))) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "raw-1.csv").write_bytes(LONG.replace(b"a,b", b"a,c", 1))
    done = _run(tmp_path)
    assert done.returncode != 0
    assert "not the one that was brought" in done.stderr


def _run(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", str(folder / "map.py")],
        env={"PYTHONPATH": str(Path(cml_core.__file__).parents[1]), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_objects_are_called_by_a_column_that_names_each_differently() -> None:
    table = b",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n"
    facts = b"code,full name,size\nc,Cork oak,3\na,Ash,1\nb,Beech,2\n"
    choice = FeatureChoice("full name", used=False, names_objects=True)
    made = Source(
        (RawFile("distances.csv", table),),
        Preparation(names=(("a", "Ash"), ("b", "Beech"), ("c", "Cork oak"))),
        FeatureSource(RawFile("facts.csv", facts), choices=(choice,)),
    )
    values = made.dissimilarities()
    assert values.labels == ("Ash", "Beech", "Cork oak")
    assert values.between("Beech", "Cork oak") == 3
    features = made.features.features(values.labels)
    assert features.names == ("size",)
    assert features["size"].values.tolist() == [1, 2, 3]
    assert "The objects are called as 'full name' says." in made.choices_in_words()
    assert FeatureChoice.from_dict(choice.to_dict()) == choice
    assert Preparation.from_dict(made.preparation.to_dict()) == made.preparation


def test_what_was_said_of_a_file_of_features_is_kept_and_repeated() -> None:
    facts = b"town;people;x\na;498.715;1\nb;1.212;2\nc;987;3\n"
    asked = FeatureSource(RawFile("facts.csv", facts))
    (question,) = asked.questions(ORDINARY)
    assert question.open
    assert "498.715 is 498.715 or 498715" in question.fact
    said = replace(asked, decimal="comma")
    assert said.features(("a", "b", "c"))["people"].shown() == [498715, 1212, 987]
    assert not any(each.open for each in said.questions(ORDINARY))
    assert "In the features: Decimal marks are commas." in said.choices_in_words()
    table = RawFile("distances.csv", b",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n")
    source = Source((table,), Preparation(), said)
    kept = source_of(Entry(source_content(source), "source"))
    assert kept == source
    assert "decimal='comma'" in _raw_features(said)
