"""What a file says, before anything is mended: pairs of objects, or cells on their way there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cml_core.errors import DuplicateLabels, LengthMismatch, listing
from cml_core.files.reading.by_person import ByPerson
from cml_core.files.reading.question import Question
from cml_core.values.arrays import FloatArray, Value, settled

_T = TypeVar("_T")

_PLACE = re.compile(
    r"[Cc]ell (?P<letters>[A-Z]{1,5})(?P<row>[0-9]{1,8}) of sheet"
    r"|(?:[Ll]ine|[Rr]ow) (?P<line>[0-9]{1,9})(?:, cell (?P<cell>[0-9]{1,6}))?"
)


@dataclass(frozen=True)
class Limits:
    """How much of a file is read; what is larger is refused with a reason.

    Parameters
    ----------
    bytes : of a file, and of what an archive holds once unpacked.
    objects : rows of a square table, or different names in a list of pairs.
    columns : of a table of measurements or features.
    label_length : characters of a name.
    """

    bytes: int = 500_000_000
    objects: int = 10_000
    columns: int = 10_000
    label_length: int = 1_000


ORDINARY = Limits()


@dataclass(frozen=True, eq=False, repr=False)
class RawTable(Value):
    """Values of pairs as a file has them: perhaps similarities, asymmetric, below zero.

    Parameters
    ----------
    labels : N different names, in the order of the file.
    values : (N, N); row i, column j is what the file says of i with j, NaN where it says
        nothing. A format that gives one triangle leaves the other NaN; one without a diagonal
        leaves that NaN.
    format : the key of the format that it was read in.
    notes : what a person should know of the reading, in sentences.
    spread : (N, N) standard deviation of values that were averaged, NaN where there was one;
        None where nothing was averaged.
    weights : (N, N) how much each value counts; None where all count the same.
    by_person : what single people said, where the values sum that up; None where that is not
        known, or they are too few or too many.
    told : what stands around the values, which may say what they are: the name of the file and
        of the sheet, remarks above, and heads that are no object's name.
    questions : what the file leaves open.
    """

    labels: tuple[str, ...]
    values: FloatArray
    format: str
    notes: tuple[str, ...] = ()
    spread: FloatArray | None = None
    weights: FloatArray | None = None
    by_person: ByPerson | None = None
    told: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()

    def __post_init__(self) -> None:
        shape = (len(self.labels),) * 2
        for name in ("values", "spread", "weights"):
            array = getattr(self, name)
            if array is None:
                continue
            if array.shape != shape:
                raise LengthMismatch(
                    f"{name} has shape {array.shape} for {shape[0]} labels.",
                    remedy="Give one row and one column for each label.",
                )
            # A table that is shared is not copied: at 10,000 objects it has 800 MB.
            object.__setattr__(self, name, settled(array))
        if self.by_person is not None and self.by_person.values.shape[1:] != shape:
            raise LengthMismatch(
                f"{self.by_person!r} for {shape[0]} labels.",
                remedy="Give the table of every person one row and one column for each label.",
            )
        if len(set(self.labels)) < len(self.labels):
            twice = sorted({name for name in self.labels if self.labels.count(name) > 1})
            raise DuplicateLabels(
                f"More than one object is called {listing(twice)}.",
                remedy="Give every object a name of its own.",
            )

    @property
    def n_objects(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"RawTable({self.n_objects} objects as {self.format}: {listing(self.labels, 3)})"


@dataclass(frozen=True)
class Cells:
    """A grid of texts, stripped, and where each row stands in its file.

    Parameters
    ----------
    rows : of any widths; rows without any text are left out.
    lines : where each row stands in the file or sheet, counted from one.
    sheet : of a workbook; empty for a text file.
    decimal_comma : whether 1,5 is one and a half throughout.
    columns : where each column stands in the file or sheet, counted from 0; none for the same.
    notes : what was done to the grid before it was read, in sentences.
    unit : what the places of rows count where there is no sheet.
    """

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    sheet: str = ""
    decimal_comma: bool = False
    columns: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    unit: str = "Line"
    _known: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, key: object, make: Callable[[], _T]) -> _T:
        """What `make` gives, worked out one time for this grid however many formats ask."""
        if key not in self._known:
            self._known[key] = make()
        found: _T = self._known[key]
        return found

    def where(self, row: int, column: int) -> str:
        """The place of a cell as its reader finds it: Line 3, cell 2, or Cell B3 of a sheet."""
        line = self.lines[row]
        if column < len(self.columns):
            column = self.columns[column]
        if not self.sheet:
            return f"{self.unit} {line}, cell {column + 1}"
        return f"Cell {letters_of(column)}{line} of sheet {self.sheet!r}"


def place_named(words: str) -> tuple[int, int] | None:
    """The line and the column, counted from 0, that `Cells.where` told; None where none is told."""
    found = _PLACE.search(words)
    if found is None:
        return None
    if found["letters"]:
        return int(found["row"]), column_of(found["letters"])
    return int(found["line"]), int(found["cell"] or 1) - 1


def column_of(letters: str) -> int:
    """The column that a spreadsheet calls so, counted from 0."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def letters_of(column: int) -> str:
    """A spreadsheet's name of a column: A, …, Z, AA, …"""
    name, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
