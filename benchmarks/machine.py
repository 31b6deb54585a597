"""What the benchmarks ran on, without naming the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_info

from benchmarks.report import Table
from cml_core.fitting.threads import thread_count

LIBRARIES = ("numpy", "scipy", "numba", "pandas", "scikit-learn")


def machine(load_before: float) -> Table:
    """Processor, memory, system and versions, and how busy it was before."""
    return Table(("", ""), (*_facts(), ("load before the run", f"{load_before:.2f}")))


def memory_size() -> int:
    """Physical memory in bytes; 0 where it is not told."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0


def load() -> float:
    """Processes that wanted to run in the last minute; more than none disturbs the times."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def _facts() -> Iterator[tuple[str, str]]:
    yield "processor", _processor()
    yield "cores", f"{os.cpu_count()}, of which {thread_count()} used"
    if memory_size():
        yield "memory", f"{memory_size() / 2**30:.0f} GiB"
    yield "system", f"{_system()}, {platform.machine()}"
    yield "Python", f"{platform.python_implementation()} {platform.python_version()}"
    for name in LIBRARIES:
        yield name, version(name)
    pools = sorted({_pool(pool) for pool in threadpool_info() if pool["user_api"] == "blas"})
    yield "linear algebra", ", ".join(pools)


def _pool(pool: dict[str, str]) -> str:
    kernels = f" ({pool['architecture']})" if pool.get("architecture") else ""
    return f"{pool['internal_api']} {pool['version']}{kernels}"


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    if told.exists():
        for line in told.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, check=False, text=True).stdout.strip()
    return platform.processor() or "unknown"


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return f"{platform.system()} {platform.release()}"
