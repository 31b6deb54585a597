"""Other methods: what they cost beside scikit-learn and umap-learn, and what they show."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import KernelPCA
from sklearn.manifold import (
    TSNE,
    ClassicalMDS,
    Isomap,
    LocallyLinearEmbedding,
    SpectralEmbedding,
)

from benchmarks.report import (
    FIRST_UMAP,
    HIDDEN_BY_NEIGHBOURS,
    KNOWN_BY_NEIGHBOURS,
    Section,
    Table,
    duration,
    ratio,
)
from benchmarks.timing import Effort, interleaved
from cml_core import FeatureTable, Problem, fit
from cml_core.datasets import Dataset, simulate_car_brands
from cml_core.fitting.geometry import mean_canonical_correlation
from cml_core.peers import METHODS, View, conditioned, view
from cml_core.peers.shown import shown_features
from cml_core.values.arrays import FloatArray

PROJECT = Path(__file__).parents[1]
LARGEST_QUICK = 300
SIZES = (100, 1000, 3000)
TIMES_ABOUT = """\
Two dimensions, from the distances of uniform points in seven dimensions, each method at its \
defaults and everything compiled before. scikit-learn and umap-learn make the same picture, or \
one of the same kind: LLE is given the points, for it takes no distances. t-SNE there is exact up \
to 1000 objects and Barnes–Hut beyond."""
TIMES_HEADS = ("method", "N", "this", "scikit-learn or umap-learn", "as long as this")

FIRST_ABOUT = """\
Seconds of a whole process until the first picture of 200 objects, libraries imported and loops \
compiled; *again* in a further process, which finds on disk what was compiled."""

BRANDS, KNOWN, NOISE, DATA_SETS = 100, 4, 0.2, 5
CHOSEN = 3
TABLE_ABOUT = f"""\
Simulated car brands (N = {BRANDS}, {KNOWN} of 7 features known, {NOISE:.0%} noise in the \
dissimilarities, 5 % in the known features), medians of {{data_sets}} data sets. *By neighbours*: \
how well the neighbours on the picture tell a feature, each object by the others, the mean over \
features; chance is about −0.1. *CC* is the mean canonical correlation with the hidden features. \
Conditioned views draw the distances between hidden places of {CHOSEN} dimensions, as many as are \
hidden; plain ones the dissimilarities as given."""
TABLE_HEADS = (
    "method",
    "plain: known",
    "plain: hidden",
    "plain: CC",
    "conditioned: known",
    "conditioned: hidden",
    "conditioned: CC",
)
# Those that are to show what is hidden, by neighbours, at .5 or more.
SHOWING = ("mds", "isomap", "tsne", "umap")


def other_eyes(effort: Effort) -> list[Section]:
    """All three tables."""
    return [_times(effort), _first_picture(effort), _shown(effort)]


def _times(effort: Effort) -> Section:
    quick = effort.data_sets <= DATA_SETS
    sizes = [n for n in SIZES if not quick or n <= LARGEST_QUICK]
    rows = []
    for n in sizes:
        points = np.random.default_rng(n).uniform(size=(n, 7))
        square = squareform(pdist(points))
        theirs = _theirs(points, square)
        for name, method in METHODS.items():
            if n > method.most_objects:
                continue
            contenders: dict[str, Callable[[], Any]] = {"this": partial(view, square, name)}
            if name in theirs:
                contenders["theirs"] = theirs[name]
            times = interleaved(contenders, effort, repeats=1 if n > LARGEST_QUICK else None)
            ours = times["this"].seconds
            other = times["theirs"].seconds if name in theirs else None
            told = ("", "") if other is None else (duration(other), ratio(other / ours))
            rows.append((method.title, str(n), duration(ours), *told))
    return Section("Other methods", TIMES_ABOUT, (Table(TIMES_HEADS, tuple(rows)),))


def _theirs(points: FloatArray, square: FloatArray) -> dict[str, Callable[[], Any]]:
    n = len(square)
    kernel = np.exp(-0.5 * (square / np.median(square)) ** 2)
    exact = "exact" if n <= 1000 else "barnes_hut"
    tsne = TSNE(method=exact, init="random", metric="precomputed", random_state=0)
    spectral = SpectralEmbedding(2, affinity="precomputed", random_state=0)
    found: dict[str, Callable[[], Any]] = {
        "classical": partial(ClassicalMDS(metric="precomputed").fit_transform, square),
        "isomap": partial(Isomap(n_neighbors=10, metric="precomputed").fit_transform, square),
        "kernel_pca": partial(KernelPCA(2, kernel="precomputed").fit_transform, kernel),
        "lle": partial(LocallyLinearEmbedding(n_neighbors=10).fit_transform, points),
        "laplacian": partial(spectral.fit_transform, kernel),
        "tsne": partial(tsne.fit_transform, square),
    }
    try:
        import umap
    except ModuleNotFoundError:
        return found
    model = umap.UMAP(metric="precomputed", random_state=0, n_epochs=500, n_jobs=1)
    # Compiled before it is timed, as this package is.
    model.fit(square[:40, :40])
    return {**found, "umap": partial(model.fit, square)}


FIRST = {
    "t-SNE, this": "from cml_core.peers import view; view(square, 'tsne')",
    "t-SNE, scikit-learn": "from sklearn.manifold import TSNE; "
    "TSNE(init='random', metric='precomputed').fit(square)",
    "UMAP, this": "from cml_core.peers import view; view(square, 'umap')",
    "UMAP, umap-learn": "import umap; umap.UMAP(metric='precomputed').fit(square)",
}
DATA = (
    "import numpy as np; from scipy.spatial.distance import pdist, squareform; "
    "square = squareform(pdist(np.random.default_rng(0).uniform(size=(200, 7)))); "
)


def _first_picture(effort: Effort) -> Section:
    rows, seconds = [], {}
    for name, program in FIRST.items():
        with tempfile.TemporaryDirectory() as cache:
            run = partial(_process, DATA + program, cache)
            both = [interleaved({name: run}, effort, repeats=1)[name].seconds for _ in range(2)]
        seconds[name] = both[1]
        rows.append((name, *map(duration, both)))
    figures = {FIRST_UMAP: seconds["UMAP, umap-learn"] / seconds["UMAP, this"]}
    heads = ("", "first", "again")
    title = "The first picture of a new process"
    return Section(title, FIRST_ABOUT, (Table(heads, tuple(rows)),), figures)


def _process(program: str, cache: str) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-W", "ignore", "-c", program]
    subprocess.run(command, cwd=PROJECT, env=environment, check=True, capture_output=True)


def _shown(effort: Effort) -> Section:
    data_sets = min(effort.data_sets, DATA_SETS)
    found = [_of_data_set(seed) for seed in range(data_sets)]
    rows, figures = [], {KNOWN_BY_NEIGHBOURS: -1.0, HIDDEN_BY_NEIGHBOURS: 1.0}
    for name in found[0]:
        medians = [median(one[name][k] for one in found) for k in range(6)]
        rows.append((METHODS[name].title, *(f"{value:.2f}" for value in medians)))
        figures[KNOWN_BY_NEIGHBOURS] = max(figures[KNOWN_BY_NEIGHBOURS], medians[3])
        if name in SHOWING:
            figures[HIDDEN_BY_NEIGHBOURS] = min(figures[HIDDEN_BY_NEIGHBOURS], medians[4])
    about = TABLE_ABOUT.format(data_sets=data_sets)
    return Section("Condition first", about, (Table(TABLE_HEADS, tuple(rows)),), figures)


def _of_data_set(seed: int) -> dict[str, list[float]]:
    """Known and hidden by neighbours and CC, plain and conditioned, of each method."""
    brands = simulate_car_brands(BRANDS, noise=NOISE, known=KNOWN, seed=seed)
    result = fit(Problem(brands.values(), brands.feature_table()), seed=0)
    hidden = conditioned(result, CHOSEN).hidden
    told: dict[str, list[float]] = {}
    for name in METHODS:
        # Of three hidden dimensions DRILL has too few.
        if name != "drill":
            plain, after = view(brands.values(), name), view(hidden, name)
            told[name] = [*_told(plain, brands), *_told(after, brands)]
    return told


def _told(seen: View, brands: Dataset) -> tuple[float, float, float]:
    names = brands.feature_table().names
    table = FeatureTable.from_frame(brands.raw)
    shares = {
        one.name: one.share for one in shown_features(seen.places, table, frozenset(names), 0)
    }
    known = float(np.mean([shares[name] for name in names]))
    others = [name for name in table.names if name not in names]
    correlation = mean_canonical_correlation(seen.places, brands.raw[others].to_numpy())
    return known, float(np.mean([shares[name] for name in others])), correlation
