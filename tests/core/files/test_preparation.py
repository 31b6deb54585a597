"""The choices between a file and its dissimilarities: kept, repeated, and refused when wrong."""

import json
import pickle
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cml_core.errors import ConditionalMappingError, UnknownOption, UnreadableFile
from cml_core.files.doctor import choices_in_words
from cml_core.files.preparation import ASYMMETRIES, DIAGONALS, NEGATIVES, Preparation

NAMES = st.text(max_size=5)
SIZES = st.floats(0, 1e300)
PAIRS = st.tuples(NAMES, NAMES).filter(lambda pair: pair[0] != pair[1])
PREPARATIONS = st.builds(
    Preparation,
    format=NAMES,
    sheet=NAMES,
    metric=NAMES,
    scaling=NAMES,
    columns=st.lists(NAMES, max_size=3).map(tuple),
    without=st.lists(NAMES, max_size=3).map(tuple),
    unknown_pairs=st.lists(PAIRS, max_size=3).map(tuple),
    conversion=NAMES,
    scale=SIZES,
    asymmetry=st.sampled_from(ASYMMETRIES),
    negatives=st.sampled_from(NEGATIVES),
    diagonal=st.sampled_from(DIAGONALS),
    added=SIZES,
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = [field.name for field in fields(Preparation)]


@given(PREPARATIONS)
def test_what_is_written_is_read_back_through_json(preparation: Preparation) -> None:
    text = json.dumps(preparation.to_dict())
    assert Preparation.from_dict(json.loads(text)) == preparation
    assert pickle.loads(pickle.dumps(preparation)) == preparation


def test_only_what_differs_from_the_defaults_is_written() -> None:
    assert Preparation().to_dict() == {}
    assert Preparation(diagonal="zero").to_dict() == {"diagonal": "zero"}


def test_lists_become_tuples_so_that_equal_choices_have_equal_hashes() -> None:
    pairs: Any = [["a", "b"]]
    assert Preparation(unknown_pairs=pairs) == Preparation(unknown_pairs=(("a", "b"),))
    assert hash(Preparation(unknown_pairs=pairs)) == hash(Preparation(unknown_pairs=(("a", "b"),)))


@given(PREPARATIONS)
def test_whatever_was_chosen_is_told_in_words(preparation: Preparation) -> None:
    told = " ".join(choices_in_words(preparation))
    assert preparation.conversion in told or preparation.conversion == "none"


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from([*FIELDS, "colour"]), PLAIN) | PLAIN)
def test_whatever_a_file_says_is_read_or_refused_in_words(content: Any) -> None:
    try:
        read = Preparation.from_dict(content)
    except ConditionalMappingError as error:
        said = (error.fact, error.remedy)
    else:
        said = ()
        assert Preparation.from_dict(read.to_dict()) == read
    assert all(sentence.endswith(".") for sentence in said)


@pytest.mark.parametrize("content", [None, [], "zero", 3, [("diagonal", "zero")]])
def test_choices_that_are_no_table_are_refused(content: Any) -> None:
    with pytest.raises(UnreadableFile):
        Preparation.from_dict(content)


def test_a_choice_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnreadableFile, match="'colour'"):
        Preparation.from_dict({"diagonal": "zero", "colour": "red"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", 3),
        ("conversion", None),
        ("asymmetry", "mean"),
        ("negatives", "average"),
        ("diagonal", 0),
        ("scale", -1.0),
        ("scale", float("nan")),
        ("scale", "wide"),
        ("scale", True),
        ("added", float("inf")),
        ("columns", "height"),
        ("without", ["a", 3]),
        ("unknown_pairs", "ab"),
        ("unknown_pairs", ["ab"]),
        ("unknown_pairs", [["a"]]),
        ("unknown_pairs", [["a", "b", "c"]]),
        ("unknown_pairs", [["a", "a"]]),
    ],
)
def test_a_value_that_a_choice_cannot_have_is_refused_by_its_name(field: str, value: Any) -> None:
    with pytest.raises(UnknownOption, match=f"^{field} "):
        Preparation.from_dict({field: value})
