"""One value of a project file that someone may have damaged or made up."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.values.arrays import FloatArray, frozen

SHOWN_CHARACTERS = 60
# Seeds may have 64 bits, more than a float holds exactly.
MOST_WHOLE = 2**64


@dataclass(frozen=True)
class Entry:
    """A value of parsed JSON, and where it stands; asked for a type, it is that or an error.

    Parameters
    ----------
    value : what was parsed.
    where : the path to it, such as "steps[3].best"; empty for the whole file.
    """

    value: object
    where: str

    def wrong(self, expected: str) -> UnreadableFile:
        """The error that says what should stand here."""
        # Not repr: what someone made up may be megabytes, or nested a thousand deep.
        shown = reprlib.repr(self.value)[:SHOWN_CHARACTERS]
        place = self.where or "The project file"
        return UnreadableFile(
            f"{place} is {shown}, not {expected}.",
            remedy="Use the project file as it was saved; this one was cut off or changed.",
        )

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """What is wrong with data in here is wrong with the file."""
        try:
            yield
        except UnreadableFile:
            raise
        except ConditionalMappingError as error:
            place = f"In {self.where} of the project file" if self.where else "In the project file"
            raise UnreadableFile(f"{place}: {error.fact}", remedy=error.remedy) from error

    def at(self, name: str) -> Entry:
        """The field of this name."""
        where = f"{self.where}.{name}" if self.where else name
        fields = self.mapping()
        if name not in fields:
            raise UnreadableFile(
                f"{where} is missing from the project file.",
                remedy="Use the project file as it was saved; this one was cut off or changed.",
            )
        return Entry(fields[name], where)

    def items(self, count: int | None = None) -> list[Entry]:
        """The entries of a list, `count` of them where that is given."""
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        if count is not None and len(self.value) != count:
            raise self.wrong(f"a list of {count}")
        return [Entry(value, f"{self.where}[{k}]") for k, value in enumerate(self.value)]

    def mapping(self) -> dict[str, Any]:
        """A set of named fields, as it stands."""
        if not isinstance(self.value, dict):
            raise self.wrong("a set of named fields")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("a text")
        return self.value

    def text_or_none(self) -> str | None:
        return None if self.value is None else self.text()

    def one_of(self, allowed: tuple[str, ...]) -> str:
        if self.value not in allowed:
            raise self.wrong(f"one of {', '.join(allowed)}")
        return self.text()

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value

    def whole(self) -> int:
        """A whole number from 0 up."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_WHOLE:
            raise self.wrong("a whole number from 0 up")
        return value

    def number(self) -> float:
        """A finite number."""
        numbers = _finite([self.value], gaps=False)
        if numbers is None:
            raise self.wrong("a finite number")
        return float(numbers[0])

    def number_or_none(self) -> float | None:
        return None if self.value is None else self.number()

    def numbers(self, *, gaps: bool = False) -> FloatArray:
        """(M,) finite numbers; with `gaps`, null is NaN."""
        numbers = _finite(self.value, gaps=gaps) if isinstance(self.value, list) else None
        if numbers is None:
            raise self.wrong("a list of finite numbers")
        return numbers

    def matrix(self, rows: int, columns: int) -> FloatArray:
        """(rows, columns) finite numbers, read-only."""
        parts = [entry.numbers() for entry in self.items()]
        if [part.size for part in parts] != [columns] * rows:
            raise self.wrong(f"a table of {rows} x {columns} numbers")
        return frozen(np.array(parts).reshape(rows, columns))


def _finite(values: list[object], *, gaps: bool) -> FloatArray | None:
    """The numbers of a list, None where it holds something else."""
    # To Python truth is a number, and numpy would read text as one.
    allowed = (int, float, type(None)) if gaps else (int, float)
    if not all(isinstance(value, allowed) and not isinstance(value, bool) for value in values):
        return None
    try:
        numbers = np.array(values, dtype=np.float64)
    except OverflowError:
        return None
    return None if np.isinf(numbers).any() else numbers
