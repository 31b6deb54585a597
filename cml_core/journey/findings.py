"""Results as plain content, for a project file, and results from such content.

One way for all of them: a result is a frozen dataclass of numbers, texts, arrays, and others of
its sort, and its type hints say how to read it again. A number that is not finite is written as
null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Protocol, get_args, get_origin, get_type_hints

import numpy as np

from cml_core.errors import UnknownOption, UnreadableFile
from cml_core.evidence.dimensions import Dimensions
from cml_core.evidence.hidden_feature import HiddenFeature
from cml_core.evidence.importance import FeatureHelp, Helped
from cml_core.evidence.known_weights import Direction, FeatureWeight, KnownWeights
from cml_core.evidence.ranking import Candidate, Ranking
from cml_core.evidence.stability import Stability
from cml_core.evidence.structure import Structure
from cml_core.evidence.trust import Neighbourhoods, Optimum, OtherOptima
from cml_core.journey.entry import Entry
from cml_core.values.arrays import FloatArray, IntArray, frozen

MOST_AXES = 4
MOST_ALONG_AN_AXIS = 2**40
# Whole numbers beyond are not exact as floating-point numbers.
MOST_WHOLE = 2**53


class Result(Protocol):
    """What a computation about a map found."""

    @property
    def verdict(self) -> str:
        """What it means, in one or two plain sentences."""
        ...


# Every result that a step of a journey may keep.
KINDS: tuple[type, ...] = (
    Dimensions,
    HiddenFeature,
    Helped,
    KnownWeights,
    Ranking,
    Structure,
    Stability,
    Neighbourhoods,
    OtherOptima,
)

# Which axes an array or a row of a result has: n for objects, d for hidden dimensions; others mean
# the same length throughout a result, and * any length.
AXES: Mapping[type, Mapping[str, str]] = {
    Dimensions: {"n_components": "c", "unexplained": "c", "fold_errors": "cf"},
    HiddenFeature: {"null": "*"},
    Helped: {"features": "*"},
    FeatureHelp: {"null": "*"},
    KnownWeights: {"features": "*", "columns": "q", "gram": "qq", "directions": "*"},
    FeatureWeight: {},
    Direction: {"loadings": "q"},
    Ranking: {"candidates": "*"},
    Candidate: {"direction": "*"},
    Neighbourhoods: {"sizes": "k", "trustworthiness": "k", "continuity": "k"},
    OtherOptima: {"optima": "*"},
    Optimum: {"moved": "n", "most_moved": "*"},
    Stability: {
        "labels": "n", "centres": "nd", "covariances": "ndd", "omitted": "*", "influence": "n",
    },
    Structure: {"shuffled": "*"},
}  # fmt: skip


def kind_of(result: object) -> str:
    """What a step keeps one of: the result's class, and what was left out where that differs."""
    name = type(result).__name__
    return f"{name}/{result.left_out}" if isinstance(result, Stability) else name


def mentions(result: Result, name: str) -> bool:
    """Whether a result speaks of a feature."""
    return any(name in _names(part) for part in _parts(result))


def renamed(result: Result, name: str, to: str) -> Result | None:
    """The result with a feature under another name.

    None where columns are named after the feature; such a result is quickly computed again.
    """
    if not mentions(result, name):
        return result
    if isinstance(result, KnownWeights):
        return None
    changes = {}
    for field in fields(result):  # type: ignore[arg-type]
        value = getattr(result, field.name)
        if isinstance(value, tuple) and value and is_dataclass(value[0]):
            changes[field.name] = tuple(_with_name(part, name, to) for part in value)
    return replace(result, **changes)  # type: ignore[type-var]


def _parts(result: Result) -> Iterator[Any]:
    """What a result says of one thing at a time."""
    for field in fields(result):  # type: ignore[arg-type]
        value = getattr(result, field.name)
        if isinstance(value, tuple):
            yield from (part for part in value if is_dataclass(part))


def _names(part: Any) -> dict[str, str]:
    """The features that a part of a result names, by what they are called."""
    own = (field.name for field in fields(part) if field.name in ("name", "feature"))
    return {getattr(part, field): field for field in own}


def _with_name(part: Any, name: str, to: str) -> Any:
    names = _names(part)
    return replace(part, **{names[name]: to}) if name in names else part


def result_content(result: Result) -> dict[str, Any]:
    """A result as JSON can hold it."""
    return {"kind": type(result).__name__, **_written(result)}


def _written(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "values": [_written(v) for v in value.ravel().tolist()]}
    if isinstance(value, tuple):
        return [_written(part) for part in value]
    if is_dataclass(value):
        return {field.name: _written(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value


def findings_from(entry: Entry, *, n_objects: int, n_components: int) -> tuple[Result, ...]:
    """The results that a step of a project file keeps, one of a kind."""
    found = tuple(
        result_from(one, n_objects=n_objects, n_components=n_components) for one in entry.items()
    )
    if len({kind_of(result) for result in found}) < len(found):
        raise entry.wrong("results of different kinds")
    return found


def result_from(entry: Entry, *, n_objects: int, n_components: int) -> Result:
    """A result from a project file about a map of so many objects and dimensions.

    Raises
    ------
    UnreadableFile : it is none, or its parts do not belong together.
    """
    kinds = {kind.__name__: kind for kind in KINDS}
    kind = kinds[entry.at("kind").one_of(tuple(kinds))]
    lengths = {"n": n_objects, "d": n_components}
    result: Result = _made(entry, kind, lengths)
    try:
        said = isinstance(result.verdict, str)
    except Exception:
        said = False
    if not said:
        raise entry.wrong("a result that makes sense")
    return result


def check_is_about(result: Result, *, n_objects: int, n_components: int) -> None:
    """Raise where a result could not be read again as one of a map of this size."""
    try:
        written = Entry(result_content(result), type(result).__name__)
        result_from(written, n_objects=n_objects, n_components=n_components)
    except (UnreadableFile, TypeError) as error:
        raise UnknownOption(
            f"This result is not about the step's map: {error}",
            remedy="Compute it from the fit of that step.",
        ) from None


def _made(entry: Entry, kind: type, lengths: dict[str, int]) -> Any:
    """A dataclass from the fields of an entry."""
    made = {}
    for name, hint in _hints(kind).items():
        made[name] = _read(entry.at(name), hint, lengths)
        if name in AXES.get(kind, {}):
            shape = made[name].shape if isinstance(made[name], np.ndarray) else (len(made[name]),)
            _check(entry.at(name), shape, AXES[kind][name], lengths)
    return kind(**made)


def _check(entry: Entry, shape: tuple[int, ...], axes: str, lengths: dict[str, int]) -> None:
    """Axes of one letter are equally long, here and in what was read before."""
    expected = tuple(
        length if axis == "*" else lengths.setdefault(axis, length)
        for axis, length in zip(axes, shape, strict=False)
    )
    if len(shape) != len(axes) or shape != expected:
        raise entry.wrong(f"of the size that goes with the rest, {expected}")


def _read(entry: Entry, hint: Any, lengths: dict[str, int]) -> Any:
    if hint in _PLAIN:
        return _PLAIN[hint](entry)
    if get_origin(hint) is tuple:
        return tuple(_read(part, get_args(hint)[0], lengths) for part in entry.items())
    if hint == FloatArray:
        return frozen(_array(entry))
    if hint == IntArray:
        return _whole_numbers(entry)
    return _made(entry, hint, lengths)


def _array(entry: Entry) -> FloatArray:
    shape = tuple(length.whole() for length in entry.at("shape").items())
    values = entry.at("values").numbers(gaps=True)
    if (
        len(shape) > MOST_AXES
        or max(shape, default=0) > MOST_ALONG_AN_AXIS
        or np.prod([float(length) for length in shape]) != values.size
    ):
        raise entry.wrong("numbers that fill their shape")
    return values.reshape(shape)


def _whole_numbers(entry: Entry) -> IntArray:
    values = _array(entry)
    if not (np.abs(values) <= MOST_WHOLE).all() or (values != np.round(values)).any():
        raise entry.wrong("whole numbers")
    whole = values.astype(np.int64)
    whole.setflags(write=False)
    return whole


def _number(entry: Entry) -> float:
    found = entry.number_or_none()
    return float("nan") if found is None else found


_PLAIN: dict[Any, Callable[[Entry], Any]] = {
    int: Entry.whole,
    float: _number,
    float | None: Entry.number_or_none,
    bool: Entry.truth,
    str: Entry.text,
}


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The fields of a result and what they hold."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
