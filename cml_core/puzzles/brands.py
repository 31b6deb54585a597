"""Names of cars that no one makes, so that nobody knows anything about them beforehand."""

from __future__ import annotations

from itertools import product

import numpy as np

_BEGINNINGS = (
    *("Brel", "Bix", "Dor", "Fen", "Gul", "Hol", "Jun", "Kav", "Lum", "Mir", "Nub", "Pel"),
    *("Quor", "Rav", "Sib", "Tam", "Ulv", "Wes", "Yor", "Zan"),
)
_ENDINGS = ("ado", "aro", "eon", "ido", "iva", "ino", "olo", "oru", "usk", "emo", "enta", "ivo")
_NAMES = tuple(beginning + ending for beginning, ending in product(_BEGINNINGS, _ENDINGS))


def invented_brands(n_objects: int, random: np.random.Generator) -> tuple[str, ...]:
    """So many different names, by lot."""
    return tuple(_NAMES[i] for i in random.permutation(len(_NAMES))[:n_objects])
