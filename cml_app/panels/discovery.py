"""Your discovery: what was drawn or typed, as values to be corrected, named and added."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from cml_app import messages
from cml_app.discovery_map import MapState
from cml_app.pictures import figures
from cml_app.question import offered_features
from cml_app.scenes import plane
from cml_app.shell import is_dark
from cml_app.workspace import Draft, Workspace
from cml_core import Feature
from cml_core.drawing.drawing import Drawing
from cml_core.drawing.groups import from_groups
from cml_core.drawing.levels import (
    evident_levels,
    flipped,
    numbered,
    rounded,
    with_missing,
    with_value,
)
from cml_core.drawing.likeness import likeness
from cml_core.drawing.order import from_order
from cml_core.drawing.typed import from_text
from cml_core.errors import ConditionalMappingError, DuplicateLabels, UnsuitableFeature
from cml_core.values.kinds.registry import KINDS

UNNAMED = "Discovery"
_VALUE = "Value"
_GROUP_NAME = "group-name"
USUAL_LEVELS = 3
# More different values than this are hardly levels any more.
MOST_NUMBERED = 9


def show(workspace: Workspace, state: MapState | None) -> None:
    """The proposal, or how to make one."""
    with st.container(border=True, key="discovery"):
        st.header("Your discovery")
        if state is not None:
            _take_in(workspace, state.drawing)
            _groups(workspace, state.selected)
        if workspace.draft is None:
            st.caption(
                "Draw an arrow or a curve on the map, or select objects and name them as a group. "
                "Every object gets its place along what you draw."
            )
        else:
            _proposal(workspace, workspace.draft)
        _typed(workspace)


def _take_in(workspace: Workspace, drawing: Drawing | None) -> None:
    """A new drawing makes a new proposal; a cleared one takes its proposal away."""
    source = f"{workspace.map_id} {drawing!r}" if drawing else ""
    if source == workspace.drawn:
        return
    workspace.drawn = source
    if drawing is None:
        workspace.draft = None
        return
    try:
        workspace.draft = Draft.of(_read_off(workspace, drawing), source)
    except ConditionalMappingError as error:
        workspace.draft = None
        messages.show(error)


def _read_off(workspace: Workspace, drawing: Drawing) -> Feature:
    points = plane(workspace.shown, workspace.axes)
    return drawing.feature(UNNAMED, points, workspace.step.problem.known.names)


def _groups(workspace: Workspace, selected: tuple[int, ...]) -> None:
    labels = workspace.step.fit.labels
    if selected:
        names = [labels[i] for i in selected]
        st.markdown(f"{len(names)} selected: {messages.plain(', '.join(names[:12]))}")
        left, right = st.columns(2, vertical_alignment="bottom")
        left.text_input("Name of the group", key=_GROUP_NAME)
        right.button(
            "Make a group",
            on_click=workspace.attempt,
            args=(_make_group, workspace, tuple(names)),
        )
    if workspace.groups:
        made = "; ".join(f"{name}: {len(members)}" for name, members in workspace.groups)
        st.caption(f"Groups: {messages.plain(made)}. Objects in no group are unsure.")
        st.button("Forget the groups", on_click=_forget_groups, args=(workspace,))


def _make_group(workspace: Workspace, members: tuple[str, ...]) -> None:
    name = st.session_state[_GROUP_NAME].strip()
    if not name:
        raise UnsuitableFeature("The group has no name.", remedy="Say what its objects share.")
    others = [
        (other, tuple(label for label in held if label not in members))
        for other, held in workspace.groups
        if other != name
    ]
    workspace.groups = (*((other, held) for other, held in others if held), (name, members))
    st.session_state[_GROUP_NAME] = ""
    if len(workspace.groups) > 1:
        feature = from_groups(
            UNNAMED,
            workspace.step.fit.labels,
            dict(workspace.groups),
            workspace.step.problem.known.names,
        )
        workspace.draft = Draft.of(feature, f"groups {len(workspace.groups)}")


def _forget_groups(workspace: Workspace) -> None:
    workspace.groups = ()
    workspace.draft = None


def _proposal(workspace: Workspace, draft: Draft) -> None:
    labels = workspace.step.fit.labels
    edited = _table(workspace, draft)
    st.plotly_chart(
        figures.strip(labels, edited, figures.ink(is_dark())),
        key="strip",
        theme=None,
        config={"displayModeBar": False},
    )
    _buttons(workspace, edited)
    _what_it_resembles(workspace, edited)
    name_key = f"name-{draft.source}"
    st.text_input("Name", draft.replaces, key=name_key, placeholder="Generations apart")
    st.button(
        "Save the changes" if draft.replaces else "Add to known",
        type="primary",
        width="stretch",
        on_click=workspace.attempt,
        args=(_add, workspace, name_key),
        help="Takes it out of the map, and shows what is left then.",
    )


def _table(workspace: Workspace, draft: Draft) -> Feature:
    """The values to be corrected; an emptied cell is unsure."""
    labels, base = workspace.step.fit.labels, draft.base
    shown = pd.Series(base.shown(), index=pd.Index(labels, name="Object"), name=_VALUE)
    order = sorted(range(len(labels)), key=lambda i: (pd.isna(base.values[i]), base.values[i]))
    column = (
        st.column_config.SelectboxColumn(options=list(base.levels))
        if base.levels
        else st.column_config.NumberColumn(format="%.3g")
    )
    table = st.data_editor(
        shown.iloc[order].to_frame(),
        key=f"table-{draft.source}-{draft.number}",
        column_config={_VALUE: column},
        height=min(38 + 35 * len(labels), 250),
        width="stretch",
    )
    edited = base
    for label, value in zip((labels[i] for i in order), table[_VALUE], strict=True):
        before = shown[label]
        if pd.isna(value) and not pd.isna(before):
            edited = with_missing(edited, labels, [label])
        elif not pd.isna(value) and value != before:
            edited = with_value(edited, labels, label, value)
    workspace.draft = replace(draft, edited=edited)
    return edited


def _buttons(workspace: Workspace, edited: Feature) -> None:
    kind = KINDS[edited.kind]
    distinct = np.unique(edited.values[~edited.missing]).size
    evident = evident_levels(edited) if kind.ordered else 1
    if kind.ordered and distinct > USUAL_LEVELS and evident == 1:
        st.caption(
            "Nothing in these values speaks for levels: do not round them, unless you know better."
        )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        if kind.ordered:
            _rounding(workspace, distinct, evident)
        if kind.flipped is not None:
            _button(workspace, "Flip", "Turn low into high.", flipped)
        st.button(
            "Reset",
            help="Back to what was drawn or typed.",
            on_click=_reset,
            args=(workspace,),
        )


def _rounding(workspace: Workspace, distinct: int, evident: int) -> None:
    """Levels at the means of their values, and equal steps between them."""
    levels = st.number_input(
        "Levels",
        min_value=1,
        max_value=max(distinct, USUAL_LEVELS),
        value=evident if evident > 1 else USUAL_LEVELS,
        key="levels",
        width=64,
        label_visibility="collapsed",
        help="How many levels to round to.",
    )
    count = min(levels, distinct)
    meaning = f"Round to {count} levels, each at the mean of values that lie close together."
    _button(workspace, "Round", meaning, lambda feature: rounded(feature, count))
    if distinct <= MOST_NUMBERED:
        meaning = "Call the different values 0, 1, 2, …, as if they were equally far apart."
        _button(workspace, "Equal steps", meaning, numbered)


def _button(workspace: Workspace, name: str, meaning: str, change: object) -> None:
    st.button(name, help=meaning, on_click=workspace.attempt, args=(_remake, workspace, change))


def _remake(workspace: Workspace, change: object) -> None:
    assert workspace.draft is not None
    assert callable(change)
    workspace.draft = workspace.draft.remade(change(workspace.draft.edited))


def _reset(workspace: Workspace) -> None:
    assert workspace.draft is not None
    workspace.draft = workspace.draft.remade(workspace.draft.original)


def _what_it_resembles(workspace: Workspace, feature: Feature) -> None:
    # Over few objects anything correlates with anything.
    least = feature.n_objects / 2
    found = [
        other
        for other in likeness(feature, offered_features(workspace.journey))
        if other.n_objects >= least
    ]
    parts = [
        f"{abs(other.correlation):.2f} with {messages.plain(other.feature)}"
        for other in found
        if other.correlation is not None
    ]
    if parts:
        st.caption(
            "Correlates " + ", ".join(parts) + ".",
            help="0 is nothing in common, 1 the same. What is known already adds nothing.",
        )


def _add(workspace: Workspace, name_key: str) -> None:
    # Read here, not when the button was drawn: a click may follow the last letter at once.
    name = st.session_state[name_key].strip()
    draft = workspace.draft
    assert draft is not None
    if not name:
        raise UnsuitableFeature("The feature has no name.", remedy="Say what it is you see.")
    feature = draft.edited.renamed(name)
    if draft.replaces:
        workspace.replace(draft.replaces, feature)
        return
    if name in offered_features(workspace.journey):
        raise DuplicateLabels(
            f"There is a feature called {name!r}.", remedy="Give this one another name."
        )
    workspace.map_revision += 1
    workspace.add(feature)


def _typed(workspace: Workspace) -> None:
    """The way without a mouse: values typed or pasted, or an order given line by line."""
    labels = workspace.step.fit.labels
    with st.expander("Type or paste values instead"):
        way = st.radio("What", ["Values", "An order"], horizontal=True, key="typed-way")
        start = "\n".join(labels if way == "An order" else (f"{name}\t" for name in labels))
        key = f"typed-{way}-{workspace.journey.created}"
        st.text_area(
            "One object a line, lowest first"
            if way == "An order"
            else "One object a line: name, tab, value; empty where unsure",
            start,
            height=200,
            key=key,
        )
        st.button(
            "Use these",
            on_click=workspace.attempt,
            args=(_use_typed, workspace, way, key),
        )


def _use_typed(workspace: Workspace, way: str, key: str) -> None:
    text = st.session_state[key]
    labels = workspace.step.fit.labels
    if way == "An order":
        ranking = [line.strip() for line in text.splitlines() if line.strip()]
        feature = from_order(UNNAMED, labels, ranking)
    else:
        feature = from_text(UNNAMED, labels, text)
    workspace.draft = Draft.of(feature, f"typed {hash(text)}")
