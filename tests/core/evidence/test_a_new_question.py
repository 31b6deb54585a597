"""A question of one's own is one module and one line, and then goes wherever the others go."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import unescape
from typing import Annotated

import numpy as np
import pytest

from cml_core import Fit, Problem, fit, load_dataset
from cml_core.errors import UnknownOption, UnreadableFile
from cml_core.evidence import questions
from cml_core.evidence.result import Result, ResultKind
from cml_core.evidence.sketches import Cloud
from cml_core.evidence.table import NUMBER, SHARE, Column, Table
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey
from cml_core.report.report import report_html
from cml_core.values.arrays import FloatArray, Value, frozen
from cml_core.values.words import percent

# The module.


@dataclass(frozen=True, eq=False)
class FeatureLength(Value):
    """How much of the fitted distances a known feature makes."""

    name: str
    share: float


@dataclass(frozen=True, eq=False)
class Lengths(Result):
    """Whether distances are fitted as long, on average, as they were given.

    Parameters
    ----------
    given, fitted : (N,), of each object, the mean over its pairs.
    features : what each known feature makes of them.
    """

    given: Annotated[FloatArray, "n"]
    fitted: Annotated[FloatArray, "n"]
    features: tuple[FeatureLength, ...]

    heading = "Are distances long enough?"
    facts = ("Every pair counts once.",)

    @property
    def verdict(self) -> str:
        share = float(self.fitted.mean() / self.given.mean())
        return f"Fitted distances are {percent(share)} as long as they were given."

    @property
    def sketch(self) -> Cloud:
        names = ("As given", "As fitted")
        return Cloud("The mean distance of each object", self.given, self.fitted, names)

    def table(self) -> Table:
        return Table(
            (
                Column("Feature", [one.name for one in self.features]),
                Column("Share", [one.share for one in self.features], SHARE, "Of the squares."),
                Column("Mean", [float(self.fitted.mean())] * len(self.features), NUMBER),
            )
        )


def lengths(fit: Fit) -> Lengths:
    given, n = fit.problem.targets.square(), len(fit.labels)
    apart = np.linalg.norm(fit.points[:, None] - fit.points[None], axis=2)
    parts = [FeatureLength(name, share) for name, share in fit.contributions().items()]
    means = (frozen(square.sum(axis=1) / (n - 1)) for square in (given, apart))
    return Lengths(*means, tuple(parts))


# The line.


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Journey:
    """A journey whose last step knows Gender and was asked this question."""
    monkeypatch.setattr(questions, "QUESTIONS", (*questions.QUESTIONS, Lengths))
    data = load_dataset("kinship14")
    journey = Journey.begun("Kinship", data.values(), data.feature_table(), AT)
    known = journey.features.select(["Gender", "Degree"])
    made = fit(Problem(journey.dissimilarities, known), n_init=2, seed=0)
    journey = journey.after(made, made.embedding, AT)
    return journey.found(journey.current_id, lengths(made), AT)


AT = "2026-01-31T12:00:00Z"
KIND = ResultKind(Lengths)


def test_it_is_kept_with_its_step(found: Journey) -> None:
    kept = found.current.result(KIND)
    assert kept is not None
    assert kept.verdict == "Fitted distances are 100 % as long as they were given."


def test_it_goes_into_a_project_file_and_comes_out_as_it_was(found: Journey) -> None:
    opened = from_json(to_json(found))
    assert to_json(opened) == to_json(found)
    kept, before = opened.current.result(KIND), found.current.result(KIND)
    assert np.array_equal(kept.given, before.given)
    assert not kept.given.flags.writeable
    assert (kept.verdict, kept.features[0].share) == (before.verdict, before.features[0].share)


def test_what_does_not_belong_to_the_map_is_refused(found: Journey) -> None:
    other = Lengths(frozen(np.ones(3)), frozen(np.ones(3)), ())
    with pytest.raises(UnknownOption, match="not about the step's map"):
        found.found(found.current_id, other, AT)
    content = json.loads(to_json(found))
    del content["steps"][0]["findings"][0]["fitted"]
    with pytest.raises(UnreadableFile, match=r"findings\[0\]"):
        from_json(json.dumps(content))


def test_a_feature_is_renamed_in_it(found: Journey) -> None:
    renamed = found.renamed_feature("Gender", "Sex", AT).current.result(KIND)
    assert [one.name for one in renamed.features] == ["Sex", "Degree"]


def test_the_report_has_a_section_of_it(found: Journey) -> None:
    page = unescape(report_html(found)).replace("\u00a0", " ")
    kept = found.current.result(KIND)
    assert f"<h3>{Lengths.heading}</h3><p><bdi>{kept.verdict}</bdi></p><figure><svg" in page
    gender = kept.features[0]
    assert f"<bdi>Gender</bdi></th><td>{percent(gender.share, 1)}</td>" in page
    assert "Every pair counts once." in page
    assert "<strong>Share:</strong> Of the squares." in page


def test_a_notebook_has_its_numbers_as_a_frame(found: Journey) -> None:
    frame = found.current.result(KIND).table().frame()
    assert list(frame.columns) == ["Feature", "Share", "Mean"]
    assert frame["Share"].sum() < 1
