"""A page with a map, and the feature that is made of what is drawn on it."""

from __future__ import annotations

import json

import numpy as np
import streamlit as st

from cml_app.discovery_map import Scene, discovery_map

PLACES = np.array([[-10.0, -5.0], [10.0, -5.0], [10.0, 5.0], [-10.0, 5.0], [0.0, 0.0]])

state = discovery_map(Scene("one", tuple("ABCDE"), *PLACES.T), key="map")
feature = state.drawing.feature("Discovery", PLACES) if state.drawing else None
answer = {
    "tool": state.tool,
    "drawing_kind": state.drawing.kind if state.drawing else None,
    "values": feature.values.tolist() if feature else [],
    "origin": feature.origin if feature else "",
}
st.container(key="answer").code(json.dumps(answer), language="json")
