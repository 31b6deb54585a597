"""The formats by key, and how each is read."""

from __future__ import annotations

from collections.abc import Callable

from cml_core.files.reading.measurements import measurements
from cml_core.files.reading.orange import orange
from cml_core.files.reading.pairs import pairs
from cml_core.files.reading.phylip import phylip
from cml_core.files.reading.r_dist import r_dist
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.files.reading.square import lsmat, square
from cml_core.files.reading.triangle import triangle
from cml_core.values.features import FeatureTable

FORMATS: dict[str, str] = {
    "square": "Square table",
    "triangle": "One triangle of a square table",
    "r_dist": "What R prints for a dist object",
    "phylip": "PHYLIP distance matrix",
    "lsmat": "scikit-bio labelled square matrix (lsmat)",
    "orange": "Orange distance file (.dst)",
    "pairs": "Long list of pairs",
    "npy": "NumPy array (.npy)",
    "npz": "NumPy archive of arrays (.npz)",
    "measurements": "Table of measurements",
}
FROM_CELLS: dict[str, Callable[[Cells, Limits], RawTable | FeatureTable]] = {
    "square": square,
    "triangle": triangle,
    "lsmat": lsmat,
    "pairs": pairs,
    "measurements": measurements,
}
FROM_TEXT: dict[str, Callable[[str, Limits], RawTable]] = {
    "r_dist": r_dist,
    "phylip": phylip,
    "orange": orange,
}
