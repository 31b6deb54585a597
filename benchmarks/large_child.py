"""One map of very many objects, in a process of its own.

`python -m benchmarks.large_child shape measure N method folder` prints what was measured.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist

from benchmarks.child import _forget_peak, _peak
from benchmarks.large_peer import PEERS
from cml_core import ConditionalMDS, Measurements
from cml_core.fitting.geometry import canonical_correlations

COLUMNS, HIDDEN, NOISE, CLUSTERS = 50, 2, 0.1, 8
BLOCK = 50_000
FEWER = 2000
LANDMARKS, FEWER_LANDMARKS = "landmarks", f"{FEWER:,} landmarks"
ALL_PAIRS, IN_A_GIGABYTE = "all pairs", "landmarks, Parquet, 1 GB"
LIMIT = 10**9
# A Python of an environment in which the other programs are installed.
PEERS_PYTHON = "CML_PEERS_PYTHON"


def written(shape: str, n_objects: int, path: Path) -> tuple[Any, pd.DataFrame, Any]:
    """Hidden dimensions, known features and clusters; the columns go into a file."""
    random = np.random.default_rng(n_objects)
    cluster = random.integers(CLUSTERS, size=n_objects)
    hidden = random.uniform(-1.7, 1.7, (n_objects, HIDDEN))
    if shape == "clustered":
        centres = 2 * random.normal(size=(CLUSTERS, HIDDEN))
        hidden = centres[cluster] + 0.4 * random.normal(size=(n_objects, HIDDEN))
    numbers = random.normal(size=(n_objects, 2))
    topic = random.integers(3, size=n_objects)
    mixing = np.linalg.qr(random.normal(size=(COLUMNS, HIDDEN + 4)))[0].T
    columns = np.lib.format.open_memmap(path, "w+", np.float32, (n_objects, COLUMNS))
    for first in range(0, n_objects, BLOCK):
        at = slice(first, first + BLOCK)
        inner = np.hstack([hidden[at], numbers[at], np.eye(3)[topic[at], :2]])
        noise = NOISE * random.normal(size=(len(inner), COLUMNS))
        # Away from zero, as answers and counts are, so that directions say something.
        columns[at] = 1.0 + inner @ mixing + noise
    columns.flush()
    names = np.array(["sport", "music", "food"])
    known = {"length": numbers[:, 0], "date": numbers[:, 1], "topic": names[topic]}
    return hidden, pd.DataFrame(known), cluster


def stress_above_all_pairs(rows: Any, measure: Any, model: Any, known: pd.DataFrame) -> float:
    """Of the whole map, relative to a fit of all pairs."""
    delta = pdist(rows, measure)
    points = np.hstack([model.embedding_, model.known_ @ model.coef_])
    distances = pdist(points)
    distances -= delta
    own = float(distances @ distances) / float(delta @ delta)
    del distances
    return own / ConditionalMDS(HIDDEN, random_state=0).fit(delta, known).stress_ - 1.0


def by_landmarks(
    path: Path, measure: str, known: pd.DataFrame, n_landmarks: int | str = "auto"
) -> Any:
    model = ConditionalMDS(HIDDEN, solver="landmarks", n_landmarks=n_landmarks, random_state=0)
    return model.fit(Measurements(path, measure), known)


def by_all_pairs(path: Path, measure: str, known: pd.DataFrame) -> Any:
    rows = np.load(path).astype(float)
    delta = pdist(rows, metric=measure)  # type: ignore[call-overload]
    return ConditionalMDS(HIDDEN, random_state=0).fit(delta, known)


def by_peer(name: str, path: Path, known: pd.DataFrame, folder: Path) -> dict[str, Any] | None:
    """What the known features do not predict of the columns, drawn by another program."""
    rows = np.load(path)
    columns = np.column_stack([np.ones(len(known)), pd.get_dummies(known).astype(float)])
    rows -= columns @ np.linalg.lstsq(columns, rows, rcond=None)[0]
    left, places = folder / "left.npy", folder / "places.npy"
    np.save(left, rows)
    python = os.environ.get(PEERS_PYTHON, sys.executable)
    script = Path(__file__).with_name("large_peer.py")
    command = [python, str(script), name, str(left), str(places)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode and "ModuleNotFoundError" in done.stderr:
        return None
    done.check_returncode()
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told | {"places": np.load(places)}


def in_parquet(path: Path) -> Path:
    """The same columns as a Parquet file, written a block at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns, target = np.load(path, mmap_mode="r"), path.with_suffix(".parquet")
    names = [f"c{k}" for k in range(COLUMNS)]
    schema = pa.schema([(name, pa.float32()) for name in names])
    with pq.ParquetWriter(target, schema) as writer:
        for first in range(0, len(columns), BLOCK):
            block = columns[first : first + BLOCK]
            writer.write_table(pa.table([block[:, k].copy() for k in range(COLUMNS)], names))
    return target


def limited(run: Callable[[], Any]) -> Any:
    """Run where the operating system gives no more than a gigabyte of private memory."""
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, resource.RLIM_INFINITY))
    return run()


def main(shape: str, measure: str, n_objects: int, method: str, folder: str) -> None:
    """Print what was measured, as JSON."""
    path = Path(folder) / f"{shape} {n_objects}.npy"
    hidden, known, cluster = written(shape, n_objects, path)
    if method in PEERS:
        told = by_peer(method, path, known, Path(folder))
        print(json.dumps(told and judged(told, told.pop("places"), hidden, cluster)))
        return
    run = _prepared(path, measure, known, method, Path(folder))
    _forget_peak()
    began, clock = time.process_time(), time.perf_counter()
    model = run()
    processor, wall = time.process_time() - began, time.perf_counter() - clock
    told = {"processor": processor, "wall": wall, "peak": _peak()}
    if method != ALL_PAIRS:
        told["told"] = model.fit_.sampled.loss
        if n_objects <= 10_000:
            rows = np.load(path).astype(float)
            told["excess"] = stress_above_all_pairs(rows, measure, model, known)
    print(json.dumps(judged(told, model.embedding_, hidden, cluster)))


def judged(told: dict[str, Any], places: Any, hidden: Any, cluster: Any) -> dict[str, Any]:
    """What was told, and how well the hidden dimensions were found."""
    of_each = [
        canonical_correlations(places[cluster == k], hidden[cluster == k]).min()
        for k in range(CLUSTERS)
    ]
    found = float(canonical_correlations(places, hidden).min())
    return told | {"found": found, "in_clusters": float(np.mean(of_each))}


def _prepared(
    path: Path, measure: str, known: pd.DataFrame, method: str, folder: Path
) -> Callable[[], Any]:
    """The map to be drawn; compiled code is loaded before, by a small one."""
    few = folder / "few.npy"
    np.save(few, np.load(path, mmap_mode="r")[:3000])
    by_landmarks(few, measure, known[:3000])
    if method == ALL_PAIRS:
        return lambda: by_all_pairs(path, measure, known)
    if method == IN_A_GIGABYTE:
        from_parquet = in_parquet(path)
        by_landmarks(in_parquet(few), measure, known[:3000])
        return lambda: limited(lambda: by_landmarks(from_parquet, measure, known))
    count = FEWER if method == FEWER_LANDMARKS else "auto"
    return lambda: by_landmarks(path, measure, known, count)


if __name__ == "__main__":
    shape_, measure_, size, method_, folder_ = sys.argv[1:]
    main(shape_, measure_, int(size), method_, folder_)
