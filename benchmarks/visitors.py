"""Twenty visitors at once, and one with a large job: how long each tick takes, and whose data."""

from __future__ import annotations

import asyncio
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.report import VISITORS, Section, Table, duration
from benchmarks.timing import FULL, Effort
from cml_app.keeping.opening import open_store
from cml_app.settings import Settings
from cml_core import Dissimilarities, Feature, FeatureTable, fit
from cml_core.datasets import simulate_car_brands
from cml_core.fitting.problem import Problem
from cml_core.journey.file import to_json
from cml_core.journey.journey import Journey

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"

VISITORS_AT_ONCE = 20
OBJECTS = 200
JOB_OBJECTS = 3000
# Between an answer and the next tick a person looks for so many seconds, evenly distributed.
LOOKING = (2.0, 6.0)
SECONDS_ALONE = 60.0
SECONDS_TOGETHER = 120.0
KNOWN = 7
# In seconds: how often a map that is late is looked for, and when it is given up.
LOOKED_FOR, LONGEST = 0.1, 60.0
OWNER = re.compile(rb"study(\d\d)\b")

ABOUT = f"""\
The real server, and visitors that speak its protocol without a browser. Each has a project of \
{OBJECTS} simulated car brands with names of its own, ticks or unticks one of seven features, \
takes in the whole answer, looks at it for {LOOKING[0]:g} to {LOOKING[1]:g} s, and ticks again; no \
visitor asks the same twice. First one is alone for {SECONDS_ALONE:g} s; then \
{VISITORS_AT_ONCE} are there for {SECONDS_TOGETHER:g} s, while one more fits {JOB_OBJECTS} \
objects again and again, and evidence is computed in the background. *Reaction* is from the tick \
to the end of the answer. `CML_DATABASE_URL` names another database than a SQLite file. The \
visitors run on the same machine and take some of its time."""


@dataclass
class Noted:
    """What happened to some visitors."""

    reactions: list[float] = field(default_factory=list)
    jobs: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def visitors(effort: Effort) -> Section:
    """One alone, then many together."""
    shorter = 1.0 if effort is FULL else 0.25
    with tempfile.TemporaryDirectory() as folder:
        database = os.environ.get("CML_DATABASE_URL", f"sqlite:///{folder}/projects.sqlite3")
        tokens = [stored_project(database, owner, OBJECTS) for owner in range(VISITORS_AT_ONCE)]
        large = stored_project(database, VISITORS_AT_ONCE, JOB_OBJECTS)
        serving = from_tests("browser", "serving")
        # As on a server: what is cheap is looked into after each tick without being asked for.
        env = {"CML_DATABASE_URL": database, "CML_EVIDENCE_UNASKED": "on"}
        # Where the driver of another database may be.
        env |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
        process, address = serving.started(ROOT / "app.py", env, Path(folder))
        try:
            begun = memory_of(process.pid)
            # The first fit in a new process loads what is compiled.
            asyncio.run(_together(address, tokens[:1], None, 0.0))
            alone = asyncio.run(_together(address, tokens[:1], None, SECONDS_ALONE * shorter))
            many = asyncio.run(_together(address, tokens, large, SECONDS_TOGETHER * shorter))
            memory = begun, memory_of(process.pid)
        finally:
            process.kill()
            process.wait()
    return _section(alone, many, memory)


def _section(alone: Noted, many: Noted, memory: Sequence[tuple[int, int]]) -> Section:
    rows = [
        row("one alone", alone.reactions),
        row(f"{VISITORS_AT_ONCE} and one large job", many.reactions),
    ]
    ratio = statistics.median(many.reactions) / statistics.median(alone.reactions)
    ((begun, _), (now, most)) = memory
    facts = (
        ("median of twenty over median of one", f"{ratio:.2f} ×"),
        ("errors, or data of another visitor", f"{len(alone.troubles) + len(many.troubles)}"),
        (f"fits of {JOB_OBJECTS} objects meanwhile", f"{len(many.jobs)}"),
        ("each took, median", duration(statistics.median(many.jobs)) if many.jobs else "-"),
        ("memory of the server at the start, at the end, at most", _megabytes(begun, now, most)),
    )
    for trouble in (*alone.troubles, *many.troubles):
        print(f"        {trouble}", file=sys.stderr)
    heads = ("visitors", "ticks", "median reaction", "95th percentile", "longest")
    tables = (Table(heads, tuple(rows)), Table(("", ""), facts))
    return Section("Visitors at once", ABOUT, tables, {VISITORS: ratio})


def row(name: str, reactions: list[float]) -> tuple[str, ...]:
    """How many there were, and how long they took."""
    times = np.percentile(reactions, [50, 95, 100])
    return (name, f"{len(reactions)}", *map(duration, times))


def _megabytes(*sizes: int) -> str:
    return ", ".join(f"{size / 2**20:.0f} MB" for size in sizes)


def stored_project(database: str, owner: int, n_objects: int) -> str:
    """A project in which every name tells its owner; its token."""
    data = simulate_car_brands(n_objects, noise=0.1, known=KNOWN, seed=owner)
    mark = f"study{owner:02d}"
    labels = tuple(f"{mark} brand {i}" for i in range(n_objects))
    values = Dissimilarities(labels, data.values().condensed)
    features = FeatureTable(
        labels,
        tuple(
            Feature.numeric(f"{mark} {feature.name}", feature.values)
            for feature in data.feature_table().features
        ),
    )
    now = datetime.now(UTC)
    first = fit(Problem(values, features.select([])), seed=0)
    journey = Journey.begun(f"{mark} brands", values, features, now.isoformat())
    store = open_store(Settings.from_environment({"CML_DATABASE_URL": database}), now)
    token = store.create(to_json(journey.after(first, first.embedding, now.isoformat())), now)
    store.close()
    return str(token)


async def _together(address: str, tokens: list[str], large: str | None, seconds: float) -> Noted:
    """All visitors at once; the time begins when everyone has seen the page."""
    noted = Noted()
    visit = from_tests("app", "visiting").visit
    async with AsyncExitStack() as stack:

        async def arrive(token: str) -> Any:
            return await stack.enter_async_context(visit(address, f"project={token}", OWNER))

        people = [await arrive(token) for token in tokens]
        until = asyncio.get_running_loop().time() + seconds
        work = [_ticking(person, number, noted, until) for number, person in enumerate(people)]
        if large is not None:
            person = await arrive(large)
            work.append(fitting(person, VISITORS_AT_ONCE, noted, until))
        await asyncio.gather(*work)
    return noted


async def _ticking(person: Any, number: int, noted: Noted, until: float) -> None:
    chance = random.Random(number)
    now = asyncio.get_running_loop().time
    await asyncio.sleep(chance.uniform(0, LOOKING[1]))
    # A Gray code walks through the sets of features one tick at a time.
    step = 1
    while step == 1 or now() < until:
        label = _features(person)[(step & -step).bit_length() - 1]
        noted.reactions.append(await _answered(person, label))
        _check(person, label, number, noted)
        await asyncio.sleep(chance.uniform(*LOOKING))
        step += 1


async def _answered(person: Any, label: str) -> float:
    """Tick a box; seconds until the page shows the map of it.

    A map that is late is looked for until it is there, as the page itself does.
    """
    began = time.perf_counter()
    await person.tick(label)
    while not _shows(person, label) and time.perf_counter() - began < LONGEST:
        await asyncio.sleep(LOOKED_FOR)
        await person.look_again()
    return time.perf_counter() - began


def _shows(person: Any, label: str) -> bool:
    return bool((label in person.headline.replace("\\", "")) == person.ticked[label])


def _features(person: Any) -> list[str]:
    """The boxes to tick that are features; others belong to the project."""
    return [label for label in person.boxes if label.startswith("study")]


async def fitting(person: Any, number: int, noted: Noted, until: float) -> None:
    """Have one's large project fitted again and again."""
    now = asyncio.get_running_loop().time
    step = 1
    while now() < until:
        label = _features(person)[(step & -step).bit_length() - 1]
        noted.jobs.append(await _answered(person, label))
        _check(person, label, number, noted)
        step += 1


def _check(person: Any, label: str, number: int, noted: Noted) -> None:
    """The page is this visitor's own, shows what was asked for, and reports no error."""
    mark = f"study{number:02d}"
    if person.owners - {mark.removeprefix("study").encode()}:
        noted.troubles.append(f"{mark} was sent data of {sorted(person.owners)}")
    shown = person.headline.replace("\\", "")
    if not shown.startswith(mark) or not _shows(person, label):
        noted.troubles.append(f"{mark} ticked {label} and saw {shown!r}")
    noted.troubles += person.troubles
    person.troubles.clear()


def memory_of(process: int) -> tuple[int, int]:
    """Resident memory now and at most, in bytes; nought where the system does not tell."""
    told = Path(f"/proc/{process}/status")
    text = told.read_text(encoding="utf-8") if told.exists() else ""
    now, most = (re.search(rf"{name}:\s+(\d+) kB", text) for name in ("VmRSS", "VmHWM"))
    return (int(now[1]) * 1024 if now else 0, int(most[1]) * 1024 if most else 0)


def from_tests(folder: str, module: str) -> ModuleType:
    """What the tests use to start a server, and to visit it."""
    sys.path.insert(0, str(TESTS / folder))
    return __import__(module)
