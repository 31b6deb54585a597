"""The loop: tick, look, draw, name, add, look again."""

import streamlit as st

from cml_app import views_requests
from cml_app.compute import places
from cml_app.panels import (
    discovery,
    headline,
    journey,
    known,
    map_view,
    newcomers,
    scale,
    take_home,
    tour,
    which_way,
)
from cml_app.panels.class_mode import handing_in
from cml_app.panels.evidence import chips, truth
from cml_app.shell import open_page

with open_page("Discover") as workspace, places().courtesy.going_first():
    map_column, side = st.columns([2.7, 1], gap="medium")
    look, aside = map_column.container(key="look"), side.container(key="aside")
    # The style sheet knows these rooms: on a phone the ticks come before the map.
    with aside.container(key="ticks"):
        handing_in.show(workspace)
        known.show(workspace)
        chips.under_way(workspace)
    with look.container(key="heading"):
        guide = st.container()
        left = headline.show(workspace)
    with look:
        state = map_view.show(workspace)
        chips.show(workspace)
    with aside:
        discovery.show(workspace, state)
        scale.show(workspace)
        truth.beside_map(workspace)
        newcomers.show(workspace)
    with guide:
        tour.show(workspace)
    with st.sidebar:
        journey.show(workspace)
        which_way.show(workspace)
        take_home.show(workspace)
    # After the map: nobody waits for it.
    headline.by_chance(workspace, left)
    views_requests.look_ahead(workspace)
