"""What stands behind the dissimilarities of a project, where its files tell and were kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from cml_core.errors import ConditionalMappingError
from cml_core.files.cases import Cases
from cml_core.files.source import Source
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray
from cml_core.values.dissimilarities import Dissimilarities

# Dissimilarities made again are the same where they differ by no more than this of the largest.
SAME_DATA = 1e-6
_T = TypeVar("_T")


def answers_behind(source: Source | None, data: Dissimilarities) -> Answers | None:
    """What single people said, where the dissimilarities are its mean."""
    found = _told(source, Source.answers)
    same = found is not None and _same(data, found.labels, found.mean)
    return found if same else None


def cases_behind(source: Source | None, data: Dissimilarities) -> Cases | None:
    """The cases of measurements, where the dissimilarities are computed from them."""
    found = _told(source, Source.cases)
    same = found is not None and _same(data, found.labels, found.compared(found.values))
    return found if same else None


def _told(source: Source | None, ask: Callable[[Source], _T | None]) -> _T | None:
    if source is None or not source.repeatable:
        return None
    try:
        return ask(source)
    except ConditionalMappingError:
        # A later version reads more carefully, and may refuse what an earlier one mapped.
        return None


def _same(data: Dissimilarities, labels: tuple[str, ...], values: FloatArray) -> bool:
    if data.labels != labels:
        return False
    rounding = SAME_DATA * float(np.nanmax(data.condensed))
    return np.allclose(data.condensed, values, rtol=0.0, atol=rounding, equal_nan=True)
