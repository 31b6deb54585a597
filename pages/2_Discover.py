"""The loop: tick, look, draw, name, add, look again."""

import streamlit as st

from cml_app.compute import places
from cml_app.panels import discovery, headline, journey, known, map_view, scale, take_home, tour
from cml_app.panels.evidence import beside
from cml_app.shell import open_page

with open_page("Discover") as workspace, places().going_first():
    map_column, side = st.columns([2.7, 1], gap="medium")
    with side:
        known.show(workspace)
        beside.show(workspace)
    with map_column:
        guide = st.container()
        left = headline.show(workspace)
        state = map_view.show(workspace)
    with side:
        discovery.show(workspace, state)
        scale.show(workspace)
    with guide:
        tour.show(workspace)
    with st.sidebar:
        journey.show(workspace)
        take_home.show(workspace)
    # After the map: nobody waits for it.
    headline.by_chance(workspace, left)
