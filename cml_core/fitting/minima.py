"""Which runs ended at the same minimum, and how a minimum is reported."""

from __future__ import annotations

import numpy as np

from cml_core.fitting.configuration import Solution
from cml_core.fitting.geometry import procrustes
from cml_core.fitting.solvers.run import Run
from cml_core.values.arrays import FloatArray

# Two runs ended at the same minimum where both their stress and their distances agree.
SAME_STRESS = 1e-4
SAME_DISTANCES = 1e-2
# Nobody looks at more; runs that ended elsewhere are counted all the same.
MOST_ALTERNATIVES = 10


def distinct(runs: list[Run]) -> list[tuple[Run, int]]:
    """The best run of each minimum, best first, and how many runs ended there.

    A run that did not converge found no minimum; it counts only where none is better.
    """
    ordered = sorted(runs, key=lambda run: run.stress)
    if len(ordered) == 1:
        return [(ordered[0], 1)]
    kept: list[tuple[Run, FloatArray]] = []
    counts: list[int] = []
    for run in ordered:
        # Distances, not places: a map that is turned or mirrored is the same map.
        distances = run.configuration.distances()
        twin = next((k for k, other in enumerate(kept) if _same(run, distances, *other)), None)
        if twin is not None:
            counts[twin] += 1
        elif not kept or (run.converged and len(kept) <= MOST_ALTERNATIVES):
            kept.append((run, distances))
            counts.append(1)
    return [(run, count) for (run, _), count in zip(kept, counts, strict=True)]


def symmetric_coef(coef: FloatArray, spread: FloatArray) -> FloatArray:
    """Of all B with the same BB', the one that is symmetric where features are standardised."""
    if not coef.size:
        return coef
    # Only BB' matters to distances. Of its roots the symmetric one is nearest to a multiple of the
    # identity, "each feature by itself", and it does not depend on the start.
    left, sizes, _ = np.linalg.svd(coef * spread[:, None])
    root: FloatArray = (left * sizes) @ left.T
    return root / spread[:, None]


def aligned(other: Solution, best: Solution) -> Solution:
    """Another solution, its map turned to match the best."""
    turned = procrustes(other.embedding, best.embedding).points
    return Solution(turned, other.coef, other.known_values, other.stress, other.starts)


def _same(run: Run, distances: FloatArray, other: Run, others: FloatArray) -> bool:
    if run.stress > other.stress * (1 + SAME_STRESS) + 1e-12:
        return False
    gap = np.linalg.norm(distances - others)
    # Equal stress alone is no proof: in symmetric data quite different maps cost the same.
    return bool(gap <= SAME_DISTANCES * np.linalg.norm(others))
