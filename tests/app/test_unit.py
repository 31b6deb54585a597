"""The systemd unit: known to systemd, and shut off from what the app has no use for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[2] / "deploy" / "cml.service"
# Of systemd's ten; what is left is the network, and code that is compiled while it runs.
MOST_EXPOSED = 2.0


def test_the_unit_gives_up_what_the_app_has_no_use_for() -> None:
    told = dict(
        line.split("=", 1)
        for line in UNIT.read_text("utf-8").splitlines()
        if "=" in line and not line.startswith(("#", "Environment"))
    )
    assert told["CapabilityBoundingSet"] == ""
    assert told["SystemCallFilter"] == "@system-service"
    assert told["NoNewPrivileges"] == told["RestrictNamespaces"] == "yes"
    # The solvers are compiled while it runs.
    assert "MemoryDenyWriteExecute" not in told


def test_systemd_understands_the_unit_and_finds_it_little_exposed(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.fail("There is no systemd-analyze. `make systemd` gets Debian's.", pytrace=False)
    copy = tmp_path / UNIT.name
    text = UNIT.read_text("utf-8")
    copy.write_text(text.replace("/opt/cml/.venv/bin/streamlit", shutil.which("true") or ""))
    verified = subprocess.run(
        # A machine may have faults in units of its own.
        [analyze, "verify", "--recursive-errors=no", copy],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (verified.returncode, UNIT.name in verified.stderr) == (0, False), verified.stderr
    threshold = f"--threshold={round(10 * MOST_EXPOSED)}"
    command = [analyze, "security", "--offline=true", threshold, copy]
    scored = subprocess.run(command, capture_output=True, text=True, check=False)
    assert scored.returncode == 0, scored.stdout
