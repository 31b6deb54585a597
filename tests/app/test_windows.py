"""What Windows lacks, no module of the app asks for when it is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# As Windows has them not: whoever imports one is told that there is none.
WITHOUT = """
import importlib, pkgutil, sys
for name in ("resource", "fcntl", "pwd", "grp"):
    sys.modules[name] = None
import cml_app
for one in pkgutil.walk_packages(cml_app.__path__, "cml_app."):
    if not one.name.endswith("__main__"):
        importlib.import_module(one.name)
from cml_app import metrics, system_limits
print(metrics.exposition().count("# TYPE"), system_limits.most_memory(), end=" ")
print(system_limits.largest_file())
"""


def test_the_app_can_be_imported_and_watched_where_there_is_no_resource() -> None:
    told = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.split()[1:] == ["0", "inf"]
