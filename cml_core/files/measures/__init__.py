"""Dissimilarities computed from measurements: how far apart objects are by their columns."""

from cml_core.files.measures.catalogue import METRICS, SCALINGS
from cml_core.files.measures.computing import compared

__all__ = ["METRICS", "SCALINGS", "compared"]
