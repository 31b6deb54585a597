"""Whole fits here: growth with N, unit against Sammon weights, uniform against clustered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks import ours
from benchmarks.data import SHAPES, Sample, simulate
from benchmarks.ours import SAME, TIGHT, Outcome
from benchmarks.report import LARGE, SAMMON, Section, Table, Target, duration, excess, ratio
from benchmarks.timing import Effort, Timing, interleaved
from cml_core.fitting.plan import default_starts

ABOUT = f"""\
4 features known, 3 dimensions hidden; from dissimilarities in memory to the fitted model, at the \
default tolerance. *One start* in double precision, and in *single precision* where the \
dissimilarities come as float32; *default* has as many starts as are worth their time at that \
size. Passes are those of the one start: until it stopped by itself, and until it was within \
1e-6 of where it ends when driven to {TIGHT:g}; *above best* is relative to that. *Sammon / unit* \
compares one start each: the whole fit, and the whole fit divided by its passes."""

HEADS = (
    "data",
    "weights",
    "N",
    "one start",
    "single precision",
    "default",
    "starts",
    "passes",
    "within 1e-6 at pass",
    "above best",
    "stress",
    "Sammon / unit",
    "per pass",
)
WEIGHTS = {"unit": None, "Sammon": "sammon"}
GROWTH_FROM = 500


@dataclass(frozen=True)
class _Cell:
    """One size, shape and weighting."""

    shape: str
    weights: str
    n_objects: int
    double: Timing
    single: Timing
    default: Timing
    best: float

    @property
    def outcome(self) -> Outcome:
        outcome: Outcome = self.double.result
        return outcome

    @property
    def per_pass(self) -> float:
        return self.double.seconds / max(self.outcome.passes, 1)


def growth(effort: Effort) -> list[Section]:
    """Whole fits, and the exponents with which their time grows."""
    cells = [
        cell
        for n_objects in effort.own_sizes
        for shape in SHAPES
        for cell in _measured(simulate(shape, n_objects), effort)
    ]
    table = Table(HEADS, tuple(_row(cell, cells) for cell in sorted(cells, key=_order)))
    return [
        Section("Whole fits of this package", ABOUT, (table,), _figures(cells)),
        _exponents(cells),
    ]


def _measured(sample: Sample, effort: Effort) -> list[_Cell]:
    single = sample.in_single_precision()
    many = default_starts(sample.n_objects) > 1
    contenders: dict[str, Callable[[], Outcome]] = {}
    for name, weights in WEIGHTS.items():
        contenders[f"{name}, double"] = partial(ours.conditional, sample, weights, n_init=1)
        contenders[f"{name}, single"] = partial(ours.conditional, single, weights, n_init=1)
        if many:
            contenders[f"{name}, default"] = partial(ours.conditional, sample, weights)
    times = interleaved(contenders, effort)
    return [
        _Cell(
            sample.shape,
            name,
            sample.n_objects,
            times[f"{name}, double"],
            times[f"{name}, single"],
            times[f"{name}, default" if many else f"{name}, double"],
            ours.conditional(sample, weights, n_init=1, tol=TIGHT).stress,
        )
        for name, weights in WEIGHTS.items()
    ]


def _order(cell: _Cell) -> tuple[int, int, int]:
    return SHAPES.index(cell.shape), list(WEIGHTS).index(cell.weights), cell.n_objects


def _unit_weights(cell: _Cell, cells: list[_Cell]) -> _Cell:
    same = (cell.shape, "unit", cell.n_objects)
    return next(other for other in cells if (other.shape, other.weights, other.n_objects) == same)


def _row(cell: _Cell, cells: list[_Cell]) -> tuple[str, ...]:
    outcome, unit = cell.outcome, _unit_weights(cell, cells)
    near = outcome.passes_to(cell.best * (1 + SAME))
    weighted = cell is not unit
    return (
        cell.shape,
        cell.weights,
        str(cell.n_objects),
        duration(cell.double.seconds),
        duration(cell.single.seconds),
        duration(cell.default.seconds),
        str(default_starts(cell.n_objects)),
        str(outcome.passes),
        "never" if near is None else str(near),
        excess(outcome.stress, cell.best),
        f"{outcome.stress:.6f}",
        ratio(cell.double.seconds / unit.double.seconds) if weighted else "",
        ratio(cell.per_pass / unit.per_pass) if weighted else "",
    )


def _figures(cells: list[_Cell]) -> dict[Target, float]:
    figures: dict[Target, float] = {}
    for cell in cells:
        if (cell.shape, cell.weights, cell.n_objects) == ("uniform", "Sammon", 5000):
            unit = _unit_weights(cell, cells)
            figures[SAMMON] = cell.default.seconds / unit.default.seconds
        if (cell.shape, cell.weights, cell.n_objects) == ("uniform", "unit", 10000):
            figures[LARGE] = cell.default.seconds
    return figures


def _exponents(cells: list[_Cell]) -> Section:
    """The slope of log time over log N."""
    sizes = sorted({cell.n_objects for cell in cells if cell.n_objects >= GROWTH_FROM})
    rows = []
    for shape in SHAPES:
        for weights in WEIGHTS:
            line = [
                cell
                for cell in cells
                if (cell.shape, cell.weights) == (shape, weights) and cell.n_objects in sizes
            ]
            whole = np.polyfit(np.log(sizes), np.log([cell.double.seconds for cell in line]), 1)[0]
            each = np.polyfit(np.log(sizes), np.log([cell.per_pass for cell in line]), 1)[0]
            passes = ", ".join(str(cell.outcome.passes) for cell in line)
            rows.append((shape, weights, f"N^{whole:.2f}", f"N^{each:.2f}", passes))
    shown = ", ".join(map(str, sizes))
    about = f"Powers of N fitted to the times of one start at N = {shown}, and its passes there."
    heads = ("data", "weights", "whole fit", "per pass", "passes")
    return Section("Growth with N", about, (Table(heads, tuple(rows)),))
