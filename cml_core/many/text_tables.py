"""Tables written as text, of any length, turned into Arrow block by block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cml_core.errors import UnreadableFile

TEXT_ENDINGS = (".csv", ".tsv", ".txt")
# Of the first line.
_LONGEST_HEAD = 1 << 20
_DELIMITERS = (";", "\t", ",")
# Nobody else gives a file this ending, so none of theirs is written over.
_MADE_HERE = ".cml.arrow"


def to_arrow(path: Path, name: str) -> Path:
    """The same table as an Arrow file beside it, under a name of its own: x.csv.cml.arrow.

    Parameters
    ----------
    name : what people call the file.

    Raises
    ------
    UnreadableFile : it is no table, or a column holds words among its numbers.
    """
    import pyarrow as pa

    target = path.with_name(path.name + _MADE_HERE)
    try:
        blocks = _blocks(path)
        first = next(blocks, None)
        if first is None:
            raise UnreadableFile(f"{name} is empty.", remedy="Bring a table with rows.")
        with pa.OSFile(str(target), "wb") as sink, pa.ipc.new_file(sink, first.schema) as file:
            file.write_batch(first)
            for block in blocks:
                file.write_batch(block)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        said = str(error).splitlines()[0].rstrip(".")
        raise UnreadableFile(
            f"{name} is no table that can be read: {said}.",
            remedy="Give every line as many cells as the first, and a column of numbers nothing "
            "but numbers; empty is missing.",
        ) from None
    return target


def _blocks(path: Path) -> Iterator[Any]:
    from pyarrow import csv

    with path.open("rb") as file:
        head = file.read(_LONGEST_HEAD).splitlines()
    first = head[0].decode("utf-8-sig", "replace") if head else ""
    delimiter = max(_DELIMITERS, key=first.count)
    # Where semicolons part the cells, numbers have a comma, as in most of Europe.
    decimal = "," if delimiter == ";" and any(b"," in line for line in head[1:20]) else "."
    if not head:
        return iter(())
    nameless = all(_is_number(cell, decimal) for cell in first.split(delimiter))
    reader = csv.open_csv(
        path,
        read_options=csv.ReadOptions(autogenerate_column_names=nameless),
        parse_options=csv.ParseOptions(delimiter=delimiter),
        convert_options=csv.ConvertOptions(
            decimal_point=decimal, null_values=["", "NA", "NaN", "nan"], strings_can_be_null=True
        ),
    )
    return iter(reader)


def _is_number(cell: str, decimal: str) -> bool:
    try:
        float(cell.strip().strip('"').replace(decimal, "."))
    except ValueError:
        return False
    return True
