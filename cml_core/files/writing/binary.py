"""NumPy's own formats, without pickles: the square table, with or without names."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cml_core.files.writing.packing import packed
from cml_core.values.dissimilarities import Dissimilarities


def npy(dissimilarities: Dissimilarities) -> bytes:
    """The square table of numbers; NumPy's format for one array has no room for names."""
    return _array(dissimilarities.square())


def npz(dissimilarities: Dissimilarities) -> bytes:
    """An archive of two arrays: `dissimilarities`, square, and `labels`."""
    parts: dict[str, NDArray[Any]] = {
        "dissimilarities": dissimilarities.square(),
        "labels": np.array(dissimilarities.labels, dtype=np.str_),
    }
    return packed({f"{name}.npy": _array(array) for name, array in parts.items()})


def _array(values: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, values, allow_pickle=False)
    return file.getvalue()
