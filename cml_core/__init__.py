"""Conditional multidimensional scaling and conditional Isomap (Bui 2021-2026)."""

from cml_core.datasets import load_dataset
from cml_core.estimators import ConditionalIsomap, ConditionalMDS
from cml_core.fitting.cluster import on_cluster
from cml_core.fitting.fit import fit
from cml_core.fitting.geodesics import Neighbourhood
from cml_core.fitting.landmarks.fit import fit_landmarks
from cml_core.fitting.landmarks.new_objects import NewObjects, new_objects
from cml_core.fitting.landmarks.problem import LargeProblem
from cml_core.fitting.landmarks.result import LandmarkFit
from cml_core.fitting.plan import Progress
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.sparse.fit import PairsFit, SparseProblem, fit_pairs
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.measurements import Measurements
from cml_core.values.pairs import Pairs

__all__ = [
    "ConditionalIsomap",
    "ConditionalMDS",
    "Dissimilarities",
    "Feature",
    "FeatureTable",
    "Fit",
    "LandmarkFit",
    "LargeProblem",
    "Measurements",
    "Neighbourhood",
    "NewObjects",
    "Pairs",
    "PairsFit",
    "Problem",
    "Progress",
    "SparseProblem",
    "fit",
    "fit_landmarks",
    "fit_pairs",
    "load_dataset",
    "new_objects",
    "on_cluster",
]
