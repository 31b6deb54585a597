"""Bytes become tables: recognised, read, and refused with the place of what is wrong.

One module a format; `read` is the way in.
"""

from cml_core.files.reading.format import Format
from cml_core.files.reading.formats import FORMATS
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.files.reading.reader import Look, feature_questions, look, parts, read, recognise
from cml_core.files.reading.table import read_features

__all__ = [
    "FORMATS",
    "Cells",
    "Format",
    "Limits",
    "Look",
    "RawTable",
    "feature_questions",
    "look",
    "parts",
    "read",
    "read_features",
    "recognise",
]
