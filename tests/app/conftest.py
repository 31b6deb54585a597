"""A store of its own for every test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_tools import opened

from cml_app.store import (
    Store,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "projects.sqlite3"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with opened(file) as store:
        yield store
