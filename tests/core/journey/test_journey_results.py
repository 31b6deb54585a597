"""What was found about a map stays with its step: kept, merged, renamed, saved, reported."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cml_core import Problem, fit, load_dataset
from cml_core.drawing.arrow import Arrow
from cml_core.errors import UnknownOption, UnreadableFile
from cml_core.evidence.advised_scale import AdvisedScale
from cml_core.evidence.curvature import Curvature, FeatureBend
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.feature_help import FeatureHelp
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import Helped
from cml_core.evidence.importance_as_chosen import HelpedAsChosen
from cml_core.evidence.individuals import Individuals
from cml_core.evidence.known_weights import KnownWeights, known_weights
from cml_core.evidence.misfit import Misfit
from cml_core.evidence.neighbourhoods import neighbourhoods
from cml_core.evidence.other_optima import other_optima
from cml_core.evidence.questions import QUESTIONS
from cml_core.evidence.ranking import Ranking, what_might_it_be
from cml_core.evidence.redundancy import FeatureShare, Redundancy
from cml_core.evidence.result import ResultKind
from cml_core.evidence.shepard import shepard
from cml_core.evidence.sketches import Cloud
from cml_core.evidence.stability import Stability
from cml_core.evidence.structure import Structure
from cml_core.evidence.told_pairs import ToldPairs
from cml_core.evidence.uncovered import TrueFeature, Uncovered
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.peers import KeptView, Views, conditioned, quality, view
from cml_core.report.evidence import MOST_ROWS
from cml_core.report.pictures import round_levels, svg_of
from cml_core.report.report import report_html
from cml_core.report.tables import bundle
from cml_core.values.arrays import frozen
from cml_core.values.words import unbroken


def time(second: int) -> str:
    return f"2026-01-31T12:00:{second:02d}+00:00"


def values(*numbers: float) -> np.ndarray:
    return frozen(np.array(numbers))


SCREE = Dimensions((0, 1), values(0.5, 0.1), frozen(np.array([[0.5, 0.6], [0.2, 0.22]])), 3)
TEST = HiddenFeature(2, 0.547, values(0.1, 0.2, 0.3), 0.25, 0.5, 7)
UNTESTED = HiddenFeature(
    2,
    0.547,
    values(0.1, 0.2, 0.3),
    None,
    0.5,
    7,
    people=16,
    misfits=(Misfit("bent", "The numbers are bent.", "Let them mean less."),),
)
SCALE = AdvisedScale(
    ("ratio", "power"),
    ("Distances", "A power"),
    ("distances", "some power of them is a distance"),
    frozen(np.array([[0.31, 0.33], [0.127, 0.131]])),
    0,
    0,
)
CHANCE = Structure(0.0123, values(0.3, 0.4), 0)
UNCOVERED = Uncovered((TrueFeature("Economy", False, 0.93, 0.84),), 2, 0.93, 0.97, 0.2)
TOLD = ToldPairs(values(1.0, 2.0, 4.0), values(1.5, 2.0, 3.5), 3, 0)
HELP = FeatureHelp("Gender", 0.08, 0.37, 0.02, values(0.3, 0.4), 0.5, 0.5, 0.0, False, False)
HELPED = Helped((HELP,), 2, 10, 0)
AS_CHOSEN = HelpedAsChosen((replace(HELP, held_out_with=0.071, n_components=4),), 2, 10, 0)
WITHOUT_A_MAP = Redundancy(
    (FeatureShare("Gender", 0.449, 5.5, 0.02, 0.02, 0.6, False),), 0.449, 0.4, 0.3, 999, 0, (2,) * 7
)
BENT = Curvature((FeatureBend("Gender", False, 0.31, 0.17, 0.02),), 10, 0)


def steady(left_out: str) -> Stability:
    labels = load_dataset("kinship14").values().labels
    n = len(labels)
    omitted = np.arange(n if left_out == "objects" else 0)
    return Stability(
        left_out=left_out,
        refits=20,
        labels=labels,
        centres=frozen(np.eye(n, 2)),
        covariances=frozen(np.tile(np.eye(2) / 100, (n, 1, 1))),
        converged=19,
        seed=0,
        omitted=omitted,
        influence=frozen(np.linspace(0, 0.3, n) if omitted.size else np.full(n, np.nan)),
    )


def people_weighed() -> Individuals:
    n = len(load_dataset("kinship14").values().labels)
    return Individuals(
        people=("Anna", "Otto", "Zoe"),
        dimensions=("Dimension 1", "Dimension 2", "Gender"),
        weights=frozen(np.array([[1.0, 0.5, 0.2], [0.3, 1.4, 0.9], [1.1, 1.0, 0.7]])),
        shares=frozen(np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.4, 0.4, 0.2]])),
        places=frozen(np.eye(n, 2)),
        unexplained=values(0.1, 0.1, 0.1),
        unexplained_alike=values(0.2, 0.2, 0.2),
        not_told=values(0.168, 0.168, 0.168),
        not_told_alike=values(0.3, 0.31, 0.32),
        between=0.5,
        with_others=values(0.6, 0.6, 0.6),
        common=frozen(np.full(3, 91)),
        not_fitted=(),
        coarse=False,
        folds=5,
        seed=0,
        rotations=4,
        agreeing=4,
    )


@pytest.fixture(scope="module")
def journey() -> Journey:
    data = load_dataset("kinship14")
    begun = Journey.begun("Kinship", data.values(), data.feature_table(), time(0))
    first = fit(Problem(begun.dissimilarities, begun.features.select([])), seed=0)
    begun = begun.after(first, first.embedding, time(1))
    second = fit(first.problem.knowing(begun.features["Gender"]), seed=0)
    return begun.after(second, second.embedding, time(2))


@pytest.fixture(scope="module")
def everything(journey) -> tuple:
    result = journey.current.fit
    ranking = what_might_it_be(result, journey.features.select(["Degree", "Generation"]))
    return (
        SCREE, TEST, HELPED, AS_CHOSEN, WITHOUT_A_MAP, BENT, SCALE, known_weights(result), ranking,
        CHANCE, steady("pairs"), neighbourhoods(result), other_optima(result), steady("objects"),
        people_weighed(), seen_otherwise(journey.current.fit), UNCOVERED, TOLD,
    )  # fmt: skip


def seen_otherwise(result) -> Views:
    """The data and the hidden distances by another method each."""
    hidden = conditioned(result, 2)
    found = Views(())
    for method, data, target, count in (
        ("classical", result.problem.dissimilarities, result.problem.dissimilarities, 0),
        ("isomap", hidden.hidden, hidden.left, 2),
    ):
        seen = view(data, method)
        found = found.with_view(KeptView.of(seen, quality(seen, target), count))
    return found


def with_results(journey: Journey, *results: object) -> Journey:
    for k, result in enumerate(results, 10):
        journey = journey.found(journey.current_id, result, time(k))
    return journey


def test_a_step_has_no_results_until_something_was_found(journey):
    assert [step.results for step in journey.steps] == [(), ()]
    assert journey.current.result(ResultKind(Structure)) is None


def test_a_result_stays_with_the_step_it_was_asked_of(journey):
    first, second = journey.steps
    found = journey.found(first.id, CHANCE, time(5))
    assert found.step(first.id).result(ResultKind(Structure)) is CHANCE
    assert found.step(first.id).changed == found.changed == time(5)
    assert found.step(second.id) is second
    assert found.current_id == second.id
    assert journey.step(first.id).results == ()


def test_a_result_takes_the_place_of_one_of_its_kind(journey):
    again = replace(CHANCE, seed=1)
    found = with_results(journey, CHANCE, steady("pairs"), steady("objects"), again)
    assert found.current.result(ResultKind(Structure)) is again
    assert len(found.current.results) == 3


def test_a_result_of_no_step_is_refused(journey):
    with pytest.raises(UnknownOption, match="No step"):
        journey.found("nowhere", CHANCE, time(5))


def test_a_result_about_another_map_is_refused(journey, everything):
    broken = replace(SCREE, unexplained=values(0.5))
    for result in (replace(steady("pairs"), labels=("a", "b")), broken, journey, None):
        with pytest.raises(UnknownOption, match="not about the step's map"):
            journey.found(journey.current_id, result, time(5))


def test_copies_of_a_step_keep_the_results_of_both_and_the_later_of_a_kind(journey):
    again = replace(CHANCE, seed=1)
    one = journey.found(journey.current_id, CHANCE, time(5))
    one = one.found(one.current_id, TEST, time(6))
    other = journey.found(journey.current_id, SCREE, time(7))
    other = other.found(other.current_id, again, time(8))
    for merged in (one.merged(other), other.merged(one)):
        assert {type(found) for found in merged.current.results} == {
            Structure,
            HiddenFeature,
            Dimensions,
        }
        assert merged.current.result(ResultKind(Structure)) is again


def test_results_that_speak_of_a_feature_by_an_old_name_are_not_merged(journey):
    renamed = journey.renamed_feature("Gender", "Sex", time(9))
    old = with_results(journey.visiting(journey.current_id), HELPED)
    later = replace(renamed, steps=tuple(replace(s, changed=time(30)) for s in renamed.steps))
    assert later.merged(old).current.results == ()


def test_a_renamed_feature_is_renamed_in_what_was_found(journey, everything):
    found = with_results(journey, *everything)
    renamed = found.renamed_feature("Gender", "Sex", time(40)).current
    assert renamed.result(ResultKind(Helped)).features[0].name == "Sex"
    assert renamed.result(ResultKind(Helped)).verdict.startswith("Sex ")
    # Its columns are named after features; it is quickly computed again.
    assert renamed.result(ResultKind(KnownWeights)) is None
    assert renamed.result(ResultKind(Structure)) is CHANCE
    assert len(renamed.results) == len(everything) - 1


def test_a_feature_that_is_only_a_candidate_is_renamed_as_well(journey, everything):
    found = with_results(journey, *everything).renamed_feature("Degree", "Closeness", time(40))
    names = {one.feature for one in found.current.result(ResultKind(Ranking)).candidates}
    assert names == {"Closeness", "Generation"}
    assert found.current.changed == time(40)
    assert found.current.problem.known.names == ("Gender",)


def test_results_are_saved_and_opened_again(journey, everything):
    found = with_results(journey, *everything)
    opened = from_json(to_json(found))
    assert to_json(opened) == to_json(found)
    for one, other in zip(opened.current.results, everything, strict=True):
        assert type(one) is type(other)
        assert one.verdict == other.verdict


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_project_opens_without_results(journey, version):
    content = json.loads(to_json(with_results(journey, CHANCE)))
    content["version"] = version
    for step in content["steps"]:
        del step["findings"]
    opened = from_json(json.dumps(content))
    assert [step.results for step in opened.steps] == [(), ()]
    assert opened.current.fit.stress == journey.current.fit.stress


@pytest.mark.parametrize("steps", [None, 3, [None], [[]]])
def test_an_older_project_with_damaged_steps_is_refused(journey, steps):
    content = json.loads(to_json(journey)) | {"version": 2, "steps": steps}
    with pytest.raises(UnreadableFile, match="steps"):
        from_json(json.dumps(content))


def test_a_made_up_result_is_refused_and_its_place_named(journey):
    content = json.loads(to_json(with_results(journey, CHANCE)))
    content["steps"][1]["findings"][0]["unexplained"] = "none"
    with pytest.raises(UnreadableFile, match=r"steps\[1\].findings\[0\].unexplained"):
        from_json(json.dumps(content))


def test_the_map_that_a_feature_was_read_off_is_known(journey):
    points = journey.current.embedding
    arrow = Arrow((float(points[:, 0].min()), 0.0), (float(points[:, 0].max()), 0.0))
    drawn = arrow.feature("Drawn", points, ["Gender"])
    on = journey.current.problem
    step = fit(on.knowing(drawn), n_init=1, seed=0)
    journey = journey.with_feature(drawn, time(5)).after(step, step.embedding, time(6))
    bare = fit(on.knowing(drawn).without("Gender"), n_init=1, seed=0)
    journey = journey.after(bare, bare.embedding, time(7))
    assert set(journey.drawn_on()) == {"Drawn"}
    assert journey.drawn_on()["Drawn"].fingerprint() == on.fingerprint()


# The report


class Text(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)
        self.text = " ".join("".join(self.parts).split())

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on") or name == "src"]


def test_a_report_has_all_that_was_found_with_its_verdict_numbers_and_seed(journey, everything):
    page = Text(report_html(with_results(journey, *everything)))
    for found in everything:
        assert " ".join(found.verdict.split()) in page.text
    for words in (
        "How many dimensions are left",
        "Is one more feature hidden",
        "54.7 %",
        "Seed 7.",
        "Did it help",
        "29.0 %",
        "Did it help, with the dimensions that held-out pairs choose?",
        "beside 4 hidden dimensions",
        "Does it act along a curve",
        "What do the numbers mean",
        "14.0 %",
        "What weighs how much",
        "What might it be",
        "How steady are the places? Pairs drawn again",
        "How steady are the places? One object left out",
        "Are neighbours on the map alike",
        "Other maps that fit, too",
        "12.9 %",
        "Beside data without structure",
        "1.2 %",
        "Do people differ",
        "16.8 %",
        "What do other methods show",
        "Neighbours are kept best by",
        "Asked without a map",
        "44.9 %",
        "Was it found?",
        "agree by 0.93 on average",
        "How well are missing pairs told?",
        "off by 0.408 typically",
    ):
        assert words in page.text
    assert {type(found) for found in everything} == set(QUESTIONS)


def test_everybodys_weights_and_the_map_all_share_are_taken_home(journey):
    with zipfile.ZipFile(io.BytesIO(bundle(journey))) as files:
        assert "people.csv" not in files.namelist()
    with zipfile.ZipFile(io.BytesIO(bundle(with_results(journey, people_weighed())))) as files:
        weights = files.read("people.csv").decode().splitlines()
        places = files.read("shared_map.csv").decode().splitlines()
    assert weights[:2] == [
        '"person","Dimension 1","Dimension 2","Gender"',
        '"Anna",1.0,0.5,0.2',
    ]
    assert len(weights) == 4
    assert places[0] == '"object","dimension 1","dimension 2"'
    assert len(places) == 1 + len(journey.dissimilarities.labels)


def test_a_report_of_results_runs_nothing(journey, everything):
    tags = Text(report_html(with_results(journey, *everything))).tags
    assert not tags & {"script", "iframe", "img", "object", "embed", "link", "form"}


def test_names_in_results_are_shown_as_text(journey):
    nasty = "<img src=x onerror=alert(1)>"
    helped = replace(HELPED, features=(replace(HELP, name=nasty),))
    page = report_html(with_results(journey, helped))
    assert nasty not in page
    assert nasty in Text(page).text


def test_what_is_not_tested_has_no_p_value(journey):
    helped = replace(HELPED, features=(replace(HELP, p_value=None, adjusted=None),))
    assert "None" not in Text(report_html(with_results(journey, helped))).text


def test_a_number_and_its_percent_stay_on_one_line(journey, everything):
    assert not re.search(r"\d %", unescape(report_html(with_results(journey, *everything))))


def test_what_shuffled_data_leave_unexplained_is_told_one_by_one(journey):
    page = report_html(with_results(journey, CHANCE))
    for name, told in (("This map", "1.2"), ("Shuffled 1", "30.0"), ("Shuffled 2", "40.0")):
        assert f"<bdi>{name}</bdi></th><td>{told}\u00a0%" in page


def test_the_columns_of_a_table_are_explained_below_it(journey):
    page = Text(report_html(with_results(journey, HELPED))).text
    assert "Gain: By how much the feature lowers" in page


@given(st.floats(1e-9, 1e3))
def test_the_levels_of_a_scale_are_few_evenly_spaced_and_within_it(top):
    levels = np.array(round_levels(top))
    # Rounding of the last one.
    assert levels[0] == 0
    assert levels[-1] <= top * (1 + 1e-6)
    assert 4 <= levels.size <= 8
    np.testing.assert_allclose(np.diff(levels), levels[1])
    assert top - levels[-1] < levels[1]


def test_leaks_that_are_more_than_chance_are_marked(journey):
    found = known_weights(journey.current.fit)
    leaking = replace(found.features[0], leak_linear=0.5, leaks=True)
    page = Text(report_html(with_results(journey, replace(found, features=(leaking,))))).text
    assert "50.0 %, more than chance" in page


def test_long_lists_are_cut_and_said_to_be(journey, everything):
    optima = next(one for one in everything if type(one).__name__ == "OtherOptima")
    many = replace(optima, optima=(optima.optima[0],) * (MOST_ROWS + 3))
    assert "Rows not shown: 4." in Text(report_html(with_results(journey, many))).text


def test_a_test_of_an_exact_fit_has_numbers_but_no_picture(journey):
    exact = HiddenFeature(2, 0.0, values(), 1.0, 0.0, 0)
    assert ("Data sets compared with", "0") in exact.table().upright()
    before = report_html(journey).count("<svg")
    assert report_html(with_results(journey, exact)).count("<svg") == before
    assert report_html(with_results(journey, TEST)).count("<svg") == before + 1


def test_a_strip_of_one_value_is_drawn_in_the_middle(journey):
    alike = replace(CHANCE, unexplained=0.3, shuffled=values(0.3, 0.3))
    assert 'cx="280.0"' in report_html(with_results(journey, alike))


def test_the_pairs_are_reported_where_the_map_was_judged(journey, everything):
    judged = journey.found(journey.current_id, neighbourhoods(journey.current.fit), time(3))
    report = report_html(judged)
    assert "Pair by pair" not in report_html(journey)
    found = shepard(journey.current.fit)
    assert unbroken(found.verdict) in unescape(report)
    # All 91 pairs are drawn, as small dots.
    assert report.count('r="2"') == 91
    worst = found.worst(1)[0]
    name = f"<bdi>{found.labels[found.second[worst]]}</bdi></th>"
    assert f"{name}<td>{found.given[worst]:.2f}</td><td>{found.fitted[worst]:.2f}</td>" in report


def test_a_cloud_of_very_many_pairs_is_thinned():
    values = np.linspace(0, 1, 40_000)
    cloud = Cloud("Pairs", values, values, ("As given", "As fitted"))
    assert svg_of(cloud).count("<circle") == 1500


def test_a_test_without_a_chance_is_kept_with_what_was_seen_instead(journey):
    kept = from_json(to_json(with_results(journey, UNTESTED)))
    found = kept.current.result(ResultKind(HiddenFeature))
    assert found.p_value is None
    assert found.misfits == UNTESTED.misfits
    assert "Let them mean less." in found.verdict
