"""Dissimilarities computed from measurements: how far apart objects are by their columns."""

from cml_core.files.measures.catalogue import METRICS, SCALINGS, scaling_title
from cml_core.files.measures.computing import compared
from cml_core.files.measures.metric import Metric

__all__ = ["METRICS", "SCALINGS", "Metric", "compared", "scaling_title"]
