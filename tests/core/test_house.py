"""The rules of the house: who may import whom, and how large a room may grow."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import cml_core

CORE = Path(cml_core.__file__).parent
MODULES = sorted(CORE.rglob("*.py"))
LONGEST = 400

# A module may import those on lower storeys and its neighbours, never those above it.
STOREYS = {"kernels": 0, "solvers": 1, "fit": 2}
STOREYS |= dict.fromkeys(("estimators", "evidence", "journey", "export"), 3)
# What a solver works on are arrays: it knows nothing of problems, results, or who asks.
ABOVE_SOLVERS = {"fit", "estimators", "problem", "result", "features", "dissimilarities"}


def name_of(path: Path) -> str:
    return str(path.relative_to(CORE).with_suffix("")).replace("/", ".")


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[str]:
    """Every module that is imported anywhere in a file."""
    names = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def rooms(path: Path) -> set[str]:
    """The first part of each of the core's own modules that a file imports."""
    parts = (name.split(".") for name in imported(path) if name.startswith("cml_core."))
    return {part[1] for part in parts}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_core_knows_neither_streamlit_nor_plotly_nor_the_app(path):
    packages = {name.split(".")[0] for name in imported(path)}
    assert not packages & {"streamlit", "plotly", "cml_app", "pages", "app", "matplotlib"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_scikit_learn_is_not_imported_until_it_is_asked_for(path):
    at_once = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in tree_of(path).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert not any(name.split(".")[0] == "sklearn" for name in at_once)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_core_prints_nothing(path):
    calls = [node.func for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
    assert not [f for f in calls if isinstance(f, ast.Name) and f.id in ("print", "input")]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_downwards(path):
    own = name_of(path).split(".")[0]
    if own in STOREYS:
        above = {room for room, storey in STOREYS.items() if storey > STOREYS[own]}
        assert not rooms(path) & above
    if own in ("kernels", "solvers"):
        assert not rooms(path) & ABOVE_SOLVERS
    if own == "kernels":
        assert not rooms(path)


def test_each_storey_stands_on_the_one_below():
    assert "fit" in rooms(CORE / "estimators.py")
    assert "solvers" in rooms(CORE / "fit.py")
    assert "kernels" in rooms(CORE / "solvers" / "objective.py")


def test_no_two_modules_import_each_other():
    uses = {path: {n.removeprefix("cml_core.") for n in imported(path)} for path in MODULES}
    names = {path: name_of(path) for path in MODULES}
    for one in MODULES:
        for other in MODULES:
            if one != other and names[one] != "__init__" and names[other] != "__init__":
                assert not (names[other] in uses[one] and names[one] in uses[other])


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_room_outgrows_the_house(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
    assert path.stem not in ("utils", "util", "helpers", "misc", "common")


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(tree_of(path))


@pytest.mark.parametrize("name", cml_core.__all__)
def test_every_public_name_exists_and_has_a_docstring_of_its_own(name):
    thing = getattr(cml_core, name)
    assert thing.__doc__
    # A dataclass without one is given its signature, which explains nothing.
    assert not thing.__doc__.startswith(f"{name}(")


@pytest.mark.parametrize(
    "name", ["ConditionalMDS", "ConditionalIsomap", "Problem", "Feature", "fit"]
)
def test_every_parameter_of_a_public_name_is_explained(name):
    thing = getattr(cml_core, name)
    text = " ".join((thing.__doc__ or "").split())
    if name == "ConditionalIsomap":
        text += cml_core.ConditionalMDS.__doc__ or ""
    for parameter in inspect.signature(thing).parameters:
        assert parameter in text, f"{name} does not explain {parameter}"
