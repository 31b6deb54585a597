"""What an operator sees of a server, in Prometheus' text format: counts and seconds, no data.

Nothing here tells one visitor from another: no label holds what anybody brought, named or asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from cml_app import background, messages
from cml_app.system_limits import most_memory

TYPE = "text/plain; version=0.0.4; charset=utf-8"

_Samples = Mapping[str, float]


def exposition() -> str:
    """Every metric with its help, its type and its samples."""
    return "".join(line for metric in _metrics() for line in metric)


# Of the queues: a metric, its type, what it counts, and where that stands.
_OF_WORK = (
    ("cml_work_running", "gauge", "At work, by kind.", "running"),
    ("cml_work_waiting", "gauge", "Waiting for a place, by kind.", "waiting"),
    ("cml_work_ended_total", "counter", "Ended since the server began, by kind.", "ended"),
    ("cml_work_seconds_total", "counter", "How long those took, by kind.", "seconds"),
)


def _metrics() -> Iterator[Iterator[str]]:
    yield _metric("cml_visitors", "gauge", "Open pages.", {"": background.visitors()})
    loads = background.loads()
    for name, kind, meaning, field in _OF_WORK:
        by_kind = {load.what: float(getattr(load, field)) for load in loads}
        yield _metric(name, kind, meaning, _by("kind", by_kind))
    shown = "How often visitors were shown an error, by kind."
    yield _metric("cml_errors_shown_total", "counter", shown, _by("kind", messages.shown()))
    yield _metric("cml_memory_bytes", "gauge", "Memory of the server.", {"": memory()})
    others = [memory(process) for process in begun_by(os.getpid())]
    yield _metric("cml_processes", "gauge", "Processes that it has begun.", {"": len(others)})
    meaning = "Memory of those; what they share counts for each."
    yield _metric("cml_processes_memory_bytes", "gauge", meaning, {"": sum(others)})


def _by(label: str, values: Mapping[str, float]) -> _Samples:
    """Samples by a label, whose values are words of this program."""
    return {f'{{{label}="{name}"}}': value for name, value in sorted(values.items())}


def _metric(name: str, kind: str, meaning: str, samples: _Samples) -> Iterator[str]:
    yield f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n"
    yield from (f"{name}{labels} {value:.15g}\n" for labels, value in samples.items())


def memory(process: int | None = None) -> int:
    """What a process holds now, in bytes; where that cannot be told, the most this one has held."""
    statm = Path(f"/proc/{process or 'self'}/statm")
    try:
        return int(statm.read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        if process is not None:
            # It has just ended.
            return 0
    return most_memory()


def begun_by(process: int) -> list[int]:
    """The processes that one has begun, and those that they have; none where it is not told."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = [int(child) for child in task.read_text("ascii").split()]
        except OSError:
            continue
        for child in children:
            found += [child, *begun_by(child)]
    return found
