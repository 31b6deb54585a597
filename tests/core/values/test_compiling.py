"""Machine code that is kept on disk: the same as new, and none that is out of date."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cml_core
from cml_core.values import compiling

A_FIT = """
from cml_core import ConditionalMDS, load_dataset
data = load_dataset("kinship14")
model = ConditionalMDS(random_state=0).fit(data.dissimilarities, data.features[["Gender"]])
print(model.embedding_.tobytes().hex())
"""
INNER = """
from small.values.compiling import compiled
@compiled(fast=True)
def more(number): return number + {}
"""
OUTER = """
from small.fitting.inner import more
from small.values.compiling import compiled
@compiled(fast=True)
def twice(number): return 2 * more(number)
"""


def output_of(program: str, root: Path, kept_in: Path) -> str:
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_CACHE_DIR": str(kept_in), "PYTHONPATH": str(root)},
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.mark.slow
def test_a_fit_is_the_same_to_the_last_bit_compiled_anew_and_from_disk(tmp_path):
    root = Path(cml_core.__file__).parents[1]
    anew, from_disk = (output_of(A_FIT, root, tmp_path) for _ in range(2))
    assert list(tmp_path.rglob("*.nbc"))
    assert anew == from_disk


@pytest.mark.slow
def test_a_loop_is_compiled_anew_once_one_that_it_calls_in_another_file_has_changed(tmp_path):
    package = tmp_path / "small"
    (package / "values").mkdir(parents=True)
    (package / "fitting").mkdir()
    (package / "values/compiling.py").write_text(Path(compiling.__file__).read_text("utf-8"))
    (package / "fitting/outer.py").write_text(OUTER)
    program = "from small.fitting.outer import twice; print(twice(1.0))"
    for more in (1.0, 10.0):
        (package / "fitting/inner.py").write_text(INNER.format(more))
        assert float(output_of(program, tmp_path, tmp_path / "kept")) == 2 * (1.0 + more)
