"""Arrays that numpy saved, .npy or .npz: square tables, stacks of them, or measurements."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cml_core.errors import (
    InfiniteDissimilarities,
    NotNumeric,
    NotSquare,
    TooManyObjects,
    UnreadableFile,
    listing,
)
from cml_core.files.agreement import agreement_notes, mean_and_spread
from cml_core.files.reading.archive import ZIP_MAGIC, Archive, too_large
from cml_core.files.reading.array_header import NPY_MAGIC, ArrayHeader, header_of
from cml_core.files.reading.by_person import side_by_side
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, Format, ReadTable
from cml_core.files.reading.raw import ORDINARY, Limits, RawTable
from cml_core.values.arrays import FloatArray
from cml_core.values.feature_codes import level_name
from cml_core.values.features import Feature, FeatureTable

_OBJECT_NAMES = ("labels", "names", "ids")
_COLUMN_NAMES = "columns"
_KINDS = {
    "c": "complex numbers",
    "M": "dates",
    "m": "spans of time",
    "U": "texts",
    "S": "texts",
}
# A table takes as much memory once it is square, or a few times as much as its file.
_MOST_RATERS = 1_000
_ALWAYS_HELD = 40_000_000
_GROWTH = 200


def array_names(data: bytes, limits: Limits = ORDINARY) -> tuple[str, ...]:
    """The arrays of an .npz that may hold a table, in order; none for an .npy, which has one."""
    if data.startswith(NPY_MAGIC):
        return ()
    archive = Archive(data, limits)
    names = [name for name in _members(archive) if name not in (*_OBJECT_NAMES, _COLUMN_NAMES)]
    fit = [name for name in names if _may_be_table(archive, name)]
    return tuple(fit or names)


def read_array(
    data: bytes,
    name: str = "",
    limits: Limits = ORDINARY,
) -> RawTable | FeatureTable:
    """Pairs from a square, condensed or stacked array; measurements from any other table.

    A condensed array has the N(N-1)/2 values of the upper triangle, row after row; a stack has
    one square table for each rater, of which the mean is taken. NaN is missing. Of an .npz, an
    array called labels, names or ids names the objects, one called columns the measurements.

    Parameters
    ----------
    data : the file.
    name : of an array in an .npz; empty takes the first that may hold a table.
    limits : of the file and of what it unpacks to, of objects and columns.
    """
    if data.startswith(NPY_MAGIC):
        if len(data) > limits.bytes:
            raise too_large(len(data), limits.bytes)
        values = _numbers(data, "The array", len(data), limits)
        return _table(values, {}, "npy")
    if not data.startswith(ZIP_MAGIC):
        raise UnreadableFile(
            "This is no file of arrays.", remedy="Save it with numpy.save or numpy.savez."
        )
    archive = Archive(data, limits)
    chosen = _chosen(array_names(data, limits), _members(archive), name)
    values = _numbers(archive.read(f"{chosen}.npy"), f"The array {chosen!r}", len(data), limits)
    texts = {
        other: _texts(archive.read(f"{other}.npy"), other, limits)
        for other in (*_OBJECT_NAMES, _COLUMN_NAMES)
        if f"{other}.npy" in archive and other != chosen
    }
    return _table(values, texts, "npz")


def _members(archive: Archive) -> list[str]:
    return [name.removesuffix(".npy") for name in archive.names if name.endswith(".npy")]


def _may_be_table(archive: Archive, name: str) -> bool:
    try:
        # The first chunk is enough for a header; the rest is not unpacked to find out.
        header = header_of(next(archive.chunks(f"{name}.npy"), b""), name)
    except UnreadableFile:
        return False
    return header.dtype.kind in "biuf" and 1 <= len(header.shape) <= 3


def _chosen(tables: tuple[str, ...], members: list[str], name: str) -> str:
    if name in members:
        return name
    if name or not members:
        raise UnreadableFile(
            f"The file has no array called {name[:80]!r}." if name else "The file has no array.",
            remedy=f"Choose one of {listing(tables, 20)}."
            if tables
            else "Save it with numpy.savez.",
        )
    return (tables or tuple(members))[0]


def _loaded(data: bytes, header: ArrayHeader, what: str) -> Any:
    """The array, once its header has said that it is what was announced."""
    header.check_length(len(data), what)
    try:
        return np.load(io.BytesIO(data), allow_pickle=False)
    except Exception:
        raise UnreadableFile(
            f"{what} is damaged.", remedy="Save it again with numpy.save."
        ) from None


def _numbers(data: bytes, what: str, packed: int, limits: Limits) -> FloatArray:
    """The array as floats; raise a `ConditionalMappingError` unless it can be a table."""
    header = header_of(data, what)
    if header.dtype.kind not in "biuf":
        raise NotNumeric(
            f"{what} holds {_KINDS.get(header.dtype.kind, 'no numbers')}.",
            remedy="Save the table as an array of real numbers.",
        )
    if not 1 <= len(header.shape) <= 3 or 0 in header.shape:
        raise NotSquare(
            f"{what} has the shape {header.shape}, which is no table.",
            remedy="Save a square array, its condensed upper triangle, or a table of measurements.",
        )
    _check_extent(header.shape, what, packed, limits)
    with np.errstate(all="ignore"):
        values: FloatArray = _loaded(data, header, what).astype(np.float64, order="C")
    if np.isinf(values).any():
        place = np.argwhere(np.isinf(values))[0] + 1
        kinds = ("rater", "row", "column")[-len(place) :] if len(place) > 1 else ("place",)
        where = ", ".join(f"{kind} {k}" for kind, k in zip(kinds, place, strict=True))
        raise InfiniteDissimilarities(
            f"{what} is infinite at {where}.",
            remedy="Put NaN where a value is unknown; give all others a finite number.",
        )
    return values


def _check_extent(shape: tuple[int, ...], what: str, packed: int, limits: Limits) -> None:
    """Raise unless the square table, or the measurements, stay within the limits and in bounds."""
    square = len(shape) != 2 or shape[0] == shape[1]
    objects = _objects_of(shape[0]) if len(shape) == 1 else shape[-2]
    if objects > limits.objects:
        raise TooManyObjects(
            f"{what} has {objects} objects; at most {limits.objects} are read.",
            remedy="Take a part of the objects.",
        )
    if not square and shape[1] > limits.columns:
        raise UnreadableFile(
            f"{what} has {shape[1]} columns; at most {limits.columns} are read.",
            remedy="Leave out columns that are not needed.",
        )
    if len(shape) == 3 and shape[0] > _MOST_RATERS:
        raise UnreadableFile(
            f"{what} is a stack of {shape[0]} tables; at most {_MOST_RATERS} are read.",
            remedy="Save the stack as (raters, objects, objects), with fewer raters.",
        )
    held = 8 * max(objects * objects if square else 0, math.prod(shape))
    if held > max(_ALWAYS_HELD, _GROWTH * packed):
        raise too_large(held, max(_ALWAYS_HELD, _GROWTH * packed))


def _objects_of(size: int) -> int:
    """N for N(N-1)/2 values; one more than fits for any other number of them."""
    return (1 + math.isqrt(1 + 8 * size)) // 2


def _texts(data: bytes, name: str, limits: Limits) -> tuple[str, ...]:
    """Names from a list of texts or numbers; none where the array is not such a list."""
    what = f"The array {name!r}"
    header = header_of(data, what)
    if len(header.shape) != 1 or header.dtype.kind not in "biufUS":
        return ()
    names = tuple(_text(entry) for entry in _loaded(data, header, what).tolist())
    long = max(names, key=len, default="")
    if len(long) > limits.label_length:
        raise UnreadableFile(
            f"{what} holds a name of {len(long)} characters: {long[:40]!r}…",
            remedy=f"Give names of at most {limits.label_length} characters.",
        )
    return names


def _text(entry: Any) -> str:
    if isinstance(entry, bytes):
        return entry.decode("utf-8", errors="replace").strip()
    return level_name(entry).strip()


def _table(
    values: FloatArray, texts: dict[str, tuple[str, ...]], kind: str
) -> RawTable | FeatureTable:
    """What an array says, by its shape."""
    # A square array might hold as many measurements as objects; dissimilarities are likelier.
    if values.ndim == 2 and values.shape[0] != values.shape[1]:
        return _measurements(values, texts)
    if values.ndim == 3 and values.shape[1] != values.shape[2]:
        raise NotSquare(
            f"The array is a stack of {values.shape[0]} tables of {values.shape[1]} rows and "
            f"{values.shape[2]} columns.",
            remedy="Save one square table for each rater, as (raters, objects, objects).",
        )
    square = square_of_condensed(values) if values.ndim == 1 else values
    labels, notes = _labels(texts, square.shape[-1])
    if values.ndim == 1:
        notes = (*notes, f"{values.size} values were read as the upper triangle, row after row.")
    if values.ndim < 3:
        return RawTable(labels, square, kind, notes)
    tables = list(square)
    mean, spread = mean_and_spread(tables)
    names = [f"table {k + 1}" for k in range(len(tables))]
    told = f"The array holds {len(tables)} tables, of which the mean was taken."
    agreed = agreement_notes(tables, names) if len(tables) > 1 else ()
    single, note = side_by_side(names, tables)
    notes = (*notes, told, *agreed, *note)
    return RawTable(labels, mean, kind, notes, spread=spread, by_person=single)


def square_of_condensed(values: FloatArray) -> FloatArray:
    """(N, N) whose upper triangle has the N(N-1)/2 values, row after row; NaN elsewhere."""
    n = _objects_of(values.size)
    if n * (n - 1) // 2 != values.size:
        raise NotSquare(
            f"The array is a list of {values.size} values. {n} objects would have "
            f"{n * (n - 1) // 2} pairs, {n + 1} would have {n * (n + 1) // 2}.",
            remedy="Save a square array, or N(N-1)/2 values of its upper triangle.",
        )
    square = np.full((n, n), np.nan)
    square[np.triu_indices(n, 1)] = values
    return square


def _labels(
    texts: dict[str, tuple[str, ...]], count: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The objects' names and what there is to say of them."""
    named = {name: found for name in _OBJECT_NAMES if (found := texts.get(name))}
    for name, found in named.items():
        if len(found) == count:
            return found, (f"The objects were named by the array {name!r}.",)
    counted = tuple(f"object {i + 1}" for i in range(count))
    unfit = [f"{name!r} has {len(found)}" for name, found in named.items()]
    told = f"No array has a name for each of the {count} objects: {', '.join(unfit)}."
    return counted, (told,) if unfit else ()


def _measurements(values: FloatArray, texts: dict[str, tuple[str, ...]]) -> FeatureTable:
    labels, _ = _labels(texts, values.shape[0])
    columns: Sequence[str] = texts.get(_COLUMN_NAMES, ())
    if len(columns) != values.shape[1]:
        columns = [f"column {k + 1}" for k in range(values.shape[1])]
    features = (Feature.numeric(name, values[:, k]) for k, name in enumerate(columns))
    return FeatureTable(labels, tuple(features))


def _read(container: Container) -> ReadTable:
    return read_array(container.data, container.sheet, container.limits)


def _saved_as(kind: str) -> Callable[[Container, str], Claim]:
    def claim(container: Container, _name: str) -> Claim:
        return Claim.CERTAIN if container.kind == kind else Claim.NOTHING

    return claim


NPY = Format(
    "npy",
    "NumPy array (.npy)",
    _read,
    containers=("npy", "npz"),
    turn=0,
    claim=_saved_as("npy"),
    endings=(".npy",),
)
NPZ = Format(
    "npz",
    "NumPy archive of arrays (.npz)",
    _read,
    containers=("npz",),
    turn=0,
    claim=_saved_as("npz"),
    endings=(".npz",),
)
