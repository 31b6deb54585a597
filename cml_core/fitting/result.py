"""What a fit found, and what can be read off it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from cml_core.fitting.configuration import Found, Solution
from cml_core.fitting.kernels import object_errors
from cml_core.fitting.problem import Problem
from cml_core.fitting.remarks import Remark
from cml_core.fitting.scaled_targets import scaled_targets
from cml_core.fitting.solvers.objective import laplacian
from cml_core.values.arrays import FloatArray, frozen, with_zeros_for_gaps
from cml_core.values.features import Feature
from cml_core.values.kinds.registry import KINDS

# Halfway between two equally frequent categories an entry is off by about .7, and .5 is half the
# radius off a circle.
UNSURE = 0.5


@dataclass(frozen=True)
class ImputedValue:
    """What a fit put where a feature was missing.

    A fit leaves a missing entry free, and so may place it between two categories or off the circle
    of a circular feature, where no value lies.

    Parameters
    ----------
    value : the one that comes nearest.
    off : how far the entry that the map uses lies from that value, relative to how far values
        typically lie from their mean; 0 for quantities, whose every number is a value.
    """

    feature: str
    label: str
    value: float | str
    off: float = 0.0

    @property
    def unsure(self) -> bool:
        """Whether the map uses something so far from the value that it hardly speaks for it."""
        return self.off > UNSURE


@dataclass(frozen=True, eq=False, repr=False)
class Fit(Found):
    """The best solution of a problem, and how it was found.

    Parameters
    ----------
    problem : the question.
    best : the solution with the lowest stress.
    alternatives : distinct other minima, best first, each turned to match the best.
    stress_path : normalised stress of the start and after each iteration of the best run.
    stopped : why that run stopped, in words.
    converged : whether it stopped at an optimum.
    solver, n_starts, seed : what was done; the seed repeats it.
    power : which power of the dissimilarities distances were fitted to; 1 but on the power scale.
    """

    problem: Problem
    best: Solution
    alternatives: tuple[Solution, ...]
    stress_path: FloatArray
    stopped: str
    converged: bool
    solver: str
    n_starts: int
    seed: int
    remarks: tuple[Remark, ...] = ()
    power: float = 1.0

    @property
    def labels(self) -> tuple[str, ...]:
        return self.problem.dissimilarities.labels

    @property
    def points(self) -> FloatArray:
        """[U, VB], (N, p + q): the points whose distances were fitted."""
        return self.best.points

    def distances(self) -> FloatArray:
        """Fitted distances of all pairs, condensed."""
        return self.best.distances()

    @cached_property
    def scaled(self) -> FloatArray:
        """(N(N-1)/2,) what distances were fitted to: the targets, changed as their scale admits.

        Its normalised stress is `stress`. On a ratio scale these are the targets themselves, on any
        other they have a mean square of one; NaN where missing.
        """
        return scaled_targets(self.problem, self.best, self.power)

    def frame(self) -> pd.DataFrame:
        """The embedding with labels."""
        columns = [f"dimension {k + 1}" for k in range(self.embedding.shape[1])]
        return pd.DataFrame(self.embedding, index=list(self.labels), columns=columns)

    def object_stress(self) -> FloatArray:
        """For each object, the share of its own dissimilarity that is left unexplained."""
        return self._object_stress

    @cached_property
    def _object_stress(self) -> FloatArray:
        weights = self.problem.pair_weights
        delta = with_zeros_for_gaps(self.scaled)
        errors, totals = np.zeros(len(self.labels)), np.zeros(len(self.labels))
        # Centred, for features far from zero would take digits from the differences.
        X = self.points
        object_errors(delta, weights, np.ascontiguousarray((X - X.mean(axis=0)).T), errors, totals)
        # Every object has a pair that counts, but it may be at distance zero from all of them.
        shares = np.divide(errors, totals, out=np.zeros_like(errors), where=totals > 0)
        return frozen(shares)

    def contributions(self) -> dict[str, float]:
        """For each known feature, the share of the squared fitted distances that is its own.

        From the rows of B; what two features do together is halved between them, so the shares
        and that of the hidden dimensions add up to one. A share can be below zero where a
        feature mainly corrects another.
        """
        # By (11) the squared distances are tr X'HX, so that columns of X, and parts of them, can be
        # counted apart; stress itself cannot be shared out.
        weights, n = self.problem.pair_weights, len(self.labels)
        points = self.points
        total = float((points * laplacian(points, weights, n)).sum())
        places = self.best.known_places
        pulled = laplacian(places, weights, n) if places.size else places
        block = self.problem.encoding.block
        shares = {}
        for k, feature in enumerate(self.problem.known.features):
            own = self.known_values[:, block == k] @ self.coef[block == k]
            shares[feature.name] = float((own * pulled).sum()) / total if total > 0 else 0.0
        return shares

    def imputed(self) -> tuple[ImputedValue, ...]:
        """The values that were found for missing entries of the known features."""
        encoding = self.problem.encoding
        found = []
        for k, feature in enumerate(self.problem.known.features):
            own = encoding.block == k
            used = self.known_values[:, own]
            decoded = feature.decoded(used, self.coef[own])
            off = _off(feature, used, decoded, self.coef[own])
            for i in np.flatnonzero(feature.missing):
                value = feature.spelled(decoded[i])
                found.append(ImputedValue(feature.name, self.labels[i], value, float(off[i])))
        return tuple(found)

    def __repr__(self) -> str:
        known = ", ".join(self.problem.known.names) or "nothing"
        others = f", {len(self.alternatives)} other minima" if self.alternatives else ""
        return (
            f"Fit({len(self.labels)} objects, {known} known, {self.embedding.shape[1]} hidden: "
            f"stress {self.stress:.6g}, {self.stopped} after {self.n_iter} iterations"
            f"{others}, seed {self.seed})"
        )


def _off(feature: Feature, used: FloatArray, decoded: FloatArray, coef: FloatArray) -> FloatArray:
    """(N,) how far the entries that a fit used lie from the values that come nearest."""
    if not feature.missing.any():
        return np.zeros(len(used))
    values = np.where(feature.missing, decoded, feature.values)
    nearest = feature.columns_of(values)
    if KINDS[feature.kind].bends:
        # Columns of a curve mean only what B makes of them.
        used, nearest = used @ coef, nearest @ coef
    typical = float(np.sqrt(used[~feature.missing].var(axis=0).sum()))
    apart: FloatArray = np.linalg.norm(used - nearest, axis=1)
    return apart / typical if typical > 0 else np.zeros(len(used))
