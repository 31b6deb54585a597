"""The app with a Dask cluster: the same results, and words where it breaks, with nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
import pytest
from distributed import Client
from many_tools import settled, table, visit_of
from page_tools import SECONDS, computed, field, page_of, press, said, tick, workspace_of
from streamlit.testing.v1 import AppTest

from benchmarks.dask_processes import Dask, running
from cml_app.many.held import held
from cml_core.evidence.hidden_feature import HiddenFeature, hidden_feature_test
from cml_core.evidence.result import ResultKind
from cml_core.fitting import cluster
from cml_core.fitting.landmarks import fit, partitions
from cml_core.fitting.landmarks.partitions import everyone
from cml_core.values.arrays import FloatArray

pytestmark = pytest.mark.slow
N, LANDMARKS, PART = 600, 150, 50


@pytest.fixture(scope="module")
def dask() -> Iterator[Dask]:
    with running(2) as dask:
        yield dask


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was done on a cluster; few objects go there in many parts."""
    monkeypatch.setattr(fit, "MORE_LANDMARKS", LANDMARKS)
    monkeypatch.setattr(partitions, "PARTITION", PART)
    monkeypatch.setattr(partitions, "WIDE", 1)
    done: list[str] = []
    results = cluster.Cluster.results

    def noted(self, function, common, tasks):  # type: ignore[no-untyped-def]
        for task, found in results(self, function, common, tasks):
            done.append(type(found).__name__)
            yield task, found

    monkeypatch.setattr(cluster.Cluster, "results", noted)
    yield done
    for one in cluster._NAMED.values():
        one.close()
        # It may go on calling for a while, at moments that it draws by the chance of all.
        until(lambda client=one._client: not client._connecting_to_scheduler)
    cluster._NAMED.clear()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "papers.parquet"
    parquet.write_table(table(N), path, row_group_size=PART)
    return path


def opened(app: AppTest, file: Path) -> AppTest:
    field(app, "Or a file or folder on this computer").set_value(str(file))
    press(app, "Look at it")
    how = next(one for one in app.selectbox if one.label == "Objects are compared by")
    return how.set_value("euclidean").run()


def until(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# Of each step its places, what it knows and what was found.
Kept = list[tuple[FloatArray, tuple[str, ...], list[str]]]


def assert_same(steps: Kept, others: Kept) -> None:
    for (places, *rest), (expected, *same) in zip(steps, others, strict=True):
        np.testing.assert_allclose(places, expected, atol=1e-5)
        assert rest == same


def kept(app: AppTest) -> Kept:
    visit = visit_of(app)
    steps = [step for step in visit.made.steps if held().map_of(visit.made, step.id)]
    return [
        (visit.map_at(one.id).places, one.known, [found.verdict for found in one.found])
        for one in steps
    ]


def stopped_before_placing(
    worker: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> threading.Event:
    """It is there, and does nothing more; tells when that is so."""
    stopped = threading.Event()

    def placed(*arguments: Any) -> Any:
        if not stopped.is_set():
            worker.send_signal(signal.SIGSTOP)
            stopped.set()
        return everyone(*arguments)

    monkeypatch.setattr(fit, "everyone", placed)
    return stopped


def test_a_map_a_step_and_evidence_are_the_same_though_a_worker_dies_in_the_middle(
    many: AppTest, file: Path, dask: Dask, sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(press(opened(many, file), "Make the map"))
    settled(press(settled(tick(many, "topic")), "Judge this map"))
    here = kept(many)
    assert [(len(places), known, len(found)) for places, known, found in here] == [
        (N, (), 0),
        (N, ("topic",), 4),
    ]
    assert not sent
    held.clear()
    monkeypatch.setenv("CML_CLUSTER", dask.address)
    again = page_of("pages/6_Many.py").run()
    with Client(dask.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        names = {pid: name for name, pid in client.run(os.getpid).items()}
        settled(press(opened(again, file), "Make the map"))
        assert sent.count("Placed") == N // PART
        doomed = dask.workers[0]
        stopped = stopped_before_placing(doomed, monkeypatch)
        tick(again, "topic")
        job = visit_of(again).job
        assert job is not None
        # Of those that are to be placed it has been given some, and will never place them.
        until(stopped.is_set)
        until(lambda: client.processing()[names[doomed.pid]])
        assert not job.done
        doomed.kill()
        settled(again)
    settled(press(again, "Judge this map"))
    assert not again.exception
    assert not again.error
    assert {"tuple", "Placed", "Sums", "Asked"} == set(sent)
    assert_same(kept(again), here)


def test_a_scheduler_that_goes_away_is_told_in_words_and_nothing_is_lost(
    many: AppTest, file: Path, sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(press(opened(many, file), "Make the map"))
    settled(tick(many, "topic"))
    here = kept(many)
    held.clear()
    with running(1) as dask:
        monkeypatch.setenv("CML_CLUSTER", dask.address)
        again = page_of("pages/6_Many.py").run()
        settled(press(opened(again, file), "Make the map"))
        with Client(dask.address, set_as_default=False) as client:
            (name,) = client.nthreads()
            stopped = stopped_before_placing(dask.workers[0], monkeypatch)
            tick(again, "topic")
            until(stopped.is_set)
            until(lambda: client.processing()[name])
        dask.scheduler.kill()
        settled(again)
        assert told(again) == [
            f"The scheduler at {dask.address} answered no more while it was at work."
        ]
    seconds = cluster.SECONDS_TO_ANSWER
    monkeypatch.setattr(cluster, "SECONDS_TO_ANSWER", 0.5)
    settled(press(again, "Try again"))
    assert told(again) == [f"No Dask scheduler answers at {dask.address}."]
    # All that was there before is.
    next(one for one in again.button if one.label.startswith("**Nothing known**")).click()
    settled(again.run())
    assert "With nothing taken out, this map leaves" in said(again)
    settled(press(again, "Judge this map"))
    assert told(again) == [f"No Dask scheduler answers at {dask.address}."] * 3
    assert len(visit_of(again).made.step.found) == 1
    monkeypatch.setattr(cluster, "SECONDS_TO_ANSWER", seconds)
    with running(1, int(dask.address.rsplit(":", 1)[1])):
        settled(tick(again, "topic"))
        assert not again.error
        assert_same([(*one[:2], []) for one in kept(again)], here)


def told(app: AppTest) -> list[str]:
    assert not app.exception
    return [one.value.replace("\\", "").split("**")[1] for one in app.error]


def test_the_evidence_page_says_the_same_by_a_cluster(
    begun_anew: None, dask: Dask, sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CML_CLUSTER", dask.address)
    monkeypatch.delenv("CML_EVIDENCE_WORKERS")
    app = tick(page_of().run(), "Gender")
    app.switch_page("pages/3_Evidence.py").run()
    app.number_input(key="count-HiddenFeature").set_value(19).run()
    computed(press(app, "Test for one more"))
    assert not app.error
    step = workspace_of(app).step
    found = step.result(ResultKind(HiddenFeature))
    assert isinstance(found, HiddenFeature)
    assert len(sent) >= 19
    here = hidden_feature_test(step.fit, workers=1, resamples=19, seed=0)
    assert found.lowered == pytest.approx(here.lowered)
    assert found.p_value == here.p_value
