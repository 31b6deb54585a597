"""Starting the app, or any page, as a server of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
APP = ROOT / "app.py"
SECONDS_TO_START = 60


def started(
    script: Path, env: Mapping[str, str], folder: Path, port: int | None = None
) -> tuple[subprocess.Popen[bytes], str]:
    """`streamlit run script`, ready to answer, and its address."""
    port = port or _free_port()
    options = {
        "server.port": str(port),
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    # The app has set aside what is loaded; elsewhere Streamlit looks through all of it every time.
    if script != APP:
        options["runner.postScriptGC"] = "false"
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    for name, value in options.items():
        command += [f"--{name}", value]
    log = folder / "log.txt"
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=_fresh(env, folder), stdout=output, stderr=subprocess.STDOUT
        )
    address = f"http://127.0.0.1:{port}"
    _wait_until_healthy(process, address, log)
    return process, address


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _fresh(env: Mapping[str, str], home: Path) -> dict[str, str]:
    """Nothing of the developer's own settings reaches the server."""
    # Which kernels OpenBLAS takes decides the last digits, here and in the test alike.
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "LANG"} or name.startswith("OPENBLAS_")
    }
    # What nobody asked for takes the time of other tests.
    quiet = {"CML_EVIDENCE_UNASKED": "off"}
    return kept | {"HOME": str(home), "PYTHONPATH": str(ROOT)} | quiet | dict(env)


def _wait_until_healthy(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            # Nothing else tells when a port opens.
            time.sleep(0.05)
    process.kill()
    pytest.fail(f"Streamlit did not start:\n{log.read_text(errors='replace')}", pytrace=False)
