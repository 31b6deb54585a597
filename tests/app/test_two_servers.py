"""Two servers and one PostgreSQL: one is killed, and nothing that was answered is lost."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from evidence_tools import SECONDS
from postgres import Cluster
from running import Running, start, stop
from store_tools import opened
from visiting import Visitor, visit

from benchmarks.two_servers import Noted, end
from cml_app.this_server import moment
from cml_core import Dissimilarities, Feature, FeatureTable, Problem, fit
from cml_core.journey.file import from_json, to_json
from cml_core.journey.journey import Journey

ROOT = Path(__file__).parents[2]
STOP = "Stop and keep the best so far"
STEADINESS = "Test the steadiness"
FEW, MANY = 30, 300

# The app as it is, but that a fit of many is long and lasts until a file is there, and that a
# server that tells no more is given up sooner.
LASTING = """
import time
from datetime import timedelta
from pathlib import Path

import streamlit as st
from cml_app import compute, server
from cml_app.keeping import computing
from cml_core.fitting.cost import expected_seconds

found = compute.fit
compute.QUICK_SECONDS = 0.1

def lasting(problem, *, on_step, **options):
    def step(reached):
        while not Path({gate!r}).exists() and not on_step(reached):
            time.sleep(0.05)
        return on_step(reached)

    is_long = expected_seconds(problem) > compute.QUICK_SECONDS
    return found(problem, on_step=step if is_long else on_step, **options)

compute.fit = lasting
computing.STALE = timedelta(seconds=8)
app = st.App({app!r}, **server.options())
"""


def test_a_run_that_lost_something_ends_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    end(Noted(answered=3), 20)
    assert "lost: nothing" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        end(Noted(answered=3, lost=["visitor 2 found no server"]), 20)
    assert ended.value.code == 1
    assert "lost: visitor 2 found no server" in capsys.readouterr().out


def project(owner: str, n_objects: int, scale: str = "ratio") -> str:
    """What a visitor has made so far: a map with nothing known."""
    chance = np.random.default_rng(len(owner))
    names = tuple(f"{owner} {i}" for i in range(n_objects))
    delta = Dissimilarities(names, chance.uniform(1, 2, n_objects * (n_objects - 1) // 2))
    size = Feature.numeric(f"Size by {owner}", chance.normal(size=n_objects))
    age = Feature.numeric(f"Age by {owner}", chance.normal(size=n_objects))
    table = FeatureTable(names, (size, age))
    first = fit(Problem(delta, table.select([]), scale=scale), seed=0, on_step=lambda _: True)
    now = moment().isoformat()
    return to_json(Journey.begun(owner, delta, table, now).after(first, first.embedding, now))


class Servers(NamedTuple):
    doomed: Running
    living: Running
    gate: Path


@pytest.fixture
def database(cluster: Cluster) -> str:
    return cluster.new_database()


@pytest.fixture
def servers(database: str, tmp_path: Path) -> Iterator[Servers]:
    """Both with the same database, as behind one proxy."""
    gate = tmp_path / "gate"
    env = {"CML_DATABASE_URL": database, "CML_EVIDENCE_UNASKED": "off", "PYTHONPATH": str(ROOT)}

    def begun(name: str) -> Running:
        folder = tmp_path / name
        folder.mkdir()
        script = folder / "lasting.py"
        script.write_text(LASTING.format(gate=str(gate), app=str(ROOT / "app.py")))
        command = [sys.executable, "-m", "streamlit", "run", str(script)]
        return start(command, folder, cwd=ROOT, **env)

    with ThreadPoolExecutor(2) as threads:
        doomed, living = threads.map(begun, ("doomed", "living"))
    yield Servers(doomed, living, gate)
    for one in (doomed, living):
        stop(one)


@asynccontextmanager
async def looking(server: Running, token: str) -> AsyncIterator[Visitor]:
    async with visit(server.address, f"project={token}") as person:
        yield person


async def ask_for_evidence(person: Visitor) -> None:
    person.query += "&question=Can+I+trust+this+map%3F"
    await person.go("Evidence")
    await person.press(STEADINESS)
    assert "Stop" in person.buttons


async def before_the_kill(servers: Servers, tokens: dict[str, str]) -> dict[str, str]:
    """Four visitors work on two servers; what each was shown last."""
    doomed, living, _ = servers
    on = {"Ann": doomed, "Ben": doomed, "Cid": living, "Dot": living}
    async with AsyncExitStack() as stack:
        people = {
            name: await stack.enter_async_context(looking(server, tokens[name]))
            for name, server in on.items()
        }
        shown = {name: person.headline for name, person in people.items()}
        for name in ("Ann", "Dot"):
            await people[name].tick(f"Size by {name}")
            shown[name] = people[name].headline
            assert shown[name] == f"{name}, with Size by {name} taken out"
        for name in ("Ben", "Cid"):
            await people[name].tick(f"Size by {name}")
            assert STOP in people[name].buttons
        await ask_for_evidence(people["Dot"])
        # Both servers tell each other.
        async with looking(living, tokens["Ben"]) as there:
            assert STOP in there.buttons
        async with looking(doomed, tokens["Cid"]) as there:
            assert STOP in there.buttons
        # Cid and Dot close their pages, and the server of the others is killed.
        for name in ("Cid", "Dot"):
            await people[name].socket.close()
        stop(doomed)
    return shown


async def after_the_kill(servers: Servers, tokens: dict[str, str], shown: dict[str, str]) -> None:
    """All come to the server that lives, as a proxy sends them."""
    async with looking(servers.living, tokens["Ann"]) as ann:
        assert ann.headline == shown["Ann"]
        await ann.tick("Age by Ann")
        assert ann.headline == "Ann, with Size by Ann and Age by Ann taken out"
    async with looking(servers.living, tokens["Ben"]) as ben:
        # For a while nobody can know that his is not made any more.
        await ben.fitted()
        assert [one for one in ben.troubles if "the server that computed it has stopped" in one]
        assert ben.headline == shown["Ben"]
        await ben.tick("Size by Ben")
        assert STOP in ben.buttons
        servers.gate.touch()
        await ben.fitted()
        assert ben.headline == "Ben, with Size by Ben taken out"


def until_kept(database: str, token: str, is_there: Callable[[Journey], object]) -> None:
    """Wait for what a server keeps by itself, as no page is there to take it."""
    deadline = time.monotonic() + SECONDS
    with opened(database) as store:
        while not is_there(from_json(store.load(token, moment()).document)):
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.mark.slow
def test_when_one_of_two_servers_is_killed_in_mid_work_nothing_answered_is_lost(
    database: str, servers: Servers
) -> None:
    with opened(database) as store:
        sizes = {"Ann": FEW, "Ben": MANY, "Cid": MANY, "Dot": FEW}
        tokens = {
            name: store.create(project(name, n, "ordinal" if n == MANY else "ratio"), moment())
            for name, n in sizes.items()
        }
    shown = asyncio.run(before_the_kill(servers, tokens))
    asyncio.run(after_the_kill(servers, tokens, shown))
    # What the other two had asked is kept, though nobody came back to the server that has it.
    until_kept(database, tokens["Cid"], lambda kept: kept.steps[-1].problem.known.names)
    until_kept(database, tokens["Dot"], lambda kept: kept.steps[-1].results)
