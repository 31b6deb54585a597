"""The map, and what to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cml_app import messages, placements
from cml_app.discovery_map import MapState, discovery_map, state_before
from cml_app.own_colours import own_colours
from cml_app.panels import drafting, round_a_circle, whose_map
from cml_app.pictures import figures
from cml_app.question import offered_features
from cml_app.scenes import (
    AS_FACES,
    AS_PICTURES,
    BY_FIT,
    Beside,
    bare_scene,
    fit_shown,
    optimum,
    scene_beside,
    scene_of,
    sentence,
    share_left,
    ways_to_show,
)
from cml_app.shell import is_dark
from cml_app.views_job import Through
from cml_app.workspace import Workspace
from cml_core import Feature, FeatureTable, Fit
from cml_core.peers import CIRCLES
from cml_core.peers.round_a_circle import FEWEST_DIMENSIONS
from cml_core.values.words import percent, unbroken

MAP_KEY = "map"
SOLID_HEIGHT = 600
NEARLY_AS_GOOD = 0.05
_SOLID = "In space"
# All dimensions in one plane, by what the view is called.
_ROUND = {f"All, {method.title}": method for method in CIRCLES.values()}
# No feature is called so.
_DRAFT = "\0draft"
_SHOWN_AS = {AS_PICTURES: "Shown as pictures", AS_FACES: "Shown as faces"}


def show(workspace: Workspace) -> MapState | None:
    """Controls and map; what is on the map now."""
    step = workspace.step
    if workspace.through is not None:
        _way_back(workspace, workspace.through)
    row = st.container(horizontal=True, gap="xsmall", key="map-controls")
    coloured = row.empty()
    whose_map.show(workspace, row)
    view = _view(workspace, row)
    flat = view != _SOLID and view not in _ROUND and bool(workspace.shown.shape[1])
    if flat:
        workspace.axes = (int(view[0]) - 1, int(view[-1]) - 1)
        drafting.take_in(workspace, state_before(bare_scene(workspace), key=MAP_KEY))
    colour = _colour(workspace, coloured)
    if not workspace.shown.shape[1]:
        st.info("There is no map of no dimensions: this is what the known features explain alone.")
        return None
    if view in _ROUND:
        round_a_circle.show(workspace, _ROUND[view], colour)
        return None
    if not flat:
        st.plotly_chart(
            figures.solid_map(
                step.fit.labels,
                workspace.shown,
                colour if isinstance(colour, Feature) else None,
                figures.ink(is_dark()),
                SOLID_HEIGHT,
            ),
            key="map-3d",
            theme=None,
        )
        st.caption("Drag to turn. To draw, choose a pair of dimensions above.")
        return None
    other = _compared(workspace, row)
    if other is None:
        return _map(workspace, colour)
    if other.fit.problem.scale != step.problem.scale:
        st.caption(
            "The two maps are on different scales: compare what they show, not the shares "
            "unexplained."
        )
    left, right = st.container(key="compared").columns(2, gap="small")
    with left:
        st.caption(_short(fit_shown(workspace), sentence(step)))
        state = _map(workspace, colour)
    with right:
        st.caption(_short(other.fit, other.words))
        scene = scene_beside(workspace, other, colour)
        discovery_map(scene, key="map-beside")
    return state


def _map(workspace: Workspace, colour: Feature | str | None) -> MapState:
    """What is on it now, which other pages show as well."""
    scene = replace(scene_of(workspace, colour), newcomers=placements.shown(workspace))
    state = discovery_map(scene, key=MAP_KEY)
    workspace.select(state.selected)
    return state


def _way_back(workspace: Workspace, through: Through) -> None:
    words = f"{through.words[0].upper()}{through.words[1:]}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f"**{messages.plain(words)}**. {messages.plain(through.remark)} Draw on it as on a map."
        )
        st.button("Back to the map", on_click=workspace.look_through, args=(None,))


def _compared(workspace: Workspace, row: DeltaGenerator) -> Beside | None:
    """Another step, or another optimum of this one, to be looked at beside what is shown."""
    journey, step = workspace.journey, workspace.step
    optima = {
        f"{step.id}/{k}": k for k in (0, *_nearly_as_good(step.fit)) if k != workspace.optimum
    }
    steps = {other.id: other for other in journey.steps if other.id != step.id}
    if not optima and not steps:
        return None
    names = {
        "": "none",
        **{key: journey.name_of(key) for key in steps},
        **{key: _optimum_name(k, step.fit) for key, k in optima.items()},
    }
    chosen = row.selectbox(
        "Compare with another map",
        list(names),
        format_func=lambda key: f"Compare: {names[key]}",
        key=f"beside-{step.id}",
        label_visibility="collapsed",
    )
    if chosen in steps:
        return Beside(chosen, steps[chosen].fit, sentence(steps[chosen]))
    if chosen in optima:
        return Beside(chosen, optimum(step.fit, optima[chosen]), sentence(step))
    return None


def _short(fit: Fit, words: str) -> str:
    return messages.plain(f"{share_left(fit)}, {words}")


def _colour(workspace: Workspace, place: DeltaGenerator) -> Feature | str | None:
    """What tells the objects apart: a draft while it is made, then again what it was before."""
    table, draft = offered_features(workspace.journey), workspace.draft
    pictured = ways_to_show(workspace)
    own = ["", *pictured, *table.names, BY_FIT]
    names = {"": "none", _DRAFT: drafting.UNNAMED}
    usual = own.index(workspace.colour) if workspace.colour in own else _shown_first(own, table)
    chosen = place.selectbox(
        "Colour",
        [_DRAFT, *own] if draft else own,
        index=0 if draft else usual,
        format_func=lambda choice: _SHOWN_AS.get(choice) or f"Colour: {names.get(choice, choice)}",
        key=f"colour-{'while-drafting' if draft else workspace.journey.created}",
        label_visibility="collapsed",
    )
    if draft and chosen == _DRAFT:
        return draft.edited.renamed(drafting.UNNAMED)
    workspace.colour = chosen
    if chosen in table:
        return table[chosen]
    return chosen or None


def _view(workspace: Workspace, row: DeltaGenerator) -> str:
    view = row.selectbox(
        "View",
        _views(workspace.shown.shape[1]),
        format_func=lambda view: f"Dimensions {view}" if "×" in view else view,
        key="view",
        label_visibility="collapsed",
    )
    if workspace.through is None:
        with row:
            _optima(workspace)
    return view


def _shown_first(offered: Sequence[str], table: FeatureTable) -> int:
    """What objects look like is shown from the beginning: pictures, faces, their own colours."""
    looks = (
        k
        for k, choice in enumerate(offered)
        if choice in _SHOWN_AS or (choice in table and own_colours(table[choice]))
    )
    return next(looks, 0)


def _views(hidden: int) -> list[str]:
    pairs = [f"{a} × {b}" for a in range(1, hidden + 1) for b in range(a + 1, hidden + 1)]
    more = [_SOLID, *_ROUND] if hidden >= FEWEST_DIMENSIONS else []
    return [*(pairs or ["1 × 2"])[:15], *more]


def _optimum_name(k: int, fit: Fit) -> str:
    if k == 0:
        return unbroken(f"Best map, {percent(fit.stress, decimals=2)} left")
    return unbroken(f"Next best {k}, {percent(fit.alternatives[k - 1].stress, decimals=2)}")


def _nearly_as_good(fit: Fit) -> list[int]:
    """The numbers of other optima that nobody would rule out by their stress."""
    most = fit.stress * (1 + NEARLY_AS_GOOD)
    return [k for k, other in enumerate(fit.alternatives, 1) if other.stress <= most]


def _optima(workspace: Workspace) -> None:
    """A switch between maps that fit nearly equally well."""
    fit = workspace.step.fit
    near = _nearly_as_good(fit)
    if not near:
        return
    chosen = st.selectbox(
        "Maps that fit nearly as well",
        [0, *near],
        index=[0, *near].index(workspace.optimum) if workspace.optimum in near else 0,
        format_func=lambda k: _optimum_name(k, fit),
        key=f"optimum-{workspace.step.id}",
        label_visibility="collapsed",
    )
    workspace.optimum = chosen
