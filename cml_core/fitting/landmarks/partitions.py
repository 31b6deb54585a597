"""All objects, part by part: placed among the landmarks or added up, here or by other processes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np

from cml_core.fitting.cluster import Cluster, cluster_at_hand
from cml_core.fitting.landmarks.placing import Among, Placed, joined
from cml_core.fitting.threads import capped_linear_algebra, spread_ahead
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.measurements import Measurements
from cml_core.values.measures.comparison import Comparison
from cml_core.values.rows.chosen import ChosenRows
from cml_core.values.rows.in_memory import ArrayRows
from cml_core.values.rows.rows import Rows

# So many rows go to another process at a time: a tenth of a second of work, a few megabytes.
PARTITION = 32_768
# With fewer columns a row is read, and added up, sooner than another machine is told of it.
WIDE = 200

_Common = TypeVar("_Common")
_Found = TypeVar("_Found")


@dataclass(frozen=True, eq=False)
class Partition:
    """Some of all objects: their rows, what else is told of them, and where the first stands."""

    first: int
    rows: Rows
    values: FloatArray


def everyone(
    among: Among, rows: Rows, values: FloatArray, cluster: Cluster | None
) -> Generator[tuple[int, Placed], None, None]:
    """All objects, in whatever order they are done, each block with where it begins."""
    if cluster is None:
        yield from among.blocks(rows, values)
        return
    unseen: list[Partition] = []
    yield from _placed_by_others(cluster, among, _partitions(rows, values), unseen)
    # Read here, for those who do not see the file.
    yield from _placed_by_others(cluster, among, map(_in_memory, unseen), [])


def _placed_by_others(
    cluster: Cluster, among: Among, parts: Iterator[Partition], unseen: list[Partition]
) -> Generator[tuple[int, Placed], None, None]:
    with closing(_by_others(cluster, placed_part, among, parts, unseen)) as results:
        for part, found in results:
            yield part.first, found


def over_parts(
    function: Callable[[_Common, Partition], _Found],
    common: _Common,
    rows: Rows,
    values: FloatArray,
    cluster: Cluster | None,
) -> Generator[_Found, None, None]:
    """What a function makes of each part of all objects: in threads, or by who sees their file.

    Rows that would have to be sent stay here, for work that takes no longer than to send them.
    """
    parts = _partitions(rows, values)
    first = next(parts)
    parts = chain([first], parts)
    if cluster is not None and _by_name(first.rows):
        unseen: list[Partition] = []
        with closing(_by_others(cluster, function, common, parts, unseen)) as results:
            yield from (found for _, found in results)
        parts = iter(unseen)
    with capped_linear_algebra(1), closing(spread_ahead(partial(function, common), parts)) as found:
        yield from found


def cluster_for(rows: Rows) -> Cluster | None:
    """The cluster that is named, for a pass over rows that are long enough."""
    return cluster_at_hand() if len(rows.columns) >= WIDE else None


def taken(measurements: Measurements, places: IntArray) -> FloatArray:
    """`Measurements.taken`, by whoever on a cluster sees the file that would have to be read."""
    cluster = cluster_for(measurements.rows)
    if cluster is None:
        return measurements.taken(places)
    order = np.argsort(places, kind="stable")
    wanted = (measurements.comparison, places[order])
    nothing = np.empty((measurements.n_objects, 0))
    found = dict(over_parts(_taken_from, wanted, measurements.rows, nothing, cluster))
    joined = np.concatenate([found[first] for first in sorted(found)])
    back = np.empty_like(joined)
    back[order] = joined
    return back


def _taken_from(wanted: tuple[Comparison, IntArray], part: Partition) -> tuple[int, FloatArray]:
    comparison, places = wanted
    low, high = np.searchsorted(places, (part.first, part.first + part.rows.n_rows))
    return part.first, comparison.taken(part.rows, places[low:high] - part.first)


def _by_others(
    cluster: Cluster,
    function: Callable[[_Common, Partition], _Found],
    common: _Common,
    parts: Iterator[Partition],
    unseen: list[Partition],
) -> Generator[tuple[Partition, _Found], None, None]:
    """What workers make of parts; those whose file they do not see are told."""
    with closing(cluster.results(partial(_where_seen, function), common, parts)) as results:
        for part, found in results:
            if found is None:
                unseen.append(part)
            else:
                yield part, found


def _where_seen(
    function: Callable[[_Common, Partition], _Found], common: _Common, part: Partition
) -> _Found | None:
    """By one thread; None where the file of the part is not to be seen, or is another."""
    if not part.rows.here:
        return None
    with capped_linear_algebra(1):
        return function(common, part)


def placed_part(among: Among, part: Partition) -> Placed:
    """A part placed."""
    return joined([where for _, where in among.blocks(part.rows, part.values, map)])


def _by_name(rows: Rows) -> bool:
    """Whether a part goes to others by the name of its file, and not row by row."""
    return not isinstance(rows.rows if isinstance(rows, ChosenRows) else rows, ArrayRows)


def _partitions(rows: Rows, values: FloatArray) -> Iterator[Partition]:
    first = 0
    for part in rows.parts(PARTITION):
        last = first + part.n_rows
        yield Partition(first, part, values[first:last])
        first = last


def _in_memory(part: Partition) -> Partition:
    block = np.concatenate(list(part.rows.blocks(PARTITION)))
    return replace(part, rows=ArrayRows(block, part.rows.columns))
