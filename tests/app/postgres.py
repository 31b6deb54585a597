"""A PostgreSQL of its own, in a folder that goes with it, which may be killed and started again."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest

# Debian keeps the programs of each version apart, and off the path.
_DEBIAN = "/usr/lib/postgresql"
# What a killed process has written the system still has: only a machine that is turned off needs it
# on the disk, and the disk would take most of the time of the tests.
_ARGUMENTS = ("-h", "", "-c", "fsync=off")
# PostgreSQL refuses to run as root; its package on Debian makes a user for it.
_USERS = ("postgres", "nobody")
SECONDS_TO_START = 60
_NUMBERS = count()


class Cluster:
    """PostgreSQL on a socket in a private folder; no port is opened.

    Parameters
    ----------
    folder : an empty one, whose owner runs it.
    owner : the user to run as; None for whoever runs this.
    """

    def __init__(self, folder: Path, owner: str | None) -> None:
        self.folder = folder
        self._owner = owner
        self._programs = _programs()
        self._run("initdb", "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N")
        self.start()

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"projects{next(_NUMBERS)}"
        with closing(psycopg.connect(self.told("postgres"), autocommit=True)) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def start(self) -> None:
        """Begin, as whoever looks after a server would after a crash; returns once it answers."""
        # A process of before may still hold its memory; until it has ended, a new one gives up.
        deadline = time.monotonic() + SECONDS_TO_START
        self.process = self._begun()
        while not self._answers():
            if time.monotonic() > deadline:
                pytest.fail(f"PostgreSQL did not start: {self._log()}", pytrace=False)
            if self.process.poll() is not None:
                self.process = self._begun()
            time.sleep(0.05)

    def kill(self) -> None:
        """`kill -9`, as a system without memory does it."""
        self.process.kill()
        assert self.process.wait() == -signal.SIGKILL

    def stop(self) -> None:
        """At once, which it would mend when it began again."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def _begun(self) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self._programs / "postgres", "-D", "data", "-k", str(self.folder), *_ARGUMENTS],
                stdout=log,
                stderr=log,
                **self._where(),
            )

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.told("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def told(self, name: str) -> str:
        """Where a database is, as its own programs are told."""
        return f"user=postgres dbname={name} host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            **self._where(),
        )

    def _where(self) -> dict[str, object]:
        owner = {"user": self._owner, "extra_groups": ()} if self._owner else {}
        return {"cwd": self.folder, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C"}, **owner}

    def _log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8")


@contextmanager
def running() -> Iterator[Cluster]:
    """A cluster, and no trace of it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="cml-postgres-"))
    owner = _owner()
    if owner is not None:
        shutil.chown(folder, owner)
    try:
        cluster = Cluster(folder, owner)
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder)


def _owner() -> str | None:
    import pwd

    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in _USERS if name in known)


def _programs() -> Path:
    found = shutil.which("initdb")
    folders = sorted(Path(_DEBIAN).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found is not None:
        return Path(found).resolve().parent
    if not folders:
        pytest.fail("No PostgreSQL found. Run `make postgres`, or install one.", pytrace=False)
    return folders[-1].parent
