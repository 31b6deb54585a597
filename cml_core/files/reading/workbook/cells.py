"""The stored cells of a row become texts, each refusal with the cell's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from cml_core.files.reading.raw import Cells, Limits
from cml_core.files.reading.workbook.parts import Book, shared_texts, styles_with_dates
from cml_core.files.reading.workbook.plain_rows import PlainRow
from cml_core.files.reading.workbook.sheet import StoredRow
from cml_core.files.reading.workbook.stored_values import (
    UnreadableCell,
    error_text,
    iso_text,
    number_text,
    plain_text,
    serial_text,
    truth_text,
)
from cml_core.files.reading.workbook.xml import SAVE_AGAIN, damaged

# No spreadsheet program holds more in a cell; its last column is XFD.
_LONGEST_TEXT = 32_767
_LONGEST_COLUMN_NAME = 3
_MOST_REMEMBERED = 5_000
_LONGEST_REMEMBERED = 40
_MOST_DIGITS = 10
# Names stand in the first rows, or in lists, which are narrow.
PARSED_ROWS, PARSED_COLUMNS = 100, 8


class _Columns(dict[str, int]):
    """The number of a column by its letters, counted from one."""

    def __missing__(self, letters: str) -> int:
        if not (letters.isascii() and letters.isalpha() and letters.isupper()):
            raise KeyError(letters)
        if len(letters) > _LONGEST_COLUMN_NAME:
            raise KeyError(letters)
        number = 0
        for letter in letters:
            number = 26 * number + ord(letter) - ord("A") + 1
        self[letters] = number
        return number


class _Remembered(dict[str, str]):
    """The texts of what is stored in cells; equal cells share theirs, until there are many."""

    def __init__(self, text_of: Callable[[str], str]) -> None:
        super().__init__()
        self._text_of = text_of

    def __missing__(self, stored: str) -> str:
        # A sheet of ratings has a million cells, and seven texts.
        text = self._text_of(stored)
        if len(self) == _MOST_REMEMBERED:
            self.clear()
        if len(stored) <= _LONGEST_REMEMBERED:
            self[stored] = text
        return text


class CellTexts:
    """What is needed to tell the texts of a workbook's cells.

    Parameters
    ----------
    book : read here are its shared texts, and which of its styles show dates.
    limits : of the columns of a sheet.
    """

    def __init__(self, book: Book, limits: Limits) -> None:
        self._shared = shared_texts(book)
        self._dates: Mapping[str, str] = styles_with_dates(book)
        self._widest = max(limits.columns, limits.objects) + 1
        self._columns = _Columns()
        self._numbers = _Remembered(number_text)
        self._serials = {
            kind: _Remembered(partial(serial_text, kind=kind, since_1904=book.since_1904))
            for kind in set(self._dates.values())
        }
        self._others = {
            "s": _Remembered(self._shared_text),
            "str": _Remembered(plain_text),
            "inlineStr": _Remembered(plain_text),
            "b": _Remembered(truth_text),
            "e": _Remembered(error_text),
            "d": _Remembered(iso_text),
        }

    def row(self, stored: StoredRow, sheet: str) -> list[str]:
        """The texts of a row, up to the last cell with something in it."""
        row: list[str] = []
        digits = str(stored.line)
        column = place = 0
        try:
            for place, attributes in enumerate(stored.attributes):
                name = attributes.get("r")
                column = column + 1 if name is None else self._columns[name.removesuffix(digits)]
                text = self._text(attributes, stored.values[place], place in stored.formulas)
                if not text:
                    continue
                if column == len(row) + 1 <= self._widest:
                    row.append(text)
                else:
                    self._put_apart(row, column, text)
        except UnreadableCell as unreadable:
            where = Cells(((),), (stored.line,), sheet).where(0, column - 1)
            raise unreadable.at(where) from None
        except KeyError:
            name = stored.attributes[place]["r"]
            raise damaged(f"a cell of row {digits} is called {name[:40]!r}") from None
        return row

    def plain_row(self, plain: PlainRow, sheet: str) -> list[str] | None:
        """The texts of a row of numbers; None where they are dates, or beyond what is read.

        None as well where a number may be a name, and is to look as people write it.
        """
        if plain.line <= PARSED_ROWS or len(plain.texts) < PARSED_COLUMNS:
            return None
        if plain.style in self._dates or plain.columns[-1] >= self._widest:
            return None
        row: list[str] = []
        if plain.first is not None:
            kind, style, text = plain.first
            attributes = [{"r": f"A{plain.line}", "t": kind, "s": style}]
            row = self.row(StoredRow(plain.line, attributes, [text], set()), sheet)
        if plain.columns[0] == len(row) and plain.columns[-1] - plain.columns[0] < len(plain.texts):
            return row + plain.texts
        row += [""] * (plain.columns[-1] + 1 - len(row))
        for column, text in zip(plain.columns, plain.texts, strict=True):
            row[column] = text
        return row

    def _text(self, attributes: dict[str, str], value: str | None, formula: bool) -> str:
        kind = attributes.get("t", "n")
        if not value:
            # A formula that gives an empty text says that its result is one.
            if formula and kind != "str":
                raise UnreadableCell(
                    "has a formula whose result is not in the file.",
                    remedy="Open the file in a spreadsheet program, which computes it, "
                    "and save it again.",
                )
            return ""
        if kind == "n":
            date = self._dates.get(attributes.get("s", "0"))
            return self._serials[date][value] if date else self._numbers[value]
        if kind not in self._others:
            raise UnreadableCell(f"is of the unknown kind {kind[:40]!r}.", remedy=SAVE_AGAIN)
        text = self._others[kind][value]
        if len(text) > _LONGEST_TEXT:
            raise UnreadableCell(
                f"holds a text of {len(text)} characters.",
                remedy=f"Shorten it; a cell holds at most {_LONGEST_TEXT}.",
            )
        return text

    def _put_apart(self, row: list[str], column: int, text: str) -> None:
        """Put a text elsewhere than right after the ones before."""
        if column > self._widest:
            raise UnreadableCell(
                f"is not empty, and lies beyond the {self._widest} columns that are read.",
                remedy="Clear it if it is there by mistake, or leave out columns.",
            )
        if column > len(row):
            row.extend([""] * (column - len(row)))
        elif row[column - 1]:
            raise UnreadableCell("stands twice in the file.", remedy=SAVE_AGAIN)
        row[column - 1] = text

    def _shared_text(self, stored: str) -> str:
        place = stored.strip()
        # More digits than these count more texts than fit into any file.
        number = int(place) if place.isdecimal() and len(place) < _MOST_DIGITS else -1
        if 0 <= number < len(self._shared):
            return self._shared[number]
        raise UnreadableCell(
            f"refers to text number {place[:40]}, which is not in the file.", remedy=SAVE_AGAIN
        )
