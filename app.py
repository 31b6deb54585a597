"""The navigation, nothing else."""

import streamlit as st

st.navigation([st.Page("pages/2_Discover.py", title="Discover", default=True)]).run()
