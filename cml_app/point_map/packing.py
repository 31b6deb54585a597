"""Places and colours as the few bytes that the browser is sent.

Objects travel in an order in which the first ones, however many have come, are a fair sample of
all: object (k * stride) % N is the k-th, with a stride near the golden section. A browser that has
little time paints the first ones.

A place is two whole numbers from 0 to 65,535 across the rectangle that holds all. The map lets no
one zoom in so far that a step of them is seen (a pixel). Where outliers make that rectangle so
large that most objects share few steps, places are single-precision numbers instead.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

import numpy as np

from cml_app.discovery_map import Colouring
from cml_app.palettes import PALETTES
from cml_app.point_map.scene import NewPoints
from cml_core.values.arrays import FloatArray, IntArray

STEPS = 65535
GOLDEN = 0.6180339887498949
# The middle 98 % of a sample must take this share of the width for 65,536 steps to do.
LEAST_SHARE = 1 / 8
SAMPLE = 10_000
# Of new objects so many are drawn: more would hide the map. Where they are more than can be named,
# names are kept for those that nothing is like.
MOST_MARKS, MOST_NAMED = 20_000, 40
# Of levels, the code that stands for a value that is not known.
MISSING = 65535


class Packed(NamedTuple):
    """Bytes, and what the browser must know to read them."""

    content: bytes
    told: dict[str, object]


def stride_of(n_objects: int) -> int:
    """A step that meets every object once."""
    stride = max(1, round(n_objects * GOLDEN))
    while gcd(stride, n_objects) > 1:
        stride += 1
    return stride


def order_of(n_objects: int) -> IntArray:
    """The objects in the order in which they travel."""
    order: IntArray = np.arange(n_objects) * stride_of(n_objects) % max(n_objects, 1)
    return order


def slots_of(objects: IntArray, n_objects: int) -> IntArray:
    """Where these objects stand in the order in which they travel."""
    inverse = pow(stride_of(n_objects), -1, n_objects)
    slots: IntArray = objects * inverse % n_objects
    return slots


def packed_places(places: FloatArray, slots: IntArray | None = None) -> Packed:
    """Places of the objects that are at these slots.

    Parameters
    ----------
    places : (n, 2), finite.
    slots : where they stand in the order of travel; None where they are all there are.
    """
    low, high = places.min(axis=0), places.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    shares = (places - low) / span
    if _steps_do(shares):
        numbers, kind = np.rint(shares * STEPS).astype("<u2"), "uint16"
    else:
        numbers, kind = shares.astype("<f4"), "float32"
    told = {
        "count": len(places),
        "all": slots is None,
        "kind": kind,
        "box": [float(v) for v in (low[0], low[0] + span[0], low[1], low[1] + span[1])],
    }
    before = b"" if slots is None else slots.astype("<u4").tobytes()
    return Packed(before + numbers.tobytes(), told)


def packed_colour(colour: Colouring) -> Packed:
    """What the colours tell of every object, in the order of travel."""
    values = colour.values[order_of(colour.values.size)]
    missing = np.isnan(values)
    told: dict[str, object] = {
        "name": colour.name,
        "kind": colour.kind,
        "levels": list(colour.levels),
        "period": colour.period,
        "more": colour.more,
        "missing": int(missing.sum()),
    }
    if PALETTES[colour.kind].has_levels:
        codes = np.where(missing, MISSING, values)
        return Packed(codes.astype("<u2").tobytes(), told | {"values": "uint16"})
    present = values[~missing]
    ends = [float(present.min()), float(present.max())] if present.size else []
    return Packed(values.astype("<f4").tobytes(), told | {"values": "float32", "ends": ends})


def packed_newcomers(new: NewPoints) -> Packed:
    """Places of new objects: first those that nothing is like, then a fair sample of the others."""
    order = order_of(len(new.names))
    order = order[np.argsort(~new.far[order], kind="stable")][:MOST_MARKS]
    far = int(new.far[order].sum())
    named = order if len(order) <= MOST_NAMED else order[: min(far, MOST_NAMED)]
    names = [new.names[i] for i in named]
    told: dict[str, object] = {
        "count": len(order),
        "total": len(new.names),
        "far": far,
        "names": names,
    }
    return Packed(new.places[order].astype("<f4").tobytes(), told)


def _steps_do(shares: FloatArray) -> bool:
    few = shares[:: max(1, len(shares) // SAMPLE)]
    low, high = np.quantile(few, (0.01, 0.99), axis=0)
    return bool(((high - low) >= LEAST_SHARE).all() or len(shares) < 3)
