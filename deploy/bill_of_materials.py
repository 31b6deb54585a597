"""What the app is made of, as a bill of materials in CycloneDX's form (JSON, version 1.6).

`.venv/bin/python deploy/bill_of_materials.py requirements.txt` writes it to the standard output:
every package that is pinned, with the digests of its files; and of those that are installed here,
its licence and what it needs itself. The same pins and packages give the same text.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
_PINNED = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^ ;\\]+)(?P<rest>(?:.*\\\n)*.*)", re.MULTILINE
)

Entry = dict[str, Any]


def bill(requirements: str, project: Entry) -> Entry:
    """The bill of what a file of requirements pins, for the project of a pyproject.toml."""
    parts = [_component(found) for found in _PINNED.finditer(requirements)]
    references = {part["name"]: part["bom-ref"] for part in parts}
    whole = {
        "type": "application",
        "bom-ref": "this",
        "name": project["name"],
        "version": project["version"],
        "description": project["description"],
        "licenses": [{"license": {"id": project["license"]}}],
    }
    wanted = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    extras = {one.name: one.extras for one in map(Requirement, wanted)}
    needs = {"this": _needed(wanted, references)}
    for part in parts:
        asked = _requires(part)
        needs[part["bom-ref"]] = _needed(asked, references, extras.get(part["name"], set()))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": whole},
        "components": parts,
        "dependencies": [{"ref": ref, "dependsOn": on} for ref, on in needs.items()],
    }


def _component(pinned: re.Match[str]) -> Entry:
    name, version = canonicalize_name(pinned["name"]), pinned["version"]
    package = f"pkg:pypi/{name}@{version}"
    digests = re.findall(r"--hash=sha256:([0-9a-f]{64})", pinned["rest"])
    files = {
        # A package has a file for each platform; CycloneDX keeps their digests with a reference.
        "type": "distribution",
        "url": package,
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in digests],
    }
    part = {"type": "library", "bom-ref": package, "name": name, "version": version}
    part |= {"purl": package, "externalReferences": [files]}
    return part | _licence(_installed(part))


def _installed(part: Entry) -> metadata.Distribution | None:
    try:
        found = metadata.distribution(part["name"])
    except metadata.PackageNotFoundError:
        return None
    return found if found.version == part["version"] else None


def _licence(package: metadata.Distribution | None) -> Entry:
    """As the package tells it: an expression, else what its author wrote on one line."""
    if package is None:
        return {}
    told = package.metadata.json
    if expression := told.get("license_expression"):
        return {"licenses": [{"expression": expression}]}
    words = str(told.get("license") or "").strip()
    if not words or "\n" in words:
        kinds = [kind for kind in told.get("classifier", ()) if kind.startswith("License ::")]
        words = ", ".join(kind.rpartition(" :: ")[2] for kind in kinds)
    return {"licenses": [{"license": {"name": words}}]} if words else {}


def _requires(part: Entry) -> list[str]:
    package = _installed(part)
    return list(package.requires or []) if package else []


def _needed(
    requirements: list[str], references: dict[str, str], extras: Iterable[str] = ()
) -> list[str]:
    """What is pinned of what is required here, with the extras that were asked for."""
    needed = set()
    for requirement in map(Requirement, requirements):
        reference = references.get(canonicalize_name(requirement.name))
        marker = requirement.marker
        if reference and (not marker or any(marker.evaluate({"extra": e}) for e in ("", *extras))):
            needed.add(reference)
    return sorted(needed)


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pins = Path(sys.argv[1]).read_text("utf-8")
    json.dump(bill(pins, project), sys.stdout, indent=1)
