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
WRITTEN = re.findall(
    r"^\t\$\(COMPILE\) (.*) --output-file (\S+)$", (ROOT / "Makefile").read_text("utf-8"), re.M
)


def asked(options: str) -> list[str]:
    """What the Makefile has pinned: the project and its extras, or groups."""
    extras = PROJECT["project"]["optional-dependencies"]
    groups = PROJECT["dependency-groups"]
    own = PROJECT["project"]["dependencies"] if "pyproject.toml" in options else []
    of_extras = (extras[name] for name in re.findall(r"--extra (\S+)", options))
    of_groups = (groups[name] for name in re.findall(r"--group (\S+)", options))
    return [*own, *chain(*of_extras, *of_groups)]


def entries(file: Path) -> list[tuple[Requirement, list[str]]]:
    """Each requirement of a file with its digests."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    whole = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [
        (Requirement(entry.partition(" --hash=")[0]), re.findall(r"--hash=(\S+)", entry))
        for entry in whole
    ]


def test_each_file_of_pins_is_one_that_the_makefile_writes() -> None:
    assert sorted(name for _, name in WRITTEN) == [file.name for file in FILES]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_requirement_is_one_version_known_by_its_digests(file: Path) -> None:
    assert "://" not in file.read_text("utf-8"), "where it comes from is for the installer to say"
    for requirement, digests in entries(file):
        (only,) = requirement.specifier
        assert (only.operator, "*" in only.version) == ("==", False), requirement
        assert digests, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in digests), requirement


@pytest.mark.parametrize(("options", "name"), WRITTEN)
def test_what_pyproject_asks_for_is_pinned_within_its_range(options: str, name: str) -> None:
    pinned = {canonicalize_name(one.name): one for one, _ in entries(ROOT / name)}
    wanted = [Requirement(text) for text in asked(options)]
    assert wanted
    for one in wanted:
        if one.name != PROJECT["project"]["name"]:
            (only,) = pinned[canonicalize_name(one.name)].specifier
            assert one.specifier.contains(only.version, prereleases=True), one


def test_all_files_agree_so_that_they_can_be_installed_together() -> None:
    versions = defaultdict(set)
    for file in FILES:
        for requirement, _ in entries(file):
            where = (canonicalize_name(requirement.name), "python" in str(requirement.marker))
            versions[where].add(f"{requirement.specifier} {requirement.marker or ''}".strip())
    apart = [found for (_, forks), found in versions.items() if not forks and len(found) > 1]
    assert apart == []
