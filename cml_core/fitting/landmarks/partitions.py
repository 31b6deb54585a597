"""All objects placed among the landmarks: here, block by block, or each part by another process."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from cml_core.fitting.cluster import Cluster
from cml_core.fitting.landmarks.placing import Among, Placed, joined
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import FloatArray
from cml_core.values.rows.in_memory import ArrayRows
from cml_core.values.rows.rows import Rows

# So many rows go to another process at a time: a tenth of a second of work, a few megabytes.
PARTITION = 32_768


@dataclass(frozen=True, eq=False)
class Partition:
    """Some of all objects: their rows, what is known of them, and where the first one stands."""

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
    yield from _by_others(cluster, among, _partitions(rows, values), unseen)
    # Read here, for those who do not see the file.
    yield from _by_others(cluster, among, map(_in_memory, unseen), [])


def _by_others(
    cluster: Cluster, among: Among, parts: Iterator[Partition], unseen: list[Partition]
) -> Generator[tuple[int, Placed], None, None]:
    with closing(cluster.results(placed_part, among, parts)) as results:
        for part, found in results:
            if found is None:
                unseen.append(part)
            else:
                yield part.first, found


def placed_part(among: Among, part: Partition) -> Placed | None:
    """A part placed by one thread; None where its file is not to be seen, or is another."""
    if not part.rows.here:
        return None
    with capped_linear_algebra(1):
        return joined([where for _, where in among.blocks(part.rows, part.values, map)])


def _partitions(rows: Rows, values: FloatArray) -> Iterator[Partition]:
    first = 0
    for part in rows.parts(PARTITION):
        last = first + part.n_rows
        yield Partition(first, part, values[first:last])
        first = last


def _in_memory(part: Partition) -> Partition:
    block = np.concatenate(list(part.rows.blocks(PARTITION)))
    return replace(part, rows=ArrayRows(block, part.rows.columns))
