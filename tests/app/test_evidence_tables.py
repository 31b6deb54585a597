"""Tables on the Evidence page: shares in percent, as many decimals as needed, names in sight."""

from __future__ import annotations

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from cml_core.evidence.table import NUMBER, in_one_unit


@pytest.mark.parametrize(
    ("values", "form"),
    [
        ([505.1, 2.3, -426.9], "%.1f"),
        ([0.0842, np.nan, 1e-9], "%.5f"),
        ([27_000.0], "%.0f"),
        # Written out, they would be long; and of nothing there is nothing to tell.
        ([2e-9], NUMBER),
        ([3e12], NUMBER),
        ([], NUMBER),
    ],
)
def test_numbers_in_one_unit_have_the_decimals_that_the_largest_needs(values, form) -> None:
    assert in_one_unit(values) == form


def one_table(names: list, shares: list) -> None:
    from cml_app.panels.evidence.pictures import table
    from cml_core.evidence.table import SHARE, Column, Table

    table(Table((Column("Who", names), Column("Share", shares, SHARE, "Of all"))), "some")


def test_a_table_shows_shares_in_percent_and_nothing_as_minus_zero() -> None:
    rows = (["a", "b", "c", "d"], [0.4267, -0.0004, None, -1e-18])
    app = AppTest.from_function(one_table, args=rows).run()
    assert not app.exception
    shown = app.dataframe[0].value["Share"].to_numpy()
    np.testing.assert_allclose(shown, [42.67, 0.0, np.nan, 0.0])
    assert not np.signbit(shown[[1, 3]]).any()
    config = json.loads(app.dataframe[0].proto.columns)
    assert config["Share"]["type_config"]["format"] == "%.1f %%"
    assert config["Share"]["help"] == "Of all"
    assert config["Who"]["pinned"]
