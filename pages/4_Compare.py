"""Compare: the same data through other eyes, and which of the pictures to believe."""

import streamlit as st

from cml_app.panels import compare, journey, take_home
from cml_app.shell import open_page

with open_page("Compare", known=("Gender", "Degree")) as workspace:
    compare.show(workspace)
    with st.sidebar:
        journey.show(workspace)
        take_home.show(workspace)
