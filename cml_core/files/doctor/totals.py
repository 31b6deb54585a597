"""Rows of totals, which are no objects: each is the sum, or the mean, of all others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

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
# Of more decimals a row is not rounded in a way that matters.
_MOST_DIGITS = 6
_Statistics: TypeAlias = tuple[Callable[[FloatArray, int], FloatArray], ...]


def _called(words: str) -> re.Pattern[str]:
    return re.compile(rf"\W*({words})\W*", re.IGNORECASE)


_TOTALS: _Statistics = (
    lambda body, axis: np.nansum(body, axis=axis),
    lambda body, axis: np.nansum(body, axis=axis) / len(body),
    lambda body, axis: np.nansum(body, axis=axis) / (len(body) - 1),
)
_SPREAD: _Statistics = (np.nanstd, lambda body, axis: np.nanstd(body, axis=axis, ddof=1))
_CALLED: tuple[tuple[re.Pattern[str], _Statistics], ...] = (
    (
        _called(
            "all|totals?|sums?|grand total|margin|means?|mw|average|avg|summe|gesamt|insgesamt"
            "|gesamtergebnis|alle|mittel|mittelwert|durchschnitt|somme|moyenne|totaux|suma|promedio"
            "|media|totale|somma"
        ),
        _TOTALS,
    ),
    (_called("sd|s\\.d\\.|std|stdev|stddev|se|standardabweichung|écart[ -]type"), _SPREAD),
    (_called("max|maximum|größte[rs]?"), (np.nanmax,)),
    (_called("min|minimum|kleinste[rs]?"), (np.nanmin,)),
    (_called("median|mediana|médiane"), (np.nanmedian,)),
)
_COUNT = _called("n|count|anzahl|cases|fälle|effectif")


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
    """The objects whose values are the sums, the means or the like of those of all others."""
    if table.n_objects <= FEWEST_OTHERS:
        return ()
    values = table.values
    said = [_statistics_called(name) for name in table.labels]
    likely = [k for k, statistics in enumerate(said) if statistics]
    # One without a name for it is looked for by its values: they are the largest.
    candidates = likely or [int(np.argmax(np.nan_to_num(np.abs(values)).sum(axis=1)))]
    others = np.ones(table.n_objects, dtype=np.bool_)
    others[likely] = False
    found = [k for k in candidates if _is_total(values, k, others, said[k] or _TOTALS)]
    found += [
        k
        for k, name in enumerate(table.labels)
        if _COUNT.fullmatch(name) and _is_one_count(values, k)
    ]
    return tuple(table.labels[k] for k in found)


def _is_one_count(values: FloatArray, place: int) -> bool:
    """Whether the same whole number stands everywhere, as where all others count as many cases."""
    told = np.delete(np.where(np.isnan(values[place]), values[:, place], values[place]), place)
    body = np.delete(np.delete(values, place, 0), place, 1)
    same = not np.isnan(told).any() and np.ptp(told) == 0 and told[0] == np.rint(told[0])
    return bool(same and told[0] > 1 and np.nanmax(body) > np.nanmin(body))


def _statistics_called(name: str) -> _Statistics:
    """What an object of this name would be of all others, were it no object; none of most names."""
    return next((what for words, what in _CALLED if words.fullmatch(name)), ())


def _is_total(values: FloatArray, place: int, others: BoolArray, statistics: _Statistics) -> bool:
    kept = others.copy()
    kept[place] = False
    body = values[np.ix_(kept, kept)]
    if kept.sum() < FEWEST_OTHERS or np.isnan(body).all():
        return False
    if statistics is not _TOTALS and np.isnan(body).all(axis=0).any():
        return False
    told = (values[place, kept], values[kept, place])
    return any(
        _are_same(given, statistic(body, axis))
        for axis, given in enumerate(told)
        for statistic in statistics
    )


def _are_same(given: FloatArray, expected: FloatArray) -> bool:
    """Whether all are there and as expected, and are more than zeros or one number."""
    if np.isnan(given).any() or np.ptp(given) == 0:
        return False
    unit = np.abs(expected).max()
    off = max(ROUNDING * unit, _last_digit(given))
    return bool(unit > 0 and (np.abs(given - expected) <= off).all())


def _last_digit(given: FloatArray) -> float:
    """Half of what the last decimal of rounded numbers counts, and a little more."""
    for digits in range(_MOST_DIGITS):
        if np.array_equal(np.round(given, digits), given):
            return 0.51 * 10.0**-digits
    return 0.0
