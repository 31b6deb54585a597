"""New objects on a map: read from a table, placed, and refused in words where they cannot be."""

from __future__ import annotations

import numpy as np
import pytest
from page_tools import said, workspace_of
from streamlit.testing.v1 import AppTest

from cml_app import placements
from cml_app.placements import Placement
from cml_core.errors import ConditionalMappingError
from cml_core.files.source import RawFile


@pytest.fixture
def discover(app: AppTest) -> AppTest:
    app.session_state["newcomers"] = True
    return app.switch_page("pages/2_Discover.py").run()


def test_new_objects_are_placed_anew_on_each_map_and_bad_tables_cost_nothing(
    discover: AppTest,
) -> None:
    held = workspace_of(discover)
    data, before = held.journey.dissimilarities, held.step.id
    lines = [",".join(["", *data.labels]), ",".join(["One", *map(str, data.square()[0])])]
    held.newcomers = RawFile("new.csv", "\n".join(lines).encode())
    discover.run()
    assert not discover.exception
    assert "1 new object" in said(discover)
    found = placements.placement(held)
    assert isinstance(found, Placement)
    assert found.placed.labels == ("One",)
    np.testing.assert_allclose(found.placed.embedding[0], held.shown[0], atol=1e-6)
    for broken in (b"", b"\x00\x01", b",a\nx,y\n", "\n".join([*lines[:1], "One,far"]).encode()):
        held.newcomers = RawFile("broken.csv", broken)
        discover.run()
        assert not discover.exception
        assert isinstance(placements.placement(held), ConditionalMappingError)
        assert discover.error
    assert held.step.id == before


def test_on_a_scale_that_bends_numbers_it_is_said_why_nothing_is_placed(
    discover: AppTest,
) -> None:
    box = next(one for one in discover.selectbox if one.label == "The numbers count as")
    box.set_value("ordinal").run()
    assert "Not on this map" in said(discover)
    assert not discover.exception
