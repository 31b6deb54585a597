"""scikit-learn's MDS, metric and not; cml, the paper author's package for R; and smacof, for R."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.manifold import MDS, ClassicalMDS

from benchmarks.data import COLUMNS, HIDDEN, Sample
from cml_core.fitting.threads import thread_count

# How scikit-learn may start; the names are its own.
CLASSICAL, RANDOM = "classical_mds", "random"
DRIVERS = Path(__file__).parent


@dataclass(frozen=True)
class PeerRun:
    """Normalised stress, passes made, and seconds where the peer measured them itself."""

    stress: float
    passes: int
    seconds: float = float("nan")


def scikit_learn(sample: Sample, start: str, max_iter: int = 300, eps: float = 1e-6) -> PeerRun:
    """Metric MDS in seven dimensions from one start; the defaults are scikit-learn's."""
    model = MDS(
        COLUMNS,
        metric="precomputed",
        metric_mds=True,
        n_init=1,
        init=start,
        max_iter=max_iter,
        eps=eps,
        random_state=0,
        normalized_stress=False,
    )
    model.fit(sample.square)
    return PeerRun(float(model.stress_) / sample.total, int(model.n_iter_))


def nonmetric(
    sample: Sample, start: str, max_iter: int = 300, eps: float = 1e-6
) -> tuple[NDArray[np.float64], int]:
    """The map of scikit-learn's nonmetric MDS in two dimensions, and the passes it made.

    The defaults are scikit-learn's.
    """
    model = MDS(
        2,
        metric="precomputed",
        metric_mds=False,
        n_init=1,
        init=start,
        max_iter=max_iter,
        eps=eps,
        random_state=0,
        normalized_stress=True,
    )
    points: NDArray[np.float64] = model.fit_transform(sample.square)
    return points, int(model.n_iter_)


def start_of_scikit_learn(sample: Sample, start: str) -> NDArray[np.float64]:
    """The configuration that `scikit_learn` begins with."""
    if start == CLASSICAL:
        model = ClassicalMDS(COLUMNS, metric="precomputed")
        return np.asarray(model.fit_transform(sample.square))
    random = np.random.RandomState(0)
    return random.uniform(size=sample.n_objects * COLUMNS).reshape(-1, COLUMNS)


def is_installed(package: str) -> bool:
    """Whether Rscript is there and finds this package."""
    if shutil.which("Rscript") is None:
        return False
    tried = subprocess.run(
        ["Rscript", "-e", f"library({package})"], capture_output=True, check=False, timeout=120
    )
    return tried.returncode == 0


@contextmanager
def handed_over(sample: Sample) -> Iterator[Path]:
    """A folder with the data, for other processes to read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sample.condensed.astype("<f8").tofile(folder / "dissimilarities.bin")
        sample.known_values.astype("<f8").tofile(folder / "features.bin")
        yield folder


def cml(folder: Path, n_objects: int, weights: str = "unit", passes: int = 0) -> PeerRun:
    """CondMDS of the data in `folder`; at its defaults unless a number of passes is given."""
    seconds, stress, made = _told("cml.R", folder, n_objects, HIDDEN, weights, passes)
    return PeerRun(float(stress), int(made), float(seconds))


def smacof(folder: Path, n_objects: int, n_components: int, scale: str) -> PeerRun:
    """MDS of the data in `folder`, at its defaults; the stress is its Stress-1, squared."""
    seconds, stress, made = _told("smacof.R", folder, n_objects, n_components, scale)
    return PeerRun(float(stress) ** 2, int(made), float(seconds))


def _told(driver: str, *arguments: object) -> list[str]:
    """The three numbers that a driver prints last."""
    threads = str(thread_count())
    done = subprocess.run(
        ["Rscript", str(DRIVERS / driver), *map(str, arguments)],
        env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.split()[-3:]
