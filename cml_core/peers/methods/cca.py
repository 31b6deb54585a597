"""Curvilinear component analysis: what is drawn near counts (Demartines and Hérault 1997)."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.solvers import run
from cml_core.peers.method import NEIGHBOURS, NOBODY, Asked, Drawn, Method, Step, with_gaps_filled
from cml_core.peers.methods.by_fit import watched
from cml_core.peers.methods.classical import drawn_classically
from cml_core.peers.setting import Setting
from cml_core.values.arrays import FloatArray
from cml_core.values.features import FeatureTable

STAGES, STEPS_A_STAGE, MOST_STEPS = 20, 15, 1000
NEIGHBOUR = 10
# With no weight at all an object could be lost; a step function instead tore the picture.
LEAST_WEIGHT = 1e-6


def _draw(asked: Asked) -> Drawn:
    filled, _ = with_gaps_filled(asked.data, asked.n_components)
    places = drawn_classically(filled.square(), asked.n_components).places
    reaches = _reaches(asked, filled.square())
    for stage, reach in enumerate(reaches):
        last = stage == STAGES - 1
        found = _stage(asked, places, reach, MOST_STEPS if last else STEPS_A_STAGE)
        places = found.embedding
        stopped = found.stopped == run.CANCELLED
        if stopped or (not last and asked.on_step(Step(stage + 1, STAGES, found.stress))):
            return Drawn(places, found.stress, False, True)
    return Drawn(places, found.stress, found.converged, used=(("reach", float(reaches[-1])),))


def _reaches(asked: Asked, square: FloatArray) -> FloatArray:
    """How far what is drawn near reaches, from all of the picture down to some neighbours."""
    last = asked.settings["reach"]
    if last is None:
        tenth = min(NEIGHBOUR, asked.n_objects - 1)
        last = float(np.sort(square, axis=1)[:, tenth].mean())
    if np.isinf(last):
        return np.full(STAGES, np.inf)
    falling: FloatArray = np.geomspace(max(float(square.max()), last), last, STAGES)
    return falling


def _stage(asked: Asked, places: FloatArray, reach: float, steps: int) -> Fit:
    """Some steps of weighted scaling, with weights from the distances as they are drawn."""
    weights = np.maximum(np.exp(-pdist(places) / reach), LEAST_WEIGHT)
    known = FeatureTable(asked.data.labels)
    problem = Problem(asked.data, known, asked.n_components, weights=weights)
    start = (places, np.zeros((0, 0)))
    return fit(problem, init=start, max_iter=steps, seed=asked.seed, on_step=watched(asked.on_step))


METHOD = Method(
    "cca",
    "Curvilinear components (CCA)",
    "Cares for distances that are drawn small, and tears the picture where that helps.",
    NOBODY,
    NEIGHBOURS,
    "Near distances mean something; far ones may have been torn apart.",
    "stress of the pairs that are drawn near",
    _draw,
    (
        Setting(
            "reach",
            "Reach",
            "How far “near” reaches in the end, in units of the mean dissimilarity; infinite is "
            "metric MDS.",
            lambda _n: None,
            least=1e-3,
        ),
    ),
    takes_gaps=True,
)
