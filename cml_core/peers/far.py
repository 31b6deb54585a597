"""Whether far distances follow the data: the rank correlation of all pairs, in little memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.evidence.neighbours import DECIMALS
from cml_core.values.arrays import FloatArray
from cml_core.values.compiling import compiled


def rank_correlation(left: FloatArray, right: FloatArray) -> float:
    """Spearman's; 0 where either is the same for all pairs.

    Parameters
    ----------
    left, right : at most one by size; both are used up.
    """
    for values in (left, right):
        _become_centred_ranks(values)
    size = float(np.sqrt((left @ left) * (right @ right)))
    return float(left @ right) / size if size > 0 else 0.0


def _become_centred_ranks(values: FloatArray) -> None:
    np.round(values, DECIMALS, out=values)
    # Of millions of pairs, whose order is told as briefly as it can be.
    order = np.argsort(values).astype(np.int32)
    share_ranks(values[order], order, values)
    values -= values.mean()


@compiled(fast=False)
def share_ranks(ordered: Any, order: Any, ranks: Any) -> None:
    """Ranks from 0; equal values share the mean of theirs."""
    begin = 0
    for end in range(1, ordered.size + 1):
        if end == ordered.size or ordered[end] != ordered[begin]:
            for k in range(begin, end):
                ranks[order[k]] = 0.5 * (begin + end - 1)
            begin = end
