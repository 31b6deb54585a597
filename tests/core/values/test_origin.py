"""What is known of how a table was made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cml_core.errors import ConditionalMappingError, UnknownOption
from cml_core.values.origin import ORIGINS, UNKNOWN, Origin


def test_nothing_is_known_until_something_is_said() -> None:
    assert Origin() == Origin("unknown", people=0, lowest=0.0, highest=0.0, cases=0)


@pytest.mark.parametrize("kind", ORIGINS)
def test_every_kind_has_words_to_be_asked_by(kind: str) -> None:
    assert Origin(kind).kind == kind
    assert ORIGINS[kind][0].isupper()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "guessed"),
        ("people", -3),
        ("people", 2.5),
        ("cases", "many"),
        ("lowest", float("inf")),
        ("highest", float("nan")),
    ],
)
def test_what_cannot_be_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(ConditionalMappingError, match=name):
        replace(Origin(), **{name: value})


def test_a_scale_ends_above_where_it_begins() -> None:
    with pytest.raises(UnknownOption, match="ends at 1, below 7"):
        Origin("ratings", lowest=7, highest=1)


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (Origin(), ""),
        (Origin("ratings", people=16, lowest=1, highest=7), "16 people rated pairs on a scale "
         "from 1 to 7."),
        (Origin("ratings", people=1), "One person rated pairs on a scale."),
        (Origin("sorting"), "People sorted objects into groups."),
        (Origin("counts", people=150), "How often things happened was counted, with 150 people."),
        (Origin("confusions"), "How often one was taken for another was counted."),
        (Origin("triads", people=12), "12 people said which of three is the odd one."),
        (Origin("correlations", cases=1200), "They are correlations over 1,200 cases."),
        (Origin("measurements"), "They were computed from measurements of each object."),
    ],
)  # fmt: skip
def test_what_is_known_is_told_in_a_sentence(origin: Origin, words: str) -> None:
    assert origin.in_words == words


def test_there_are_words_for_every_kind() -> None:
    assert all(Origin(kind).in_words for kind in ORIGINS if kind != UNKNOWN)
