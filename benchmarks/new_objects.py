"""New objects on a map that stays as it is, beside a map that is made anew with them."""

from __future__ import annotations

import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.large import MEASURES, SHAPES
from benchmarks.large_child import FEWER, HIDDEN, by_all_pairs, by_landmarks, written
from benchmarks.report import LIKE_A_REFIT, Section, Table, duration
from benchmarks.timing import FULL, Effort
from cml_core import Measurements
from cml_core.fitting.geometry import canonical_correlations

ABOUT = f"""\
The data of the section before, 10,000 objects, of which one in five is new: the others are \
fitted by {FEWER:,} landmarks, and `transform` places the new ones by their measurements and what \
is known of them, among these {FEWER:,} references. *Refit* is the fit of all pairs of all 10,000. \
*As the refit* is the smaller canonical correlation of where the new objects lie in either; \
*found* that of their places and the hidden dimensions. *Processor* is the time of all threads \
together."""
HEADS = (
    "data", "measure", "new", "as the refit", "found", "found by the refit",
    "processor, transform", "processor, refit",
)  # fmt: skip
N_OBJECTS, FEW_OBJECTS = 10_000, 2_500
ONE_IN = 5


class _Placed(NamedTuple):
    """What became of the new objects."""

    n_new: int
    alike: float
    found: float
    found_by_refit: float
    seconds: float
    seconds_of_refit: float


def new_objects(effort: Effort) -> Section:
    """All shapes and measures."""
    n_objects = N_OBJECTS if effort is FULL else FEW_OBJECTS
    cases = list(product(SHAPES, MEASURES))
    with tempfile.TemporaryDirectory() as folder:
        told = [_placed(*case, n_objects, Path(folder)) for case in cases]
    rows = tuple(_row(*case, one) for case, one in zip(cases, told, strict=True))
    figures = {LIKE_A_REFIT: min(one.alike for one in told)}
    return Section("New objects on a map", ABOUT, (Table(HEADS, rows),), figures)


def _placed(shape: str, measure: str, n_objects: int, folder: Path) -> _Placed:
    path, old_path = folder / "all.npy", folder / "old.npy"
    hidden, known, _ = written(shape, n_objects, path)
    new = np.arange(n_objects) % ONE_IN == 0
    rows = np.load(path)
    np.save(old_path, rows[~new])
    fitted = by_landmarks(old_path, measure, known[~new], FEWER)
    arrived = Measurements(rows[new], measure)
    # The first call compiles.
    fitted.transform(Measurements(rows[new][:10], measure), known[new][:10])
    placed, seconds = _timed(lambda: fitted.transform(arrived, known[new]))
    refit, seconds_of_refit = _timed(lambda: by_all_pairs(path, measure, known).embedding_[new])

    def least(a: Any, b: Any) -> float:
        assert np.shape(a)[1] == HIDDEN
        return float(canonical_correlations(a, b).min())

    return _Placed(
        int(new.sum()),
        least(placed, refit),
        least(placed, hidden[new]),
        least(refit, hidden[new]),
        seconds,
        seconds_of_refit,
    )


def _timed(run: Any) -> tuple[Any, float]:
    began = time.process_time()
    found = run()
    return found, time.process_time() - began


def _row(shape: str, measure: str, one: _Placed) -> tuple[str, ...]:
    return (
        shape,
        measure,
        f"{one.n_new:,}",
        f"{one.alike:.4f}",
        f"{one.found:.4f}",
        f"{one.found_by_refit:.4f}",
        duration(one.seconds),
        duration(one.seconds_of_refit),
    )
