"""Tables written as text, of any length, turned into Arrow block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from cml_core.errors import UnreadableFile

TEXT_ENDINGS = (".csv", ".tsv", ".txt")
# Of the first line.
_LONGEST_HEAD = 1 << 20
# Of a file whose columns are looked through, so much at a time.
_PIECE = 1 << 22
_DELIMITERS = (";", "\t", ",")
# A cell between semicolons, with its decimal mark; 1.2.2020 is none.
_FRACTION = re.compile(
    rb'(?:^|;)[ "]*[-+]?\d*([.,])\d+(?:[eE][-+]?\d+)?(?=[ "\r]*(?:;|$))', re.MULTILINE
)
# Nobody else gives a file this ending, so none of theirs is written over.
_MADE_HERE = ".cml.arrow"


def to_arrow(path: Path, name: str) -> Path:
    """The same table as an Arrow file beside it, under a name of its own: x.csv.cml.arrow.

    A column is what its whole length is, however late that shows: numbers where all cells are,
    words as soon as one of them is no number.

    Parameters
    ----------
    name : what people call the file.

    Raises
    ------
    UnreadableFile : it is no table.
    """
    import pyarrow as pa

    target = path.with_name(path.name + _MADE_HERE)
    try:
        text = _Text.of(path)
        try:
            _write(text.blocks(), target, name)
        except pa.ArrowInvalid:
            # Something did not fit the beginning.
            _write(text.blocks(_looked_through(text)), target, name)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        said = str(error).splitlines()[0].rstrip(".")
        raise UnreadableFile(
            f"{name} is no table that can be read: {said}.",
            remedy="Give every line as many cells as the first; empty is missing.",
        ) from None
    return target


@dataclass(frozen=True)
class _Text:
    """A table as it is written.

    Parameters
    ----------
    delimiter, decimal : what parts its cells, and the whole of a number from the rest.
    named : whether its first line names the columns.
    """

    path: Path
    delimiter: str
    decimal: str
    named: bool

    @classmethod
    def of(cls, path: Path) -> _Text:
        """As its first line looks, and its first number that has a fraction."""
        with path.open("rb") as file:
            head = file.read(_LONGEST_HEAD).splitlines()[:1]
        first = head[0].decode("utf-8-sig", "replace") if head else ""
        delimiter = max(_DELIMITERS, key=first.count)
        # Where semicolons part the cells, numbers have a comma, as in most of Europe.
        decimal = _decimal(path) if delimiter == ";" else "."
        named = not all(_is_number(cell, decimal) for cell in first.split(delimiter))
        return cls(path, delimiter, decimal, named)

    def blocks(self, types: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """Record batches; without `types`, of what the first megabyte holds."""
        from pyarrow import csv

        if not self.path.stat().st_size:
            return iter(())
        return iter(csv.open_csv(self.path, **self._options(types)))

    def tables(self) -> Iterator[Any]:
        """The same in larger pieces, each of what it holds by itself."""
        from pyarrow import csv

        names: Sequence[str] = ()
        for piece in _pieces(self.path):
            table = csv.read_csv(BytesIO(piece), **self._options(names=names))
            names = table.schema.names
            yield table

    def _options(
        self, types: Mapping[str, Any] | None = None, names: Sequence[str] = ()
    ) -> dict[str, Any]:
        from pyarrow import csv

        nameless = not self.named and not names
        return {
            "read_options": csv.ReadOptions(column_names=names, autogenerate_column_names=nameless),
            "parse_options": csv.ParseOptions(delimiter=self.delimiter),
            "convert_options": csv.ConvertOptions(
                column_types=types,
                decimal_point=self.decimal,
                null_values=["", "NA", "NaN", "nan"],
                strings_can_be_null=True,
            ),
        }


def _decimal(path: Path) -> str:
    for piece in _pieces(path):
        # Without a comma, numbers have a point or are whole.
        if b"," in piece and (found := _FRACTION.search(piece)):
            return found[1].decode()
    return "."


def _write(blocks: Iterator[Any], target: Path, name: str) -> None:
    import pyarrow as pa

    first = next(blocks, None)
    if first is None:
        raise UnreadableFile(f"{name} is empty.", remedy="Bring a table with rows.")
    with pa.OSFile(str(target), "wb") as sink, pa.ipc.new_file(sink, first.schema) as file:
        file.write_batch(first)
        for block in blocks:
            file.write_batch(block)


def _looked_through(text: _Text) -> dict[str, Any]:
    """What each column holds in the whole file."""
    found: dict[str, Any] = {}
    for table in text.tables():
        for field in table.schema:
            found[field.name] = _both(found.get(field.name, field.type), field.type)
    return found


def _both(one: Any, other: Any) -> Any:
    """The type that holds the cells of both."""
    import pyarrow as pa

    for day, moment in ((one, other), (other, one)):
        if day == pa.date32() and pa.types.is_timestamp(moment) and moment.tz is None:
            return moment
    schemas = [pa.schema([("", kind)]) for kind in (one, other)]
    try:
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except pa.ArrowException:
        return pa.string()


def _pieces(path: Path) -> Iterator[bytes]:
    """A file in pieces that end with a line."""
    with path.open("rb") as file:
        held = b""
        while read := file.read(_PIECE):
            held += read
            end = (held.rfind(b"\n") + 1) or (held.rfind(b"\r") + 1)
            if held[:end].strip():
                yield held[:end]
                held = held[end:]
        if held.strip():
            yield held


def _is_number(cell: str, decimal: str) -> bool:
    try:
        float(cell.strip().strip('"').replace(decimal, "."))
    except ValueError:
        return False
    return True
