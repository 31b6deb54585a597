"""Ten visitors for half an hour: whether anything goes wrong, and whether memory grows.

`python -m benchmarks.soak` starts the real server and has visitors come, do what people do, and
leave, so that there are always ten. Memory is looked at every minute. It ends with 1 where it grows
by more than is wanted, or where the server's log tells of errors.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from benchmarks.settled import MEGABYTE, asked, brought, errors_in, held, table, until_ready
from benchmarks.visitors import OBJECTS, ROOT, from_tests, stored_project

VISITORS = 10
MINUTES = 30.0
# What is loaded and compiled for the first visitors is no growth.
SETTLING = 5.0
# How long someone waits for an answer, in seconds.
PATIENCE = 60.0
# Between an answer and the next move, and between coming and leaving.
LOOKING, STAYING = (2.0, 6.0), (60.0, 240.0)
BROUGHT = 100
OTHER_BOXES = ("Others may look at it", "Acts along a curve")
# In megabytes.
MOST_GROWTH = 50.0


@dataclass
class Noted:
    """What the visitors did, what went wrong, and how much memory there was each minute."""

    moves: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)


async def _tick(person: Any, chance: random.Random) -> None:
    if not (labels := _features(person)):
        return
    label = chance.choice(labels)
    await person.tick(label)
    until = monotonic() + PATIENCE
    while (told := _told(person, label)) and monotonic() < until:
        # On a busy server a fit is watched for a while before its map is there.
        await asyncio.sleep(1)
        await person.look_again()
    if told:
        person.troubles.append(told)


def _told(person: Any, label: str) -> str:
    """What is wrong with the headline; of many features it names only some."""
    said = person.headline.replace("\\", "")
    if (label in said) == person.ticked[label] or len(said) >= 60:
        return ""
    return f"ticked {label}, and saw {said!r}"


def _features(person: Any) -> list[str]:
    return [label for label in person.boxes if label not in OTHER_BOXES]


async def _discover(person: Any, chance: random.Random) -> None:
    x = person.scene["x"]
    slope = chance.uniform(-1, 1)
    ends = [[min(x), slope * min(x)], [max(x), slope * max(x)]]
    await person.draw({"kind": "arrow", "start": ends[0], "end": ends[1]})
    await asyncio.sleep(chance.uniform(*LOOKING))
    if "Name" not in person.texts:
        # Nothing can be read off such an arrow, and the page says so.
        return
    person.written["Name"] = f"seen {chance.getrandbits(32):x}"
    await person.press("Add to known")
    person.drawn = None
    person.written.pop("Name", None)


async def _note(person: Any, chance: random.Random) -> None:
    await person.write("Note", f"{chance.getrandbits(64):x}")
    person.written.clear()


async def _ask(person: Any, chance: random.Random) -> None:
    await asked(person)
    # Some wait for the answer, some look at something else meanwhile.
    if chance.random() < 0.5:
        await person.fitted()
    await asyncio.sleep(chance.uniform(*LOOKING))
    await _back(person)


async def _bring(person: Any, chance: random.Random) -> None:
    content = await asyncio.to_thread(table, BROUGHT, chance.randrange(10**6))
    await brought(person, f"study {chance.randrange(100)}.csv", content)


async def _look_up(person: Any, chance: random.Random) -> None:
    await person.go(chance.choice(["Data", "Learn", "About"]))
    await asyncio.sleep(chance.uniform(*LOOKING))
    await _back(person)


async def _back(person: Any) -> None:
    person.query = person.query.partition("&")[0]
    person.query = person.query if person.query.startswith("project=") else ""
    await person.go("")


MOVES: dict[str, tuple[int, Callable[[Any, random.Random], Awaitable[None]]]] = {
    "ticks": (12, _tick),
    "discoveries": (2, _discover),
    "notes": (2, _note),
    "computations": (1, _ask),
    "uploads": (1, _bring),
    "other pages": (1, _look_up),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Let them work, and tell what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--visitors", type=int, default=VISITORS)
    wanted = parser.parse_args(arguments)
    noted = Noted()
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/projects.sqlite3"
        tokens = [stored_project(database, owner, OBJECTS) for owner in range(wanted.visitors)]
        env = {"CML_DATABASE_URL": database, "CML_EVIDENCE_UNASKED": "on"}
        serving = from_tests("browser", "serving")
        process, address = serving.started(ROOT / "app.py", env, Path(folder))
        try:
            until_ready(process.pid)
            until = monotonic() + 60 * wanted.minutes
            asyncio.run(_all(address, tokens, process.pid, until, noted))
        finally:
            process.kill()
            process.wait()
        errors = errors_in(Path(folder))
    growth = _tell(noted, errors)
    sys.exit(1 if growth > MOST_GROWTH or errors else 0)


async def _all(
    address: str, tokens: Sequence[str], process: int, until: float, noted: Noted
) -> None:
    watching = asyncio.create_task(_watch(process, noted))
    await asyncio.gather(*(_one_after_another(address, token, until, noted) for token in tokens))
    watching.cancel()


async def _watch(process: int, noted: Noted) -> None:
    while True:
        await asyncio.sleep(60)
        now = held(process)
        noted.memory.append(now.server)
        _say(f"{len(noted.memory)} min: {now}; {len(noted.troubles)} troubles")


async def _one_after_another(address: str, token: str, until: float, noted: Noted) -> None:
    """Visitors who come, stay a while, and leave; every other one with the example."""
    chance, visit = random.Random(token), from_tests("app", "visiting").visit
    while monotonic() < until:
        query = f"project={token}" if chance.random() < 0.5 else ""
        leaving = min(until, monotonic() + chance.uniform(*STAYING))
        try:
            async with visit(address, query) as person:
                while monotonic() < leaving:
                    await _move(person, chance, noted)
        except Exception as error:
            noted.troubles.append(f"{type(error).__name__}: {error}")
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(LOOKING[0])


async def _move(person: Any, chance: random.Random, noted: Noted) -> None:
    names = list(MOVES)
    (name,) = chance.choices(names, [MOVES[name][0] for name in names])
    await MOVES[name][1](person, chance)
    noted.moves[name] += 1
    noted.troubles += [f"{name}: {trouble}" for trouble in person.troubles]
    person.troubles.clear()
    await asyncio.sleep(chance.uniform(*LOOKING))


def _tell(noted: Noted, errors: Sequence[str]) -> float:
    """Say what happened; by how many megabytes memory has grown."""
    did = ", ".join(f"{count} {name}" for name, count in noted.moves.most_common())
    _say(did)
    settled = noted.memory[int(SETTLING) - 1 :] or noted.memory[-1:]
    growth = 0.0
    if settled:
        early, late = settled[0], float(np.median(settled[-5:]))
        growth = (late - early) / MEGABYTE
        most = (max(settled) - early) / MEGABYTE
        _say(
            f"memory after {SETTLING:g} minutes {early / MEGABYTE:.0f} MB, at the end "
            f"{late / MEGABYTE:.0f} MB: {growth:+.0f} MB, at most {most:+.0f} MB "
            f"(wanted: +{MOST_GROWTH:g})"
        )
    _say(f"errors in the log: {len(errors)}")
    for line in errors[:20]:
        _say(f"    {line}")
    _say(f"troubles: {len(noted.troubles)}")
    for trouble, times in Counter(noted.troubles).most_common(20):
        _say(f"    {times} × {trouble}")
    return growth


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
