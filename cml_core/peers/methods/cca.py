"""Curvilinear component analysis: what is drawn near counts (Demartines and Hérault 1997)."""

from __future__ import annotations

from itertools import chain, repeat

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.peers.method import NEIGHBOURS, NOBODY, Asked, Drawn, Method, Step, with_gaps_filled
from cml_core.peers.setting import Setting
from cml_core.peers.spectra import classical_start
from cml_core.values.arrays import FloatArray
from cml_core.values.features import FeatureTable

# Weights that stand still for longer let objects fall onto others that count for nothing: with 15
# steps a stage neighbours were kept as .76 instead of .86 where there is nothing to open.
STAGES, STEPS_A_STAGE = 100, 3
# More stages at the last reach, until nothing moves by more than this share.
MOST_MORE, SETTLED = 100, 1e-4
NEIGHBOUR = 10
# With no weight at all an object could be lost; a step function instead tore the picture.
LEAST_WEIGHT = 1e-6


def _draw(asked: Asked) -> Drawn:
    filled, _ = with_gaps_filled(asked.data, asked.n_components)
    places = classical_start(filled.square(), asked.n_components)
    reaches = _reaches(asked, filled.square())
    for stage, reach in enumerate(chain(reaches, repeat(reaches[-1], MOST_MORE))):
        found = _stage(asked, places, reach)
        moved = float(np.linalg.norm(found.embedding - places) / np.linalg.norm(places))
        places = found.embedding
        if asked.on_step(Step(stage + 1, STAGES + MOST_MORE, found.stress)):
            return Drawn(places, found.stress, False, True)
        if stage >= STAGES and moved < SETTLED:
            break
    used = (("reach", float(reaches[-1])),)
    return Drawn(places, found.stress, moved < SETTLED, used=used)


def _reaches(asked: Asked, square: FloatArray) -> FloatArray:
    """How far what is drawn near reaches, from all of the picture down to some neighbours.

    Parameters
    ----------
    square : (N, N) without gaps; it is used up.
    """
    last = asked.settings["reach"]
    if last is None:
        tenth = min(NEIGHBOUR, asked.n_objects - 1)
        square.partition(tenth, axis=1)
        last = float(square[:, tenth].mean())
    if np.isinf(last):
        return np.full(STAGES, np.inf)
    falling: FloatArray = np.geomspace(max(float(square.max()), last), last, STAGES)
    return falling


def _stage(asked: Asked, places: FloatArray, reach: float) -> Fit:
    """Some steps of weighted scaling, with weights from the distances as they are drawn."""
    weights = pdist(places)
    weights /= -reach
    np.exp(weights, out=weights)
    np.maximum(weights, LEAST_WEIGHT, out=weights)
    # Nobody else has them, so that the question takes this array and makes no other.
    weights.setflags(write=False)
    known = FeatureTable(asked.data.labels)
    problem = Problem(asked.data, known, asked.n_components, weights=weights)
    return fit(problem, init=(places, np.zeros((0, 0))), max_iter=STEPS_A_STAGE, seed=asked.seed)


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
    lesson="surface",
)
