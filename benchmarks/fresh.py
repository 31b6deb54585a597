"""Measured in new processes: first use, start-up, memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.data import Sample, simulate
from benchmarks.report import (
    FIRST_USE,
    MEMORY,
    NEW_PROCESS,
    Section,
    Table,
    duration,
    megabytes,
    ratio,
)
from benchmarks.timing import Effort, interleaved

PROJECT = Path(__file__).parents[1]

ABOUT_START = """\
Seconds of a whole process that imports the package, reads 14 kinship terms with their features \
and fits them. The first use compiles (an empty numba cache); later ones load what was \
compiled. scikit-learn has one random start on 14 objects without features."""

ABOUT_MEMORY = """\
N = {n}, 4 features known, 3 dimensions hidden, one process each. *Above the data* is the peak \
during the fit less what was in memory before it, when program and data were loaded; *whole \
process* is the peak with both. scikit-learn makes 2 passes from a random start."""


def start_up(effort: Effort) -> Section:
    """Compile once in an empty cache, then start a few times."""
    with tempfile.TemporaryDirectory() as cache:
        first = interleaved({"first": partial(_child, "this", cache=cache)}, effort, repeats=1)
        contenders = {name: partial(_child, name, cache=cache) for name in ("this", "scikit-learn")}
        times = interleaved(contenders, effort)
    cold, warm = first["first"].seconds, times["this"].seconds
    theirs = times["scikit-learn"].seconds
    rows = (
        ("first use", duration(cold), ""),
        ("a new process", duration(warm), ""),
        ("a new process, scikit-learn's metric MDS", duration(theirs), ratio(theirs / warm)),
    )
    table = Table(("", "time", "as long as this"), rows)
    return Section("Starting up", ABOUT_START, (table,), {FIRST_USE: cold, NEW_PROCESS: warm})


def memory(effort: Effort) -> Section:
    """Peak memory in double and in single precision, and that of scikit-learn."""
    sample = simulate("uniform", effort.memory_size)
    double = _memory("this", sample)
    single = _memory("this", sample.in_single_precision())
    theirs = _memory("scikit-learn", sample)
    named = {"this, float64": double, "this, float32": single, "scikit-learn, float64": theirs}
    rows = tuple(
        (name, *map(megabytes, sizes), ratio(sizes[1] / double[1])) for name, sizes in named.items()
    )
    heads = ("", "data", "above the data", "whole process", "above the data, against this")
    figures = {MEMORY: double[1] / 1e6} if sample.n_objects == 10000 else {}
    about = ABOUT_MEMORY.format(n=sample.n_objects)
    return Section("Memory", about, (Table(heads, rows),), figures)


def _memory(method: str, sample: Sample) -> tuple[int, int, int]:
    """Bytes of the data, of a fit above them, and of all."""
    values = sample.condensed if method == "this" else sample.square
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "dissimilarities.npy", values)
        np.save(Path(folder) / "features.npy", sample.known_values)
        told = _child("memory", method, folder).split()
    return int(told[0]), int(told[1]), int(told[2])


def _child(*arguments: str, cache: str | None = None) -> str:
    """What a new process prints."""
    environment = dict(os.environ)
    if cache:
        environment["NUMBA_CACHE_DIR"] = cache
    command = [sys.executable, "-m", "benchmarks.child", *arguments]
    done = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, check=True, text=True
    )
    return done.stdout
