"""The server is killed in the middle of what visitors do; what had been answered is all there.

`python -m benchmarks.killed` starts the real server, lets a visitor do something, kills the server
a moment after it was asked, reads every project in the database, starts anew, and looks whether
the visitor finds what they had been shown.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import zlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from sqlalchemy import create_engine, select
from websockets.exceptions import ConnectionClosed

from benchmarks.settled import QUESTION, STEADINESS, asked, brought, table
from benchmarks.visitors import ROOT, from_tests
from cml_app.keeping.backup import checked
from cml_app.keeping.document_lines import document_of, names_in
from cml_app.keeping.schema import LINES, PROJECTS

# Killed within so many times what a deed takes: some are answered before, most are not.
LATEST = 1.25
# It may run beside everything else, and last.
SECONDS_TO_START = 300
FEATURES = ("Gender", "Degree")
UPLOADED = 60
DRAWN = "Drawn"


async def _tick(person: Any, _: int) -> None:
    await person.tick(FEATURES[0])


async def _duplicate(person: Any, _: int) -> None:
    await person.press("Duplicate")


async def _share(person: Any, _: int) -> None:
    await person.tick("Others may look at it")


async def _visit(person: Any, _: int) -> None:
    await person.tick(FEATURES[1])
    await person.tick(FEATURES[0])


async def _upload(person: Any, turn: int) -> None:
    await brought(person, f"study {turn}.csv", table(UPLOADED, turn))


async def _discover(person: Any, turn: int) -> None:
    x, y = person.scene["x"], person.scene["y"]
    await person.draw({"kind": "arrow", "start": [min(x), min(y)], "end": [max(x), max(y)]})
    person.written["Name"] = f"{DRAWN} {turn}"
    await person.press("Add to known")


async def _evidence(person: Any, _: int) -> None:
    await asked(person)
    await person.fitted()


async def _save(person: Any, turn: int) -> None:
    await person.write("Note", f"what I saw at turn {turn}")


async def _nothing(_person: Any, _turn: int) -> None:
    pass


async def _page(person: Any) -> str:
    """What is known on the map, what is shared, and the note."""
    shared = person.ticked.get("Others may look at it")
    return f"{person.headline} / {shared} / {person.stands.get('Note')}"


async def _found(person: Any) -> str:
    """Of which project the Evidence page is, and whether there is an answer to the question."""
    if QUESTION not in person.query:
        person.query += f"&{QUESTION}"
    await person.go("Evidence")
    return f"{person.headline} / {f'{STEADINESS} again' in person.buttons}"


class Deed(NamedTuple):
    """What a visitor does, told which turn it is; what they then see of it; what comes before."""

    do: Callable[[Any, int], Awaitable[None]]
    seen: Callable[[Any], Awaitable[str]] = _page
    before: Callable[[Any, int], Awaitable[None]] = _nothing


DEEDS: dict[str, Deed] = {
    "a tick": Deed(_tick),
    "an upload": Deed(_upload),
    "a discovery": Deed(_discover, before=_upload),
    "evidence": Deed(_evidence, _found, _upload),
    "a save": Deed(_save),
    "a new project": Deed(_duplicate),
    "a permission": Deed(_share),
    "two ticks": Deed(_visit),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Kill as often as asked, and tell how often anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killed", description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="how often in the middle of each")
    parser.add_argument("--database", default="", help="an address; a SQLite file without")
    parser.add_argument("deeds", nargs="*", metavar="deed", help=f"of {', '.join(DEEDS)}")
    wanted = parser.parse_args(arguments)
    for name in wanted.deeds or DEEDS:
        with tempfile.TemporaryDirectory() as folder:
            killing = _Killing(DEEDS[name], wanted.database, Path(folder))
            # After the last time, someone still has to look.
            for turn in range(wanted.times + 1):
                killing.once(turn)
            told = f"{killing.answered} answered before, {len(killing.lost)} lost"
            _say(f"{name}: killed {wanted.times} times, {told}")
            for line in killing.lost:
                _say(f"    {line}")


class _Killing:
    """A visitor with one project, and a server that is killed while they do something.

    Parameters
    ----------
    deed : what they do.
    database : an address; empty for a SQLite file in the folder.
    folder : the server's home.
    """

    def __init__(self, deed: Deed, database: str, folder: Path) -> None:
        self._deed, self._folder = deed, folder
        self._file = None if database else folder / "projects.sqlite3"
        self._url = database or f"sqlite:///{self._file}"
        self._serving = from_tests("browser", "serving")
        self._serving.SECONDS_TO_START = SECONDS_TO_START  # type: ignore[attr-defined]
        self._visit = from_tests("app", "visiting").visit
        self._chance = random.Random(1)
        self._query, self._seconds, self._wanted = "", 0.0, ""
        self.answered, self.lost = 0, list[str]()

    def once(self, turn: int) -> None:
        """Start, look what is there of the time before, do something, and kill."""
        process, address = self._started()
        try:
            if turn:
                asyncio.run(self._compare(address, turn))
            else:
                self._seconds = asyncio.run(self._undisturbed(address))
            after = self._chance.uniform(0, LATEST * self._seconds)
            self._wanted = asyncio.run(self._caught(address, turn, process.kill, after))
        finally:
            process.kill()
            process.wait()
        self._look_through(turn)

    def _started(self) -> Any:
        env = {"CML_DATABASE_URL": self._url}
        env |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
        return self._serving.started(ROOT / "app.py", env, self._folder)

    async def _undisturbed(self, address: str) -> float:
        """How long the deed takes; the project is there from now on."""
        async with self._visit(address) as person:
            await person.tick(FEATURES[1])
            await self._deed.before(person, 10**6)
            self._query = person.query
            began = perf_counter()
            await self._deed.do(person, 10**6)
            return perf_counter() - began

    async def _caught(
        self, address: str, turn: int, kill: Callable[[], None], seconds: float
    ) -> str:
        """What the visitor saw where the deed was answered in time."""
        with suppress(ConnectionClosed, OSError):
            async with self._visit(address, self._query) as person:
                await self._deed.before(person, turn)
                self._query = person.query
                killed = asyncio.get_running_loop().call_later(seconds, kill)
                with suppress(ConnectionClosed, OSError):
                    await self._deed.do(person, turn)
                    killed.cancel()
                    self._query = person.query.partition("&")[0]
                    return await self._deed.seen(person)
        return ""

    async def _compare(self, address: str, turn: int) -> None:
        """What a visitor finds under the project's address, with what they had been shown."""
        async with self._visit(address, self._query) as person:
            if person.troubles or not person.headline:
                self.lost.append(f"turn {turn - 1}: {person.troubles}")
            found = await self._deed.seen(person)
        self.answered += bool(self._wanted)
        if self._wanted and found != self._wanted:
            self.lost.append(f"turn {turn - 1}: saw {self._wanted!r}, then found {found!r}")

    def _look_through(self, turn: int) -> None:
        if self._file is not None:
            # The file as the killed server left it, page by page.
            checked(self._file)
        if found := unreadable(self._url):
            self.lost.append(f"turn {turn}: {found} projects cannot be read")


def unreadable(url: str) -> int:
    """How many projects of a database cannot be read."""
    engine = create_engine(url)
    with closing(engine.connect()) as connection:
        projects = connection.execute(select(PROJECTS.c.digest, PROJECTS.c.names)).all()
        bad = 0
        for digest, names in projects:
            lines = select(LINES.c.name, LINES.c.content).where(LINES.c.digest == digest)
            held = {line.name: line.content for line in connection.execute(lines)}
            try:
                document_of(names_in(names), held)
            except (zlib.error, ValueError, TypeError, KeyError):
                bad += 1
    engine.dispose()
    return bad


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
