"""Rows of Parquet and Arrow files, read block by block; pyarrow is imported when one is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.values.arrays import FloatArray
from cml_core.values.rows.rows import Column

# Rows that are decoded at a time where only the groups of a column are looked for.
BATCH = 65_536


@dataclass(frozen=True, eq=False)
class ArrowRows:
    """Rows of a file that holds record batches.

    Parameters
    ----------
    path : of the file.
    batches : (path, rows) -> record batches of about so many rows.
    schema, n_rows : what the file says of itself.
    """

    path: Path
    batches: Callable[[Path, int], Iterator[Any]]
    schema: Any
    n_rows: int
    labels: None = None

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        groups = [k for k, kind in enumerate(self.schema.types) if not _is_amount(kind)]
        levels: dict[int, dict[str, None]] = {k: {} for k in groups}
        if groups:
            with told(self.path):
                for batch in self.batches(self.path, BATCH):
                    for k in groups:
                        seen = batch.column(k).unique().to_pylist()
                        levels[k].update(dict.fromkeys(str(one) for one in seen if one is not None))
        names = self.schema.names
        return tuple(
            Column(str(name), tuple(levels[k]) if k in levels else None)
            for k, name in enumerate(names)
        )

    def blocks(self, size: int) -> Iterator[FloatArray]:
        places = [
            None if column.levels is None else {name: i for i, name in enumerate(column.levels)}
            for column in self.columns
        ]
        with told(self.path):
            for batch in self.batches(self.path, size):
                # A batch of Arrow may be larger than was asked for.
                for first in range(0, batch.num_rows, size):
                    yield _numbers(batch.slice(first, size), places)


def rows_of_parquet(path: Path) -> ArrowRows:
    """Rows of a Parquet file."""
    with told(path):
        import pyarrow.parquet as parquet

        with parquet.ParquetFile(path, memory_map=True) as file:
            return ArrowRows(path, _parquet, file.schema_arrow, file.metadata.num_rows)


def rows_of_arrow(path: Path) -> ArrowRows:
    """Rows of an Arrow (Feather) file."""
    with told(path):
        import pyarrow as pa

        with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
            counts = (file.get_batch(k).num_rows for k in range(file.num_record_batches))
            return ArrowRows(path, _arrow, file.schema, sum(counts))


def _parquet(path: Path, size: int) -> Iterator[Any]:
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(path, memory_map=True) as file:
        yield from file.iter_batches(batch_size=size, use_threads=False)


def _arrow(path: Path, _: int) -> Iterator[Any]:
    import pyarrow as pa

    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
        for k in range(file.num_record_batches):
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
