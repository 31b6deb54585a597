"""A copy of the program, to which something is added as someone would add it for good."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]


def copied_program(folder: Path) -> Path:
    """The folder, with a copy of both packages in it."""
    for package in ("cml_core", "cml_app"):
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return folder


def put_in(file: Path, before: str, after: str) -> None:
    """Write one text for another that stands in a file once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")
