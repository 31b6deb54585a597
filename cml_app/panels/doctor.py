"""The import doctor: what was understood, what is odd, a choice for each mend, and a preview."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cml_app import bringing, messages, this_server
from cml_app.intake import (
    Intake,
    examined,
    journey_of,
    look_of,
    prepared_of,
    raw_of,
    table_of,
)
from cml_app.panels import bring_features, bring_pictures, list_columns, reading_choices, refused
from cml_app.pictures import figures
from cml_app.shell import is_dark
from cml_core import FeatureTable
from cml_core.errors import ConditionalMappingError
from cml_core.files.doctor import CONVERSIONS, Choice, Finding, ordered
from cml_core.files.doctor.findings import ODD, UNDERSTOOD, WRONG, Setting
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.journey.journey import Journey

_ICONS = {
    UNDERSTOOD: ":material/check_circle:",
    ODD: ":material/info:",
    WRONG: ":material/error:",
}
_GRADES = {UNDERSTOOD: "Understood", ODD: "Worth knowing", WRONG: "Needs a choice"}
_URGENCY = (WRONG, ODD, UNDERSTOOD)
_QUESTIONS = {
    "which_way": "Is that right?",
    "encoding": "How letters are read",
    "decimal": "The decimal mark",
    "area": "Which table",
    "roles": "What the columns are",
    "conversion": "Convert by",
    "asymmetry": "Where the two directions differ",
    "negatives": "Values below zero",
    "diagonal": "The diagonal",
    "without": "These objects",
    "unknown_pairs": "These pairs",
    "added": "Triangles that do not close",
    "scale": "Scale",
}
# Until these are answered, nothing else about the numbers is worth saying.
_OF_READING = ("encoding", "decimal", "area", "roles")
# What can be done about a conversion that does not fit.
_BESIDE_CONVERSION = ("outside", "added_count", "totals")
MOST_SIDE_BY_SIDE = 7
_AS_IT_IS = "Leave it as it is"
_ASKED = "map-asked-for"


def show(intake: Intake) -> Journey | None:
    """What was brought, with the way on at its top; the project, once a map is asked for."""
    with st.container(border=True, key="doctor"):
        # Filled last, when it is known whether a map can be made; yet nobody has to scroll to it.
        head = st.container(key="doctor-head")
        left, right = st.columns([3, 2], gap="medium")
        with left:
            ready = _reading(intake)
        joined = False
        if ready:
            with right:
                _preview(intake)
            with left:
                joined = bring_features.show(intake)
                joined = bring_pictures.show(intake) and joined
        with head:
            return _head(intake, ready, joined)


def _head(intake: Intake, ready: bool, joined: bool) -> Journey | None:
    """What is being brought, what it is to be called, and the map of it."""
    st.markdown(f"**{', '.join(messages.plain(file.name) for file in intake.files)}**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        journey = _made(intake, joined) if ready else None
        st.button("Discard", on_click=bringing.let_go, key="discard-intake")
    return journey


def _reading(intake: Intake) -> bool:
    """How the file is read and what is found in it; whether there are pairs to go on with."""
    limits, memory = this_server.limits(), bringing.memory()
    before, found, after = st.container(), st.container(), st.container()
    try:
        with found, st.spinner(f"Reading {_size(intake)}…", show_time=True):
            look = look_of(intake, limits, memory)
            several = len(look.parts) > 1
            # Which part is read matters first; that a format was recognised rightly, hardly ever.
            with before if several else after:
                reading_choices.show(intake)
            if list_columns.may_be_list(look):
                with after:
                    list_columns.show(intake, look)
            content = table_of(intake, limits, memory)
        with found:
            return _found(intake, content)
    except ConditionalMappingError as error:
        with found:
            messages.show(error)
            refused.show(intake, look_of(intake, limits, memory), error)
        return False


def _size(intake: Intake) -> str:
    """The files by name, and how large they are where that takes time."""
    names = ", ".join(messages.plain(file.name) for file in intake.files)
    size = sum(len(file.content()) for file in intake.files) / 1e6
    return f"{names} ({size:.0f} MB)" if size >= 1 else names


def _found(intake: Intake, content: RawTable | FeatureTable) -> bool:
    limits, memory = this_server.limits(), bringing.memory()
    if isinstance(content, FeatureTable):
        refused.ways_out(intake, look_of(intake, limits, memory))
        reading_choices.measurements(intake, content)
        if not intake.preparation.metric:
            return False
    under_way = st.empty()
    with st.spinner("Looking for what is odd…", show_time=True):
        findings = examined(intake, limits, memory, lambda words: _tell(under_way, words))
    under_way.empty()
    first, later = _first_things_first(findings)
    for finding in first:
        _finding(intake, finding)
    if later:
        with st.expander(f"Also looked at ({len(later)})", key="also-looked-at"):
            for finding in later:
                _finding(intake, finding)
    return True


def _tell(place: DeltaGenerator, words: str) -> None:
    place.caption(f"{words} …")


def _first_things_first(findings: tuple[Finding, ...]) -> tuple[list[Finding], list[Finding]]:
    """What needs a choice before the rest, and what may be left folded away.

    Of similarities, nothing else is worth saying yet.
    """
    wrong = [finding for finding in findings if finding.grade == WRONG]
    of_reading = [f for f in findings if f.field in _OF_READING and f.grade != UNDERSTOOD]
    if any(finding in wrong for finding in of_reading):
        return of_reading, []
    if any(finding.key == "which_way" for finding in wrong):
        return [*wrong, *of_reading], []
    undecided = [finding for finding in wrong if finding.field == "conversion"]
    if undecided:
        return [
            f for f in findings if f in (*undecided, *of_reading) or f.key in _BESIDE_CONVERSION
        ], []
    later = [f for f in findings if f.grade == UNDERSTOOD and not f.choices and f.key != "read"]
    first = [finding for finding in findings if finding not in later]
    return sorted(first, key=lambda finding: _URGENCY.index(finding.grade)), later


def _finding(intake: Intake, finding: Finding) -> None:
    with st.container(key=f"finding-{finding.key}", gap="xxsmall"):
        st.markdown(
            f"{_ICONS[finding.grade]} **{_GRADES[finding.grade]}.** {messages.plain(finding.fact)}"
        )
        if finding.meaning:
            st.caption(messages.plain(finding.meaning))
        if finding.choices and finding.grade == WRONG:
            _choices(intake, finding)
        elif finding.choices:
            with st.popover("Change", key=f"change-{finding.key}"):
                _choices(intake, finding)


def _choices(intake: Intake, finding: Finding) -> None:
    """The mends of one finding; what must be mended has no answer until one is chosen."""
    now = getattr(intake.preparation, finding.field)
    options = _options(finding, now)
    values = [choice.value for choice in options]
    # Another value makes another control: what is shown cannot differ from what holds. Nor does
    # the browser say once more what was chosen before that was undone.
    titles = bringing.titled(choice.title for choice in options)
    shown = f"{finding.key}-{finding.grade}-{titles}-{now!r}-{bringing.turn()}"
    key = f"mend-{intake.key}-{shown}"
    common: dict[str, Any] = {
        "index": values.index(now) if now in values else None,
        "key": key,
        "on_change": _mended,
        "args": (finding.field, key),
        "label_visibility": "collapsed",
    }
    title = _QUESTIONS.get(finding.key) or _QUESTIONS[finding.field]
    if len(options) <= MOST_SIDE_BY_SIDE:
        captions = [messages.plain(choice.about) for choice in options]
        st.radio(title, options, captions=captions, format_func=_title, **common)
    else:
        st.selectbox(title, options, placeholder="Choose", format_func=_long_title, **common)
        if now in values:
            st.caption(messages.plain(options[values.index(now)].about))
    if finding.field == "conversion":
        _scale(intake)


def _options(finding: Finding, now: Setting) -> list[Choice]:
    """What can be chosen; leaving things as they are, where that leads to a map."""
    if finding.grade == WRONG:
        usual = getattr(Preparation(), finding.field)
        return [choice for choice in finding.choices if choice.value != usual]
    if all(choice.value != now for choice in finding.choices):
        return [Choice(now, _AS_IT_IS), *finding.choices]
    return list(finding.choices)


def _title(choice: Choice) -> str:
    return messages.plain(choice.title)


def _long_title(choice: Choice) -> str:
    """A choice with the beginning of what it does, where there is no room for all of it."""
    return f"{choice.title}: {choice.about.partition('. ')[0]}"


def _mended(field: str, key: str) -> None:
    choice: Choice | None = st.session_state[key]
    if choice is not None:
        bringing.change(lambda held: held.choosing(**{field: choice.value}))


def _scale(intake: Intake) -> None:
    """The scale of a conversion that has one."""
    conversion = CONVERSIONS[intake.preparation.conversion]
    if not conversion.scale:
        return
    key = f"scale-{intake.key}-{conversion.key}-{bringing.turn()}"
    label = conversion.scale[:1].upper() + conversion.scale[1:]
    st.number_input(
        messages.plain(label),
        min_value=0.0,
        value=intake.preparation.scale or conversion.default_scale,
        key=key,
        on_change=lambda: bringing.change(lambda held: held.choosing(scale=st.session_state[key])),
    )


def _preview(intake: Intake) -> None:
    """The table as colours: as it will be, or as it is while that cannot be said yet."""
    limits, memory = this_server.limits(), bringing.memory()
    ink = figures.ink(is_dark())
    asked = any(
        finding.grade == WRONG and finding.field == "conversion"
        for finding in examined(intake, limits, memory)
    )
    try:
        values = None if asked else prepared_of(intake, limits, memory)
    except ConditionalMappingError:
        values = None
    if values is None:
        raw = raw_of(intake, limits, memory)
        st.caption("The file as it is, in its own order.")
        figure = figures.heat_map(raw.labels, raw.values, ink, "value")
    else:
        st.caption("As it will be used, objects that are alike side by side.")
        order = memory.of("order", values.fingerprint, lambda: ordered(values))
        square = values.square()[np.ix_(order, order)]
        labels = [values.labels[i] for i in order]
        figure = figures.heat_map(labels, square, ink, "dissimilarity")
    st.plotly_chart(figure, key="preview", config={"displayModeBar": False})


def _ask_for_a_map(key: str) -> None:
    # Kept until the page comes that far: a choice made just before has it begin once more.
    st.session_state[_ASKED] = key


def _made(intake: Intake, features_are_right: bool) -> Journey | None:
    """The title and the button; while something is wrong, the reason."""
    limits, memory = this_server.limits(), bringing.memory()
    key = f"title-{intake.key}-{bringing.turn()}"
    st.text_input(
        "Title",
        value=intake.name,
        key=key,
        max_chars=120,
        on_change=lambda: bringing.change(lambda held: replace(held, title=st.session_state[key])),
    )
    waiting = any(f.grade == WRONG for f in examined(intake, limits, memory))
    reason = None
    if waiting:
        reason = "First choose what to do about what needs a choice."
    elif not features_are_right:
        reason = "First mend the features, or take their file away."
    st.button(
        "Make a map",
        type="primary",
        disabled=reason is not None,
        on_click=_ask_for_a_map,
        args=(intake.key,),
    )
    if st.session_state.pop(_ASKED, None) == intake.key and reason is None:
        try:
            return journey_of(intake, limits, memory, this_server.now())
        except ConditionalMappingError as error:
            messages.show(error)
    if reason:
        st.caption(reason, width="content")
    return None
