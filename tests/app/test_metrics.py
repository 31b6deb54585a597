"""What an operator is told of a server, and where it is explained."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_one_visitor import queues

from cml_app import metrics

PAGE = Path(__file__).parents[2] / "docs" / "run-a-server.md"
CHILD = "import sys; print(len(bytearray(50_000_000)), flush=True); sys.stdin.read()"
GRANDCHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CHILD!r}])"


def told() -> dict[str, float]:
    lines = metrics.exposition().splitlines()
    samples = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in samples}


@pytest.mark.skipif(not Path("/proc").exists(), reason="only Linux tells of other processes")
def test_the_memory_of_processes_that_the_server_began_is_told_apart() -> None:
    before = told()
    command = [sys.executable, "-c", GRANDCHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert int(child.stdout.readline()) == 50_000_000
        after = told()
        assert child.pid in metrics.begun_by(os.getpid())
        child.stdin.close()
    assert after["cml_processes"] == before["cml_processes"] + 2
    more = after["cml_processes_memory_bytes"] - before["cml_processes_memory_bytes"]
    assert more > 10e6
    assert metrics.memory(child.pid) == 0


def test_the_page_on_what_to_watch_names_every_metric_and_every_kind_of_work() -> None:
    page = PAGE.read_text(encoding="utf-8")
    names = {line.split()[2] for line in metrics.exposition().splitlines() if "# TYPE" in line}
    kinds = {queue.load.what for queue in queues()}
    assert [name for name in sorted(names | kinds) if f"`{name}`" not in page] == []
