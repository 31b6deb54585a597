"""All hidden dimensions in one plane: RadViz and star coordinates, and what they tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import streamlit as st

from cml_app import messages
from cml_app.pictures.figures import ink
from cml_app.pictures.round_a_circle import circle_map
from cml_app.question import offered_features
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.drawing.likeness import predictability
from cml_core.errors import DegenerateComparison
from cml_core.peers import CircleMethod, RoundACircle

HEIGHT = 520
_CHANCE = "How much of a feature straight lines over the picture tell, R²; by chance about {:.2f}"
_TURNS = (
    "The numbers on the circle are the anchors of the dimensions. Which dimension stands beside "
    "which is chance: another turn of the same axes is another picture. To draw, choose a pair of "
    "dimensions above."
)


def show(workspace: Workspace, method: CircleMethod, colour: Feature | str | None) -> None:
    """The picture, what may be read off it, and which features it tells."""
    seen = method.draw(workspace.shown)
    told = ", ".join(f"{name} {share:.2f}" for name, share in _told(workspace, seen))
    labels = workspace.step.fit.labels
    st.plotly_chart(
        circle_map(
            labels, seen, colour if isinstance(colour, Feature) else None, ink(is_dark()), HEIGHT
        ),
        key="map-round-a-circle",
        theme=None,
        config={"displayModeBar": False},
        alt=f"{len(labels)} objects between {len(seen.anchors)} dimensions on a circle. {told}",
    )
    if told:
        by_chance = len(seen.places[0]) / (len(labels) - 1)
        st.caption(messages.plain(f"{_CHANCE.format(min(by_chance, 1.0))}: {told}."))
    st.caption(f"{method.reads} {_TURNS}")


def _told(workspace: Workspace, seen: RoundACircle) -> Iterator[tuple[str, float]]:
    """Features of one column, for of several the best combination is told well by chance."""
    for feature in offered_features(workspace.journey).features:
        if feature.columns().shape[1] == 1:
            with suppress(DegenerateComparison):
                yield feature.name, predictability(feature, seen.places) ** 2
