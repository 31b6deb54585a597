"""What a Dask cluster costs: processor time here and there, seconds a task, and bytes moved.

`python -m benchmarks.cluster` begins a scheduler and workers of its own on this machine, each a
process, and prints tables and the model that docs/cluster.md tells of.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil

from benchmarks.dask_processes import running
from benchmarks.large_child import written
from cml_core import ConditionalMDS, Measurements, on_cluster
from cml_core.datasets import simulate_car_brands
from cml_core.evidence.large.baseline import baseline
from cml_core.evidence.stability import stability
from cml_core.evidence.work import each
from cml_core.fitting.fit import fit
from cml_core.fitting.landmarks.partitions import PARTITION
from cml_core.fitting.problem import Problem

SIZES = (50_000, 100_000, 200_000, 400_000)
ROW_GROUP = 32_768
WORKERS = 2
TASKS = 1000
REFITS = 100
OBJECTS = 100
WIDE, WIDE_OBJECTS = 768, 100_000
# What the model tells of.
FAR = (10**6, 10**7, 10**8)
FAR_WORKERS = (1, 2, 10, 100)
GIGABIT = 1e9 / 8


@dataclass
class _Wire:
    """Bytes that this process sent to the scheduler, and had from it."""

    sent: int = 0
    received: int = 0


@dataclass(frozen=True)
class Cost:
    """Of one map: processor seconds here and of the workers, wall clock, and bytes."""

    here: float
    there: float
    wall: float
    sent: int
    received: int


@dataclass(frozen=True)
class Model:
    """Seconds = fixed + passes N + max(placing N / W, each N / PARTITION, bytes N / bandwidth)."""

    fixed: float
    passes: float
    placing: float
    each: float
    sent: float
    received: float

    def seconds(self, n_objects: int, workers: int, bandwidth: float = GIGABIT) -> float:
        """How long a map takes, told by the costs of smaller ones."""
        there = self.placing * n_objects / workers
        tasks = self.each * n_objects / PARTITION
        wire = (self.sent + self.received) * n_objects / bandwidth
        return self.fixed + self.passes * n_objects + max(there, tasks, wire)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, fit the model, and print both."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="numbers of objects")
    asked = parser.parse_args(arguments)
    wire = _counted()
    with tempfile.TemporaryDirectory() as name, running(WORKERS) as dask:
        folder, address = Path(name), dask.address
        workers = [psutil.Process(one.pid) for one in dask.workers]
        for path, known in [_written(3000, folder)]:
            _map(path, known)
            with on_cluster(address):
                _map(path, known)
                _map(path.with_suffix(".npy"), known, in_memory=True)
        seconds = _a_task(address)
        print(f"a task that does nothing: {1e3 * seconds:.2f} ms\n")
        print("| objects | where | here | workers | wall clock | sent | received |")
        print("|---:|---|---:|---:|---:|---:|---:|")
        costs = {}
        for n_objects in asked.sizes:
            path, known = _written(n_objects, folder)
            began = time.process_time(), time.perf_counter()
            _map(path, known)
            alone = Cost(time.process_time() - began[0], 0, time.perf_counter() - began[1], 0, 0)
            print(_row(n_objects, "threads", alone))
            with on_cluster(address):
                costs[n_objects] = _cost(partial(_map, path, known), wire, workers)
                print(_row(n_objects, "cluster, by path", costs[n_objects]))
                sent = partial(_map, path.with_suffix(".npy"), known, in_memory=True)
                print(_row(n_objects, "cluster, sent", _cost(sent, wire, workers)), flush=True)
        model = fitted(costs, seconds)
        print(f"\n{model}\n")
        for n_objects in FAR:
            told = ", ".join(f"{w}: {model.seconds(n_objects, w):.1f} s" for w in FAR_WORKERS)
            print(f"{n_objects:,} objects by workers: {told}")
        _evidence(address, wire, workers)
        _added_up(address, wire, workers, folder)


def fitted(costs: dict[int, Cost], each_task: float) -> Model:
    """Least squares of what each size cost on its number of objects."""
    n = np.array(list(costs))
    design = np.column_stack([np.ones(n.size), n])
    here = np.linalg.lstsq(design, [one.here for one in costs.values()])[0]
    share = [_slope(n, [getattr(one, of) for one in costs.values()]) for of in _THERE]
    return Model(float(here[0]), float(here[1]), share[0], each_task, share[1], share[2])


_THERE = ("there", "sent", "received")


def _slope(n: Any, values: list[float]) -> float:
    return float(np.polyfit(n, values, 1)[0])


def _row(n_objects: int, where: str, cost: Cost) -> str:
    return (
        f"| {n_objects:,} | {where} | {cost.here:.2f} s | {cost.there:.2f} s | {cost.wall:.2f} s "
        f"| {cost.sent / 1e6:.1f} MB | {cost.received / 1e6:.1f} MB |"
    )


def _written(n_objects: int, folder: Path) -> tuple[Path, pd.DataFrame]:
    """Columns as `benchmarks.large` has them, as a Parquet file of many row groups."""
    source = folder / f"{n_objects}.npy"
    _, known, _ = written("uniform", n_objects, source)
    return _in_parquet(np.load(source, mmap_mode="r"), source.with_suffix(".parquet")), known


def _in_parquet(columns: Any, target: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({f"c{k}": np.array(columns[:, k]) for k in range(columns.shape[1])})
    pq.write_table(table, target, row_group_size=ROW_GROUP)
    return target


def _map(path: Path, known: pd.DataFrame, *, in_memory: bool = False) -> None:
    values = np.load(path) if in_memory else path
    model = ConditionalMDS(2, solver="landmarks", random_state=0)
    model.fit(Measurements(values), known)


def _cost(run: Any, wire: _Wire, workers: list[psutil.Process]) -> Cost:
    sent, received = wire.sent, wire.received
    here, there, clock = time.process_time(), _processor(workers), time.perf_counter()
    run()
    wall = time.perf_counter() - clock
    return Cost(
        time.process_time() - here,
        _processor(workers) - there,
        wall,
        wire.sent - sent,
        wire.received - received,
    )


def _processor(processes: list[psutil.Process]) -> float:
    return sum(sum(one.cpu_times()[:2]) for one in processes)


def _nothing(task: int) -> int:
    return task


def _a_task(address: str) -> float:
    with on_cluster(address):
        each(_nothing, range(20), doing="")
        began = time.perf_counter()
        each(_nothing, range(TASKS), doing="")
        return (time.perf_counter() - began) / TASKS


def _evidence(address: str, wire: _Wire, workers: list[psutil.Process]) -> None:
    data = simulate_car_brands(OBJECTS, noise=0.1, known=2, seed=0)
    found = fit(Problem(data.values(), data.feature_table()), seed=0)
    run = partial(stability, found, refits=REFITS, seed=0)
    began, clock = time.process_time(), time.perf_counter()
    run(workers=1)
    print(
        f"\nevidence, {REFITS} refits of {OBJECTS} objects, one process: "
        f"{time.process_time() - began:.2f} s, wall clock {time.perf_counter() - clock:.2f} s"
    )
    with on_cluster(address):
        run()
        cost = _cost(run, wire, workers)
    print(f"on {WORKERS} workers: {cost}")


def _added_up(address: str, wire: _Wire, workers: list[psutil.Process], folder: Path) -> None:
    """Regression beside a map of vectors as long as those of a language model."""
    random = np.random.default_rng(0)
    inner = random.normal(size=(WIDE_OBJECTS, 4)).astype(np.float32)
    columns = inner @ random.normal(size=(4, WIDE)).astype(np.float32)
    columns += random.normal(size=columns.shape, scale=0.3).astype(np.float32)
    path = _in_parquet(columns, folder / "wide.parquet")
    model = ConditionalMDS(2, solver="landmarks", n_landmarks=300, random_state=0)
    found = model.fit(Measurements(path), inner[:, :2]).fit_
    run = partial(baseline, found)
    print(f"\nregression beside a map, {WIDE_OBJECTS:,} objects of {WIDE} columns")
    began = time.process_time()
    run()
    print(f"threads: {time.process_time() - began:.2f} s")
    with on_cluster(address):
        run()
        print(f"on {WORKERS} workers, by path: {_cost(run, wire, workers)}")


def _counted() -> _Wire:
    """Counts what goes over this process's connections, of which the scheduler is the other end."""
    from distributed.comm import tcp

    wire, write, frames = _Wire(), tcp.TCP.write, tcp.from_frames

    async def counting(self: Any, *arguments: Any, **options: Any) -> Any:
        size = await write(self, *arguments, **options)
        wire.sent += size
        return size

    async def reading(given: Any, *arguments: Any, **options: Any) -> Any:
        wire.received += sum(memoryview(one).nbytes for one in given)
        return await frames(given, *arguments, **options)

    tcp.TCP.write, tcp.from_frames = counting, reading
    return wire


if __name__ == "__main__":
    main()
