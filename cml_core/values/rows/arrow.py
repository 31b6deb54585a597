"""Rows of Parquet and Arrow files, read block by block; pyarrow is imported when one is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from cml_core.errors import UnreadableFile, UnsuitableMeasurements
from cml_core.values.arrays import FloatArray
from cml_core.values.quantities import DAYS
from cml_core.values.rows.in_memory import ArrayRows
from cml_core.values.rows.rows import Column, Place

# Parts of a file that are larger than what is wanted by more are no longer read as a whole.
MOST_TIMES_AS_LARGE = 4
# Rows that are decoded at a time where only the groups of a column are looked for.
BATCH = 65_536
MICROSECONDS_A_DAY = 86_400e6

# (file, rows, parts, names) -> record batches of about so many rows, of these of its parts, with
# these of its fields.
Batches = Callable[[Path, int, Sequence[int], Sequence[str]], Iterator[Any]]


@dataclass(frozen=True, eq=False)
class ArrowRows:
    """Rows of a file that holds record batches.

    Parameters
    ----------
    place : of the file.
    batches : reads it.
    schema : which of its fields these rows have.
    sizes : how many rows each part of the file has, which can be read by itself.
    chosen : which of its parts these rows are.
    told : the columns of each field, where the whole file has been asked already.
    """

    place: Place
    batches: Batches
    schema: Any
    sizes: tuple[int, ...]
    chosen: tuple[int, ...]
    told: tuple[tuple[Column, ...], ...] = ()
    labels: None = None

    @property
    def n_rows(self) -> int:
        return sum(self.sizes[k] for k in self.chosen)

    @property
    def here(self) -> bool:
        return self.place.here

    def only(self, names: Sequence[str]) -> ArrowRows:
        """The same rows of these fields alone; no other is read."""
        import pyarrow as pa

        fields = pa.schema([self.schema.field(name) for name in names])
        return replace(self, schema=fields, told=())

    def read(self, size: int = BATCH) -> Iterator[Any]:
        """Record batches of the fields, about so many rows each, as the file has them."""
        with told(self.place.path):
            yield from self.batches(self.place.path, size, self.chosen, self.schema.names)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(column for columns in self.by_field for column in columns)

    @property
    def by_field(self) -> tuple[tuple[Column, ...], ...]:
        """The columns of each field: a list is as many as it has numbers."""
        if not self.told and len(self.schema):
            object.__setattr__(self, "told", tuple(self._looked_through()))
        return self.told

    def _looked_through(self) -> Iterator[tuple[Column, ...]]:
        levels = self._levels()
        lists = [one.name for one in self.schema if is_list(one.type)]
        first = next(self.only(lists).read(1), None) if lists and self.n_rows else None
        for field in self.schema:
            if is_list(field.type):
                width = _width(first, field.name)
                yield tuple(Column(f"{field.name} {k + 1}") for k in range(width))
            else:
                unit = DAYS if is_date(field.type) else ""
                yield (Column(str(field.name), levels.get(field.name), unit),)

    def _levels(self) -> dict[str, tuple[str, ...]]:
        groups = [one.name for one in self.schema if not (is_amount(one.type) or is_list(one.type))]
        seen: dict[str, dict[str, None]] = {name: {} for name in groups}
        for batch in self.only(groups).read() if groups else ():
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                found = (str(one) for one in column.unique().to_pylist() if one is not None)
                seen[name].update(dict.fromkeys(found))
        return {name: tuple(levels) for name, levels in seen.items()}

    def blocks(self, size: int) -> Iterator[FloatArray]:
        places = {
            column.name: {name: i for i, name in enumerate(column.levels)}
            for column in self.columns
            if column.levels is not None
        }
        first = 0
        for batch in self.read(size):
            # A batch of Arrow may be larger than was asked for.
            for start in range(0, batch.num_rows, size):
                part = batch.slice(start, size)
                yield self._numbers(part, places, first + start)
            first += batch.num_rows

    def _numbers(self, batch: Any, places: dict[str, dict[str, int]], first: int) -> FloatArray:
        block = np.empty((batch.num_rows, len(self.columns)))
        at = 0
        for field, columns, column in zip(self.schema, self.by_field, batch.columns, strict=True):
            if is_list(field.type):
                spread = self._spread(field.name, column, len(columns), first)
                block[:, at : at + len(columns)] = spread
            elif field.name in places:
                place = places[field.name]
                texts = column.to_pylist()
                block[:, at] = [np.nan if one is None else place[str(one)] for one in texts]
            else:
                block[:, at] = amounts(column)
            at += len(columns)
        return block

    def _spread(self, name: str, column: Any, width: int, first: int) -> FloatArray:
        """(n, width) the numbers of lists, which are all as long as the first of the file."""
        import pyarrow.compute as compute

        lengths = compute.list_value_length(column).to_numpy(zero_copy_only=False)
        if (lengths != width).any():
            i = int(np.argmax(lengths != width))
            count = 0 if np.isnan(lengths[i]) else int(lengths[i])
            raise UnsuitableMeasurements(
                f"Row {first + i + 1} has {count} numbers in {name!r}, the first row {width}.",
                remedy="Give every object as many numbers as the others.",
            )
        return amounts(column.flatten()).reshape(-1, width)

    def parts(self, size: int) -> Iterator[ArrowRows | ArrayRows]:
        if max(self.sizes, default=0) > MOST_TIMES_AS_LARGE * size:
            # Whoever is given a piece of it would have to decode all that comes before.
            yield from (ArrayRows(block, self.columns) for block in self.blocks(size))
            return
        # Of a part alone it may not show which groups there are.
        whole, held = replace(self, told=self.by_field), tuple[int, ...]()
        for k in self.chosen:
            if held and sum(self.sizes[j] for j in (*held, k)) > size:
                yield replace(whole, chosen=held)
                held = ()
            held = (*held, k)
        if held:
            yield replace(whole, chosen=held)


def rows_of_parquet(path: Path) -> ArrowRows:
    """Rows of a Parquet file, whose parts are its row groups."""
    with told(path):
        import pyarrow.parquet as parquet

        with parquet.ParquetFile(path, memory_map=True) as file:
            groups = (file.metadata.row_group(k) for k in range(file.metadata.num_row_groups))
            sizes = tuple(group.num_rows for group in groups)
            schema = file.schema_arrow
        return ArrowRows(Place.of(path), _parquet, schema, sizes, tuple(range(len(sizes))))


def rows_of_arrow(path: Path) -> ArrowRows:
    """Rows of an Arrow (Feather) file, whose parts are its record batches."""
    with told(path):
        schema = _schema(path)
        with _opened(path, schema.names[:1]) as file:
            sizes = tuple(file.get_batch(k).num_rows for k in range(file.num_record_batches))
        return ArrowRows(Place.of(path), _arrow, schema, sizes, tuple(range(len(sizes))))


def _parquet(path: Path, size: int, parts: Sequence[int], names: Sequence[str]) -> Iterator[Any]:
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(path, memory_map=True) as file:
        batches = file.iter_batches(
            batch_size=size, row_groups=list(parts), columns=list(names), use_threads=False
        )
        # In the order asked for, not in that of the file.
        yield from (batch.select(list(names)) for batch in batches)


def _arrow(path: Path, _: int, parts: Sequence[int], names: Sequence[str]) -> Iterator[Any]:
    with _opened(path, names) as file:
        for k in parts:
            yield file.get_batch(k).select(list(names))


def _schema(path: Path) -> Any:
    import pyarrow as pa

    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
        return file.schema


@contextmanager
def _opened(path: Path, names: Sequence[str]) -> Iterator[Any]:
    """An Arrow file, of whose record batches these fields alone are decoded."""
    import pyarrow as pa

    places = [_schema(path).get_field_index(name) for name in names]
    options = pa.ipc.IpcReadOptions(included_fields=places)
    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source, options=options) as file:
        yield file


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What pyarrow says of a damaged file, in words."""
    try:
        import pyarrow as pa
    except ImportError:
        raise UnreadableFile(
            f"{path.name} takes pyarrow to be read.",
            remedy='Install it: pip install "whatsleft[files]"; or save the array with numpy.save.',
        ) from None
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        said = str(error).splitlines()[0].rstrip(".") if str(error) else "it ends too soon"
        raise UnreadableFile(
            f"{path.name} is damaged, cut short or of another format: {said}.",
            remedy="Write the file again, or copy it again, and check its size.",
        ) from None


def amounts(column: Any) -> FloatArray:
    """A column of numbers or dates as numbers, NaN where missing."""
    import pyarrow as pa

    if is_date(column.type):
        moments = column.cast(pa.timestamp("us")).cast("int64").to_numpy(zero_copy_only=False)
        days: FloatArray = np.asarray(moments, dtype=np.float64) / MICROSECONDS_A_DAY
        return days
    numbers: FloatArray = column.cast("float64").to_numpy(zero_copy_only=False)
    return numbers


def is_amount(kind: Any) -> bool:
    """Whether a column of this type holds numbers, or dates, which are told as numbers."""
    import pyarrow.types as types

    number = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    return bool(number or is_date(kind))


def is_date(kind: Any) -> bool:
    """Whether a column of this type holds days or moments."""
    import pyarrow.types as types

    return bool(types.is_date(kind) or types.is_timestamp(kind))


def is_list(kind: Any) -> bool:
    """Whether a column of this type holds vectors: a list of numbers in every row."""
    import pyarrow.types as types

    lists = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return bool(lists and is_amount(kind.value_type))


def _width(first: Any, name: str) -> int:
    """How many numbers the list of the first row has."""
    told = None if first is None or not first.num_rows else first.column(name)[0].as_py()
    if not told:
        raise UnsuitableMeasurements(
            f"The first row has no numbers in {name!r}.",
            remedy="Leave the column out, or give every row as many numbers.",
        )
    return len(told)
