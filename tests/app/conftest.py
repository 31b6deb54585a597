"""A store, computations, or the app, of its own for every test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from evidence_tools import SETTINGS, Gate
from many_tools import DRAWN, N
from page_tools import page_of
from postgres import Cluster, running
from store_tools import opened
from streamlit.testing.v1 import AppTest

from cml_app import compute, evidence_job, this_server, tries, unasked, views_job
from cml_app.evidence_job import Computations
from cml_app.keeping.store import (
    Store,
)
from cml_app.many import held, job, judging, placing
from cml_app.panels.many import begin, look
from cml_app.point_map import PointMapState, PointScene
from cml_core import Problem, fit, load_dataset
from cml_core.evidence.shepard import Shepard, shepard


@pytest.fixture(scope="session", autouse=True)
def nobodys_projects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What asks for no store of its own does not find the projects of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("projects")
        patch.setenv("CML_DATABASE_URL", f"sqlite:///{folder}/projects.sqlite3")
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "projects.sqlite3"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with opened(file) as store:
        yield store


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """PostgreSQL, for all tests that ask for it."""
    with running() as cluster:
        yield cluster


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open.set()


@pytest.fixture
def computations() -> Computations:
    return Computations(SETTINGS)


@pytest.fixture(scope="session")
def kinship() -> Shepard:
    """All pairs of kinship terms, with two features known."""
    data = load_dataset("kinship14")
    table = data.feature_table().select(["Gender", "Degree"])
    return shepard(fit(Problem(data.values(), table)))


@pytest.fixture
def begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages that run in here keep projects where no one else does, and compute in this process.

    Nothing is computed that was not asked for, and every answer is waited for.
    """
    monkeypatch.setattr(compute, "PATIENCE", 60.0)
    monkeypatch.setenv("CML_DATABASE_URL", f"sqlite:///{tmp_path}/projects.sqlite3")
    monkeypatch.setenv("CML_EVIDENCE_WORKERS", "1")
    monkeypatch.setenv("CML_EVIDENCE_UNASKED", "off")
    kept = (
        this_server.settings,
        this_server.store,
        evidence_job.computations,
        unasked.unasked,
        views_job.views,
        tries.tries,
        held.held,
        job.places,
        judging.judgements,
        placing.placings,
    )
    for one in kept:
        one.clear()
    yield
    for one in kept:
        one.clear()


@pytest.fixture
def app(begun_anew: None) -> AppTest:
    return page_of().run()


@pytest.fixture
def many(begun_anew: None, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page, with few buyers to begin with, and a map on which tests draw."""
    monkeypatch.setattr(begin, "SIZES", (N,))
    monkeypatch.setenv("CML_LOCAL_FILES", "on")

    def drawn(scene: PointScene, **_: object) -> PointMapState:
        return PointMapState(scene.map_id, scene.tool, **DRAWN)  # type: ignore[arg-type]

    monkeypatch.setattr(look, "point_map", drawn)
    DRAWN.clear()
    return page_of("pages/6_Many.py").run()
