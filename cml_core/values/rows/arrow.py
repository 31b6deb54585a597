"""Rows of Parquet and Arrow files, read block by block; pyarrow is imported when one is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.values.arrays import FloatArray
from cml_core.values.rows.in_memory import ArrayRows
from cml_core.values.rows.rows import Column, Place

# Parts of a file that are larger than what is wanted by more are no longer read as a whole.
MOST_TIMES_AS_LARGE = 4
# Rows that are decoded at a time where only the groups of a column are looked for.
BATCH = 65_536

# (file, rows, parts) -> record batches of about so many rows, of these of its parts.
Batches = Callable[[Path, int, Sequence[int]], Iterator[Any]]


@dataclass(frozen=True, eq=False)
class ArrowRows:
    """Rows of a file that holds record batches.

    Parameters
    ----------
    place : of the file.
    batches : reads it.
    columns : what it says of itself, with the groups that its texts name.
    sizes : how many rows each part of the file has, which can be read by itself.
    chosen : which of its parts these rows are.
    """

    place: Place
    batches: Batches
    columns: tuple[Column, ...]
    sizes: tuple[int, ...]
    chosen: tuple[int, ...]
    labels: None = None

    @property
    def n_rows(self) -> int:
        return sum(self.sizes[k] for k in self.chosen)

    @property
    def here(self) -> bool:
        return self.place.here

    def blocks(self, size: int) -> Iterator[FloatArray]:
        places = [
            None if column.levels is None else {name: i for i, name in enumerate(column.levels)}
            for column in self.columns
        ]
        with told(self.place.path):
            for batch in self.batches(self.place.path, size, self.chosen):
                # A batch of Arrow may be larger than was asked for.
                for first in range(0, batch.num_rows, size):
                    yield _numbers(batch.slice(first, size), places)

    def parts(self, size: int) -> Iterator[ArrowRows | ArrayRows]:
        if max(self.sizes, default=0) > MOST_TIMES_AS_LARGE * size:
            # Whoever is given a piece of it would have to decode all that comes before.
            yield from (ArrayRows(block, self.columns) for block in self.blocks(size))
            return
        held: tuple[int, ...] = ()
        for k in self.chosen:
            if held and sum(self.sizes[j] for j in (*held, k)) > size:
                yield replace(self, chosen=held)
                held = ()
            held = (*held, k)
        if held:
            yield replace(self, chosen=held)


def rows_of_parquet(path: Path) -> ArrowRows:
    """Rows of a Parquet file, whose parts are its row groups."""
    with told(path):
        import pyarrow.parquet as parquet

        with parquet.ParquetFile(path, memory_map=True) as file:
            groups = (file.metadata.row_group(k) for k in range(file.metadata.num_row_groups))
            sizes = tuple(group.num_rows for group in groups)
            schema = file.schema_arrow
    return _opened(path, _parquet, schema, sizes)


def rows_of_arrow(path: Path) -> ArrowRows:
    """Rows of an Arrow (Feather) file, whose parts are its record batches."""
    with told(path):
        import pyarrow as pa

        with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
            sizes = tuple(file.get_batch(k).num_rows for k in range(file.num_record_batches))
            schema = file.schema
    return _opened(path, _arrow, schema, sizes)


def _opened(path: Path, batches: Batches, schema: Any, sizes: tuple[int, ...]) -> ArrowRows:
    every = tuple(range(len(sizes)))
    levels: dict[int, dict[str, None]] = {
        k: {} for k, kind in enumerate(schema.types) if not _is_amount(kind)
    }
    with told(path):
        for batch in batches(path, BATCH, every) if levels else ():
            for k, seen in levels.items():
                found = batch.column(k).unique().to_pylist()
                seen.update(dict.fromkeys(str(one) for one in found if one is not None))
        place = Place.of(path)
    columns = tuple(
        Column(str(name), tuple(levels[k]) if k in levels else None)
        for k, name in enumerate(schema.names)
    )
    return ArrowRows(place, batches, columns, sizes, every)


def _parquet(path: Path, size: int, parts: Sequence[int]) -> Iterator[Any]:
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(path, memory_map=True) as file:
        yield from file.iter_batches(batch_size=size, row_groups=list(parts), use_threads=False)


def _arrow(path: Path, _: int, parts: Sequence[int]) -> Iterator[Any]:
    import pyarrow as pa

    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
        for k in parts:
            yield file.get_batch(k)


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


def _is_amount(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _numbers(batch: Any, places: list[dict[str, int] | None]) -> FloatArray:
    block = np.empty((batch.num_rows, batch.num_columns))
    for k, place in enumerate(places):
        column = batch.column(k)
        if place is None:
            block[:, k] = column.cast("float64").to_numpy(zero_copy_only=False)
        else:
            block[:, k] = [np.nan if one is None else place[str(one)] for one in column.to_pylist()]
    return block
