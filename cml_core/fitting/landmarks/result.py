"""What a fit by landmarks found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from cml_core.fitting.landmarks.placing import Placed
from cml_core.fitting.landmarks.problem import LargeProblem
from cml_core.fitting.landmarks.references import References
from cml_core.fitting.remarks import Remark
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, IntArray, Value


@dataclass(frozen=True)
class Sampled:
    """What a sample of objects tells of the whole map.

    Parameters
    ----------
    n_objects : how many were drawn; all pairs of them were looked at. None where someone
        cancelled: then it is the stress of the landmarks.
    stress : normalised, of these pairs; `error` is its standard error.
    loss : the share by which it lies above the stress of fitting all pairs, as estimated; NaN
        where every object is a landmark or nothing was placed.
    """

    n_objects: int
    stress: float
    error: float
    loss: float

    def __str__(self) -> str:
        if not self.n_objects:
            return f"stress {self.stress:.6g} of the landmarks alone"
        loss = "" if np.isnan(self.loss) else f", about {self.loss:.2%} above fitting all pairs"
        return (
            f"stress {self.stress:.6g} (standard error {self.error:.1g}, from all pairs of "
            f"{self.n_objects:,} objects drawn at random{loss})"
        )


class Everyone(NamedTuple):
    """Where all objects lie, and what a sample of them tells of the map."""

    placed: Placed
    sampled: Sampled


@dataclass(frozen=True, eq=False, repr=False)
class LandmarkFit(Value):
    """A map of very many objects: landmarks fitted together, each other object placed among them.

    Parameters
    ----------
    problem : the question.
    chosen : (M,) which objects are the landmarks.
    rows : (M, K) their measurements as the measure takes them.
    landmarks : their fit, from all their pairs.
    references : they again, as the others were placed among them, and new ones are.
    placed : where all N objects lie; places not reached before someone cancelled are NaN.
    sampled : the stress of the whole map, estimated from a sample.
    stopped, converged : how it ended.
    seed : repeats it.
    """

    problem: LargeProblem
    chosen: IntArray
    rows: FloatArray
    landmarks: Fit
    references: References
    placed: Placed
    sampled: Sampled
    stopped: str
    converged: bool
    seed: int
    remarks: tuple[Remark, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return self.problem.measurements.names

    @property
    def everyone(self) -> Everyone:
        """By which the same question need not be answered anew."""
        return Everyone(self.placed, self.sampled)

    @property
    def embedding(self) -> FloatArray:
        """U, (N, p): the hidden dimensions."""
        return self.placed.embedding

    @property
    def coef(self) -> FloatArray:
        """B, (q, q), in the units of the features."""
        return self.landmarks.coef

    @property
    def known_values(self) -> FloatArray:
        """V, (N, q), gaps filled."""
        return self.placed.known_values

    @property
    def stress(self) -> float:
        """Normalised conditional stress of the whole map, estimated from a sample of objects."""
        return self.sampled.stress

    def frame(self) -> pd.DataFrame:
        """The embedding with labels."""
        columns = [f"dimension {k + 1}" for k in range(self.embedding.shape[1])]
        return pd.DataFrame(self.embedding, index=list(self.labels), columns=columns)

    def __repr__(self) -> str:
        known = ", ".join(self.problem.known.names) or "nothing"
        return (
            f"LandmarkFit({self.problem.n_objects:,} objects by {len(self.chosen):,} landmarks, "
            f"{known} known, {self.embedding.shape[1]} hidden: {self.sampled}, {self.stopped}, "
            f"seed {self.seed})"
        )
