"""Dissimilarities and features become files; one module a format."""

from cml_core.files.writing.example import TEMPLATES, template
from cml_core.files.writing.features import written_features
from cml_core.files.writing.formats import WRITERS, formats_for, written
from cml_core.files.writing.writer import FileKind, Writer

__all__ = [
    "TEMPLATES",
    "WRITERS",
    "FileKind",
    "Writer",
    "formats_for",
    "template",
    "written",
    "written_features",
]
