"""False alarms are counted by all processors as they are by one, and a stopped count goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import calibration_alarms as alarms

pytestmark = pytest.mark.slow
CELLS = (("distances", "pairs", ("ratio", "ordinal")),)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two kinds of cells of few objects, in rounds of one data set and of three."""
    monkeypatch.setattr(alarms, "CELLS", CELLS)
    monkeypatch.setattr(alarms, "SIZES", (12,))
    monkeypatch.setattr(alarms, "ROUNDS", ((12, 1), (12, 4)))


def counted(
    processes: int | None, where: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[alarms.Cell, alarms.Count]:
    monkeypatch.setattr(alarms, "COUNTS", where)
    monkeypatch.setattr(alarms, "processes", lambda: processes)
    alarms.alarms_calibration(4)
    return alarms.kept()


def test_all_processors_count_what_one_counts_and_go_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = counted(None, tmp_path / "alone.csv", monkeypatch)
    assert {(cell.alarms_are_false, count.data_sets) for cell, count in alone.items()} == {
        (True, 4),
        (False, 1),
    }
    keep, together = alarms.keep, tmp_path / "together.csv"
    monkeypatch.setattr(alarms, "keep", lambda counts: (keep(counts), stop_at(3, counts)))
    with pytest.raises(KeyboardInterrupt):
        counted(2, together, monkeypatch)
    assert sum(one.data_sets for one in alarms.kept().values()) == 3
    monkeypatch.setattr(alarms, "keep", keep)
    assert counted(2, together, monkeypatch) == alone
    assert together.read_text() == (tmp_path / "alone.csv").read_text()


def stop_at(most: int, counts: dict[alarms.Cell, alarms.Count]) -> None:
    if sum(one.data_sets for one in counts.values()) == most:
        raise KeyboardInterrupt
