"""NumPy's own formats, without pickles: the square table, with or without names."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cml_core.files.writing.packing import packed
from cml_core.files.writing.writer import Writer
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
    # A pickle runs what it holds when it is opened; no table needs one.
    np.save(file, values, allow_pickle=False)
    return file.getvalue()


def _nothing(_: Dissimilarities) -> str:
    return ""


def _ending_in_nul(dissimilarities: Dissimilarities) -> str:
    found = [label for label in dissimilarities.labels if label.endswith("\0")]
    return f"{found[0][:40]!r} ends in a NUL, which NumPy cuts off" if found else ""


NPY = Writer(
    "npy",
    "NumPy array (.npy)",
    "For Python; it holds the numbers only, without names.",
    ".npy",
    "application/octet-stream",
    npy,
    _nothing,
)
NPZ = Writer(
    "npz",
    "NumPy archive (.npz)",
    "For Python: the square table beside the names.",
    ".npz",
    "application/zip",
    npz,
    _ending_in_nul,
)
