"""Car brands as one wants them: how many, how much error, and which features are known."""

from __future__ import annotations

import streamlit as st

from cml_app import first_maps, messages, this_server, visits
from cml_app.panels.bring import DISCOVER
from cml_core.datasets import CAR_FEATURES, simulate_car_brands
from cml_core.values.simulation import Simulation

FEWEST, MOST, LARGEST_SEED = 10, 1000, 2**31 - 1
USUAL = Simulation()
USUALLY_KNOWN = list(CAR_FEATURES)[:4]
_KNOWN = (
    "These are given to you, to be ticked. The others are hidden in the dissimilarities and kept "
    "back until you uncover them."
)


def show() -> None:
    """The settings of the simulation, and a button that makes it."""
    st.caption(
        "Every brand has seven features, drawn at random. Their weighted distances, with errors, "
        "are the dissimilarities."
    )
    most = min(MOST, this_server.limits().objects)
    with st.form("simulate", border=False):
        n_objects = st.number_input("Brands", min(FEWEST, most), most, min(USUAL.n_objects, most))
        noise = st.number_input(
            "Noise in the dissimilarities, in %", 0.0, 100.0, 100 * USUAL.noise, 5.0, format="%g",
            help="The standard deviation of a dissimilarity's error, as a share of it.",
        )  # fmt: skip
        error = st.number_input(
            "Error of the known features, in %", 0.0, 100.0, 100 * USUAL.feature_noise, 5.0,
            format="%g", help="The standard deviation of a value's error, as a share of it.",
        )  # fmt: skip
        known = st.multiselect("Known features", list(CAR_FEATURES), USUALLY_KNOWN, help=_KNOWN)
        seed = st.number_input(
            "Seed", 0, LARGEST_SEED, 0, help="Another seed makes other brands; the same, the same."
        )
        made = st.form_submit_button("Simulate", type="primary", width="stretch")
    if made:
        with messages.explained():
            brands = simulate_car_brands(
                int(n_objects),
                noise=noise / 100,
                feature_noise=error / 100,
                known=tuple(name for name in CAR_FEATURES if name in known),
                seed=int(seed),
            )
            visits.begin(first_maps.begun_with(brands))
            st.switch_page(DISCOVER)
