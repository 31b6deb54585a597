"""Thirty students on one puzzle: how long handing in takes, and whether anything is lost.

`python -m benchmarks.classroom --beside large` measures the same beside a visitor who has a map of
many objects fitted again and again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks import machine, visitors
from benchmarks.report import CLASSROOM, Section, Table, document, duration
from benchmarks.timing import FULL, QUICK, Effort
from benchmarks.visitors import ROOT, from_tests, row, stored_project
from cml_app.class_mode import Task
from cml_app.keeping.opening import open_store
from cml_app.keeping.puzzles import Keys, Sheet
from cml_app.keeping.store import Store
from cml_app.settings import Settings
from cml_core import Feature
from cml_core.journey.file import to_json
from cml_core.journey.journey import Journey
from cml_core.puzzles.puzzle import Puzzle
from cml_core.puzzles.scoring import score
from cml_core.puzzles.sheet import AnswerSheet

STUDENTS = 30
ARROWS = 12
# To think of another arrow, draw and name it takes a student so many seconds.
DRAWING = (4.0, 12.0)
# Beside a large job, its map has so many.
LARGE_OBJECTS = 1000
SECONDS_ALONE = 60.0
SECONDS_TOGETHER = 120.0
ABOUT = f"""\
The real server, and students that speak its protocol without a browser, all on one puzzle of the \
easy level. Each has a project of their own with {ARROWS} arrows by lot, hands one in, takes in \
the whole answer, takes {DRAWING[0]:g} to {DRAWING[1]:g} s for the next, and hands that in. First \
one is alone for {SECONDS_ALONE:g} s; then {STUDENTS} are there for {SECONDS_TOGETHER:g} s. \
*Reaction* is from handing in to the end of the answer. *Lost* counts tries that the class view \
does not count, and best scores that are not those of `cml_core`. The students run on the same \
machine and take some of its time."""


@dataclass(frozen=True)
class _Student:
    """A student's project, and how well each arrow does."""

    token: str
    shares: tuple[float, ...]


@dataclass
class _Noted:
    """What happened to some students; how often each arrow was handed in, by token."""

    reactions: list[float] = field(default_factory=list)
    handed_in: dict[str, list[int]] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    large: visitors.Noted = field(default_factory=visitors.Noted)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what was asked for, and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classroom", description=__doc__)
    parser.add_argument("--beside", choices=["large"], help="what runs beside the whole class")
    parser.add_argument("--quick", action="store_true", help="for a quarter of the time")
    wanted = parser.parse_args(arguments)
    load = machine.load()
    section = classroom(QUICK if wanted.quick else FULL, beside_large=wanted.beside == "large")
    kind = "quick run" if wanted.quick else "full run"
    print(document([section], machine.machine(load), kind, [CLASSROOM]))


def classroom(effort: Effort, *, beside_large: bool = False) -> Section:
    """One alone, then the whole class; beside it, if asked for, a visitor with a large job."""
    shorter = 1.0 if effort is FULL else 0.25
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/projects.sqlite3"
        settings = Settings.from_environment({"CML_DATABASE_URL": database})
        store = open_store(settings, datetime.now(UTC))
        assert isinstance(store, Store)
        puzzle = Puzzle.at("easy", 271_828)
        task = Task(puzzle).to_json()
        keys = store.puzzles().make(task, datetime.now(UTC), 1, 20)
        students = [_seated(store, keys, puzzle, number) for number in range(STUDENTS + 1)]
        large = stored_project(database, STUDENTS, LARGE_OBJECTS) if beside_large else ""
        serving = from_tests("browser", "serving")
        process, address = serving.started(
            ROOT / "app.py", {"CML_DATABASE_URL": database}, Path(folder)
        )
        try:
            asyncio.run(_together(address, students[:1], 0.0))
            spent = [_processor_time(process.pid)]
            alone = asyncio.run(_together(address, students[:1], SECONDS_ALONE * shorter))
            spent.append(_processor_time(process.pid))
            many = asyncio.run(_together(address, students[1:], SECONDS_TOGETHER * shorter, large))
            spent.append(_processor_time(process.pid))
            lost = _lost(store, students[1:], many)
        finally:
            process.kill()
            process.wait()
            store.close()
    return _section(alone, many, lost, np.diff(spent).tolist())


def _section(alone: _Noted, many: _Noted, lost: int, spent: list[float]) -> Section:
    ratio = statistics.median(many.reactions) / statistics.median(alone.reactions)
    facts: tuple[tuple[str, str], ...] = (
        ("median of thirty over median of one", f"{ratio:.2f} ×"),
        ("lost", f"{lost}"),
        ("errors", f"{len(alone.troubles) + len(many.troubles)}"),
        (
            "processor time of the server for each, alone and of thirty, with opening the page",
            ", ".join(
                duration(seconds / len(noted.reactions))
                for seconds, noted in zip(spent, (alone, many), strict=True)
            ),
        ),
    )
    heads = ("students", "handed in", "median reaction", "95th percentile", "longest")
    rows = (row("one alone", alone.reactions), row(f"{STUDENTS}", many.reactions))
    if many.large.jobs:
        each = duration(statistics.median(many.large.jobs))
        told = f"{len(many.large.jobs)}, of which each took {each} (median)"
        facts = (*facts, (f"fits of {LARGE_OBJECTS} objects beside the class", told))
    tables = (Table(heads, rows), Table(("", ""), facts))
    return Section("A class at once", ABOUT, tables, {CLASSROOM: ratio})


def _seated(store: Store, keys: Keys, puzzle: Puzzle, number: int) -> _Student:
    """A student who has begun, with arrows that were drawn already."""
    now = datetime.now(UTC)
    journey = Journey.begun("cars", puzzle.dissimilarities, puzzle.given, now.isoformat())
    drawn = puzzle.map()
    chance = np.random.default_rng(number)
    shares = []
    for k in range(ARROWS):
        arrow = Feature.numeric(f"arrow {k}", drawn.embedding @ chance.standard_normal(2))
        shares.append(score(puzzle, arrow, puzzle.labels).share)
        journey = journey.with_feature(arrow, now.isoformat())
    journey = journey.after(drawn, drawn.embedding, now.isoformat())
    token = store.create(to_json(journey), now)
    sheet = Sheet(AnswerSheet(now.isoformat()).to_json())
    store.puzzles().sit_down(keys.puzzle, token, sheet, now)
    return _Student(token, tuple(shares))


async def _together(
    address: str, students: list[_Student], seconds: float, large: str = ""
) -> _Noted:
    """All at once; the time begins when everyone has seen the page."""
    noted = _Noted()
    visit = from_tests("app", "visiting").visit
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(visit(address, f"project={one.token}"))
            for one in students
        ]
        until = asyncio.get_running_loop().time() + seconds
        pairs = zip(people, students, strict=True)
        work = [_handing_in(*pair, noted, until) for pair in pairs]
        if large:
            beside = visit(address, f"project={large}", visitors.OWNER)
            person = await stack.enter_async_context(beside)
            work.append(visitors.fitting(person, STUDENTS, noted.large, until))
        await asyncio.gather(*work)
    noted.troubles += noted.large.troubles
    return noted


async def _handing_in(person: Any, student: _Student, noted: _Noted, until: float) -> None:
    chance = random.Random(student.token)
    now = asyncio.get_running_loop().time
    mine = noted.handed_in.setdefault(student.token, [])
    await asyncio.sleep(chance.uniform(0, DRAWING[1]) if until > now() else 0)
    while not mine or now() < until:
        k = chance.randrange(ARROWS)
        began = perf_counter()
        await person.press(f"arrow {k}")
        noted.reactions.append(perf_counter() - began)
        mine.append(k)
        noted.troubles += person.troubles
        person.troubles.clear()
        await asyncio.sleep(chance.uniform(*DRAWING))


def _processor_time(process: int) -> float:
    """Of a process, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _lost(store: Store, students: list[_Student], noted: _Noted) -> int:
    """Tries that were not counted, and best scores that are wrong."""
    lost = 0
    for student in students:
        found = store.puzzles().of_student(student.token, datetime.now(UTC))
        assert found is not None
        sheet, handed_in = found[1], noted.handed_in[student.token]
        best = max(student.shares[k] for k in handed_in)
        lost += abs(len(handed_in) - sheet.tries)
        lost += sheet.best is None or abs(sheet.best - best) > 1e-12
    return lost


if __name__ == "__main__":
    main()
