"""Twenty visitors on two servers and one PostgreSQL; one server is killed, and nothing is lost.

`python -m benchmarks.two_servers` begins a PostgreSQL and two real servers of its own. Each visitor
ticks what is known, on a project of their own; evidence is asked for on both servers. Then one
server is killed with kill -9, and its visitors go to the other, as a proxy would send them.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from benchmarks.settled import asked
from benchmarks.visitors import ROOT, from_tests, stored_project
from cml_app.keeping.computing import STALE
from cml_app.keeping.store import Store
from cml_app.this_server import moment
from cml_core.evidence.stability import Stability
from cml_core.journey.file import from_json

OBJECTS = 60
# Visitors look so long at what came of a tick, in seconds.
LOOKING = (0.5, 2.0)
# Of so many visitors, half on either server, evidence is asked for as well.
ASKING = 4


@dataclass
class Seen:
    """What one visitor was answered, and what was asked when the connection broke."""

    headline: str = ""
    asked: str = ""
    answered: int = 0
    moved: bool = False


@dataclass
class Noted:
    """What happened to all of them."""

    answered: int = 0
    moved: int = 0
    evidence: int = 0
    lost: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> None:
    """Let them work, kill one server, and tell what was lost, which ends with 1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.two_servers", description=__doc__)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0, help="before and after the kill")
    wanted = parser.parse_args(arguments)
    serving = from_tests("browser", "serving")
    serving.SECONDS_TO_START = 300  # type: ignore[attr-defined]
    with from_tests("app", "postgres").running() as cluster, tempfile.TemporaryDirectory() as name:
        database = cluster.new_database()
        tokens = [stored_project(database, owner, OBJECTS) for owner in range(wanted.visitors)]
        env = {"CML_DATABASE_URL": database}
        folders = [Path(name) / "one", Path(name) / "other"]
        for folder in folders:
            folder.mkdir()
        servers = [serving.started(ROOT / "app.py", env, folder) for folder in folders]
        try:
            noted = asyncio.run(_together(servers, tokens, wanted.seconds))
        finally:
            for process, _ in servers:
                process.kill()
                process.wait()
        _look_through(database, tokens, noted)
    end(noted, wanted.visitors)


def end(noted: Noted, visitors: int) -> None:
    """Tell what happened; where anything was lost, end with 1."""
    sys.stdout.write(
        f"{visitors} visitors, {noted.answered} ticks answered; {noted.moved} had to go to "
        f"the other server; {noted.evidence} of {ASKING} results of evidence are kept; "
        f"lost: {'; '.join(noted.lost) or 'nothing'}; "
        f"troubles: {'; '.join(sorted(set(noted.troubles))) or 'none'}\n"
    )
    if noted.lost:
        sys.exit(1)


async def _together(servers: Sequence[Any], tokens: list[str], seconds: float) -> Noted:
    noted, now = Noted(), asyncio.get_running_loop().time
    addresses = [address for _, address in servers]
    (doomed, _), _ = servers
    asyncio.get_running_loop().call_later(seconds, doomed.kill)
    until = now() + 2 * seconds
    work = [_visitor(number, addresses, token, until, noted) for number, token in enumerate(tokens)]
    for seen in await asyncio.gather(*work):
        noted.answered += seen.answered
        noted.moved += seen.moved
    for number, token in enumerate(tokens[:ASKING]):
        await _evidence(addresses[1], token, number, noted)
    return noted


async def _visitor(
    number: int, addresses: list[str], token: str, until: float, noted: Noted
) -> Seen:
    """One visitor, who goes to the other server where their own has gone."""
    visit, seen = from_tests("app", "visiting").visit, Seen()
    if number < ASKING:
        async with visit(addresses[number % 2], f"project={token}") as person:
            await asked(person)
    for address in (addresses[number % 2], addresses[1]):
        try:
            async with visit(address, f"project={token}") as person:
                _compare(person, seen, number, noted)
                await _work(person, number, seen, until)
                noted.troubles += person.troubles
                return seen
        except (ConnectionClosed, OSError):
            seen.moved = True
    noted.lost.append(f"visitor {number} found no server")
    return seen


async def _work(person: Any, number: int, seen: Seen, until: float) -> None:
    chance, now = random.Random(number), asyncio.get_running_loop().time
    while now() < until:
        labels = [label for label in person.boxes if label.startswith("study")]
        seen.headline, seen.asked = person.headline, chance.choice(labels)
        await person.tick(seen.asked)
        seen.headline, seen.asked = person.headline, ""
        seen.answered += 1
        await asyncio.sleep(chance.uniform(*LOOKING))


def _compare(person: Any, seen: Seen, number: int, noted: Noted) -> None:
    """On another server stands what was answered; what was asked then may be done or not."""
    if not seen.headline:
        return
    before = {label for label in person.boxes if label in seen.headline.replace("\\", "")}
    after = {label for label in person.boxes if label in person.headline.replace("\\", "")}
    if not before ^ after <= {seen.asked}:
        noted.lost.append(f"visitor {number} was shown {seen.headline!r}, now {person.headline!r}")


async def _evidence(address: str, token: str, number: int, noted: Noted) -> None:
    """What was not computed when its server died is asked again once that is known, and found."""
    visit = from_tests("app", "visiting").visit
    async with visit(address, f"project={token}") as person:
        await person.go("Evidence")
        deadline = asyncio.get_running_loop().time() + 10 * STALE.total_seconds()
        while "Stop" in person.buttons or person.fragment:
            person.buttons.clear()
            await person.look_again()
            if asyncio.get_running_loop().time() > deadline:
                noted.lost.append(f"evidence of visitor {number} never ended")
                return
            await asyncio.sleep(1)


def _look_through(database: str, tokens: list[str], noted: Noted) -> None:
    """Every project can be read; what evidence was kept."""
    store = Store(database, 90)
    for number, token in enumerate(tokens):
        journey = from_json(store.load(token, moment()).document)
        found = [one for step in journey.steps for one in step.results]
        noted.evidence += number < ASKING and any(isinstance(one, Stability) for one in found)
    store.close()


if __name__ == "__main__":
    main()
