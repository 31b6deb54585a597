"""What is odd in the values of pairs: zeros, too few different ones, and those far off."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cml_core.files.doctor.findings import (
    NAMED,
    ODD,
    WRONG,
    Choice,
    Finding,
    named_values,
    with_more,
)
from cml_core.files.doctor.pair_table import PairTable
from cml_core.files.preparation import Preparation
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.words import counted, percent

# Differences below this share of the largest value are rounding.
ROUNDING = 1e-9
FEW_VALUES = 3
# Fewer pairs than this say nothing of how values are distributed.
FEWEST_PAIRS = 10
# One pair that has this share of the sum of squares, and is so many times the next largest,
# decides the map.
DOMINANT, TIMES_THE_NEXT = 0.25, 2.0
# Tukey's outer fence: quartiles, and three times their distance beyond them. Of m normal values
# the largest lies about √(2 ln m) standard deviations out, so for many pairs the fence is half
# as far again as that.
FENCE, BEYOND_NORMAL, QUARTILES_OF_NORMAL = 3.0, 1.5, 1.349
# If more than this share lies beyond the fence, the distribution has a tail, not outliers.
MOST_OUTLIERS = 0.02
PLAIN, LOGARITHMIC = "a plain scale", "a logarithmic scale"


def value_findings(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    """Zeros, few different values, one that dominates, and outliers."""
    if not table.ascending.size:
        return
    if table.largest == 0:
        yield Finding(
            "equal",
            WRONG,
            "Every dissimilarity is zero.",
            "All objects would lie in one point: there is nothing to map.",
        )
        return
    yield from _zeros(table, preparation)
    yield from _few_values(table)
    dominant = list(_dominant(table, preparation))
    yield from dominant or _outliers(table, preparation)


def as_unknown(pairs: tuple[tuple[str, str], ...], preparation: Preparation) -> tuple[Choice, ...]:
    """The choice to take these pairs, too, as unknown."""
    title = "Take this pair as unknown" if len(pairs) == 1 else "Take these pairs as unknown"
    return (Choice((*preparation.unknown_pairs, *pairs), title, "They no longer pull on the map."),)


def _zeros(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    count = int(np.searchsorted(table.ascending, ROUNDING * table.largest, side="right"))
    if not count:
        return
    pairs = table.pairs(table.places[:count])
    shown = ", ".join(f"{first} and {second}" for first, second in pairs[:NAMED])
    yield Finding(
        "zeros",
        ODD,
        f"{counted(count, 'pair')} of different objects at zero: {with_more(shown, NAMED, count)}.",
        "They should lie in one point of the map. If zero stands for 'not asked', take these "
        "pairs as unknown.",
        as_unknown(pairs, preparation),
        "unknown_pairs",
        pairs,
    )


def _few_values(table: PairTable) -> Iterator[Finding]:
    values = table.ascending
    steps = np.flatnonzero(np.diff(values) > ROUNDING * table.largest)
    if steps.size >= FEW_VALUES or values.size < FEW_VALUES:
        return
    different = [float(values[0]), *(float(values[k + 1]) for k in steps)]
    if len(different) == 1:
        yield Finding(
            "equal",
            ODD,
            f"All {values.size:,} known pairs are {different[0]:.6g}.",
            "Every object is as far from every other: any map of them is as good as any other.",
        )
    elif values.size >= FEWEST_PAIRS:
        yield Finding(
            "few_values",
            ODD,
            f"There are only these values: {' and '.join(f'{value:.6g}' for value in different)}.",
            "A map can say little more than which objects are joined; Isomap over near "
            "neighbours, which adds up the steps between them, often shows more.",
        )


def _dominant(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    if table.ascending.size < FEWEST_PAIRS:
        return
    share = 1.0 / float(((table.ascending / table.largest) ** 2).sum())
    if share < DOMINANT or table.largest < TIMES_THE_NEXT * table.ascending[-2]:
        return
    pairs = table.pairs(table.places[-1:])
    yield Finding(
        "dominated",
        ODD,
        f"One value outweighs the others: {named_values(pairs, [table.largest])}, where the "
        f"median is {np.median(table.ascending):.6g}.",
        f"A map tries to get large values right first: this pair alone has {percent(share)} of "
        "all that is to be fitted, so the others would hardly count. Perhaps a decimal point is "
        "misplaced, or the value stands for 'unknown'.",
        as_unknown(pairs, preparation),
        "unknown_pairs",
        pairs,
    )


def _outliers(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    scale, values = _plain_or_log(table.ascending)
    low, high = _fences(values)
    if scale == LOGARITHMIC:  # objects that happen to lie close are no outliers
        low = -np.inf
    outside = np.flatnonzero((values < low) | (values > high))
    allowed = max(2.0, MOST_OUTLIERS * values.size)
    if values.size < FEWEST_PAIRS or not 0 < outside.size <= allowed:
        return
    places = _worst_first(table, values, outside)
    pairs = table.pairs(places)
    shown = named_values(pairs[:NAMED], list(table.condensed[places[:NAMED]]))
    yield Finding(
        "outliers",
        ODD,
        f"{counted(outside.size, 'pair')} far off all others on {scale}: "
        f"{with_more(shown, NAMED, outside.size)}; the median is "
        f"{np.median(table.ascending):.6g}.",
        "Such a pair pulls hard on its two objects and can bend the map around them. A "
        "mistyped number looks like this; a true one may stay.",
        as_unknown(pairs, preparation),
        "unknown_pairs",
        pairs,
    )


def _plain_or_log(ascending: FloatArray) -> tuple[str, FloatArray]:
    """The scale on which the middle half of the values is more even, and the values on it."""
    # Dissimilarities are often skewed by nature: reaction times, counts, geographic distances. On a
    # plain scale their far half would all be outliers.
    if ascending[0] <= 0:
        return PLAIN, ascending
    logs = np.log(ascending)
    if abs(_skewness(logs)) < abs(_skewness(ascending)):
        return LOGARITHMIC, logs
    return PLAIN, ascending


def _skewness(values: FloatArray) -> float:
    """Bowley's: by the quartiles only, so that outliers do not matter."""
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    return float((high + low - 2 * middle) / (high - low)) if high > low else 0.0


def _fences(values: FloatArray) -> tuple[float, float]:
    low, high = (float(quartile) for quartile in np.quantile(values, (0.25, 0.75)))
    if high == low:
        return -np.inf, np.inf
    deviations = BEYOND_NORMAL * np.sqrt(2 * np.log(values.size)) / QUARTILES_OF_NORMAL
    width = max(FENCE, deviations - 0.5) * (high - low)
    return low - width, high + width


def _worst_first(table: PairTable, values: FloatArray, outside: IntArray) -> IntArray:
    """The places of outliers, furthest off first."""
    off = np.abs(values[outside] - np.median(values))
    return table.places[outside[np.argsort(-off, kind="stable")]]
