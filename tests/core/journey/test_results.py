"""What was found about a map goes into a project file and comes out of it unchanged."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass, replace
from types import UnionType
from typing import get_args, get_origin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cml_core.errors import UnreadableFile
from cml_core.evidence.importance import Helped
from cml_core.evidence.questions import QUESTIONS
from cml_core.evidence.result import NAMING, ResultKind, kind_of
from cml_core.evidence.stability import Stability
from cml_core.journey import results
from cml_core.journey.entry import Entry
from cml_core.journey.results import result_content, result_from, results_from
from cml_core.values.arrays import FloatArray, IntArray, frozen

# Objects and hidden dimensions of the map that the results are about.
N, P = 4, 2
LENGTHS = {"n": N, "d": P}
# What has to be one of a few words.
WORDS = {"left_out": "pairs", "scale": "ordinal"}


def made(kind: type) -> object:
    """A result of a kind, every field of it filled."""
    lengths = LENGTHS | {"f": 3, "c": 2, "k": 2, "q": 2, "v": 2, "*": 2}
    return kind(
        **{
            name: filled(name, hint, tuple(lengths[axis] for axis in axes))
            for name, (hint, axes) in results._hints(kind).items()
        }
    )


def filled(name: str, hint: object, shape: tuple[int, ...]) -> object:
    plain = {int: 1, float: 0.25, bool: True, str: f"a {name}", float | None: 0.5, int | None: 2}
    if name in WORDS:
        return WORDS[name]
    if hint in plain:
        return plain[hint]
    if hint == FloatArray:
        return frozen(np.linspace(0.1, 0.9, int(np.prod(shape))).reshape(shape))
    if hint == IntArray:
        whole = np.arange(int(np.prod(shape))).reshape(shape) % N
        whole.setflags(write=False)
        return whole
    if get_origin(hint) is UnionType:
        return made(get_args(hint)[0])
    assert get_origin(hint) is tuple, f"{name} holds {hint}, which no file can hold"
    part = get_args(hint)[0]
    if part is str and name == "columns":
        return tuple(f"column {k}" for k in range(shape[0]))
    return tuple(
        filled(f"{name}{k}", part, ()) if part in plain else made(part) for k in range(shape[0])
    )


def entry_of(result: object) -> Entry:
    return Entry(
        json.loads(json.dumps(result_content(result), allow_nan=False)), "steps[0].findings[0]"
    )


def read(entry: Entry) -> object:
    return result_from(entry, n_objects=N, n_components=P)


def same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=True)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one)
        )
    return one == other or (one != one and other != other)


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
def test_a_result_comes_back_as_it_was(kind):
    result = made(kind)
    assert same(read(entry_of(result)), result)


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
def test_a_result_can_be_looked_up_by_itself(kind):
    assert {made(kind): 1}


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
def test_a_result_has_a_heading_numbers_that_fit_together_and_a_frame(kind):
    result = made(kind)
    assert result.title
    table = result.table()
    heads = [column.head for column in table.columns]
    assert len(set(heads)) == len(heads)
    assert all(len(row) == len(heads) for row in table.rows())
    assert table.frame().shape == (len(table), len(heads))


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("damage", ["gone", "null", "text", "longer"])
def test_a_damaged_result_is_refused_and_its_place_named(kind, damage):
    result = made(kind)
    for field in fields(kind):
        content = result_content(result)
        if damage == "gone":
            if field.default is not MISSING:
                continue
            del content[field.name]
        elif damage == "null":
            content[field.name] = None
        elif damage == "text":
            content[field.name] = "<made up>" if not isinstance(content[field.name], str) else 3
        elif not lengthened(content, field.name, kind):
            continue
        if damage == "null" and isinstance(getattr(result, field.name), float):
            continue
        with pytest.raises(UnreadableFile, match="findings"):
            read(Entry(content, "steps[0].findings[0]"))


def lengthened(content: dict, name: str, kind: type) -> bool:
    """One more along the first axis, where that cannot be right."""
    value, hints = content[name], results._hints(kind)
    if not isinstance(value, list | dict):
        return False
    axes = hints[name][1]
    alone = sum(axes[0] in other for _, other in hints.values()) < 2
    if axes[0] == "*" or (alone and axes[0] not in LENGTHS):
        return False
    if isinstance(value, list):
        content[name] = [*value, value[-1]]
    else:
        rest = int(np.prod(value["shape"][1:]))
        content[name] = {
            "shape": [value["shape"][0] + 1, *value["shape"][1:]],
            "values": [*value["values"], *value["values"][:rest]],
        }
    return True


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
def test_what_earlier_versions_did_not_know_may_be_absent(kind):
    result = made(kind)
    content = result_content(result)
    later = {field.name: field.default for field in fields(kind) if field.default is not MISSING}
    for name in later:
        del content[name]
    assert same(read(Entry(content, "x")), replace(result, **later))


def test_a_feature_judged_before_there_was_one_dimension_fewer_stays_as_it_was():
    result = made(Helped)
    content = result_content(result)
    for one in content["features"]:
        del one["in_place"]
    parts = tuple(replace(one, in_place=None) for one in result.features)
    assert same(read(Entry(content, "x")), replace(result, features=parts))


def test_what_may_be_none_comes_back_as_none_and_is_refused_as_anything_else():
    result = made(Helped)
    none = replace(result, features=(replace(result.features[0], in_place=None),))
    assert same(read(entry_of(none)), none)
    content = result_content(none)
    content["features"][0]["in_place"] = 3
    with pytest.raises(UnreadableFile, match="in_place"):
        read(Entry(content, "x"))


def test_a_result_of_another_map_is_refused():
    content = result_content(made(Stability))
    with pytest.raises(UnreadableFile, match="size"):
        result_from(Entry(content, "x"), n_objects=N + 1, n_components=P)
    with pytest.raises(UnreadableFile, match="size"):
        result_from(Entry(content, "x"), n_objects=N, n_components=P + 1)


@pytest.mark.parametrize(
    "array",
    [
        {"shape": [3], "values": [1.0]},
        {"shape": [1] * 5, "values": [1.0]},
        {"shape": [2**63, 0], "values": []},
        {"shape": [-1], "values": []},
        {"shape": [1.0], "values": [1.0]},
        {"shape": [1], "values": [True]},
        {"shape": [1], "values": [[1.0]]},
        {"shape": [1]},
        [1.0],
    ],
)
def test_numbers_that_do_not_fill_their_shape_are_refused(array):
    content = result_content(made(Stability)) | {"influence": array}
    with pytest.raises(UnreadableFile):
        read(Entry(content, "x"))


@pytest.mark.parametrize("value", [0.5, None, 1e300])
def test_objects_are_counted_in_whole_numbers(value):
    content = result_content(made(Stability)) | {"omitted": {"shape": [1], "values": [value]}}
    with pytest.raises(UnreadableFile, match="whole"):
        read(Entry(content, "x"))


@pytest.mark.parametrize("content", [None, [], "x", {}, {"kind": "Fit"}, {"kind": []}])
def test_what_is_no_result_is_refused(content):
    with pytest.raises(UnreadableFile):
        read(Entry(content, "x"))


def test_a_number_that_is_not_known_stays_so():
    result = replace(made(Stability), influence=frozen(np.array([np.nan, 1, 2, 3])))
    assert same(read(entry_of(result)), result)


def test_arrays_that_were_read_cannot_be_written_to():
    result = read(entry_of(made(Stability)))
    for array in (result.centres, result.omitted):
        assert not array.flags.writeable


def test_a_step_keeps_one_of_a_kind():
    pairs = made(Stability)
    objects = replace(pairs, left_out="objects")
    assert kind_of(pairs) == ResultKind(Stability, "pairs")
    both = Entry([result_content(pairs), result_content(objects)], "x")
    read_again = results_from(both, n_objects=N, n_components=P)
    assert [str(kind_of(one)) for one in read_again] == [
        "Stability/pairs",
        "Stability/objects",
    ]
    twice = Entry([result_content(pairs), result_content(pairs)], "x")
    with pytest.raises(UnreadableFile, match="different kinds"):
        results_from(twice, n_objects=N, n_components=P)


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
def test_a_feature_is_renamed_in_what_was_found_or_it_is_dropped(kind):
    result = made(kind)
    assert not result.mentions("Size")
    assert result.renamed("Size", "Length") is result
    for name in named_in(result):
        found = result.renamed(name, "Length")
        if kind.__name__ == "KnownWeights":
            assert found is None
        else:
            assert found.mentions("Length")
            assert not found.mentions(name)


def named_in(result: object) -> list[str]:
    """The features that the parts of a result name."""
    rows = [value for value in vars(result).values() if isinstance(value, tuple)]
    parts = [part for row in rows for part in row if is_dataclass(part)]
    return [vars(part)[field] for part in parts for field in NAMING if field in vars(part)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["shape", "values", "kind", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=200)
@given(st.sampled_from(QUESTIONS), st.data())
def test_whatever_stands_in_a_file_either_is_a_result_or_says_why_not(kind, data):
    content = result_content(made(kind))
    name = data.draw(st.sampled_from(sorted(content)))
    content[name] = data.draw(JSON)
    with suppress(UnreadableFile):
        assert isinstance(read(Entry(content, "x")).verdict, str)


def test_numbers_of_numpy_are_written_as_numbers():
    result = replace(made(Stability), refits=np.int64(7))
    assert json.loads(json.dumps(result_content(result)))["refits"] == 7


@pytest.mark.parametrize(
    "damage",
    # Of objects left out, one that does not exist; and something unheard of left out.
    [{"omitted": {"shape": [1], "values": [N + 5]}}, {"left_out": "questions"}],
)
def test_a_result_of_which_nothing_can_be_said_is_refused(damage):
    content = result_content(replace(made(Stability), left_out="objects")) | damage
    with pytest.raises(UnreadableFile, match="makes sense"):
        read(Entry(content, "x"))
