"""Bytes become tables: recognised, read, and refused with the place of what is wrong.

One module a format; `read` is the way in.
"""

from cml_core.reading.formats import FORMATS
from cml_core.reading.raw import Cells, Limits, RawTable
from cml_core.reading.reader import Look, look, parts, read, read_square, recognise
from cml_core.reading.table import read_features

__all__ = [
    "FORMATS",
    "Cells",
    "Limits",
    "Look",
    "RawTable",
    "look",
    "parts",
    "read",
    "read_features",
    "read_square",
    "recognise",
]
