"""Rows of totals, which are no objects: each is the sum, or the mean, of all others."""

from __future__ import annotations

import re

import numpy as np

from cml_core.errors import listing
from cml_core.files.doctor.findings import NAMED, WRONG, Choice, Finding
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import BoolArray, FloatArray

# Sums in a file are rounded, and so is each of what was added up.
ROUNDING = 0.002
# Of fewer objects one may be the sum of the others by chance.
FEWEST_OTHERS = 3
_WORDS = re.compile(
    r"\W*(all|totals?|sums?|grand total|margin|means?|average|avg|summe|gesamt|insgesamt"
    r"|alle|mittel|mittelwert|durchschnitt|somme|moyenne|totaux|suma|promedio|media|totale|somma)\W*",
    re.IGNORECASE,
)


def totals_finding(table: RawTable, preparation: Preparation) -> Finding | None:
    """Objects that are the sum or the mean of all others, to be left out."""
    found = totals_in(table)
    if not found:
        return None
    verb = "holds" if len(found) == 1 else "hold"
    return Finding(
        "totals",
        WRONG,
        f"{listing(found, NAMED)} {verb} the totals of all others.",
        "A total is no object: on the map it would lie far from everything, and pull on it.",
        (Choice((*preparation.without, *found), f"Leave out {listing(found, NAMED)}"),),
        "without",
        objects=found,
    )


def totals_in(table: RawTable) -> tuple[str, ...]:
    """The objects whose values are the sums or the means of those of all others."""
    if table.n_objects <= FEWEST_OTHERS:
        return ()
    values = table.values
    likely = [k for k in range(table.n_objects) if _WORDS.fullmatch(table.labels[k])]
    # One without a name for it is looked for by its values: they are the largest.
    candidates = likely or [int(np.argmax(np.nan_to_num(np.abs(values)).sum(axis=1)))]
    others = np.ones(table.n_objects, dtype=np.bool_)
    others[likely] = False
    return tuple(table.labels[k] for k in candidates if _is_total(values, k, others))


def _is_total(values: FloatArray, place: int, others: BoolArray) -> bool:
    kept = others.copy()
    kept[place] = False
    body = values[np.ix_(kept, kept)]
    if kept.sum() < FEWEST_OTHERS or np.isnan(body).all():
        return False
    told = [values[place, kept], values[kept, place]]
    sums = [np.nansum(body, axis=0), np.nansum(body, axis=1)]
    return any(
        _are_same(given, total / count)
        for given, total in zip(told, sums, strict=True)
        for count in (1, kept.sum(), kept.sum() - 1)
    )


def _are_same(given: FloatArray, expected: FloatArray) -> bool:
    """Whether all are there and as expected, and are more than zeros or one number."""
    if np.isnan(given).any() or np.ptp(given) == 0:
        return False
    unit = np.abs(expected).max()
    return bool(unit > 0 and (np.abs(given - expected) <= ROUNDING * unit).all())
