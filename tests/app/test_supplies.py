"""What the app is made of: a bill of materials, and what is known of its faults."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cyclonedx import schema
from jsonschema import Draft7Validator
from referencing import Registry, Resource

ROOT = Path(__file__).parents[2]
PINS = ROOT / "requirements.txt"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "deploy" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    """As the command writes it."""
    command = [sys.executable, str(ROOT / "deploy" / "bill_of_materials.py"), str(PINS)]
    made = subprocess.run(command, check=True, capture_output=True)
    written: dict[str, Any] = json.loads(made.stdout)
    return written


def test_the_bill_of_materials_lists_all_that_is_pinned_with_its_digests(
    bill: dict[str, Any],
) -> None:
    listed = {f"{part['name']}=={part['version']}" for part in bill["components"]}
    text = PINS.read_text("utf-8")
    assert listed == set(re.findall(r"^([a-z0-9-]+==[^ ;]+)", text, re.MULTILINE))
    digests = {
        digest["content"]
        for part in bill["components"]
        for reference in part["externalReferences"]
        for digest in reference["hashes"]
    }
    assert digests == set(re.findall(r"sha256:([0-9a-f]{64})", text))


def test_the_bill_says_what_needs_what_and_under_which_licence(bill: dict[str, Any]) -> None:
    parts = {part["bom-ref"]: part for part in bill["components"]}
    needs = {one["ref"]: set(one["dependsOn"]) for one in bill["dependencies"]}
    assert needs.keys() == {"this", *parts}
    reached, more = set(), {"this"}
    while more:
        reached |= more
        more = set().union(*(needs[ref] for ref in more)) - reached
    # Nothing is pinned that nothing needs.
    assert reached == needs.keys()
    assert [ref for ref, part in parts.items() if not part.get("licenses")] == []


def test_the_bill_is_one_by_cyclonedx_own_schema(bill: dict[str, Any]) -> None:
    folder = Path(schema.__file__).parent / "_res"
    schemas = {
        file.name: json.loads(file.read_text("utf-8")) for file in folder.glob("*.schema.json")
    }
    registry: Registry[Any] = Registry(
        retrieve=lambda uri: Resource.from_contents(schemas[uri.rpartition("/")[2]])
    )
    wanted = schemas[f"bom-{bill['specVersion']}.SNAPSHOT.schema.json"]
    checker = Draft7Validator(wanted, registry=registry)
    assert [error.message for error in checker.iter_errors(bill)] == []
    assert list(checker.iter_errors(bill | {"components": [{"name": "of no type"}]}))


def test_only_where_all_was_asked_about_and_nothing_is_known_an_audit_ends_well() -> None:
    audit = script("audit")
    sound = {"name": "numpy", "version": "2.4.6", "vulns": []}
    unasked = {"name": "scipy", "skip_reason": "not found"}
    fault = {"id": "CVE-1", "fix_versions": ["3.2"]}
    faulty = {"name": "jinja2", "version": "3.1", "vulns": [fault]}
    assert audit.verdict([sound]) == (0, "In 1 packages no fault is known.")
    code, words = audit.verdict([sound, unasked])
    assert code == 2
    assert "Of 1 of 2 packages it could not be found out" in words
    assert "scipy" in words
    assert "no fault is known" not in words
    code, words = audit.verdict([sound, unasked, faulty])
    assert code == 1
    assert "jinja2 3.1: CVE-1 (mended in 3.2)" in words
