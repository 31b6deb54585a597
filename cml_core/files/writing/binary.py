"""NumPy's own formats, without pickles: the square table, with or without names."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cml_core.values.dissimilarities import Dissimilarities

# The same data give the same bytes, whenever they are written.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def npy(dissimilarities: Dissimilarities) -> bytes:
    """The square table of numbers; NumPy's format for one array has no room for names."""
    return _array(dissimilarities.square())


def npz(dissimilarities: Dissimilarities) -> bytes:
    """An archive of two arrays: `dissimilarities`, square, and `labels`."""
    parts: dict[str, NDArray[Any]] = {
        "dissimilarities": dissimilarities.square(),
        "labels": np.array(dissimilarities.labels, dtype=np.str_),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in parts.items():
            entry = zipfile.ZipInfo(f"{name}.npy", _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, _array(array))
    return packed.getvalue()


def _array(values: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, values, allow_pickle=False)
    return file.getvalue()
