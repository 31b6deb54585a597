"""The same work on a Dask cluster: the same results, and words where it breaks."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from scipy.spatial.distance import pdist

from cml_core import (
    ConditionalMDS,
    Dissimilarities,
    Feature,
    FeatureTable,
    LandmarkFit,
    LargeProblem,
    Measurements,
    Problem,
    fit,
    fit_landmarks,
    on_cluster,
)
from cml_core.evidence.large.baseline import baseline
from cml_core.evidence.large.one_more import sample_help
from cml_core.evidence.lowered import left_by_chance
from cml_core.evidence.work import Cancelled, Stage, each, one_by_one
from cml_core.fitting import cluster as module
from cml_core.fitting.cluster import Cluster, ClusterUnavailable, cluster_at_hand
from cml_core.fitting.landmarks import new_objects as placing_new
from cml_core.fitting.landmarks import partitions
from cml_core.fitting.landmarks.new_objects import new_objects
from cml_core.values.rows.beside import BesideRows
from cml_core.values.rows.chosen import chosen
from cml_core.values.rows.registry import rows_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Two workers, each a process; a task may end one of them and is then tried once more."""
    import dask
    from distributed import LocalCluster

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as local,
    ):
        yield local.scheduler_address


@pytest.fixture(scope="module")
def cluster(address: str) -> Iterator[Cluster]:
    with on_cluster(address) as cluster:
        yield cluster


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "PARTITION", 400)


def answers() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Measurements with a column of groups, and known features with gaps."""
    random = np.random.default_rng(3)
    inner = random.normal(size=(1500, 4))
    X = inner @ random.normal(size=(4, 6)) + 0.1 * random.normal(size=(1500, 6))
    age = inner[:, 0].copy()
    age[::50] = np.nan
    rows = pd.DataFrame(X, columns=list("abcdef"))
    return rows, pd.DataFrame({"age": age, "group": np.array(["x", "y", "z"])[np.arange(1500) % 3]})


def mapped(values: object, measure: str = "euclidean") -> LandmarkFit:
    model = ConditionalMDS(2, solver="landmarks", n_landmarks=300, random_state=0)
    model.fit(Measurements(values, measure), answers()[1])
    assert isinstance(model.fit_, LandmarkFit)
    return model.fit_


def assert_same(one: LandmarkFit, other: LandmarkFit) -> None:
    # Beyond the rounding of single precision.
    np.testing.assert_allclose(one.embedding, other.embedding, atol=1e-6)
    np.testing.assert_allclose(one.known_values, other.known_values, atol=1e-6)
    np.testing.assert_allclose(one.placed.unexplained, other.placed.unexplained, atol=1e-6)
    np.testing.assert_allclose(one.placed.nearest, other.placed.nearest, atol=1e-6)
    assert one.sampled.stress == pytest.approx(other.sampled.stress, rel=1e-6)


def test_a_map_is_the_same_wherever_its_objects_are_placed(
    cluster: Cluster, small_parts: None, tmp_path: Path
) -> None:
    rows, _ = answers()
    here = mapped(rows)
    pa.parquet.write_table(pa.table(rows), tmp_path / "rows.parquet", row_group_size=200)
    np.save(tmp_path / "rows.npy", rows.to_numpy())
    with on_cluster(cluster.address):
        for values in (rows, rows.to_numpy(), tmp_path / "rows.parquet", tmp_path / "rows.npy"):
            assert_same(mapped(values), here)


def test_groups_are_counted_alike_in_every_part(
    cluster: Cluster, small_parts: None, tmp_path: Path
) -> None:
    rows, _ = answers()
    rows["place"] = [*["north"] * 700, *["south"] * 800]
    for name, part in (("1", rows[:700]), ("2", rows[700:])):
        pa.parquet.write_table(
            pa.Table.from_pandas(part, preserve_index=False), tmp_path / f"{name}.parquet"
        )
    with on_cluster(cluster.address):
        assert_same(mapped(tmp_path, "gower"), mapped(rows, "gower"))
    assert_same(mapped(tmp_path, "gower"), mapped(rows, "gower"))


def test_whoever_does_not_see_the_file_is_sent_its_rows(
    cluster: Cluster, small_parts: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, _ = answers()
    np.save(tmp_path / "rows.npy", rows.to_numpy())
    here = mapped(rows)
    model = Measurements(tmp_path / "rows.npy")
    # On the way to the workers the file becomes another one.
    monkeypatch.setattr(type(model.rows.place), "__reduce__", elsewhere)
    with on_cluster(cluster.address):
        assert_same(mapped(tmp_path / "rows.npy"), here)


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("file", ["rows.npy", "rows.parquet"])
def test_all_objects_are_added_up_by_who_sees_their_file_and_all_others_here(
    cluster: Cluster,
    wide: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    seen: bool,
) -> None:
    rows, _ = answers()
    pa.parquet.write_table(pa.table(rows), tmp_path / "rows.parquet", row_group_size=200)
    np.save(tmp_path / "rows.npy", rows.to_numpy())
    here = baseline(mapped(rows))
    one = mapped(tmp_path / file)
    if not seen:
        place = type(one.problem.measurements.rows.place)
        monkeypatch.setattr(place, "__reduce__", elsewhere)
    with on_cluster(cluster.address), sent(monkeypatch) as parts:
        there = baseline(one)
    # The rows of those who judge are taken from the parts, and all are added up.
    assert len(parts) == 8
    assert there.correlations.min() > 0.1
    np.testing.assert_allclose(there.correlations, here.correlations, atol=1e-5)
    assert there.linear == pytest.approx(here.linear, rel=1e-5)


@pytest.fixture
def wide(small_parts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many columns, as far as the program knows."""
    monkeypatch.setattr(partitions, "WIDE", 6)


@contextmanager
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """What goes to a cluster."""
    parts: list[object] = []
    results = Cluster.results

    def counted(self, function, common, tasks):
        for task, found in results(self, function, common, tasks):
            parts.append(task)
            yield task, found

    with monkeypatch.context() as counting:
        counting.setattr(Cluster, "results", counted)
        yield parts


def test_rows_that_others_take_out_are_those_that_are_taken_here_in_the_order_asked_for(
    cluster: Cluster, wide: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, _ = answers()
    rows["place"] = [*["north"] * 700, *["south"] * 800]
    for name, part in (("1", rows[:700]), ("2", rows[700:])):
        pa.parquet.write_table(
            pa.Table.from_pandas(part, preserve_index=False), tmp_path / f"{name}.parquet"
        )
    measured = Measurements(tmp_path, "gower")
    places = np.random.default_rng(0).permutation(1500)[:40]
    with on_cluster(cluster.address), sent(monkeypatch) as parts:
        there = partitions.taken(measured, places)
    assert parts
    np.testing.assert_array_equal(there, measured.taken(places))
    np.testing.assert_array_equal(there, Measurements(rows, "gower").taken(places))


def test_rows_in_memory_are_not_sent_to_be_added_up_nor_few_columns(
    cluster: Cluster, wide: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, _ = answers()
    np.save(tmp_path / "rows.npy", rows.to_numpy())
    narrow = mapped(tmp_path / "rows.npy")
    some = (
        chosen(rows_of(part), list(part.columns)) for part in (rows[["a"]], rows[list("bcdef")])
    )
    held = (rows, rows.to_numpy(), [rows[:700], rows[700:]], BesideRows(tuple(some)))
    in_memory = [mapped(values) for values in held]
    with on_cluster(cluster.address), sent(monkeypatch) as parts:
        told = [baseline(one).linear for one in in_memory]
        monkeypatch.setattr(partitions, "WIDE", 7)
        told.append(baseline(narrow).linear)
    assert not parts
    assert told == pytest.approx([told[0]] * 5, rel=1e-5)


def elsewhere(place):
    from cml_core.values.rows.rows import Place

    return Place, (place.path.with_name("nowhere.npy"), place.size, place.changed)


def test_new_objects_are_placed_there_where_they_are_many_and_lie_where_they_would_here(
    cluster: Cluster, small_parts: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(placing_new, "PARTITION", 400)
    rows, known = answers()
    fitted = mapped(rows.to_numpy())
    np.save(tmp_path / "new.npy", rows.to_numpy()[::-1] + 0.01)
    new, beside = Measurements(tmp_path / "new.npy"), known[::-1].reset_index(drop=True)
    here = new_objects(fitted, new, beside)
    done: list[int] = []
    with on_cluster(cluster.address), sent(monkeypatch) as parts:
        there = new_objects(fitted, new, beside, on_block=done.append)
        assert len(parts) == 4
        few = new_objects(fitted, Measurements(rows.to_numpy()[:400]), known[:400])
    assert len(parts) == 4
    assert done[-1] == 1500
    for name in ("embedding", "known_values", "unexplained", "outside"):
        np.testing.assert_allclose(getattr(there, name), getattr(here, name), atol=1e-5)
    np.testing.assert_allclose(few.embedding, fitted.embedding[:400], atol=1e-2)


def test_a_cancelled_fit_keeps_what_was_placed(cluster: Cluster, small_parts: None) -> None:
    rows, known = answers()
    measured = Measurements(rows)
    problem = LargeProblem(measured, FeatureTable.from_frame(known.set_axis(measured.names)))
    with on_cluster(cluster.address):
        one = fit_landmarks(
            problem, n_landmarks=100, seed=0, on_step=lambda step: step.placed >= 400
        )
    assert np.isnan(one.embedding[:, 0]).sum() in {1100, 1200}
    assert one.stopped == "cancelled"


def squared(number: int) -> int:
    return number**2


def test_evidence_comes_in_the_order_of_its_tasks_and_is_reported(cluster: Cluster) -> None:
    seen: list[Stage] = []
    with on_cluster(cluster.address):
        found = each(squared, range(40), doing="Squaring", on_step=lambda s: seen.append(s))
        assert found == [number**2 for number in range(40)]
        with pytest.raises(Cancelled, match="of 40"):
            each(squared, range(40), doing="Squaring", on_step=lambda stage: stage.done == 2)
        elsewhere = each(process, range(6), doing="")
        assert os.getpid() not in elsewhere
        assert set(each(process, range(2), doing="", workers=1)) == {os.getpid()}
    assert [stage.done for stage in seen] == list(range(1, 41))


def test_results_one_by_one_are_in_the_order_of_their_tasks_whoever_is_first(
    cluster: Cluster,
) -> None:
    with on_cluster(cluster.address):
        found = list(one_by_one(squared_late_if_first, range(20)))
    assert found == [number**2 for number in range(20)]


def squared_late_if_first(number: int) -> int:
    time.sleep(0 if number else 0.5)
    return number**2


def process(_: int) -> int:
    return os.getpid()


def test_evidence_of_a_sample_is_the_same_and_takes_no_more_than_the_sample_there(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, known = answers()
    measured = Measurements(rows)
    problem = LargeProblem(measured, FeatureTable.from_frame(known.set_axis(measured.names)))
    here = sample_help(problem, shuffles=1)
    for whole in (Measurements, FeatureTable):
        monkeypatch.setattr(whole, "__reduce__", stays_here)
    with on_cluster(cluster.address):
        there = sample_help(problem, shuffles=1)
    assert [one.name for one in there.asked] == ["", "age", "group"]
    for one, other in zip(there.asked, here.asked, strict=True):
        np.testing.assert_allclose(astuple(one)[1:], astuple(other)[1:], rtol=1e-5)


def stays_here(_: object) -> str:
    raise AssertionError("The whole table is sent away.")


def test_the_line_below_a_map_is_found_before_a_cluster_would_answer(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Dissimilarities.from_condensed(pdist(answers()[0][:20]))
    before = fit(Problem(table, FeatureTable(table.labels)), seed=0)
    drawn = replace(Feature.numeric("drawn", before.embedding[:, 0]), read_off_map=True)
    after = fit(before.problem.knowing(drawn), seed=0)
    here = left_by_chance(before, after)
    assert here is not None
    with on_cluster(cluster.address), sent(monkeypatch) as parts:
        assert left_by_chance(before, after) == here
    assert not parts


def test_what_a_task_spreads_in_turn_stays_with_its_worker(cluster: Cluster) -> None:
    with on_cluster(cluster.address):
        assert each(spread_again, [1, 2], doing="") == [[0, 1], [0, 1]]


def spread_again(_: int) -> list[int]:
    os.environ["CML_CLUSTER"] = "tcp://127.0.0.1:9"
    return each(squared, range(2), doing="")


def test_a_worker_that_dies_has_its_task_done_again(cluster: Cluster, tmp_path: Path) -> None:
    tasks = [tmp_path / f"{k}" for k in range(6)]
    tasks[2] = tmp_path / "fatal"
    with on_cluster(cluster.address):
        assert each(dies_once, tasks, doing="") == [path.name for path in tasks]
    assert (tmp_path / "fatal").exists()


def dies_once(path: Path) -> str:
    if path.name == "fatal" and not path.exists():
        path.touch()
        os._exit(1)
    return path.name


def test_a_task_that_ends_every_worker_is_told_in_words(cluster: Cluster) -> None:
    with on_cluster(cluster.address), pytest.raises(ClusterUnavailable) as error:
        each(dies, [0], doing="")
    assert "ended every worker" in error.value.fact
    assert "more memory" in error.value.remedy


def dies(_: int) -> None:
    os._exit(1)


def test_what_is_wrong_with_a_task_is_told_as_it_is_here(cluster: Cluster) -> None:
    with on_cluster(cluster.address), pytest.raises(ZeroDivisionError):
        each(divided, [1, 0, 2], doing="")


def divided(number: int) -> float:
    return 1 / number


@pytest.mark.parametrize("kind", [FileNotFoundError, TimeoutError, CancelledError])
def test_what_a_task_lacks_is_not_laid_to_the_scheduler(
    cluster: Cluster, kind: type[Exception]
) -> None:
    with on_cluster(cluster.address), pytest.raises(kind, match="of the task") as error:
        each(raises, [kind], doing="")
    assert not isinstance(error.value, ClusterUnavailable)


def raises(kind: type[Exception]) -> None:
    raise kind("of the task")


def test_a_file_that_cannot_be_read_on_the_way_to_the_workers_is_told_as_it_is(
    cluster: Cluster,
) -> None:
    def tasks() -> Iterator[int]:
        yield 1
        raise FileNotFoundError("no such file")

    with pytest.raises(FileNotFoundError, match="no such file"):
        list(cluster.results(added, 1, tasks()))


def added(one: int, other: int) -> int:
    return one + other


def test_workers_that_join_later_have_work_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(module, "LOOK_EVERY", 0.05)
    taken: list[int] = []
    opened = tmp_path / "opened"

    def tasks() -> Iterator[Path]:
        for number in range(40):
            taken.append(number)
            yield opened

    def join() -> int:
        try:
            until(lambda: len(taken) == module.AHEAD)
            local.scale(3)
            until(lambda: len(taken) > module.AHEAD)
            until(lambda: len(taken) == 3 * module.AHEAD)
        finally:
            opened.touch()
        return len(taken)

    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as local,
        on_cluster(local.scheduler_address) as cluster,
        ThreadPoolExecutor(1) as pool,
    ):
        joined = pool.submit(join)
        assert len(list(cluster.results(once_opened, 0.01, tasks()))) == 40
        joined.result()


def once_opened(pause: float, path: Path) -> None:
    while not path.exists():
        time.sleep(pause)


def until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_environment_names_a_cluster_and_one_that_was_asked_for_comes_first(
    address: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = cluster_at_hand()
    assert asked is not None
    monkeypatch.setenv("CML_CLUSTER", address)
    token = module._ASKED.set(None)
    try:
        named = cluster_at_hand()
        assert named is cluster_at_hand()
        assert named is not None
        named.close()
        again = cluster_at_hand()
        assert again is not named
        assert again is not None
        again.close()
        monkeypatch.setenv("CML_CLUSTER", " ")
        assert cluster_at_hand() is None
    finally:
        module._ASKED.reset(token)


def test_an_address_where_nobody_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS_TO_ANSWER", 0.5)
    with pytest.raises(ClusterUnavailable) as error, on_cluster("tcp://127.0.0.1:9"):
        pass
    assert error.value.fact == "No Dask scheduler answers at tcp://127.0.0.1:9."
    assert "dask scheduler" in error.value.remedy
    with pytest.raises(ClusterUnavailable, match="No Dask scheduler"), on_cluster("nonsense"):
        pass


def test_a_cluster_without_the_package_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterUnavailable, match=r"whatsleft\[cluster\]"):
        Cluster("tcp://127.0.0.1:9")


def test_a_cluster_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(module, "SECONDS_WITHOUT_WORKERS", 0.3)
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as local,
        on_cluster(local.scheduler_address),
        pytest.raises(ClusterUnavailable, match="no workers for"),
    ):
        each(squared, [1], doing="")
