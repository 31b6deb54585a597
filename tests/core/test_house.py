"""The rules of the house, as ARCHITECTURE.md's table of storeys tells them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import cml_core

ROOT = Path(cml_core.__file__).parents[1]
LONGEST = 400
FORBIDDEN = {"streamlit", "plotly", "cml_app", "pages", "app", "matplotlib"}
VAGUE = {"utils", "util", "helpers", "misc", "common"}


@cache
def storeys() -> dict[str, int]:
    """Each room that the table names, by its dotted name, and how high it stands."""
    table = re.findall(r"^\| (\d+) \| ([^|]+) \|", (ROOT / "ARCHITECTURE.md").read_text(), re.M)
    return {
        name.rstrip("/").replace("/", "."): int(storey)
        for storey, rooms in table
        for name in re.findall(r"`([\w/]+)`", rooms)
    }


@cache
def modules(package: str = "cml_core") -> dict[str, ast.Module]:
    """Every module of a package by its dotted name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def room_of(module: str) -> str | None:
    """The innermost room of the table that a module stands in."""
    inside = [room for room in storeys() if f"{module}.".startswith(f"{room}.")]
    return max(inside, key=len, default=None)


def imported(tree: ast.Module, package: str = "cml_core") -> Iterator[str]:
    """What is imported anywhere in a module of a package, by its dotted name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "a relative import"
            full = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules(package) else str(node.module) for name in full)


def test_every_module_stands_in_a_room_of_the_table_and_every_room_is_there() -> None:
    lost = [name for name in modules() if name != "cml_core.__init__" and room_of(name) is None]
    empty = [r for r in storeys() if not any(f"{m}.".startswith(f"{r}.") for m in modules())]
    assert (lost, empty) == ([], [])


def test_no_import_goes_upwards() -> None:
    upwards = [
        f"{name} imports {other}"
        for name, tree in modules().items()
        if name != "cml_core.__init__"
        for other in imported(tree)
        if other.startswith("cml_core")
        and storeys()[room_of(other) or ""] > storeys()[room_of(name) or ""]
    ]
    assert upwards == []


@pytest.mark.parametrize("package", ["cml_core", "cml_app"])
def test_imports_never_go_round_in_a_circle(package: str) -> None:
    uses = {name: set(imported(tree, package)) for name, tree in modules(package).items()}
    # Raises `CycleError`, which names the circle.
    TopologicalSorter(uses).prepare()


def test_the_core_knows_no_user_interface_and_takes_scikit_learn_only_when_asked() -> None:
    for name, tree in modules().items():
        packages = {other.split(".")[0] for other in imported(tree)}
        assert not packages & FORBIDDEN, name
        at_once = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
        top = ast.Module(at_once, [])
        assert not any(other.split(".")[0] == "sklearn" for other in imported(top)), name


def test_every_module_says_what_it_is_for_is_short_and_prints_nothing() -> None:
    for name, tree in modules().items():
        path = ROOT / f"{name.replace('.', '/')}.py"
        assert ast.get_docstring(tree), name
        assert len(path.read_text("utf-8").splitlines()) <= LONGEST, name
        assert path.stem not in VAGUE
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        assert not [f for f in calls if isinstance(f, ast.Name) and f.id in ("print", "input")]


def test_every_public_name_has_a_docstring_of_its_own() -> None:
    for name in cml_core.__all__:
        doc = getattr(cml_core, name).__doc__
        # A dataclass without one is given its signature, which explains nothing.
        assert doc, name
        assert not doc.startswith(f"{name}(")


def test_every_parameter_of_a_public_name_is_explained() -> None:
    for name in ("ConditionalMDS", "ConditionalIsomap", "Problem", "Feature", "fit"):
        thing = getattr(cml_core, name)
        text = " ".join((thing.__doc__ or "").split())
        if name == "ConditionalIsomap":
            text += cml_core.ConditionalMDS.__doc__ or ""
        unexplained = [p for p in inspect.signature(thing).parameters if p not in text]
        assert unexplained == [], name
