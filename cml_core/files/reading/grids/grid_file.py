"""What a kind of file is that holds grids of cells: how it is known, and how it is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from cml_core.errors import ConditionalMappingError, TooManyObjects, UnreadableFile, listing
from cml_core.files.reading.delimited import AT_ONCE, check_names
from cml_core.files.reading.encoding import text_of
from cml_core.files.reading.raw import Cells, Limits

_BEGIN = 4_000
# Before a table stand its head and some remarks; a list of pairs has more rows than objects.
_REMARKS, _PAIR = 100, (3, 4)


@dataclass(frozen=True)
class Begin:
    """The begin of a file, by which its kind is known; the name may lie, or be missing."""

    data: bytes

    @cached_property
    def text(self) -> str:
        """The first characters, without blanks before; none where it is no text."""
        sample = self.data[:_BEGIN]
        try:
            return text_of(sample[: len(sample) // 2 * 2]).lstrip()
        except ConditionalMappingError:
            return ""


@dataclass(frozen=True)
class Grids:
    """The tables of a file.

    Parameters
    ----------
    names : of those that can be chosen; none where there is one.
    cells : of the one that was asked for; None where it was refused.
    refused : why.
    """

    names: tuple[str, ...]
    cells: Cells | None = None
    refused: ConditionalMappingError | None = None

    def taken(self) -> Cells:
        """The cells; raises why there are none."""
        if self.cells is None:
            assert self.refused is not None
            raise copy(self.refused)
        return self.cells


@dataclass(frozen=True)
class GridFile:
    """A kind of file that holds grids: one module, and one line in `GRID_FILES`.

    Parameters
    ----------
    what : it is, in words: "a Markdown table".
    suits : whether a file that begins so is one.
    opened : its tables; takes the file, the name of a table or nothing, and limits.
    is_text : whether its letters are in some code page.
    with_points : whether a program wrote its numbers, whose decimal marks are points.
    as_lines : a large one as lines of cells with semicolons between them, which take less memory;
        gives None where it is not plain.
    """

    what: str
    suits: Callable[[Begin], bool]
    opened: Callable[[bytes, str, Limits], Grids]
    is_text: bool = False
    with_points: bool = False
    as_lines: Callable[[bytes, Limits], bytes | None] | None = None


@dataclass(frozen=True)
class Table:
    """Rows of texts under a name, and where each stands in its file, if not one below the other."""

    rows: Iterable[Sequence[str]]
    name: str = ""
    lines: Sequence[int] = ()


def of_tables(
    read: Callable[[str, Limits], Iterable[Table]],
) -> Callable[[bytes, str, Limits], Grids]:
    """A reader of texts that hold tables as one of files."""

    def opened(data: bytes, sheet: str, limits: Limits) -> Grids:
        return chosen_of(read(text_of(data), limits), sheet, limits)

    return opened


def chosen_of(tables: Iterable[Table], sheet: str, limits: Limits) -> Grids:
    """The tables, and the cells of the one of this name, or of the first."""
    found = tuple(tables)
    names = tuple(table.name for table in found if table.name)
    fit = [table for table in found if not sheet or table.name == sheet]
    if not fit:
        raise UnreadableFile(
            f"The file has no table called {sheet[:80]!r}." if sheet else "There is no table.",
            remedy=f"Choose one of {listing(names, 20)}." if names else "Give a table with values.",
        )
    try:
        return Grids(names if len(names) > 1 else (), cells_of_rows(fit[0], limits))
    except ConditionalMappingError as error:
        return Grids(names if len(names) > 1 else (), refused=error.with_traceback(None))


def cells_of_rows(table: Table, limits: Limits) -> Cells:
    """The cells of a table; blanks around texts and rows without any are left out."""
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    enough, widest = AT_ONCE, max(limits.objects, limits.columns) + 2
    for line, row in zip(_lines(table.lines), table.rows, strict=False):
        if len(row) > widest:
            raise _too_large(f"has a row of {len(row):,} cells", limits)
        texts = list(map(str.strip, row))
        while texts and not texts[-1]:
            texts.pop()
        if not texts:
            continue
        rows.append(tuple(texts))
        lines.append(line)
        if len(rows) > limits.objects + _REMARKS and len(row) not in _PAIR:
            raise _too_large(f"has more than {limits.objects:,} rows", limits)
        if len(rows) == enough:
            check_names(rows, limits)
            enough *= 2
    if not rows:
        raise UnreadableFile("The table is empty.", remedy="Give a table with some rows.")
    return Cells(tuple(rows), tuple(lines), unit="Line" if table.lines else "Row")


def _lines(known: Sequence[int]) -> Iterator[int]:
    yield from known
    place = known[-1] if known else 0
    while True:
        place += 1
        yield place


def _too_large(how: str, limits: Limits) -> TooManyObjects:
    return TooManyObjects(
        f"The table {how}; at most {limits.objects:,} objects and {limits.columns:,} columns "
        "are read.",
        remedy="Give fewer objects or columns.",
    )
