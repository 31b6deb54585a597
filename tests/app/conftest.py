"""A store, or computations, of its own for every test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from evidence_tools import SETTINGS, Gate
from store_tools import opened

from cml_app.evidence_job import Computations
from cml_app.keeping.store import (
    Store,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "projects.sqlite3"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with opened(file) as store:
        yield store


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open.set()


@pytest.fixture
def computations() -> Computations:
    return Computations(SETTINGS)
