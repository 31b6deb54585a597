"""One map of very many objects, in a process of its own.

`python -m benchmarks.large_child shape measure N method folder` prints what was measured.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist

from benchmarks.child import _forget_peak, _peak
from cml_core import ConditionalMDS, Measurements
from cml_core.fitting.geometry import canonical_correlations

COLUMNS, HIDDEN, NOISE, CLUSTERS = 50, 2, 0.1, 8
BLOCK = 50_000


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


def by_landmarks(path: Path, measure: str, known: pd.DataFrame, rounds: int) -> Any:
    model = ConditionalMDS(HIDDEN, solver="landmarks", n_refinements=rounds, random_state=0)
    return model.fit(Measurements(path, measure), known)


def by_umap(path: Path, known: pd.DataFrame) -> Any:
    """umap-learn, of what the known features do not predict of the columns."""
    from umap import UMAP

    rows = np.load(path)
    columns = np.column_stack([np.ones(len(known)), pd.get_dummies(known).astype(float)])
    rows -= columns @ np.linalg.lstsq(columns, rows, rcond=None)[0]
    return UMAP(n_components=HIDDEN).fit_transform(rows)


def main(shape: str, measure: str, n_objects: int, method: str, folder: str) -> None:
    """Print what was measured, as JSON."""
    path = Path(folder) / f"{shape} {n_objects}.npy"
    hidden, known, cluster = written(shape, n_objects, path)
    run = _prepared(path, measure, known, method, Path(folder))
    _forget_peak()
    began, clock = time.process_time(), time.perf_counter()
    found = run()
    processor, wall = time.process_time() - began, time.perf_counter() - clock
    peak = _peak()
    places = found if method == "umap-learn" else found.embedding_
    of_each = [
        canonical_correlations(places[cluster == k], hidden[cluster == k]).min()
        for k in range(CLUSTERS)
    ]
    told, excess = None, None
    if method != "umap-learn":
        told = found.fit_.sampled.loss
        if n_objects <= 10_000:
            excess = stress_above_all_pairs(np.load(path).astype(float), measure, found, known)
    print(
        json.dumps(
            {
                "processor": processor,
                "wall": wall,
                "peak": peak,
                "found": float(canonical_correlations(places, hidden).min()),
                "in_clusters": float(np.mean(of_each)),
                "excess": excess,
                "told": told,
            }
        )
    )


def _prepared(
    path: Path, measure: str, known: pd.DataFrame, method: str, folder: Path
) -> Callable[[], Any]:
    """The map to be drawn; compiled code is loaded before, by a small one."""
    if method == "umap-learn":
        return lambda: by_umap(path, known)
    few = folder / "few.npy"
    np.save(few, np.load(path, mmap_mode="r")[:3000])
    by_landmarks(few, measure, known[:3000], 1)
    return lambda: by_landmarks(path, measure, known, 2 if method == "refined twice" else 0)


if __name__ == "__main__":
    shape_, measure_, size, method_, folder_ = sys.argv[1:]
    main(shape_, measure_, int(size), method_, folder_)
