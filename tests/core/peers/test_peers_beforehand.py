"""What is compiled before the first view is asked for is all that views need."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from peer_data import uniform

from cml_core.peers import METHODS, view
from cml_core.peers.beforehand import STAGES


def loops() -> dict[str, int]:
    """How many kinds of arguments each loop of the views was compiled for."""
    found = [one for one in gc.get_objects() if isinstance(one, Dispatcher) and one.targetoptions]
    return {
        one.py_func.__name__: len(one.signatures)
        for one in found
        if one.py_func.__module__.startswith("cml_core.peers")
    }


def test_no_view_of_the_plane_compiles_anything_more():
    for stage in STAGES:
        stage.run()
    before = loops()
    for name in METHODS:
        view(uniform(30), name)
    assert len(before) >= 6
    assert loops() == before


def test_shares_are_of_the_whole():
    assert sum(stage.share for stage in STAGES) == pytest.approx(1.0)
    assert np.all([stage.share > 0 for stage in STAGES])
