"""A square table of dissimilarities as delimited text, with or without labels."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cml_core.dissimilarities import Dissimilarities
from cml_core.errors import NotNumeric, NotSquare
from cml_core.reading.delimited import number, rows_of


def read_square(data: bytes) -> Dissimilarities:
    """Dissimilarities from a table with labels in the first row, the first column, both or none.

    One triangle is enough: the other may be empty.
    """
    rows = rows_of(data)
    named_columns = any(number(cell) is None for cell in rows[0][1:]) or _counts_up(rows)
    body = rows[1:] if named_columns else rows
    width = len(rows[0]) if named_columns else max(len(row) for row in body)
    named_rows = bool(body) and (
        width == len(body) + 1 or any(number(row[0]) is None for row in body)
    )
    labels = [row[0] for row in body] if named_rows else None
    cells = [row[1:] if named_rows else row for row in body]
    header = rows[0][len(rows[0]) - len(body) :] if named_columns else None
    values = _numbers(cells, labels, len(body), first_line=2 if named_columns else 1)
    if labels is not None and header is not None and len(header) == len(labels):
        table = pd.DataFrame(values, index=labels, columns=header)
        return Dissimilarities.from_square(table)
    return Dissimilarities.from_square(values, labels or header)


def _counts_up(rows: list[list[str]]) -> bool:
    """Whether the first row is a header although it is made of numbers: years, wavelengths.

    Then the first column says the same; so it does in a symmetric table, but for the corner.
    """
    corner = number(rows[0][0])
    first_column = [row[0] for row in rows[1:]]
    named = corner is None or np.isnan(corner)
    return bool(named) and len(rows) > 3 and rows[0][1:] == first_column


def _numbers(
    cells: list[list[str]], labels: list[str] | None, width: int, first_line: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    values = np.full((len(cells), width), np.nan)
    for i, row in enumerate(cells):
        trimmed = row[:width] if not any(row[width:]) else row
        if len(trimmed) > width:
            raise NotSquare(
                f"Line {i + first_line} has {len(trimmed)} values, but there are {width} rows.",
                remedy="Give as many columns as rows.",
            )
        for j, cell in enumerate(trimmed):
            value = number(cell)
            if value is None:
                name = labels[i] if labels else f"row {i + 1}"
                raise NotNumeric(
                    f"Line {i + first_line} ({name}), value {j + 1} is {cell[:40]!r}.",
                    remedy="Put a number there, or leave it empty.",
                )
            values[i, j] = value
    return values
