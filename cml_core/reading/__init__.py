"""Bytes become dissimilarities and features; one module a format."""

from cml_core.reading.square import read_square
from cml_core.reading.table import read_features

__all__ = ["read_features", "read_square"]
