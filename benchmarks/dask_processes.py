"""A Dask scheduler and its workers on this machine, each a process that can be ended alone."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Dask:
    """What was begun; `address` is that of the scheduler."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: tuple[subprocess.Popen[bytes], ...]


@contextmanager
def running(n_workers: int, port: int = 0) -> Iterator[Dask]:
    """A scheduler, at a port that is free or this one, and workers of one thread each."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        named = ["--scheduler-file", str(file), "--dashboard-address", ":0"]
        begun = [_begun("scheduler", *named, "--port", str(port), "--host", "127.0.0.1")]
        few = ["--nthreads", "1", "--no-nanny", "--local-directory", folder]
        begun += [_begun("worker", *named, *few) for _ in range(n_workers)]
        try:
            yield Dask(_address(file, begun[0]), begun[0], tuple(begun[1:]))
        finally:
            for one in begun:
                one.kill()
                one.wait()


def _begun(*arguments: str) -> subprocess.Popen[bytes]:
    options: dict[str, Any] = {"cwd": ROOT, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "dask", *arguments], **options)


def _address(file: Path, scheduler: subprocess.Popen[bytes]) -> str:
    while not file.exists() or not file.read_text():
        if scheduler.poll() is not None:
            raise RuntimeError("The scheduler ended; its port may be taken.")
        time.sleep(0.1)
    return str(json.loads(file.read_text())["address"])
