"""The benchmark of two servers is believed only where it can fail."""

from __future__ import annotations

import pytest

from benchmarks.two_servers import Noted, end


def test_a_run_that_lost_something_ends_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    end(Noted(answered=3), 20)
    assert "lost: nothing" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        end(Noted(answered=3, lost=["visitor 2 found no server"]), 20)
    assert ended.value.code == 1
    assert "lost: visitor 2 found no server" in capsys.readouterr().out
