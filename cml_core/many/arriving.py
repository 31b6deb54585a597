"""Places of very many objects while they are found: whoever has seen some asks for the others."""

from __future__ import annotations

import numpy as np

from cml_core.values.arrays import FloatArray, IntArray


class Arriving:
    """Where objects lie on a map that is being made, each told once.

    One thread puts, others look: what they are told of has been written before.

    Parameters
    ----------
    n_objects : N.
    landmarks : (M,) which objects are there first, and `at` (M, p) where.
    """

    def __init__(self, n_objects: int, landmarks: IntArray, at: FloatArray) -> None:
        # What the whole map holds in the end, so that nothing is held twice.
        self.places = np.full((n_objects, at.shape[1]), np.nan)
        self.places[landmarks] = at
        self._landmarks = np.zeros(n_objects, dtype=np.bool_)
        self._landmarks[landmarks] = True
        self._blocks: list[tuple[int, int]] = []
        self._placed = 0

    def __len__(self) -> int:
        return len(self.places)

    @property
    def pieces(self) -> int:
        """How many there are to be asked for: the landmarks, and each block."""
        return 1 + len(self._blocks)

    @property
    def placed(self) -> int:
        """How many objects the blocks hold so far."""
        return self._placed

    def put(self, first: int, places: FloatArray) -> None:
        """A block of objects, from this one on."""
        last = first + len(places)
        self.places[first:last] = places
        self._placed += len(places)
        self._blocks.append((first, last))

    def since(self, piece: int, last: int) -> IntArray:
        """Which objects came with the pieces from this one on, up to before the last."""
        found = [np.flatnonzero(self._landmarks)] if piece == 0 else []
        for first, end in self._blocks[max(piece - 1, 0) : last - 1]:
            found.append(first + np.flatnonzero(~self._landmarks[first:end]))
        return np.concatenate([np.zeros(0, dtype=np.int64), *found])

    def settled(self) -> FloatArray:
        """All places, which nobody writes to from now on."""
        self.places.setflags(write=False)
        return self.places
