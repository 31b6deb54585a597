"""What is looked up where it is asked for is what Streamlit's own table would have said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest

from cml_app import lighter_runs


@pytest.fixture
def lighter() -> Iterator[None]:
    usual = SafeSessionState.filtered_state
    lighter_runs.take()
    yield
    SafeSessionState.filtered_state = usual


def page() -> None:
    import streamlit as st

    st.session_state.setdefault("plain", [1])
    st.session_state.setdefault("emptied", None)
    st.number_input("Number", value=3, key="number")
    st.number_input("Emptied before", value=3, key="emptied")
    st.number_input("Without a name", value=4)
    st.selectbox("Choice", ["a", "b"], key="choice")
    st.selectbox("No choice", ["a", "b"], index=None, key="no choice")
    st.text_input("Text", key="text")
    st.radio("Way", ["up", "down"], key="way")
    if st.checkbox("More", value=True, key="more"):
        st.text_area("Longer", "as it was", key="longer")
    st.title(", ".join(sorted(st.session_state)))


@pytest.mark.usefixtures("lighter")
def test_fields_stand_as_they_were_left_and_emptied_ones_stay_empty() -> None:
    at = AppTest.from_function(page).run()
    assert at.number_input(key="number").value == 3
    assert at.number_input(key="emptied").value is None
    at.number_input(key="number").set_value(5)
    at.selectbox(key="choice").set_value("b")
    at.text_input(key="text").set_value("said")
    at.radio(key="way").set_value("down")
    at.run()
    assert not at.exception
    assert at.number_input(key="number").value == 5
    assert at.number_input(key="emptied").value is None
    assert at.selectbox(key="choice").value == "b"
    assert at.selectbox(key="no choice").value is None
    assert at.text_input(key="text").value == "said"
    assert at.radio(key="way").value == "down"
    at.checkbox(key="more").uncheck().run().run()
    assert "longer" not in at.title[0].value
    assert "plain" in at.title[0].value


def test_every_name_leads_to_what_the_table_says() -> None:
    at = AppTest.from_function(page).run()
    at.checkbox(key="more").uncheck().run()
    state = at.session_state._state._state
    table, held = state.filtered_state, lighter_runs.Held(state)
    assert {"plain", "number", "emptied", "more"} <= set(table)
    assert dict(held) == table
    assert len(held) == len(table)
    for key in (*table, *state._keys(), "longer", "nothing"):
        assert (key in held) == (key in table)
    assert all(held[key] == value for key, value in table.items())
