"""Ways out of what was made of many objects: other columns of the same table, and deleting."""

from __future__ import annotations

import io

import numpy as np
import pytest
from many_tools import buyers, settled, upload, visit_of
from page_tools import press
from streamlit.testing.v1 import AppTest

from cml_app.this_server import moment, store
from cml_core.errors import ConditionalMappingError

VALUES = np.random.default_rng(3).normal(size=(10, 4))
VALUES[5, 1] = np.nan


def test_columns_with_gaps_are_left_out_without_bringing_the_table_again(many: AppTest) -> None:
    written = io.BytesIO()
    np.save(written, VALUES)
    upload(many, "rows.npy", written.getvalue())
    settled(press(many, "Make the map"))
    assert "column 2" in many.error[0].value
    token = visit_of(many).token
    next(one for one in many.button if one.key == "many-columns-trouble").click().run()
    assert not many.error
    assert "rows.npy" in [one.value.replace("\\", "") for one in many.subheader]
    (compared,) = (one for one in many.multiselect if one.label.startswith("Columns that they"))
    compared.set_value(["column 1", "column 3", "column 4"]).run()
    settled(press(many, "Make the map"))
    assert visit_of(many).map is not None
    assert visit_of(many).token != token


def test_what_was_made_is_deleted_by_a_second_click_alone(many: AppTest) -> None:
    token = visit_of(buyers(many)).token
    assert token
    assert "Delete this" not in [one.label for one in many.button]
    press(many, "Delete it for good")
    assert "Try it" in [one.value for one in many.header]
    with pytest.raises(ConditionalMappingError):
        store().load(token, moment())


def test_what_went_wrong_with_one_file_is_not_said_of_the_next(many: AppTest) -> None:
    upload(many, "cut.npy", b"nothing of the kind")
    assert "cut.npy" in many.error[0].value.replace("\\", "")
    written = io.BytesIO()
    np.save(written, VALUES)
    many.file_uploader[0].set_value(("rows.npy", written.getvalue(), "")).run()
    assert not many.error
