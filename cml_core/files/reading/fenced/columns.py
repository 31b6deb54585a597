"""Parquet, Feather and Arrow files, by pyarrow; only the child imports this."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from cml_core.files.reading.fenced.bounds import check_shape

_AT_ONCE = 256


def tables(
    path: str, _chosen: str, rows: int, columns: int
) -> tuple[list[str], str, Iterator[list[object]]]:
    """The one table of the file, names of its columns above, the index of pandas before."""
    pa.set_cpu_count(1)
    with open(path, "rb") as file:
        parquet = file.read(4) == b"PAR1"
    if parquet:
        told = pa.parquet.read_metadata(path)
        check_shape("The file", told.num_rows, told.num_columns, rows, columns)
        table = pa.parquet.read_table(path, use_threads=False)
    else:
        table = pa.feather.read_table(path, use_threads=False, memory_map=True)
    check_shape("The file", table.num_rows, table.num_columns, rows, columns)
    return [], "", _rows(table, _index(table))


def _index(table: pa.Table) -> list[str]:
    """The columns that pandas keeps the names of rows in; Arrow puts them last."""
    told = (table.schema.metadata or {}).get(b"pandas")
    kept = json.loads(told).get("index_columns", []) if told else []
    return [name for name in kept if isinstance(name, str) and name in table.column_names]


def _rows(table: pa.Table, index: list[str]) -> Iterator[list[object]]:
    names = [*index, *(name for name in table.column_names if name not in index)]
    table = table.select(names)
    yield ["" if name in index and name.startswith("__index") else name for name in names]
    for begin in range(0, table.num_rows, _AT_ONCE):
        part = table.slice(begin, _AT_ONCE)
        yield from map(list, zip(*(column.to_pylist() for column in part.columns), strict=True))
