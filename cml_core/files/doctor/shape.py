"""Whether the values can be distances: triangles, Euclidean space, objects that repeat others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cml_core.errors import listing
from cml_core.files.doctor.findings import (
    NAMED,
    ODD,
    UNDERSTOOD,
    Choice,
    Finding,
    how_to_fit,
    named_values,
    with_more,
)
from cml_core.files.doctor.pair_table import PairTable
from cml_core.files.preparation import Preparation
from cml_core.fitting.gaps import filled_square
from cml_core.values.arrays import FloatArray, IntArray, pair_count, pair_index
from cml_core.values.components import components
from cml_core.values.words import counted, percent

# Of 300 objects there are 4.5 million triples, looked at in 22 ms; drawn ones take 50 ms.
EVERY_TRIANGLE_UP_TO = 300
DRAWN = 300_000
SEED = 0
# An excess below this share of the largest value is rounding.
ROUNDING = 1e-6
# All eigenvalues take a time that grows with the cube of N, while a visitor waits.
EIGENVALUES_UP_TO = 600
# Ratings and counts reach 15 to 20 %; beyond this it is not only noise.
FAR_FROM_EUCLIDEAN = 0.25
# Rows that differ nowhere by more than this share of the largest value are nearly the same.
NEARLY = 1e-4
# Objects that are compared with fewer others than this may agree by chance.
FEWEST_IN_COMMON = 3
# Each sifts out nearly all pairs of rows that differ; what six leave is looked at in full.
PROJECTIONS = 6
# How many standard deviations a projection of nearly equal rows may be apart.
SURELY = 5.0
# Up to here a share of triangles that do not close is what noise does to a few.
RARE = 0.1
UNDO = (Choice(0.0, "Undo", "Add nothing."),)


def shape_findings(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    """Triangles that do not close, values far from Euclidean, objects that repeat others."""
    if table.largest == 0:
        return
    yield from _triangles(table, preparation)
    yield from _euclidean(table)
    yield from _duplicates(table, preparation)


@dataclass(frozen=True)
class Triangles:
    """How many triples of objects break the triangle inequality, and the one that does worst.

    Parameters
    ----------
    broken, in_all : triples of which all three pairs are known.
    excess : by how much the longest side of the worst is longer than the way over the third.
    worst : the places of its objects; the way from the first to the last is the longest side.
    drawn : whether triples were drawn at random.
    """

    broken: int
    in_all: int
    excess: float
    worst: tuple[int, int, int]
    drawn: bool


def triangles(table: PairTable) -> Triangles:
    """Every triple of up to 300 objects; of more, some hundred thousand drawn from a seed."""
    if table.n_objects <= EVERY_TRIANGLE_UP_TO:
        return _every_triangle(table)
    return _drawn_triangles(table)


def _every_triangle(table: PairTable) -> Triangles:
    square, least = table.square, ROUNDING * table.largest
    found = Triangles(0, _triples(table), 0.0, (0, 0, 0), False)
    for i in range(table.n_objects - 1):
        excess = square[i, i + 1 :] - (square[i][:, None] + square[:, i + 1 :])
        beyond = excess > least
        if not beyond.any():
            continue
        found = replace(found, broken=found.broken + int(beyond.sum()))
        place = int(np.argmax(np.where(beyond, excess, -np.inf)))
        middle, other = divmod(place, excess.shape[1])
        if excess[middle, other] > found.excess:
            size = float(excess[middle, other])
            found = replace(found, excess=size, worst=(i, middle, i + 1 + other))
    return found


def _triples(table: PairTable) -> int:
    """How many triples have all three pairs known."""
    known = table.known_pairs.astype(np.float64)
    return round(float((known @ known * known).sum()) / 6)


def _drawn_triangles(table: PairTable) -> Triangles:
    # From a fixed seed, so that a table has the same findings whenever it is looked at.
    random = np.random.default_rng(SEED)
    a, b, c = random.integers(0, table.n_objects, (3, DRAWN))
    sides = np.array([table.square[a, c], table.square[a, b], table.square[b, c]])
    # An object with itself is NaN, so triples of fewer than three objects drop out here.
    whole = ~np.isnan(sides.sum(axis=0))
    a, b, c, sides = a[whole], b[whole], c[whole], sides[:, whole]
    if not sides.size:
        return Triangles(0, 0, 0.0, (0, 0, 0), True)
    longest = sides.argmax(axis=0)
    excess = 2 * sides.max(axis=0) - sides.sum(axis=0)
    beyond = excess > ROUNDING * table.largest
    k = int(np.argmax(excess))
    first, middle, last = [(a, b, c), (a, c, b), (b, a, c)][int(longest[k])]
    worst = (int(first[k]), int(middle[k]), int(last[k]))
    return Triangles(int(beyond.sum()), beyond.size, max(0.0, float(excess[k])), worst, True)


def _triangles(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    found = triangles(table)
    if found.broken:
        yield _broken(found, table, preparation)
    elif preparation.added:
        yield Finding(
            "triangles",
            UNDERSTOOD,
            f"By your choice {preparation.added:.6g} was added to every dissimilarity; going round "
            "by a third object is never shorter than the direct way.",
            f"Where zero did mean 'the same', this does harm. {how_to_fit('interval')}",
            UNDO,
            "added",
            advised_scale="interval",
        )


def _broken(found: Triangles, table: PairTable, preparation: Preparation) -> Finding:
    first, middle, last = (table.labels[i] for i in found.worst)
    i, j, k = found.worst
    sides = [float(table.square[pair]) for pair in ((i, k), (i, j), (j, k))]
    shown = named_values([(first, last), (first, middle), (middle, last)], sides)
    of_all = f"{counted(found.in_all, 'triple')}{' drawn at random' if found.drawn else ''}"
    share = found.broken / found.in_all
    return Finding(
        "triangles",
        UNDERSTOOD if share < RARE else ODD,
        f"In {percent(share)} of {of_all}, going round by the third object "
        "is shorter than the direct way (the triangle inequality does not hold); worst: "
        f"{shown}.",
        _what_broken_means(share),
        UNDO if preparation.added else (),
        "added" if preparation.added else "",
        ((first, last), (first, middle), (middle, last)),
        (first, middle, last),
        advised_scale="" if share < RARE else "interval",
    )


def _what_broken_means(share: float) -> str:
    drawn = (
        "No map can show three such objects as they are: the direct way will be drawn too short, "
        "or the way round too long. Noise alone does that to a few; it can stay."
    )
    if share < RARE:
        return drawn
    return (
        f"{drawn} If many differ by much, zero may not mean 'the same' here. "
        f"{how_to_fit('interval')} If that does not help, the values may not be dissimilarities."
    )


def negative_share(table: PairTable) -> float:
    """Share of negative eigenvalues, by size, of the doubly centred squared values.

    0 for distances in a Euclidean space of whatever dimension; gaps are filled with the way
    around them.
    """
    scaled = table.condensed / table.largest
    missing = np.isnan(scaled)
    squares = filled_square(scaled, missing, table.n_objects) ** 2
    squares -= squares.mean(axis=0)
    squares -= squares.mean(axis=1, keepdims=True)
    values = np.linalg.eigvalsh(-0.5 * squares)
    in_all = float(np.abs(values).sum())
    return float(-values[values < 0].sum()) / in_all if in_all > 0 else 0.0


def _euclidean(table: PairTable) -> Iterator[Finding]:
    if table.n_objects > EIGENVALUES_UP_TO:
        return
    share = negative_share(table)
    if share <= FAR_FROM_EUCLIDEAN:
        return
    yield Finding(
        "not_euclidean",
        ODD,
        f"Distances on a flat map could not be like this ({percent(share)} of the eigenvalues, by "
        "size, are negative).",
        "However many dimensions it has, no map fits them well as distances. A conversion that "
        f"suits the data better may help. {how_to_fit('ordinal')} Isomap helps where only near "
        "neighbours can be trusted.",
        advised_scale="ordinal",
    )


def _duplicates(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    groups = duplicate_groups(table)
    if not groups:
        return
    named = [table.names(group) for group in groups]
    extra = tuple(name for names in named for name in names[1:])
    shown = "; ".join(listing(names, NAMED) for names in named[:NAMED])
    yield Finding(
        "duplicates",
        ODD,
        f"Objects with nearly the same values throughout: {with_more(shown, NAMED, len(named))}.",
        "They say the same twice and lie in nearly one place; together they pull on the map with "
        "the strength of all.",
        (
            Choice(
                (*preparation.without, *extra),
                f"Leave out {listing(extra, NAMED)}",
                "The first of each group stays.",
            ),
        ),
        "without",
        objects=tuple(name for names in named for name in names),
    )


def duplicate_groups(table: PairTable) -> tuple[IntArray, ...]:
    """Groups of objects nearly at zero from each other that have nearly the same other values.

    Where it is not known how far two are from each other, the others decide. Pairs are sifted by
    random projections of their rows, then looked at in full. A table whose values are all the
    same has no duplicates: its objects differ, each from each.
    """
    # Each row compared with each would take N^3 steps, and N may be 10,000.
    n = table.n_objects
    if table.ascending[-1] - table.ascending[0] <= NEARLY * table.largest:
        return ()
    pairs = [pair for pair in _candidates(table) if _nearly_same(table, *pair)]
    if not pairs:
        return ()
    first, second = np.array(pairs).T
    joined = np.zeros(pair_count(n), dtype=np.bool_)
    joined[pair_index(first, second, n)] = True
    group = components(joined, n)
    sizes = np.bincount(group)
    return tuple(np.flatnonzero(group == k) for k in np.unique(group) if sizes[k] > 1)


def _candidates(table: PairTable) -> list[tuple[int, int]]:
    """Pairs at zero or unknown whose rows, but for that, have nearly the same projections."""
    n = table.n_objects
    rows = np.where(table.known_pairs, table.square, 0.0) / table.largest
    directions = np.random.default_rng(SEED).standard_normal((n, PROJECTIONS))
    near = np.triu(rows <= NEARLY, 1)
    for direction, image in zip(directions.T, (rows @ directions).T, strict=True):
        # Σ over others k of (d_ik - d_jk) g_k.
        apart = np.subtract.outer(image, image) - rows * np.subtract.outer(-direction, -direction)
        near &= np.abs(apart) <= SURELY * NEARLY * np.sqrt(n)
    first, second = np.nonzero(near)
    return list(zip(first.tolist(), second.tolist(), strict=True))


def _nearly_same(table: PairTable, i: int, j: int) -> bool:
    """Whether two objects have nearly the same values with several others, and gaps alike."""
    one, other = table.square[i].copy(), table.square[j].copy()
    one[[i, j]] = other[[i, j]] = np.nan
    known = ~np.isnan(one)
    if known.sum() < FEWEST_IN_COMMON or (known != ~np.isnan(other)).any():
        return False
    return bool(_largest_difference(one[known], other[known]) <= NEARLY * table.largest)


def _largest_difference(one: FloatArray, other: FloatArray) -> float:
    return float(np.abs(one - other).max())
