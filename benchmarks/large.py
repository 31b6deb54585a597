"""Very many measured objects, each map in a process of its own: time, memory and what is found."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

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
# Above this umap-learn takes more than its ten minutes.
UMAP_UP_TO = 100_000
PATIENCE = 600.0
ABOUT = """\
50 columns of 2 hidden dimensions, 3 known features (a group among them) and noise; `solver=\
"landmarks"` with 2,000 landmarks, read from a .npy file that is mapped into memory. *Processor* \
is the time of all threads together, from the path of the file to the map, compiled code already \
loaded: on two idle cores a map takes half of it. *Peak* is the whole process. *Found* is the \
smaller canonical correlation of map and hidden dimensions, *in clusters* its mean over the \
clusters, each by itself. *Above all pairs* is the stress of the whole map relative to that of a \
fit of all pairs, and *told* what the fit itself says of that. umap-learn draws the Euclidean \
columns with what the known features predict subtracted, its best chance, with its defaults."""
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
    methods = ["landmarks", "refined twice"] if n_objects <= DENSE_UP_TO else ["landmarks"]
    if measure == "euclidean" and n_objects <= UMAP_UP_TO:
        methods.append("umap-learn")
    return methods


def _measured(case: _Case, folder: str) -> dict[str, Any] | None:
    """What a process of its own tells; None where it did not finish."""
    named = [case.shape, case.measure, str(case.n_objects), case.method, folder]
    print("        ", *named[:4], file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks.large_child", *named]
    try:
        done = subprocess.run(
            command, cwd=PROJECT, capture_output=True, check=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return None
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _row(case: _Case, found: dict[str, Any] | None) -> tuple[str, ...]:
    named = (case.shape, case.measure, f"{case.n_objects:,}", case.method)
    if found is None:
        return (*named, f"> {PATIENCE:.0f} s", "", "", "", "", "", "")
    return (
        *named,
        duration(found["processor"]),
        duration(found["wall"]),
        megabytes(found["peak"]),
        f"{found['found']:.4f}",
        f"{found['in_clusters']:.3f}" if case.shape == "clustered" else "",
        _share(found["excess"]),
        _share(found["told"]),
    )


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2%}"


def _figures(told: dict[_Case, dict[str, Any] | None]) -> dict[Target, float]:
    figures: dict[Target, float] = {}
    ours = {case: found for case, found in told.items() if found and case.method == "landmarks"}
    million = [found for case, found in ours.items() if case.n_objects == 1_000_000]
    if million:
        figures[MILLION_TIME] = max(found["processor"] for found in million)
        figures[MILLION_MEMORY] = max(found["peak"] for found in million) / 1e6
    excesses = [found["excess"] for found in ours.values() if found["excess"] is not None]
    if excesses:
        figures[LARGE_EXCESS] = 100 * max(excesses)
    for case, found in told.items():
        if case.method == "umap-learn" and case.n_objects == UMAP_UP_TO and found:
            own = ours[_Case(case.shape, case.measure, case.n_objects, "landmarks")]
            times = found["processor"] / own["processor"]
            figures[TIMES_UMAP] = min(times, figures.get(TIMES_UMAP, times))
    return figures
