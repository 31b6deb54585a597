"""What is compiled beforehand is all that ordinary fits need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cml_core.fitting.beforehand import STAGES

ROOT = Path(__file__).parents[3]
# Counts what is compiled, or loaded, after all stages: as another process would find it.
AFTERWARDS = """
import gc
from numba.core.dispatcher import Dispatcher
from cml_core import Problem, fit, load_dataset
from cml_core.datasets import simulate_car_brands
from cml_core.fitting.beforehand import STAGES
from cml_core.fitting.scales.registry import SCALES

for stage in STAGES:
    stage.run()
loops = [one for one in gc.get_objects() if isinstance(one, Dispatcher) and one.targetoptions]
ours = [one for one in loops if one.py_func.__module__.startswith("cml_core")]
before = {one: len(one.signatures) for one in ours}
small, large = load_dataset("kinship14"), simulate_car_brands(110, noise=0.1, known=2)
for data, scales in ((small, SCALES), (large, ["ratio"])):
    for known in ([], data.feature_table().names[:2]):
        for scale in scales:
            features = data.feature_table().select(known)
            fit(Problem(data.values(), features, scale=scale), n_init=1, seed=0).object_stress()
print(len(ours), [one.__name__ for one in ours if len(one.signatures) > before[one]])
"""


def test_no_fit_of_an_example_compiles_anything_more() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", AFTERWARDS],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    count, more = done.stdout.split(" ", 1)
    assert int(count) > 20
    assert more.strip() == "[]"


def test_shares_are_of_the_whole() -> None:
    assert sum(stage.share for stage in STAGES) == pytest.approx(1.0)
    assert all(stage.share > 0 for stage in STAGES)
