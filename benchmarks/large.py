"""Very many measured objects, each map in a process of its own: time, memory and what is found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.large_child import ALL_PAIRS, FEWER_LANDMARKS, IN_A_GIGABYTE, LANDMARKS
from benchmarks.large_peer import PEERS
from benchmarks.report import (
    LARGE_EXCESS,
    MILLION_MEMORY,
    MILLION_TIME,
    TIMES_UMAP,
    Section,
    Table,
    Target,
    duration,
    megabytes,
)
from benchmarks.timing import Effort

PROJECT = Path(__file__).parents[1]
MEASURES = ("euclidean", "cosine", "cityblock")
SHAPES = ("uniform", "clustered")
# Above this a fit of all pairs takes gigabytes.
DENSE_UP_TO = 10_000
# The other programs were tried up to here; whether they finish more in ten minutes is not known.
PEERS_UP_TO = 100_000
PATIENCE = 600.0
ABOUT = """\
50 columns of 2 hidden dimensions, 3 known features (a group among them) and noise; `solver=\
"landmarks"` with as many landmarks as it takes by itself (4,000 of 10,000 objects, 2,000 of \
more), read from a .npy file that is mapped into memory. *Processor* \
is the time of all threads together, from the path of the file to the map, compiled code already \
loaded: on two idle cores a map takes half of it. *Peak* is the whole process. *Found* is the \
smaller canonical correlation of map and hidden dimensions, *in clusters* its mean over the \
clusters, each by itself; beside it stands that of the fit of all pairs, which no landmarks can \
surpass but by chance. *Above all pairs* is the stress of the whole map relative to that fit, and \
*told* what the fit itself says of that. *Parquet, 1 GB* reads the columns from a Parquet file in \
blocks, where the operating system grants a gigabyte of private memory (RLIMIT_DATA). The other \
programs draw the Euclidean columns with what the known features predict subtracted, their best \
chance, with their defaults, of up to 100,000 objects: with more they were not tried. They may \
be installed in an environment of their own, whose Python CML_PEERS_PYTHON names."""
HEADS = (
    "data",
    "measure",
    "objects",
    "method",
    "processor",
    "wall clock",
    "peak",
    "found",
    "in clusters",
    "above all pairs",
    "told",
)


@dataclass(frozen=True)
class _Case:
    shape: str
    measure: str
    n_objects: int
    method: str


def large(effort: Effort) -> Section:
    """All sizes, shapes and measures, and umap-learn where it finishes."""
    cases = [
        _Case(shape, measure, n_objects, method)
        for n_objects, shape, measure in product(effort.large_sizes, SHAPES, MEASURES)
        for method in _methods(measure, n_objects)
    ]
    with tempfile.TemporaryDirectory() as folder:
        told = {case: _measured(case, folder) for case in cases}
    rows = tuple(_row(case, found) for case, found in told.items())
    figures = _figures(told)
    return Section("Very many objects", ABOUT, (Table(HEADS, rows),), figures)


def _methods(measure: str, n_objects: int) -> list[str]:
    methods = [LANDMARKS]
    if n_objects <= DENSE_UP_TO:
        methods += [FEWER_LANDMARKS, ALL_PAIRS]
    if measure == "euclidean" and n_objects > PEERS_UP_TO:
        methods.append(IN_A_GIGABYTE)
    if measure == "euclidean" and n_objects <= PEERS_UP_TO:
        methods += PEERS
    return methods


def _measured(case: _Case, folder: str) -> dict[str, Any] | None:
    """What a process of its own tells; nothing where it did not finish, None if not installed."""
    named = [case.shape, case.measure, str(case.n_objects), case.method, folder]
    print("        ", *named[:4], file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks.large_child", *named]
    # Arrow's own allocators reserve a gigabyte of addresses, which the limit would count.
    sparing = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system"}
    try:
        done = subprocess.run(
            command,
            cwd=PROJECT,
            capture_output=True,
            check=True,
            text=True,
            timeout=PATIENCE,
            env=sparing,
        )
    except subprocess.TimeoutExpired:
        return {}
    found: dict[str, Any] | None = json.loads(done.stdout.splitlines()[-1])
    return found


def _row(case: _Case, found: dict[str, Any] | None) -> tuple[str, ...]:
    named = (case.shape, case.measure, f"{case.n_objects:,}", case.method)
    if not found:
        why = "not installed" if found is None else f"> {PATIENCE:.0f} s"
        return (*named, why, "", "", "", "", "", "")
    return (
        *named,
        duration(found["processor"]),
        duration(found["wall"]),
        megabytes(found["peak"]),
        f"{found['found']:.4f}",
        f"{found['in_clusters']:.3f}" if case.shape == "clustered" else "",
        _share(found.get("excess")),
        _share(found.get("told")),
    )


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2%}"


def _figures(told: dict[_Case, dict[str, Any] | None]) -> dict[Target, float]:
    figures: dict[Target, float] = {}
    ours = {case: found for case, found in told.items() if found and case.method == LANDMARKS}
    million = [found for case, found in ours.items() if case.n_objects == 1_000_000]
    if million:
        figures[MILLION_TIME] = max(found["processor"] for found in million)
        figures[MILLION_MEMORY] = max(found["peak"] for found in million) / 1e6
    excesses = [found["excess"] for found in ours.values() if "excess" in found]
    if excesses:
        figures[LARGE_EXCESS] = 100 * max(excesses)
    for case, found in told.items():
        if case.method == "umap-learn" and case.n_objects == PEERS_UP_TO and found:
            own = ours[_Case(case.shape, case.measure, case.n_objects, LANDMARKS)]
            times = found["processor"] / own["processor"]
            figures[TIMES_UMAP] = min(times, figures.get(TIMES_UMAP, times))
    return figures
