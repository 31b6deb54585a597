"""Some of the objects by lot, for methods that cannot draw them all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cml_core.peers.method import Method
from cml_core.values.real_numbers import whole_number

USUAL_LOT = 1000


def lot_size(method: Method, n_objects: int) -> int:
    """How many objects to draw by lot; 0 where the method draws all of them."""
    return min(method.most_objects, USUAL_LOT) if n_objects > method.most_objects else 0


def drawn_by_lot(labels: Sequence[str], count: int, seed: int = 0) -> tuple[str, ...]:
    """So many of the objects, each as likely as any other, in their order.

    Parameters
    ----------
    seed : draws the same lots for the same names in whatever order they come.
    """
    count, seed = whole_number("count", count, least=1), whole_number("seed", seed)
    if count >= len(labels):
        return tuple(labels)
    lots = np.random.default_rng(seed).permutation(np.array(sorted(labels), dtype=object))
    chosen = set(lots[:count])
    return tuple(label for label in labels if label in chosen)
