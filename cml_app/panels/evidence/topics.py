"""What the Evidence page can be asked: under each topic its questions, a line each."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cml_app.panels.evidence import (
    advised_scale,
    convergence,
    curvature,
    dimensions,
    hidden_feature,
    importance,
    importance_as_chosen,
    individuals,
    known_weights,
    missing_pairs,
    neighbourhoods,
    other_optima,
    ranking,
    redundancy,
    shepard,
    stability,
    structure,
    truth,
)
from cml_app.panels.evidence.panel import Panel
from cml_app.workspace import Workspace

TOPICS: dict[str, tuple[Panel[Any], ...]] = {
    "Is anything left?": (
        hidden_feature.PANEL,
        dimensions.PANEL,
    ),
    "Did it help?": (
        importance.PANEL,
        importance_as_chosen.PANEL,
        redundancy.PANEL,
    ),
    "What weighs how much?": (
        known_weights.PANEL,
        curvature.PANEL,
    ),
    truth.TOPIC: (
        ranking.PANEL,
        truth.PANEL,
    ),
    "Do people differ?": (individuals.PANEL,),
    "Can I trust this map?": (
        shepard.PANEL,
        advised_scale.PANEL,
        missing_pairs.PANEL,
        neighbourhoods.PANEL,
        convergence.PANEL,
        other_optima.PANEL,
        stability.PANEL,
        structure.PANEL,
    ),
}


def show(workspace: Workspace, topic: str) -> None:
    """The questions of a topic; why some cannot be asked is said once."""
    st.header(topic)
    said: set[str] = set()
    for panel in (one for one in TOPICS[topic] if one.arises(workspace)):
        why_not = panel.why_not(workspace)
        if not why_not:
            panel.show(workspace, heading=panel.question.heading != topic)
        elif why_not not in said:
            st.info(why_not)
            said.add(why_not)
