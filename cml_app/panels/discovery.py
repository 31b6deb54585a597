"""Your discovery: what was drawn, selected or typed, to be corrected, named and added."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from cml_app import class_mode, messages
from cml_app.discovery_map import MapState
from cml_app.draft import Draft
from cml_app.panels import drafting, grouping
from cml_app.panels.class_mode import handing_in
from cml_app.panels.drafting import UNNAMED, VALUE
from cml_app.pictures.figures import ink
from cml_app.pictures.value_line import value_line
from cml_app.question import offered_features
from cml_app.shell import is_dark
from cml_app.workspace import Workspace
from cml_core import Feature
from cml_core.drawing.levels import evident_levels
from cml_core.drawing.likeness import likeness
from cml_core.drawing.order import from_order
from cml_core.drawing.typed import from_text
from cml_core.errors import ConditionalMappingError, DuplicateLabels, UnsuitableFeature
from cml_core.values.kinds.registry import KINDS
from cml_core.values.words import decimals_of

USUAL_LEVELS = 3
# More than these are hardly levels any more.
MOST_LEVELS, MOST_NUMBERED = 50, 9
TABLE_HEIGHT = 248
# The table itself writes up to so many decimals, and no zeros behind them.
USUAL_DECIMALS = 4
_NO_LEVELS = "Nothing in these values speaks for levels: do not round them, unless you know better."


def show(workspace: Workspace, state: MapState | None) -> None:
    """The proposal, or how to make one; whoever only looks makes none."""
    if not workspace.may_change:
        return
    with st.container(border=True, key="discovery"):
        st.header("Your discovery")
        if state is not None:
            grouping.show(workspace, drafting.chosen(workspace, state))
        if workspace.draft is not None:
            _proposal(workspace)
        elif state is not None and state.drawing is not None:
            _refusal(workspace, state)
        elif not workspace.groups and (state is None or not state.selected):
            st.caption(
                "Draw an arrow or a curve on the map, or select objects: they stand against the "
                "rest. Every object gets its place along what you draw."
            )
        _typed(workspace)


def _refusal(workspace: Workspace, state: MapState) -> None:
    """Why nothing came of what is drawn."""
    assert state.drawing is not None
    try:
        drafting.read_off(workspace, state.drawing)
    except ConditionalMappingError as error:
        messages.show(error)


def _proposal(workspace: Workspace) -> None:
    try:
        drafting.take_in_corrections(workspace)
    except ConditionalMappingError as error:
        messages.show(error)
    draft = workspace.draft
    assert draft is not None
    _changes(workspace, draft)
    if not KINDS[draft.edited.kind].is_grouping:
        st.html(value_line(workspace.step.fit.labels, draft.edited, ink(is_dark())))
    _table(workspace, draft)
    _what_it_resembles(workspace, draft.edited)
    _naming(workspace, draft)


def _table(workspace: Workspace, draft: Draft) -> None:
    """The values to be corrected; an emptied cell is unsure."""
    labels, order, values = workspace.step.fit.labels, draft.order, draft.base.shown()
    if not draft.base.levels:
        decimals = decimals_of(draft.base.values.tolist())
        values = [None if one is None else round(float(str(one)), decimals) + 0.0 for one in values]
        places = f"%.{decimals}f" if decimals > USUAL_DECIMALS else None
        column = st.column_config.NumberColumn(format=places)
    else:
        column = st.column_config.SelectboxColumn(options=list(draft.base.levels))
    names = pd.Index([labels[i] for i in order], name="Object")
    st.data_editor(
        pd.DataFrame({VALUE: [values[i] for i in order]}, index=names),
        key=drafting.table_key(draft),
        column_config={VALUE: column},
        height=min(38 + 35 * len(labels), TABLE_HEIGHT),
        width="stretch",
    )


def _changes(workspace: Workspace, draft: Draft) -> None:
    """What can be made of the values as a whole."""
    kind = KINDS[draft.edited.kind]
    distinct = np.unique(draft.edited.values[~draft.edited.missing]).size
    if kind.ordered:
        _rounding(workspace, draft)
    with st.container(horizontal=True, gap="xsmall"):
        if kind.ordered and distinct <= MOST_NUMBERED:
            meaning = "Call the different values 0, 1, 2, …, as if they were equally far apart."
            _button(workspace, "Equal steps", meaning, Draft.numbered)
        if kind.flipped is not None:
            _button(workspace, "Flip", "Turn low into high.", Draft.flipped)
        if draft.edited is not draft.original:
            _button(workspace, "Reset", "Back to what was drawn or typed.", Draft.reset)


def _rounding(workspace: Workspace, draft: Draft) -> None:
    """Levels at the means of their values, counted from the values before they were rounded."""
    evident = evident_levels(draft.original)
    suggested = evident if evident > 1 else USUAL_LEVELS
    # A typed number stays until other levels are suggested.
    key = f"levels-{suggested}"
    form = st.form("rounding", border=False)
    row = form.container(horizontal=True, vertical_alignment="bottom", gap="xsmall")
    row.number_input(
        "Levels",
        min_value=1,
        max_value=min(max(draft.most_levels, USUAL_LEVELS), MOST_LEVELS),
        value=suggested,
        key=key,
        width=130,
        label_visibility="collapsed",
    )
    row.form_submit_button(
        "Round",
        help="To so many levels, each at the mean of values that lie close together.",
        on_click=workspace.attempt,
        args=(_round, workspace, key),
    )
    if evident == 1 and not draft.is_rounded and draft.most_levels > USUAL_LEVELS:
        st.caption("No levels stand out.", help=_NO_LEVELS)


def _round(workspace: Workspace, key: str) -> None:
    # The number is read here, not when the button was drawn: it may have been typed since.
    _remake(workspace, lambda draft: draft.rounded(st.session_state[key]))


def _button(
    workspace: Workspace, name: str, meaning: str, change: Callable[[Draft], Draft]
) -> None:
    st.button(name, help=meaning, on_click=workspace.attempt, args=(_remake, workspace, change))


def _remake(workspace: Workspace, change: Callable[[Draft], Draft]) -> None:
    workspace.draft = change(_made(workspace))


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


def _naming(workspace: Workspace, draft: Draft) -> None:
    """The name, which Enter adds as well as the button; always in sight."""
    key = f"name-of-{draft.replaces}" if draft.replaces else grouping.FEATURE_NAME
    with st.container(key="naming"):
        if workspace.trouble:
            messages.show(workspace.trouble)
        handing_in.said(workspace, draft.edited)
        _name_form(workspace, draft, key)


def _name_form(workspace: Workspace, draft: Draft, key: str) -> None:
    with st.form("naming-form", border=False):
        st.text_input(
            "Name",
            draft.replaces,
            key=key,
            placeholder="Name what differs",
            label_visibility="collapsed",
        )
        may_hand_in = handing_in.is_asked(workspace)
        if may_hand_in:
            st.form_submit_button(
                "Hand in",
                type="primary",
                width="stretch",
                on_click=workspace.attempt,
                args=(_hand_in, workspace, key),
                help="Tells how near it is to what is hidden.",
            )
        st.form_submit_button(
            "Save the changes" if draft.replaces else "Add to known",
            type="secondary" if may_hand_in else "primary",
            width="stretch",
            on_click=workspace.attempt,
            args=(_add, workspace, key),
            help="Takes it out of the map, and shows what is left then.",
        )


def _hand_in(workspace: Workspace, key: str) -> None:
    class_mode.hand_in(workspace, _named(workspace, key))


def _named(workspace: Workspace, key: str) -> Feature:
    """What is being made, under the name that was typed."""
    name = st.session_state[key].strip()
    draft = _made(workspace)
    if not name:
        raise UnsuitableFeature("The feature has no name.", remedy="Say what it is you see.")
    return draft.edited.renamed(name)


def _made(workspace: Workspace) -> Draft:
    """What is being made, with the cells that were changed.

    Raises
    ------
    UnsuitableFeature : the map has changed since the visitor saw it, and what they drew is gone.
    """
    drafting.take_in_corrections(workspace)
    if workspace.draft is None:
        raise UnsuitableFeature(
            "What you drew is not there any more, for the map has changed meanwhile.",
            remedy="Draw it on this map, if you still see it.",
        )
    return workspace.draft


def _add(workspace: Workspace, key: str) -> None:
    feature, draft = _named(workspace, key), _made(workspace)
    name = feature.name
    if draft.replaces:
        workspace.replace(draft.replaces, feature)
        return
    if name in offered_features(workspace.journey):
        raise DuplicateLabels(
            f"There is a feature called {name!r}.", remedy="Give this one another name."
        )
    workspace.add(feature)
    workspace.map_revision += 1


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
