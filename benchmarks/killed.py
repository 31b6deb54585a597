"""The server is killed in the middle of what visitors do; what had been answered is all there.

`python -m benchmarks.killed` starts the real server, lets a visitor do something, kills the server
a moment after it was asked, reads every project in the database, starts anew, and looks whether
the visitor finds what they had been shown: where they were interrupted, what there was before or
what they had asked for and nothing else; where they were answered, just that. At the end all that
was found under any address is there. It ends with 1 where anything was lost.
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
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from sqlalchemy import create_engine, select
from websockets.exceptions import ConnectionClosed

from benchmarks.settled import QUESTION, STEADINESS, asked, brought, table
from benchmarks.soak import OTHER_BOXES
from benchmarks.visitors import ROOT, from_tests
from cml_app.keeping.backup import checked
from cml_app.keeping.document_lines import document_of, names_in
from cml_app.keeping.schema import LINES, PROJECTS

# Killed within so many times what a deed takes: most are interrupted, some are answered before.
LATEST = 1.1
# So many turns at most for each interruption that is wanted.
PATIENCE = 4
# It may run beside everything else, and last.
SECONDS_TO_START = 300
FEATURES = ("Gender", "Degree")
SHARED = "Others may look at it"
UPLOADED = 60
DRAWN = "Drawn"


class Seen(NamedTuple):
    """What a page shows of a project; on the Evidence page, whether there is an answer."""

    title: str
    known: frozenset[str]
    shared: bool = False
    note: str = ""
    answered: bool = False


async def _tick(person: Any, _: int) -> None:
    await person.tick(FEATURES[0])


async def _duplicate(person: Any, _: int) -> None:
    await person.press("Duplicate")


async def _share(person: Any, _: int) -> None:
    await person.tick(SHARED)


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
    await person.write("Note", _note(turn))


def _note(turn: int) -> str:
    return f"what I saw at turn {turn}"


async def _nothing(_person: Any, _turn: int) -> None:
    pass


async def _page(person: Any) -> Seen:
    """What is known on the map, what is shared, and the note."""
    # On a busy machine a fit is watched for a while before its map is there.
    await person.fitted()
    title, _, told = person.headline.replace("\\", "").partition(",")
    known = {name for name, on in person.ticked.items() if on and name not in OTHER_BOXES}
    # A box that is ticked beside a map that knows nothing of it is a fault as well.
    untold = {name for name in known if name not in told}
    return Seen(
        title, frozenset(known - untold), person.ticked[SHARED], person.stands.get("Note", "")
    )


async def _found(person: Any) -> Seen:
    """Of which project the Evidence page is, and whether there is an answer to the question."""
    if QUESTION not in person.query:
        person.query += f"&{QUESTION}"
    await person.go("Evidence")
    answered = f"{STEADINESS} again" in person.buttons
    person.query = person.query.partition("&")[0]
    return Seen(person.headline, frozenset(), answered=answered)


def _toggled(seen: Seen, name: str) -> Seen:
    return seen._replace(known=seen.known ^ {name})


def _both(seen: Seen, _: int) -> tuple[Seen, ...]:
    first = _toggled(seen, FEATURES[1])
    return first, _toggled(first, FEATURES[0])


class Deed(NamedTuple):
    """What a visitor does, told which turn it is, and what may come of it where they are.

    Parameters
    ----------
    do : what they do.
    may : what they may find who were interrupted, other than what there was before.
    seen : what they then see.
    before : what comes before, undisturbed.
    """

    do: Callable[[Any, int], Awaitable[None]]
    may: Callable[[Seen, int], tuple[Seen, ...]]
    seen: Callable[[Any], Awaitable[Seen]] = _page
    before: Callable[[Any, int], Awaitable[None]] = _nothing


def _elsewhere(_seen: Seen, _turn: int) -> tuple[Seen, ...]:
    """What was asked for has an address of its own, which nobody was told."""
    return ()


DEEDS: dict[str, Deed] = {
    "a tick": Deed(_tick, lambda seen, _: (_toggled(seen, FEATURES[0]),)),
    "an upload": Deed(_upload, _elsewhere),
    "a discovery": Deed(
        _discover, lambda seen, turn: (_toggled(seen, f"{DRAWN} {turn}"),), before=_upload
    ),
    "evidence": Deed(_evidence, lambda seen, _: (seen._replace(answered=True),), _found, _upload),
    "a save": Deed(_save, lambda seen, turn: (seen._replace(note=_note(turn)),)),
    "a new project": Deed(_duplicate, _elsewhere),
    "a permission": Deed(_share, lambda seen, _: (seen._replace(shared=not seen.shared),)),
    "two ticks": Deed(_visit, _both),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Kill as often as asked, and tell how often anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killed", description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="how often in the middle of each")
    parser.add_argument("--database", default="", help="an address; a SQLite file without")
    parser.add_argument("deeds", nargs="*", metavar="deed", help=f"of {', '.join(DEEDS)}")
    wanted = parser.parse_args(arguments)
    lost = 0
    for name in wanted.deeds or DEEDS:
        with tempfile.TemporaryDirectory() as folder:
            killing = _Killing(DEEDS[name], wanted.database, Path(folder))
            for turn in range(PATIENCE * wanted.times + 1):
                if killing.interrupted < wanted.times:
                    killing.once(turn)
            killing.look_back()
        kills = f"{killing.interrupted} times in the middle, {killing.answered} after the answer"
        _say(f"{name}: killed {kills}; {len(killing.lost)} lost")
        for line in killing.lost:
            _say(f"    {line}")
        lost += len(killing.lost)
    sys.exit(1 if lost else 0)


class _Killing:
    """A visitor, and a server that is killed while they do something.

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
        self._query, self._seconds = "", 0.0
        # What there may be under each address, as far as it was told.
        self._kept: dict[str, tuple[Seen, ...]] = {}
        self.interrupted, self.answered, self.lost = 0, 0, list[str]()

    def once(self, turn: int) -> None:
        """Start, look what is there of the time before, do something, and kill."""
        process, address = self._started()
        try:
            if turn:
                asyncio.run(self._compare(address, self._query))
            else:
                self._seconds = asyncio.run(self._undisturbed(address))
            after = self._chance.uniform(0, LATEST * self._seconds)
            asyncio.run(self._caught(address, turn, process.kill, after))
        finally:
            process.kill()
            process.wait()
        self._look_through()

    def look_back(self) -> None:
        """Whether all that was ever answered is there at the end."""
        process, address = self._started()
        try:
            for query in self._kept:
                asyncio.run(self._compare(address, query))
        finally:
            process.kill()
            process.wait()

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
    ) -> None:
        """What the visitor saw where they were answered, or may find where they were not."""
        deed = self._deed
        async with self._visit(address, self._query) as person:
            await deed.before(person, turn)
            self._query = person.query.partition("&")[0]
            before = await deed.seen(person)
            self._kept[self._query] = (before, *deed.may(before, turn))
            if deed.seen is not _page:
                await person.go("")
            began = perf_counter()
            killed = asyncio.get_running_loop().call_later(seconds, kill)
            try:
                await deed.do(person, turn)
            except (ConnectionClosed, OSError):
                self.interrupted += 1
                return
            killed.cancel()
            self.answered += 1
            self._seconds = perf_counter() - began
            self._query = person.query.partition("&")[0]
            self._kept[self._query] = (await deed.seen(person),)

    async def _compare(self, address: str, query: str) -> None:
        """What a visitor finds under a project's address, with what they had been shown."""
        async with self._visit(address, query) as person:
            found = await self._deed.seen(person)
            if person.troubles or not person.headline:
                self.lost.append(f"{person.troubles}")
        if found not in self._kept.get(query, (found,)):
            self.lost.append(f"of {self._kept[query]} found {found}")
        self._kept[query] = (found,)

    def _look_through(self) -> None:
        if self._file is not None:
            # The file as the killed server left it, page by page.
            checked(self._file)
        if found := unreadable(self._url):
            self.lost.append(f"{found} projects cannot be read")


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
