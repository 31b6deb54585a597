"""What people write for a number, for a missing one, and what must not be taken for either."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np

from cml_core.errors import NotNumeric
from cml_core.files.reading.not_numbers import told_as
from cml_core.files.reading.raw import Cells
from cml_core.values.arrays import FloatArray, lent
from cml_core.values.quantities import GAPS_AMONG_NUMBERS
from cml_core.values.real_numbers import LARGEST_SQUARED

MISSING = GAPS_AMONG_NUMBERS | frozenset(
    {"\\n", "+nan", "-nan", "nan(ind)", "-nan(ind)", "1.#qnan", "-1.#qnan", "1.#ind", "-1.#ind"}
)
# A lakh is 1,00,000 and a crore 1,00,00,000.
_INDIAN = re.compile(r"[1-9]\d?(?:,\d\d)+,\d{3}(?:\.\d+)?")
# The largest float, written out, has 309 digits.
_LONGEST = 400


def number(cell: str, decimal_comma: bool | None = None) -> float | None:
    """The number in a cell, NaN where it says missing, None where it is something else.

    With `decimal_comma` None, a single comma counts as a decimal mark.
    """
    if cell.lower() in MISSING:
        return math.nan
    # Python takes 1_000 for a number; here it is a name.
    if "_" in cell or len(cell) > _LONGEST:
        return None
    plain = cell.replace("\N{MINUS SIGN}", "-")
    if decimal_comma and "." in plain:
        return None
    if decimal_comma is not False and plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        return float(plain)
    except ValueError:
        return None


def is_text(cell: str) -> bool:
    """Whether a cell is neither a number, however it is written, nor missing."""
    return number(cell) is None and not may_have_thousands(cell)


def numbers_in_row(
    cells: Cells,
    row: int,
    start: int = 0,
    stop: int | None = None,
    *,
    name: str = "",
    columns: Sequence[str] = (),
) -> FloatArray:
    """The numbers of a row from one column to before another, NaN where missing.

    Parameters
    ----------
    name : of the row, where it has one.
    columns : the names of the columns from `start` on, where they have some.

    Raises
    ------
    NotNumeric : for the first that is none, is infinite, or is too large to be squared.
    """
    texts = cells.rows[row][start:stop]
    quick = plain_numbers(texts, cells.decimal_comma)
    if quick is not None:
        return quick
    found = np.empty(len(texts))
    for k, text in enumerate(texts):
        where = named_place(cells.where(row, start + k), name, columns[k : k + 1])
        found[k] = checked(text, cells.decimal_comma, where)
    return found


def block_of(cells: Cells, first: int, offset: int) -> FloatArray | None:
    """All numbers from a row and a column on, NaN where missing; they are worked out once.

    None where the rows differ in width, or some cell is neither empty nor a plain number.
    """
    return cells.once(("block", first, offset), lambda: _block(cells, first, offset))


def _block(cells: Cells, first: int, offset: int) -> FloatArray | None:
    rows = cells.rows[first:]
    if len({len(row) for row in rows}) != 1:
        return None
    found = np.empty((len(rows), max(len(rows[0]) - offset, 0)))
    for k, row in enumerate(rows):
        quick = plain_numbers(row[offset:], cells.decimal_comma)
        if quick is None:
            return None
        found[k] = quick
    return lent(found)


def named_place(where: str, row: str, column: Sequence[str] = ()) -> str:
    """The place of a cell with the names of its row and its column, as far as they have some."""
    names = [f"row {row}"] if row else []
    names += [f"column {name}" for name in column if name]
    return f"{where} ({', '.join(names)})" if names else where


def numbers_in_column(cells: Cells, begin: int, column: int) -> FloatArray:
    """The numbers below each other in a column, from one row on, NaN where missing."""
    texts = [row[column] for row in cells.rows[begin:]]
    quick = plain_numbers(texts, cells.decimal_comma)
    if quick is not None:
        return quick
    comma = cells.decimal_comma
    found = [checked(text, comma, cells.where(begin + k, column)) for k, text in enumerate(texts)]
    return np.array(found, dtype=np.float64)


def checked(text: str, decimal_comma: bool, where: str) -> float:
    """The number in a text, or an error that names its place."""
    value = number(text, decimal_comma)
    if value is None:
        why, remedy = _why_not(text, decimal_comma)
        raise NotNumeric(f"{where} is {text[:40]!r}{why}.", remedy=remedy)
    if abs(value) > LARGEST_SQUARED:
        finite = "too large to compute with" if math.isfinite(float(value)) else "not finite"
        raise NotNumeric(
            f"{where} is {text[:40]!r}, which is {finite}.",
            remedy="Leave unknown values empty; give all others in a larger unit.",
        )
    return value


def decimal_commas(rows: Iterable[Sequence[str]]) -> bool:
    """Whether commas are decimal marks: some cell can mean nothing else, and none has a point."""
    # For the whole file at once: 1,234 alone may be a thousand or a little more than one, and a
    # guess in each cell would mix both in one table.
    commas = False
    for row in rows:
        for cell in row:
            if "," in cell:
                commas = commas or _surely_decimal(cell, ",")
            elif "." in cell and _surely_decimal(cell, "."):
                return False
    return commas


def notes_on(cells: Cells) -> tuple[str, ...]:
    """What was done to the grid, and what to know of its decimals."""
    return (*cells.notes, *_on_decimals(cells))


def _on_decimals(cells: Cells) -> tuple[str, ...]:
    if cells.decimal_comma:
        return ("Commas are read as decimal marks: 1,5 is one and a half.",)
    return ()


def may_have_thousands(cell: str) -> bool:
    """Whether a cell may be a number with marks for thousands: 1,234.5, 1.234,5 or 1,00,000."""
    bare = cell.lstrip("+-")
    grouped = any(mark in cell and _groups(bare, mark) for mark in ",.")
    return grouped or ("," in cell and _INDIAN.fullmatch(bare) is not None)


def plain_numbers(texts: Sequence[str], decimal_comma: bool) -> FloatArray | None:
    """All at once where every text is a plain number or empty, else None."""
    # All cells looked at together: most tables are plain, and here reading takes its time.
    together = "\t".join(texts)
    if "_" in together or max(map(len, texts), default=0) > _LONGEST:
        return None
    if together.count("\t") >= max(len(texts), 1):
        return None
    if decimal_comma:
        if "." in together:
            return None
        texts = together.replace(",", ".").split("\t")
    try:
        found = np.array(list(map(float, texts)) if all(texts) else list(map(_or_nan, texts)))
    except ValueError:
        return None
    return None if (np.abs(found) > LARGEST_SQUARED).any() else found.astype(np.float64)


def _or_nan(text: str) -> float:
    return float(text) if text else math.nan


def _why_not(text: str, decimal_comma: bool) -> tuple[str, str]:
    """What is wrong with a text that should be a number, and how to mend it."""
    # Refused, not resolved: a thousandfold dissimilarity would be believed by the map.
    if number(text) is not None or may_have_thousands(text):
        if may_have_thousands(text):
            return (
                ", which may have a mark for thousands",
                "Write numbers without marks for thousands.",
            )
        used = "commas" if decimal_comma else "points"
        return (
            f", but decimals have {used} elsewhere in the file",
            "Write all decimals in the same way.",
        )
    return told_as(text)


def _surely_decimal(cell: str, mark: str) -> bool:
    """Whether the only thing that `mark` can be in this cell is a decimal mark."""
    other = "." if mark == "," else ","
    if cell.count(mark) != 1:
        return False
    whole, _, rest = cell.lstrip("+-\N{MINUS SIGN}").partition(mark)
    if other in whole:
        return rest.isdigit() and _groups(whole, other)
    if not (whole.isdigit() or not whole) or not rest[:1].isdigit():
        return False
    if number(cell) is None:
        return False
    return not (len(rest) == 3 and rest.isdigit() and 1 <= len(whole) <= 3 and whole[0] != "0")


def _groups(digits: str, mark: str) -> bool:
    """Whether these are digits in groups of three: 1,234,567; perhaps with decimals behind."""
    other = "." if mark == "," else ","
    whole, _, decimals = digits.partition(other)
    first, *rest = whole.split(mark)
    return (
        bool(rest)
        and 1 <= len(first) <= 3
        and first.isdigit()
        and first[0] != "0"
        and all(len(group) == 3 and group.isdigit() for group in rest)
        and (not decimals or decimals.isdigit())
    )
