"""What a method is: one module with a `Method`, and one line in `registry.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.fitting.fit import fit
from cml_core.fitting.problem import Problem
from cml_core.peers.setting import Setting
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable
from cml_core.values.words import counted

# Who fills in the distances between objects that are far from each other?
NOBODY = "nobody"
SHORTEST_PATHS = "shortest paths"
MOST_SPREAD = "most spread"
MOST_ENTROPY = "most entropy"
SPRINGS = "springs"
REGRESSION = "regression"
PROBABILITIES = "probabilities of being neighbours"
GROUPS = (
    NOBODY,
    SHORTEST_PATHS,
    MOST_SPREAD,
    MOST_ENTROPY,
    SPRINGS,
    REGRESSION,
    PROBABILITIES,
)

# What may be read off a picture, from most to least; each includes those behind it.
AXES, DISTANCES, NEIGHBOURS, ONLY_NEIGHBOURS = "axes", "distances", "neighbours", "only neighbours"

# Neighbours, spectra and kernels of thousands of objects want whole N x N tables at a time.
MOST_FOR_TABLES = 10_000


@dataclass(frozen=True, eq=False)
class Step(Value):
    """Where a view stands: `done` of at most `total` steps, and its objective there.

    Parameters
    ----------
    places : (N, p) where the objects are by now, of methods that move them about; else None.
    """

    done: int
    total: int
    objective: float
    places: FloatArray | None = None


OnStep = Callable[[Step], bool]


@dataclass(frozen=True, eq=False)
class Asked:
    """What a method is asked to draw.

    Parameters
    ----------
    data : the dissimilarities, divided by their mean, and without the last digits; gaps only where
        the method takes them.
    given : makes them as they were given, in the same order.
    settings : by name, checked; every setting of the method is there.
    on_step : a true answer cancels.
    """

    data: Dissimilarities
    given: Callable[[], Dissimilarities]
    n_components: int
    settings: Mapping[str, Any]
    seed: int
    on_step: OnStep

    def square(self) -> FloatArray:
        """(N, N) dissimilarities, made anew: of many objects nobody keeps them, or changes them."""
        return self.data.square()

    @property
    def n_objects(self) -> int:
        return self.data.n_objects


@dataclass(frozen=True, eq=False)
class Drawn(Value):
    """What a method drew.

    Parameters
    ----------
    places : (N, p).
    objective : of which the method's `objective` is the name.
    stopped : whether `on_step` ended it, which leaves the best so far.
    remarks : what to know of this picture, in sentences.
    used : settings that were left to the method, with their values.
    """

    places: FloatArray
    objective: float
    converged: bool = True
    stopped: bool = False
    remarks: tuple[str, ...] = ()
    used: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Method:
    """A way to draw dissimilarities.

    Parameters
    ----------
    name : what it is asked for by.
    title : what people know it by.
    in_words : what it does, in a plain sentence.
    filled_in_by : who fills in the distances; one of `GROUPS`.
    reads : what may be read off the picture; AXES, DISTANCES, NEIGHBOURS or ONLY_NEIGHBOURS.
    caution : what the picture may and may not be used for, in a sentence.
    objective : what it makes small, or large, in a few words.
    draw : does it.
    settings : what can be chosen.
    lower_is_better : which way the objective goes.
    at_first : whether it is among those that are shown before more are asked for.
    by_chance : whether another seed may draw another picture.
    takes_gaps : whether it leaves missing pairs out; otherwise they are filled in beforehand.
    one_place : whether objects that coincide are one node.
    keeps_unit : whether distances on the picture are in the unit of the data.
    most_objects : more would take minutes, or do not work.
    lesson : the name of the lesson that tells most about its pictures.
    """

    name: str
    title: str
    in_words: str
    filled_in_by: str
    reads: str
    caution: str
    objective: str
    draw: Callable[[Asked], Drawn]
    settings: tuple[Setting, ...] = ()
    lower_is_better: bool = True
    at_first: bool = False
    by_chance: bool = False
    takes_gaps: bool = False
    one_place: bool = False
    keeps_unit: bool = True
    most_objects: int = MOST_FOR_TABLES
    lesson: str = "filling-in"


def with_gaps_filled(data: Dissimilarities, n_components: int) -> tuple[Dissimilarities, str]:
    """Missing pairs as far apart as metric MDS of the others has them, and a sentence on it."""
    if data.complete:
        return data, ""
    found = fit(Problem(data, FeatureTable(data.labels), n_components), seed=0)
    filled = np.where(data.missing, pdist(found.embedding), data.condensed)
    pairs = counted(int(data.missing.sum()), "missing pair was", "missing pairs were")
    told = f"{pairs} filled in with the distance on the metric MDS map of the others."
    return Dissimilarities(data.labels, filled), told
