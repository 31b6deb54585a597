"""The server is killed in the middle of what visitors do; what had been answered is all there.

`python -m benchmarks.killed` starts the real server, lets a visitor do something, kills the server
a moment after it was asked, looks through the database, starts anew, and opens the project.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from benchmarks.visitors import ROOT, from_tests
from cml_app.keeping.backup import checked

# In seconds; a moment after which everything has been answered is among them.
LATEST = 0.5
# It may run beside everything else, and last.
SECONDS_TO_START = 300
FEATURES = ("Gender", "Degree")
Deed = Callable[[Any], Awaitable[Any]]


async def _tick(person: Any) -> None:
    await person.tick(FEATURES[0])


async def _duplicate(person: Any) -> None:
    await person.press("Duplicate")


async def _share(person: Any) -> None:
    await person.tick("Others may look at it")


async def _visit(person: Any) -> None:
    await person.tick(FEATURES[1])
    await person.tick(FEATURES[0])


DEEDS: dict[str, Deed] = {
    "a tick": _tick,
    "a new project": _duplicate,
    "a permission": _share,
    "two ticks": _visit,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Kill as often as asked, and tell how often anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killed", description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="how often in the middle of each")
    parser.add_argument("--database", default="", help="an address; a SQLite file without")
    asked = parser.parse_args(arguments)
    for name, deed in DEEDS.items():
        with tempfile.TemporaryDirectory() as folder:
            lost, answered = _killed(deed, asked.times, asked.database, Path(folder))
        told = f"{name}: killed {asked.times} times, {answered} answered before, {lost} lost\n"
        sys.stdout.write(told)
        sys.stdout.flush()


def _killed(deed: Deed, times: int, database: str, folder: Path) -> tuple[int, int]:
    """How often something that had been answered was not there, and how often it had been."""
    file = folder / "projects.sqlite3"
    env = {"CML_DATABASE_URL": database or f"sqlite:///{file}"}
    env |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    chance, query, wanted = random.Random(times), "", ""
    lost = answered = 0
    serving = from_tests("browser", "serving")
    serving.SECONDS_TO_START = SECONDS_TO_START  # type: ignore[attr-defined]
    for _ in range(times + 1):
        process, address = serving.started(ROOT / "app.py", env, folder)
        if query:
            found = asyncio.run(_headline(address, query))
            lost += bool(wanted) and found != wanted
        query, wanted = asyncio.run(
            _caught(deed, address, query, process.kill, chance.uniform(0, LATEST))
        )
        answered += bool(wanted)
        process.kill()
        process.wait()
        if not database and checked(file).unreadable:
            lost += 1
    return lost, answered


async def _headline(address: str, query: str) -> str:
    async with from_tests("app", "visiting").visit(address, query) as person:
        return "trouble" if person.troubles else str(person.headline)


async def _caught(
    deed: Deed, address: str, query: str, kill: Callable[[], None], seconds: float
) -> tuple[str, str]:
    """The project's address, and what stood on the page where the deed was answered in time."""
    visit = from_tests("app", "visiting").visit
    wanted = ""
    with suppress(ConnectionClosed):
        async with visit(address, query) as person:
            if not query:
                await person.tick(FEATURES[1])
                query = person.query
            asyncio.get_running_loop().call_later(seconds, kill)
            with suppress(ConnectionClosed):
                await deed(person)
                query, wanted = person.query, str(person.headline)
    return query, wanted


if __name__ == "__main__":
    main()
