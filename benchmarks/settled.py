"""Memory comes back: large uploads, abandoned evidence, an idle while, and what is left of it.

`python -m benchmarks.settled` starts the real server, lets some visitors bring large tables at
once, and others ask for evidence and leave; then nobody is there, and it is told what the server
holds: its memory, its threads, its processes and its shared memory. It ends with 1 where that is
more than is wanted, or where the server's log tells of errors.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.visitors import ROOT, from_tests
from cml_app.metrics import begun_by

FIELD = "Dissimilarities, similarities or measurements"
STEADINESS = "Test the steadiness"
QUESTION = "question=Can+I+trust+this+map%3F"
UPLOADS, JOBS = 5, 20
OBJECTS, JOB_OBJECTS = 3000, 100
MEGABYTE = 2**20
# In megabytes.
MOST_MORE = 150
# As the server's log tells them.
ERRORS = re.compile(r"^\d{4}-[\d-]+ [\d:,]+ (?:ERROR|CRITICAL) .*", re.MULTILINE)
SHARED = Path("/dev/shm")


@dataclass(frozen=True)
class Held:
    """What a server holds: its own memory now and at most, and that of its processes."""

    server: int
    most: int
    others: int
    threads: int
    processes: int
    shared: int

    def __str__(self) -> str:
        return (
            f"{self.server / MEGABYTE:.0f} MB ({self.most / MEGABYTE:.0f} at most), "
            f"{self.threads} threads, {self.processes} further processes "
            f"({self.others / MEGABYTE:.0f} MB), "
            f"{self.shared} pieces of shared memory"
        )


def held(process: int) -> Held:
    """By a process and all that it has begun."""
    own = _status(process)
    others = begun_by(process)
    return Held(
        own["VmRSS"],
        own["VmHWM"],
        sum(_status(other).get("VmRSS", 0) for other in others),
        own["Threads"] // 1024,
        len(others),
        len([one for one in SHARED.glob("*") if _is_of(one, process)]),
    )


def _status(process: int) -> dict[str, int]:
    """The numbers of its status, in bytes."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    parts = (line.replace(":", "").split() for line in lines)
    return {part[0]: int(part[1]) * 1024 for part in parts if len(part) > 1 and part[1].isdigit()}


def _is_of(shared: Path, process: int) -> bool:
    """Joblib's folders and loky's semaphores name the process that made them."""
    return str(process) in shared.name


def table(objects: int, seed: int) -> bytes:
    """Distances between places by lot, as a table of text with four decimals."""
    places = np.random.default_rng(seed).normal(size=(objects, 4))
    squares = np.square(places).sum(axis=1)
    between = np.maximum(squares[:, None] + squares - 2 * places @ places.T, 0)
    values = np.sqrt((between + between.T) / 2)
    np.fill_diagonal(values, 0)
    labels = [f"object {i}" for i in range(objects)]
    lines = [",".join(["", *labels])]
    lines += [
        ",".join([label, *(f"{value:.4f}" for value in row)])
        for label, row in zip(labels, values.tolist(), strict=True)
    ]
    return "\n".join(lines).encode()


async def brought(person: Any, name: str, content: bytes) -> None:
    """Upload a table and make a map of it."""
    await person.go("Data")
    await person.bring(FIELD, name, content)
    await person.press("Make a map")


async def asked(person: Any) -> None:
    """Ask for evidence about the map, and do not wait for it."""
    person.query = "&".join(part for part in (person.query, QUESTION) if part)
    await person.go("Evidence")
    (button,) = (name for name in person.buttons if name.startswith(STEADINESS))
    await person.press(button)


async def _upload_at_once(address: str, contents: Sequence[bytes]) -> list[str]:
    visit = from_tests("app", "visiting").visit
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(visit(address)) for _ in contents]
        await asyncio.gather(
            *(
                brought(person, f"study {number}.csv", content)
                for number, (person, content) in enumerate(zip(people, contents, strict=True))
            )
        )
        return _wrong(people, "nothing known yet")


async def _abandon(address: str, content: bytes, jobs: int) -> list[str]:
    """Each visitor has a project of their own and is gone once the work has begun or waits."""
    visit = from_tests("app", "visiting").visit
    troubles: list[str] = []
    for number in range(jobs):
        async with visit(address) as person:
            await brought(person, f"survey {number}.csv", content)
            await asked(person)
            if "Stop" not in person.buttons:
                person.troubles.append("no evidence was begun")
            troubles += person.troubles
    return troubles


def _wrong(people: Sequence[Any], wanted: str) -> list[str]:
    seen = [f"saw {person.headline!r}" for person in people if wanted not in person.headline]
    return [*seen, *(trouble for person in people for trouble in person.troubles)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Do all of it, and tell what is held after each part."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.settled", description=__doc__)
    parser.add_argument("--idle", type=float, default=600, help="how long nobody is there, in s")
    parser.add_argument("--uploads", type=int, default=UPLOADS, help="how many at once")
    parser.add_argument("--jobs", type=int, default=JOBS, help="how many computations")
    parser.add_argument("--objects", type=int, default=OBJECTS, help="of each upload")
    wanted = parser.parse_args(arguments)
    contents = [table(wanted.objects, seed) for seed in range(wanted.uploads)]
    with tempfile.TemporaryDirectory() as folder:
        env = {"CML_DATABASE_URL": f"sqlite:///{folder}/projects.sqlite3"}
        env["CML_EVIDENCE_UNASKED"] = "on"
        serving = from_tests("browser", "serving")
        process, address = serving.started(ROOT / "app.py", env, Path(folder))
        try:
            until_ready(process.pid)
            began = _told("ready", process.pid)
            troubles = asyncio.run(_upload_at_once(address, contents))
            _told(f"after {wanted.uploads} uploads of {wanted.objects} objects", process.pid)
            small = table(JOB_OBJECTS, wanted.uploads)
            troubles += asyncio.run(_abandon(address, small, wanted.jobs))
            _told(f"after {wanted.jobs} abandoned computations", process.pid)
            _idle(process.pid, wanted.idle)
            now = _told("at the end", process.pid)
        finally:
            process.kill()
            process.wait()
        errors = errors_in(Path(folder))
    left = [
        f"left: {what}"
        for what in ("processes", "shared")
        if getattr(now, what) > getattr(began, what)
    ]
    more = now.server + now.others - began.server - began.others
    _say(f"{more / MEGABYTE:+.0f} MB (wanted: at most +{MOST_MORE})")
    _say(f"troubles: {', '.join(troubles) or 'none'}")
    _say(f"errors in the log: {len(errors)}")
    for line in (*errors[:20], *left):
        _say(f"    {line}")
    sys.exit(1 if more > MOST_MORE * MEGABYTE or troubles or errors or left else 0)


def errors_in(folder: Path) -> list[str]:
    """The lines of a server's log that tell of errors."""
    log = (folder / "log.txt").read_text(encoding="utf-8", errors="replace")
    return ERRORS.findall(log)


def until_ready(process: int) -> None:
    """Everything is compiled once the server has done nothing for some seconds."""
    worked = -1.0
    while (now := _processor_time(process)) - worked > 0.5:
        worked = now
        time.sleep(8)


def _processor_time(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _idle(process: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(60.0, left))
        _told(f"idle for {seconds - max(until - time.monotonic(), 0):.0f} s", process)


def _told(when: str, process: int) -> Held:
    found = held(process)
    _say(f"{when}: {found}")
    return found


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
