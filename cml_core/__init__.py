"""Conditional multidimensional scaling and conditional Isomap (Bui 2021-2026)."""

from cml_core.datasets import load_dataset
from cml_core.dissimilarities import Dissimilarities
from cml_core.estimators import ConditionalIsomap, ConditionalMDS
from cml_core.features import Feature, FeatureTable
from cml_core.fit import Step, fit
from cml_core.geodesics import Neighbourhood
from cml_core.problem import Problem
from cml_core.result import Fit

__all__ = [
    "ConditionalIsomap",
    "ConditionalMDS",
    "Dissimilarities",
    "Feature",
    "FeatureTable",
    "Fit",
    "Neighbourhood",
    "Problem",
    "Step",
    "fit",
    "load_dataset",
]
