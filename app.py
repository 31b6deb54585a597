"""The navigation, nothing else."""

import streamlit as st

st.navigation(
    [
        st.Page("pages/1_Data.py", title="Data", icon=":material/table_view:"),
        st.Page("pages/2_Discover.py", title="Discover", icon=":material/explore:", default=True),
    ]
).run()
