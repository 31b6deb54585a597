"""What a measure of very many objects is: one `Measure`, and one line in `registry.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cml_core.values.arrays import BoolArray, FloatArray, RealArray


@dataclass(frozen=True)
class Reach:
    """How far the columns of all objects reach.

    Parameters
    ----------
    lowest, highest : (K,) of each column.
    groups : (K,) which columns hold groups, none of which is more than another.
    """

    lowest: FloatArray
    highest: FloatArray
    groups: BoolArray

    @property
    def middle(self) -> FloatArray:
        """(K,) halfway; what is left of rows after it is small, so single precision holds it."""
        return 0.5 * self.lowest + 0.5 * self.highest

    @property
    def size(self) -> float:
        """A power of two near the widest column: to divide by it loses no digit."""
        widest = float((0.5 * self.highest - 0.5 * self.lowest).max(initial=0.0))
        return float(2.0 ** np.ceil(np.log2(widest))) if widest > 0 else 1.0


def never(_: FloatArray) -> BoolArray:
    """Every row can be compared."""
    return np.zeros(len(_), bool)


def one(_: Reach) -> float:
    """Measured in a unit of its own."""
    return 1.0


@dataclass(frozen=True)
class Measure:
    """A way to compare objects by their measurements, block by block.

    Parameters
    ----------
    name : what it is asked for by; what it measures is what `files.measures` has by that name.
    prepared : rows, in double precision and of order one, as `write` takes them.
    write : (prepared rows, prepared columns of references, amounts, out), where `amounts` is how
        many columns are no groups: they stand first.
    unit : what is written is to be multiplied by this.
    mixed : whether groups can be compared as well.
    undefined : which rows cannot be compared, and `why`.
    """

    name: str
    prepared: Callable[[FloatArray, Reach], FloatArray]
    write: Callable[[RealArray, RealArray, int, RealArray], None]
    unit: Callable[[Reach], float] = one
    mixed: bool = False
    undefined: Callable[[FloatArray], BoolArray] = never
    why: str = ""
