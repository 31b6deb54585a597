"""Which objects hang together: the connected components of the pairs that count."""

from __future__ import annotations

from typing import Any

import numpy as np

from cml_core.values.arrays import BoolArray, IntArray
from cml_core.values.compiling import compiled


def components(pairs: BoolArray, n_objects: int) -> IntArray:
    """(N,) the component of every object, from 0 in the order of their first objects.

    Parameters
    ----------
    pairs : (N(N-1)/2,) condensed; which objects are joined directly.
    """
    first = np.arange(n_objects)
    _join(pairs, first)
    _, component = np.unique(first, return_inverse=True)
    return component


def hang_together(pairs: BoolArray, n_objects: int) -> bool:
    """Whether all objects are joined, by way of others at least."""
    return not components(pairs, n_objects).any()


@compiled(fast=False)
def _join(pairs: Any, first: Any) -> None:
    """Bring every object the lowest number of its component.

    Union by way of the condensed pairs themselves: scipy's graphs would take fifty times their
    memory. Where nearly all pairs are there, the first row of them joins all objects and ends it.
    """
    n = first.size
    left = n
    index = 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            if pairs[index]:
                a, b = i, j
                while first[a] != a:
                    first[a] = first[first[a]]
                    a = first[a]
                while first[b] != b:
                    first[b] = first[first[b]]
                    b = first[b]
                if a != b:
                    first[max(a, b)] = min(a, b)
                    left -= 1
            index += 1
        if left == 1:
            break
    # The lower number is settled first, so one more step reaches it.
    for k in range(n):
        first[k] = first[first[k]]
