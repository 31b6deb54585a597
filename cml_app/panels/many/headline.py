"""One sentence above the map: what was taken out, what is left, and what the shortcut costs."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cml_app import messages
from cml_app.many.visit import Visit
from cml_core.many.maps import ManyMap
from cml_core.values.words import enumerated, percent, unbroken

# A share of what is unexplained that nobody would see on the map.
HARDLY = 5e-4


def show(visit: Visit) -> None:
    """The title and the sentence."""
    loop = visit.loop
    assert loop is not None
    out = f" without {enumerated(list(loop.step.known))}" if loop.step.known else ""
    st.title(messages.plain(f"{loop.whence.name}{out}"))
    found = visit.map
    if found is None:
        waiting = "The map is being made; landmarks come first." if visit.job else "No map yet."
        st.markdown(waiting)
        return
    st.container(key="summary").markdown(unbroken(messages.plain(sentence(found))))
    if not found.whole and visit.job is None:
        st.button("Go on", on_click=visit.attempt, args=(visit.again,))


def sentence(found: ManyMap) -> str:
    """What is left of the dissimilarities, and what is lost by not fitting all pairs."""
    fit = found.fit
    known = fit.problem.known.names
    count = fit.problem.n_objects
    if not found.whole:
        left = int(np.isnan(fit.placed.unexplained).sum())
        return f"Stopped: {left:,} of {count:,} objects have no place yet."
    what = f"With {enumerated(list(known))} taken out, " if known else "With nothing taken out, "
    lost = ""
    if not np.isnan(fit.sampled.loss):
        saved = fit.sampled.loss
        less = f"about {percent(saved)} less of it" if saved >= HARDLY else "hardly less"
        lost = (
            f" Fitting all pairs would leave {less}: {len(fit.chosen):,} landmarks were fitted, "
            "the others placed among them."
        )
    return (
        f"{what}this map leaves {percent(fit.stress)} of the squared dissimilarities of "
        f"{count:,} objects unexplained, by a sample of {fit.sampled.n_objects:,}.{lost}"
    )
