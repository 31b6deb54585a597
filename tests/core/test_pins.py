"""What is installed: exactly what is pinned, known by its digests, and what pyproject.toml asks."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("requirements*.txt"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str]] = PROJECT["dependency-groups"]
# What the Makefile has pinned of each.
ASKED = {
    "requirements.txt": [*PROJECT["project"]["dependencies"], *chain(*EXTRAS.values())],
    "requirements-docs.txt": GROUPS["docs"],
    "requirements-test.txt": [
        *PROJECT["project"]["dependencies"],
        *EXTRAS["files"],
        *GROUPS["test"],
    ],
    "requirements-dev.txt": GROUPS["dev"],
    "requirements-tools.txt": GROUPS["tools"],
}


def entries(file: Path) -> list[tuple[Requirement, list[str]]]:
    """Each requirement of a file with its digests."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    whole = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [
        (Requirement(entry.partition(" --hash=")[0]), re.findall(r"--hash=(\S+)", entry))
        for entry in whole
    ]


def test_each_file_of_pins_is_one_that_the_makefile_writes() -> None:
    written = re.findall(r"--output-file (\S+)", (ROOT / "Makefile").read_text("utf-8"))
    assert sorted(written) == [file.name for file in FILES] == sorted(ASKED)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_requirement_is_one_version_known_by_its_digests(file: Path) -> None:
    assert "://" not in file.read_text("utf-8"), "where it comes from is for the installer to say"
    for requirement, digests in entries(file):
        (only,) = requirement.specifier
        assert (only.operator, "*" in only.version) == ("==", False), requirement
        assert digests, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in digests), requirement


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_pyproject_asks_for_is_pinned_within_its_range(file: Path) -> None:
    pinned = {canonicalize_name(one.name): one for one, _ in entries(file)}
    for text in ASKED[file.name]:
        asked = Requirement(text)
        if asked.name == PROJECT["project"]["name"]:
            continue
        (only,) = pinned[canonicalize_name(asked.name)].specifier
        assert asked.specifier.contains(only.version, prereleases=True), text


def test_all_files_agree_so_that_they_can_be_installed_together() -> None:
    versions = defaultdict(set)
    for file in FILES:
        for requirement, _ in entries(file):
            where = (canonicalize_name(requirement.name), "python" in str(requirement.marker))
            versions[where].add(f"{requirement.specifier} {requirement.marker or ''}".strip())
    apart = [found for (_, forks), found in versions.items() if not forks and len(found) > 1]
    assert apart == []
