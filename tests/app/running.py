"""A server that really runs, in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

SECONDS_TO_START = 60


@dataclass(frozen=True)
class Running:
    """A server, where it is and where it writes."""

    address: str
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def host(self) -> str:
        return self.address.removeprefix("http://")

    def written(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")


def start(command: list[str], folder: Path, *, cwd: Path, **env: str) -> Running:
    """A command that runs Streamlit, with a free port; `folder` is its home and has its log."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*command, "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1"]
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    env = kept | {"HOME": str(folder)} | env
    log = folder / "log.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdout=output, stderr=subprocess.STDOUT
        )
    running = Running(f"http://127.0.0.1:{port}", log, process)
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(f"{running.address}/healthz", timeout=5):
                return running
        except (URLError, OSError):
            time.sleep(0.05)
    stop(running)
    pytest.fail(f"The server did not start:\n{running.written()}", pytrace=False)


def stop(running: Running) -> None:
    running.process.kill()
    running.process.wait()
