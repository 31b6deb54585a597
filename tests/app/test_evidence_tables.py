"""Tables on the Evidence page: shares in percent, names in sight."""

from __future__ import annotations

import json

import numpy as np
from streamlit.testing.v1 import AppTest


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
