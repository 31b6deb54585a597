"""What a small picture of a result shows, as plain values; a report draws them."""

from __future__ import annotations

from dataclasses import dataclass

from cml_core.values.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Scree:
    """Two shares by a count; the second has standard errors.

    Parameters
    ----------
    counts : (P,), from few to many.
    fitted, held_out, errors : (P,) shares.
    """

    title: str
    counts: tuple[int, ...]
    fitted: FloatArray
    held_out: FloatArray
    errors: FloatArray


@dataclass(frozen=True, eq=False)
class Strip:
    """What these data gave beside what chance gave, as shares."""

    title: str
    observed: float
    by_chance: FloatArray


@dataclass(frozen=True, eq=False)
class Cloud:
    """Two measures of the same things, in the same unit unless there is a curve between them.

    Parameters
    ----------
    across, up : (M,) the measures.
    names : of both, in this order.
    curve : on which they would lie, from left to right; None where they would be equal.
    """

    title: str
    across: FloatArray
    up: FloatArray
    names: tuple[str, str]
    curve: tuple[FloatArray, FloatArray] | None = None


@dataclass(frozen=True, eq=False)
class Whiskers:
    """A share for each of a few names.

    Parameters
    ----------
    shares : (names,).
    errors : (names,) standard errors of how far each lies above the least.
    chosen : which of them is singled out, if any.
    """

    title: str
    names: tuple[str, ...]
    shares: FloatArray
    errors: FloatArray
    chosen: int | None


@dataclass(frozen=True, eq=False)
class Trace:
    """A curve, and the things that lie on it.

    Parameters
    ----------
    across, up : (G,) the curve, from left to right.
    dots_across, dots_up : (M,) the things.
    names : of both measures, in this order.
    """

    title: str
    across: FloatArray
    up: FloatArray
    dots_across: FloatArray
    dots_up: FloatArray
    names: tuple[str, str]


Sketch = Scree | Strip | Cloud | Whiskers | Trace
