"""What was drawn, selected or corrected since the last run becomes the visitor's draft."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from cml_app.discovery_map import MapState
from cml_app.draft import Draft
from cml_app.scenes import plane
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.drawing.drawing import Drawing
from cml_core.drawing.groups import from_groups
from cml_core.drawing.on_map import read_off_view
from cml_core.errors import ConditionalMappingError, UnsuitableFeature

UNNAMED = "Your discovery"
THESE, REST = "these", "the rest"
VALUE = "Value"
REST_UNSURE = "rest-unsure"
_GROUPS = "groups"

Groups = tuple[tuple[str, tuple[str, ...]], ...]


def take_in(workspace: Workspace, state: MapState) -> None:
    """Before the map is shown, so that it has the colours of what is made on it.

    What cannot be understood is left to the panel below to explain.
    """
    with suppress(ConditionalMappingError):
        _take_in_drawing(workspace, state.drawing)
    _take_in_groups(workspace, chosen(workspace, state))
    with suppress(ConditionalMappingError):
        take_in_corrections(workspace)


def _take_in_drawing(workspace: Workspace, drawing: Drawing | None) -> None:
    """A new drawing makes a new draft; a cleared one takes its draft away."""
    source = f"{workspace.map_id} {drawing!r}" if drawing else ""
    if source == workspace.drawn:
        return
    workspace.drawn = source
    workspace.draft = None
    if drawing is not None:
        workspace.draft = Draft.of(read_off(workspace, drawing), source)


def read_off(workspace: Workspace, drawing: Drawing) -> Feature:
    """What a drawing tells of the objects; raise `UnsuitableFeature` where it is nothing."""
    points = plane(workspace.shown, workspace.axes)
    feature = drawing.feature(UNNAMED, points, workspace.step.problem.known.names)
    return _as_seen(workspace, feature)


def _as_seen(workspace: Workspace, feature: Feature) -> Feature:
    """The feature says where it was read off, if that was not the map."""
    return read_off_view(feature, workspace.through.words) if workspace.through else feature


def chosen(workspace: Workspace, state: MapState) -> tuple[str, ...]:
    """The selected objects, by name."""
    labels = workspace.step.fit.labels
    return tuple(labels[i] for i in state.selected)


def _take_in_groups(workspace: Workspace, selected: tuple[str, ...]) -> None:
    """What is selected stands against the rest at once, unless something else is being made."""
    if workspace.draft is not None and not is_of_groups(workspace.draft):
        return
    groups = with_group(workspace.groups, THESE, selected)
    rest = None if st.session_state.get(REST_UNSURE) else REST
    source = f"{_GROUPS} {hash((groups, rest, workspace.map_id if workspace.through else ''))}"
    if workspace.draft is not None and workspace.draft.source == source:
        return
    labels, known = workspace.step.fit.labels, workspace.step.problem.known.names
    workspace.draft = None
    # One group that is all there is, or none, tells nothing apart.
    with suppress(UnsuitableFeature):
        feature = from_groups(UNNAMED, labels, dict(groups), known, rest)
        workspace.draft = Draft.of(_as_seen(workspace, feature), source)


def is_of_groups(draft: Draft) -> bool:
    """Whether a draft was made by selecting."""
    return draft.source.startswith(_GROUPS)


def with_group(groups: Groups, name: str, members: tuple[str, ...]) -> Groups:
    """With these objects in the group of this name, and in no other.

    Objects that are a group already become another one only by another name than "these".
    """
    if not members or (name == THESE and is_group(groups, members)):
        return groups
    others = tuple(
        (other, tuple(one for one in held if one not in members))
        for other, held in groups
        if other != name
    )
    before = dict(groups).get(name, ())
    now = (*before, *(one for one in members if one not in before))
    return (*((other, held) for other, held in others if held), (name, now))


def is_group(groups: Groups, members: tuple[str, ...]) -> bool:
    """Whether these objects, and no others, are a group already."""
    return any(set(held) == set(members) for _, held in groups)


def table_key(draft: Draft) -> str:
    """Names the table of a draft; whatever is made of it has a table of its own."""
    return f"table-{draft.source}-{draft.number}"


def take_in_corrections(workspace: Workspace) -> None:
    """Cells that were changed, whether or not the page has been drawn since."""
    draft = workspace.draft
    if draft is None:
        return
    rows = st.session_state.get(table_key(draft), {}).get("edited_rows", {})
    cells = {int(row): columns[VALUE] for row, columns in rows.items() if VALUE in columns}
    workspace.draft = draft.corrected(workspace.step.fit.labels, cells)
