"""Results as plain content, for a project file, and results from such content.

One way for all of them: a result is a frozen dataclass of numbers, texts, arrays, and others of
its sort, and its type hints say how to read it again. A number that is not finite is written as
null.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

from cml_core.errors import UnknownOption, UnreadableFile
from cml_core.evidence import questions
from cml_core.evidence.result import Result, kind_of
from cml_core.journey.entry import Entry
from cml_core.values.arrays import FloatArray, IntArray, frozen

MOST_AXES = 4
MOST_ALONG_AN_AXIS = 2**40
# Whole numbers beyond are not exact as floating-point numbers.
MOST_WHOLE = 2**53
# One axis, of any length.
ANY_LENGTH = "*"


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


def results_from(entry: Entry, *, n_objects: int, n_components: int) -> tuple[Result, ...]:
    """The results that a step of a project file keeps, one of a kind."""
    found = tuple(
        result_from(one, n_objects=n_objects, n_components=n_components) for one in entry.items()
    )
    if len({kind_of(result) for result in found}) < len(found):
        raise entry.wrong("results of different kinds")
    return found


def result_from(
    entry: Entry,
    *,
    n_objects: int,
    n_components: int,
    of: Sequence[type[Result]] | None = None,
) -> Result:
    """A result from a project file about a map of so many objects and dimensions.

    Parameters
    ----------
    of : the kinds that it may be; usually all questions that there are by now.

    Raises
    ------
    UnreadableFile : it is none, or its parts do not belong together.
    """
    kinds = {kind.__name__: kind for kind in of or questions.QUESTIONS}
    kind = kinds[entry.at("kind").one_of(tuple(kinds))]
    lengths = {"n": n_objects, "d": n_components}
    result: Result = _made(entry, kind, lengths)
    try:
        # Whatever is shown of it later: numbers that someone made up may pass every check above and
        # still break what is made of them.
        _ = result.verdict, result.title, result.remarks, result.sketch, result.table()
    except Exception:
        raise entry.wrong("a result that makes sense") from None
    return result


def check_is_about(result: Result, *, n_objects: int, n_components: int) -> None:
    """Raise where a result could not be read again as one of a map of this size."""
    # Written and read: nothing else tells as surely that it can be.
    try:
        written = Entry(result_content(result), type(result).__name__)
        result_from(written, n_objects=n_objects, n_components=n_components)
    except (UnreadableFile, TypeError) as error:
        raise UnknownOption(
            f"This result is not about the step's map: {error}",
            remedy="Compute it from the fit of that step.",
        ) from None


def _made(entry: Entry, kind: type, lengths: dict[str, int]) -> Any:
    """A dataclass from the fields of an entry; what earlier versions did not know may be absent."""
    made, known = {}, entry.mapping()
    for name, (hint, axes) in _hints(kind).items():
        if name not in known and name in _defaults(kind):
            continue
        made[name] = found = _read(entry.at(name), hint, lengths)
        if isinstance(found, np.ndarray | tuple):
            shape = found.shape if isinstance(found, np.ndarray) else (len(found),)
            _check(entry.at(name), shape, axes, lengths)
    return kind(**made)


def _check(entry: Entry, shape: tuple[int, ...], axes: str, lengths: dict[str, int]) -> None:
    """Axes of one letter are equally long, here and in what was read before."""
    expected = tuple(
        length if axis == ANY_LENGTH else lengths.setdefault(axis, length)
        for axis, length in zip(axes, shape, strict=False)
    )
    if len(shape) != len(axes) or shape != expected:
        raise entry.wrong(f"of the size that goes with the rest, {expected}")


def _read(entry: Entry, hint: Any, lengths: dict[str, int]) -> Any:
    if hint in _PLAIN:
        return _PLAIN[hint](entry)
    if get_origin(hint) is UnionType:
        # One dataclass, or none.
        return None if entry.value is None else _made(entry, get_args(hint)[0], lengths)
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


def _whole_or_none(entry: Entry) -> int | None:
    return None if entry.value is None else entry.whole()


_PLAIN: dict[Any, Callable[[Entry], Any]] = {
    int: Entry.whole,
    int | None: _whole_or_none,
    float: _number,
    float | None: Entry.number_or_none,
    bool: Entry.truth,
    str: Entry.text,
}


@cache
def _hints(kind: type) -> dict[str, tuple[Any, str]]:
    """The fields of a result, what they hold, and along which axes."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: _hint(hints[field.name]) for field in fields(kind)}


@cache
def _defaults(kind: type) -> frozenset[str]:
    """The fields that need not be there."""
    return frozenset(field.name for field in fields(kind) if field.default is not MISSING)


def _hint(hint: Any) -> tuple[Any, str]:
    return get_args(hint)[:2] if get_origin(hint) is Annotated else (hint, ANY_LENGTH)
