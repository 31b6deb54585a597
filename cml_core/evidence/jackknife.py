"""The map without one object at a time, and how far the others move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from cml_core.errors import TooFewObjects
from cml_core.evidence.map_size import as_share
from cml_core.evidence.resampling import (
    Again,
    TooFewPairs,
    holds_together,
    made_again,
    refittable_without,
)
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, IntArray, Value

# Fewer refits have no spread worth the name.
FEWEST = 3


@dataclass(frozen=True, eq=False)
class LeftOut(Value):
    """What refits without one object say.

    Parameters
    ----------
    omitted : the objects that were left out, one a refit, counted from 0.
    centres, covariances : (N, p) and (N, p, p), of the places of every object.
    influence : (N,), how far the others move without it; NaN where it was not left out.
    converged : how many refits reached an optimum.
    """

    omitted: IntArray
    centres: FloatArray
    covariances: FloatArray
    influence: FloatArray
    converged: int


def without_objects(
    fit: Fit, refits: int, seed: int, spread: Callable[..., list[Again]]
) -> LeftOut:
    """Refits without one object at a time; drawn by lot where there are more than refits.

    Parameters
    ----------
    spread : runs such tasks, as `cml_core.evidence.work.each`.
    """
    omitted = _omitted(fit, refits, seed)
    found = spread(
        partial(_made_again_without, fit),
        omitted.tolist(),
        doing="Leaving out one object at a time",
    )
    n = len(fit.labels)
    places = np.full((omitted.size, n, fit.embedding.shape[1]), np.nan)
    for row, left, refit in zip(places, omitted, found, strict=True):
        row[np.arange(n) != left] = refit.places
    centres = np.nanmean(places, axis=0)
    moves = np.nan_to_num(places - centres)
    present = np.isfinite(places[:, :, 0]).sum(axis=0)
    # Jackknife variances, (m - 1)/m times the sum over m refits: here m is n - 1, for each object
    # is missing from one. Sums, not means, for without one object little changes.
    factor = (n - 2) / present
    return LeftOut(
        omitted=omitted,
        centres=centres,
        covariances=np.einsum("n,rni,rnj->nij", factor, moves, moves),
        influence=_influence(fit, omitted, places),
        converged=sum(refit.converged for refit in found),
    )


def _made_again_without(fit: Fit, omitted: int) -> Again:
    return made_again(refittable_without(fit, omitted))


def _omitted(fit: Fit, refits: int, seed: int) -> IntArray:
    """The objects to leave out: all, or as many by lot, but none that holds the rest together."""
    n = len(fit.labels)
    if n < FEWEST + 1:
        raise TooFewObjects(
            f"There are {n} objects.", remedy=f"Leaving one out needs at least {FEWEST + 1}."
        )
    random = np.random.default_rng([seed, n])
    chosen: list[int] = []
    for omitted in random.permutation(n).tolist():
        if len(chosen) < refits and holds_together(refittable_without(fit, omitted)):
            chosen.append(omitted)
    if len(chosen) < FEWEST:
        raise TooFewPairs(
            f"Without any one of {n - len(chosen)} of the {n} objects, the others are no longer "
            "compared with each other, or do not differ.",
            remedy="Its stability can only be judged when more pairs are known.",
        )
    return np.sort(np.array(chosen, dtype=np.int64))


def _influence(fit: Fit, omitted: IntArray, places: FloatArray) -> FloatArray:
    """How far the others move without each object that was left out."""
    moves = np.nansum((places - fit.embedding) ** 2, axis=(1, 2)) / (len(fit.labels) - 1)
    influence = np.full(len(fit.labels), np.nan)
    influence[omitted] = as_share(np.sqrt(moves), fit.embedding)
    return influence
