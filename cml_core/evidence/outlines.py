"""Closed lines that hold a share of the places that an object takes, and where none should be."""

from __future__ import annotations

import numpy as np
from scipy.special import chdtri, fdtri

from cml_core.evidence.calibrated import why_no_outlines as why_not_measured
from cml_core.evidence.misfit import misfits
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.rivals import bias_beyond_doubt
from cml_core.evidence.together import in_words, together
from cml_core.evidence.wider import wider_fits
from cml_core.files.cases import Cases
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray
from cml_core.values.origin import Origin
from cml_core.values.real_numbers import real_number, whole_number


def why_no_outlines(
    fit: Fit, origin: Origin, cases: Cases | None = None, *, with_biases: bool = False
) -> str:
    """Why outlines would promise too much; empty where they were found to hold.

    Parameters
    ----------
    cases : of which the dissimilarities were computed, where they are drawn anew.
    with_biases : whether biases of objects come with what is drawn anew, as with people or cases.
    """
    unmeasured = why_not_measured(fit, origin, cases)
    if unmeasured:
        return unmeasured
    gathered = together(fit.embedding, fit.best.known_places)
    if gathered.beyond_doubt:
        return (
            f"No outlines are drawn: the objects lie in {in_words(gathered.sizes)}, and on "
            "simulated clusters outlines for 95 % held 80 % of the true places."
        )
    problem = as_fitted(fit.problem)
    maps = [fit.best, *wider_fits(problem, fit.best, fit.power)]
    seen = misfits(problem, maps, fit.power)
    bias = None if seen or with_biases else bias_beyond_doubt(problem, fit.best, fit.power)
    said = " ".join(f"{one.says} {one.advice}" for one in filter(None, (*seen, bias)))
    return said and f"No outlines are drawn, for the model itself does not fit. {said}"


def outlines(
    centres: FloatArray, covariances: FloatArray, share: float, points: int, *, drawn_from: int = 0
) -> FloatArray:
    """(N, points, 2) ellipses around places in one dimension, where they are flat, or in two.

    Parameters
    ----------
    centres, covariances : (N, d) and (N, d, d).
    share : of the places, were they normally distributed.
    points : how many corners an outline has; the last is the first again.
    drawn_from : how many people, or cases, covariances were estimated from; 0 where they are known.
    """
    share = real_number("share", share, lambda s: 0 < s < 1, "a number between 0 and 1")
    points = whole_number("points", points, least=3)
    dimensions = centres.shape[1]
    values, vectors = np.linalg.eigh(covariances)
    lengths = np.sqrt(reach(share, dimensions, drawn_from) * np.maximum(values, 0.0))
    turn = np.linspace(0.0, 2 * np.pi, points)
    circle = np.stack([np.cos(turn), np.sin(turn)])[:dimensions]
    drawn = np.zeros((len(centres), points, 2))
    offsets = np.einsum("nij,nj,jm->nmi", vectors, lengths, circle)
    drawn[:, :, :dimensions] = centres[:, None] + offsets
    return drawn


def reach(share: float, dimensions: int, drawn_from: int) -> float:
    """In squared standard deviations; few people only estimate these (Hotelling 1931)."""
    free = drawn_from - dimensions
    if free < 1:
        return float(chdtri(dimensions, 1.0 - share))
    return float(dimensions * (drawn_from - 1) / free * fdtri(dimensions, free, share))
