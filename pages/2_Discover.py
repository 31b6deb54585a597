"""The kinship terms, with nothing known yet."""

import streamlit as st

from cml_app.figures import plain_map
from cml_core import FeatureTable, Problem, fit, load_dataset

data = load_dataset("kinship")
values = data.values()
result = fit(Problem(values, FeatureTable(values.labels)), seed=0)

st.title(f"{data.title}, with nothing known yet")
st.write(f"{result.stress:.1%} of the dissimilarity is unexplained by this map.")
st.plotly_chart(plain_map(result))
