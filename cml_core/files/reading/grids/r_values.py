"""What R holds, dissimilarities, matrices and data frames, as tables of texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cml_core.errors import TooManyObjects, UnreadableFile
from cml_core.files.reading.grids.grid_file import Table
from cml_core.files.reading.raw import Limits

Item = "str | float | int | bool | RValue | None"
_WITH_EXPONENT = 1e16


@dataclass(frozen=True)
class RValue:
    """A vector or list of R with its attributes; None stands for NA and NULL."""

    values: Sequence[object] = ()
    attributes: dict[str, RValue] = field(default_factory=dict)

    def texts(self, attribute: str) -> list[str]:
        """An attribute as texts; none where it is not there."""
        found = self.attributes.get(attribute)
        return [text_of(value) for value in found.values] if found else []

    @property
    def is_list(self) -> bool:
        return any(isinstance(value, RValue) for value in self.values)


def text_of(value: object) -> str:
    """What R would write for one value in a table."""
    if value is None or isinstance(value, RValue):
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        if value.is_integer() and abs(value) < _WITH_EXPONENT:
            return str(int(value))
        return repr(value)
    return str(value)


def tables_in(objects: Sequence[tuple[str, RValue]], limits: Limits) -> list[Table]:
    """The tables in some objects of R, under their names; lone vectors where there is no other."""
    found = [table for name, value in objects for table in _tables_of(name, value, limits)]
    vectors = (table for name, value in objects for table in _vector(name, value))
    return found or list(vectors)


def _tables_of(name: str, value: RValue, limits: Limits) -> Iterator[Table]:
    if "Size" in value.attributes or "dist" in value.texts("class"):
        yield Table(_distances(value, limits), name)
    elif "data.frame" in value.texts("class"):
        yield Table(_frame(value, limits), name)
    elif len(value.texts("dim")) == 2:
        yield Table(_matrix(value, limits), name)
    elif value.is_list:
        names = value.texts("names")
        for k, part in enumerate(value.values):
            if isinstance(part, RValue):
                called = names[k] if k < len(names) and names[k] else f"{name or 'item'} {k + 1}"
                yield from _tables_of(called, part, limits)


def _vector(name: str, value: RValue) -> Iterator[Table]:
    if value.is_list or len(value.values) < 2 or isinstance(value.values[0], str):
        return
    texts = [text_of(entry) for entry in value.values]
    names = value.texts("names")
    named = len(names) == len(texts) and any(names)
    yield Table(list(zip(names, texts, strict=True)) if named else [[text] for text in texts], name)


def _check(count: int, limits: Limits) -> None:
    if count > limits.objects:
        raise TooManyObjects(
            f"The object of R has {count:,} rows; at most {limits.objects:,} are read.",
            remedy="Give fewer objects.",
        )


def _distances(value: RValue, limits: Limits) -> list[list[str]]:
    """A dist holds the columns of the lower triangle one after the other, without the diagonal."""
    size = (1 + math.isqrt(1 + 8 * len(value.values))) // 2
    _check(size, limits)
    if size * (size - 1) // 2 != len(value.values) or size < 2:
        raise UnreadableFile(
            f"The dist has {len(value.values)} values, which no number of objects has as pairs.",
            remedy="Save the dist again.",
        )
    labels = value.texts("Labels")
    labels = labels if len(labels) == size else [str(k + 1) for k in range(size)]
    square = [["0"] * size for _ in range(size)]
    given = iter(value.values)
    for column in range(size):
        for row in range(column + 1, size):
            square[row][column] = square[column][row] = text_of(next(given))
    return [["", *labels], *([label, *row] for label, row in zip(labels, square, strict=True))]


def _matrix(value: RValue, limits: Limits) -> Iterator[list[str]]:
    height, width = (int(float(text or 0)) for text in value.texts("dim"))
    _check(height, limits)
    if height * width != len(value.values) or not len(value.values):
        raise UnreadableFile(
            f"The matrix has {len(value.values)} values for {height} rows and {width} columns.",
            remedy="Save the matrix again.",
        )
    named = value.attributes.get("dimnames", RValue()).values
    rows, columns = (
        [text_of(v) for v in part.values] if isinstance(part, RValue) else []
        for part in (*named[:2], *(None,) * (2 - len(named[:2])))
    )
    if columns:
        yield ["", *columns] if rows else columns
    for row in range(height):
        texts = [text_of(value.values[row + column * height]) for column in range(width)]
        yield [*rows[row : row + 1], *texts]


def _frame(value: RValue, limits: Limits) -> Iterator[list[str]]:
    columns = [_column(part) for part in value.values if isinstance(part, RValue)]
    height = max(map(len, columns), default=0)
    _check(height, limits)
    rows = value.attributes.get("row.names", RValue()).values
    labels = [str(row) for row in rows] if rows and isinstance(rows[0], str) else []
    named = len(labels) == height
    yield ["", *value.texts("names")] if named else value.texts("names")
    for k in range(height):
        yield [*labels[k : k + named], *(c[k] if k < len(c) else "" for c in columns)]


def _column(part: RValue) -> list[str]:
    """A column of a data frame; of a factor the words that its codes stand for."""
    levels = part.texts("levels")
    if not levels:
        return [text_of(value) for value in part.values]
    codes = [int(v) if isinstance(v, int | float) and v == v else 0 for v in part.values]
    return [levels[code - 1] if 0 < code <= len(levels) else "" for code in codes]
