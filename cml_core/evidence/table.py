"""A result's numbers as a plain value: page, report and notebook show the same columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from cml_core.values.arrays import FloatArray
from cml_core.values.words import percent

# How the numbers of a column are written, as printf has it; what ends in %% are shares.
TEXT, COUNT, NUMBER = "", "%d", "%.4g"
SHARE, NEARLY_ALIKE_SHARE = "%.1f %%", "%.2f %%"
# Digits of the largest of several numbers in one unit; and between what they are written out.
DIGITS, SMALL, LARGE = 4, 1e-3, 1e7


@dataclass(frozen=True, eq=False)
class Column:
    """One number, or one text, for each row.

    Parameters
    ----------
    head : what it is called, in a word or a few.
    values : texts, several names, numbers, shares from 0 to 1, or truths; None or NaN where
        there is none.
    form : how numbers are written; empty for texts and truths.
    meaning : what it tells, in a sentence or two, where the head does not say it all.
    """

    head: str
    values: Sequence[Any] | FloatArray
    form: str = TEXT
    meaning: str = ""

    @property
    def decimals(self) -> int | None:
        """How many are written; None where that is not fixed."""
        return int(self.form[2 : self.form.index("f")]) if "f" in self.form else None

    @property
    def of_shares(self) -> bool:
        """Whether its numbers are shares, which are written in percent."""
        return self.form.endswith("%%")

    def text(self, value: Any) -> str:
        """A value as people read it; nothing where there is none."""
        if value is None or value != value:
            return ""
        if isinstance(value, bool):
            return "yes" if value else ""
        if self.of_shares:
            return percent(value, self.decimals)
        if self.decimals is not None:
            # Nothing is written as minus zero.
            value = round(float(value), self.decimals) + 0.0
        return self.form % value if self.form else str(_in_a_cell(value))


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of the same length.

    Parameters
    ----------
    columns : from left to right, what matters most first.
    names : how many columns, from the left, say what a row is about; none of a single row, which
        is shown upright.
    """

    columns: tuple[Column, ...]
    names: int = 1

    def __len__(self) -> int:
        return len(self.columns[0].values)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The values of one row after the other."""
        return zip(*(column.values for column in self.columns), strict=True)

    def upright(self) -> list[tuple[str, str]]:
        """The heads and values of a single row, one below the other."""
        (row,) = self.rows()
        return [(c.head, c.text(value)) for c, value in zip(self.columns, row, strict=True)]

    def frame(self) -> pd.DataFrame:
        """The same for pandas, shares from 0 to 1; where heads are alike, one gets a space."""
        columns: dict[str, list[Any]] = {}
        for column in self.columns:
            head = column.head
            while head in columns:
                head += " "
            columns[head] = [_in_a_cell(value) for value in column.values]
        return pd.DataFrame(columns)


def _in_a_cell(value: Any) -> Any:
    return ", ".join(value) if isinstance(value, tuple) else value


def in_one_unit(values: ArrayLike) -> str:
    """The form of numbers to be compared: as many decimals as the largest needs."""
    finite = np.asarray(values, dtype=np.float64)
    largest = float(np.abs(finite[np.isfinite(finite)]).max(initial=0.0))
    if not SMALL <= largest < LARGE:
        return NUMBER
    return f"%.{max(DIGITS - 1 - floor(log10(largest)), 0)}f"
