"""A table of features as delimited text: a name in the first column, one feature a column."""

from __future__ import annotations

import numpy as np

from cml_core.errors import UnreadableFile
from cml_core.features import Feature, FeatureTable
from cml_core.reading.delimited import number, rows_of


def read_features(data: bytes) -> FeatureTable:
    """Features by column; columns of numbers are numeric, all others categorical."""
    header, *body = rows_of(data)
    if not body or len(header) < 2:
        raise UnreadableFile(
            "The features need a row of names above, and a column of names before, their values.",
            remedy="Put objects' names into the first column, features' into the first row.",
        )
    for line, row in enumerate(body, 2):
        if any(row[len(header) :]):
            raise UnreadableFile(
                f"Line {line} has {len(row)} cells, but the first line names {len(header)}.",
                remedy="Give every line as many cells as there are columns.",
            )
    padded = [row + [""] * (len(header) - len(row)) for row in body]
    features = [
        _feature(name, [row[k] for row in padded])
        for k, name in enumerate(header[1:], 1)
        if name or any(row[k] for row in padded)
    ]
    return FeatureTable(tuple(row[0] for row in padded), tuple(features))


def _feature(name: str, cells: list[str]) -> Feature:
    numbers = [number(cell) for cell in cells]
    if all(value is not None for value in numbers):
        return Feature.numeric(name, np.array(numbers, dtype=np.float64))
    return Feature.categorical(name, [cell or None for cell in cells])
