"""Where the numbers come from: who answered, as far as the files tell or a person says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from cml_app import messages
from cml_app.evidence_requests import look_up, stop_for_another_origin
from cml_app.this_server import now
from cml_app.workspace import Workspace
from cml_core.files.agreement import agreement_in_words
from cml_core.values.answers import Answers
from cml_core.values.origin import ORIGINS, Origin
from cml_core.values.words import counted

_OF_PEOPLE = ("ratings", "sorting", "confusions", "triads", "counts")
_WHY = (
    "It says which scale the numbers bear and what their errors may be, so which questions of the "
    "Evidence page can be answered; and it goes into the report. Leave it open if you are not "
    "sure; it can be changed at any time."
)


def show(held: Workspace) -> None:
    """Who answered and how much they agree; how the table was made, to be said or changed."""
    answers, origin = held.journey.answers, held.journey.origin
    told = [origin.in_words]
    if answers is not None:
        told += look_up(held, "people", lambda: _people_in_words(answers))
    if any(told):
        st.markdown(messages.plain(" ".join(told).strip()))
    if origin.simulation is not None:
        return
    asked = _is_asked(held)
    with st.expander("Where do the numbers come from?", expanded=asked, key="origin"):
        _ask(held, origin, answers)
        if held.trouble:
            messages.show(held.trouble)


def beside_the_map(held: Workspace) -> None:
    """The same of one's own table where what it decides is looked at."""
    if not _is_asked(held):
        return
    origin = held.journey.origin
    label = origin.in_words or "How were these numbers made?"
    icon = None if origin.in_words else ":material/help:"
    with st.popover(messages.plain(label), icon=icon, width="stretch"):
        _ask(held, origin, None)


def _is_asked(held: Workspace) -> bool:
    """Of one's own table it is; an example is for looking, and files of people tell."""
    return held.journey.source is not None and held.journey.answers is None


def _people_in_words(answers: Answers) -> tuple[str, ...]:
    said = (answers.counts > 0).sum(axis=1)
    fewest, most = int(said.min()), int(said.max())
    pairs = counted(most, "pair") if fewest == most else f"{fewest:,} to {most:,} pairs"
    who = f"There are answers of {answers.n_people} people, each on {pairs}; their mean is mapped."
    return (who, *agreement_in_words(np.asarray(answers.values), answers.people))


def _ask(held: Workspace, origin: Origin, answers: Answers | None) -> None:
    key = f"origin-kind-{held.revision}"
    st.selectbox(
        "How the numbers were made",
        list(ORIGINS),
        index=list(ORIGINS).index(origin.kind),
        format_func=lambda kind: ORIGINS[kind],
        key=key,
        on_change=_said_kind,
        args=(held, key),
        label_visibility="collapsed",
        disabled=not held.may_change,
    )
    st.caption(_WHY)
    with st.container(horizontal=True):
        if origin.kind in _OF_PEOPLE and answers is None:
            _count(held, "people", "How many people? (0: not known)")
        if origin.kind == "ratings":
            _ends(held, origin)
        if origin.kind == "correlations":
            _count(held, "cases", "Over how many cases? (0: not known)")


def _count(held: Workspace, field: str, title: str) -> None:
    key = f"origin-{field}-{held.revision}"
    value = getattr(held.journey.origin, field)
    st.number_input(
        title,
        0,
        value=value,
        step=1,
        key=key,
        on_change=_said_count,
        args=(held, field, key),
        disabled=not held.may_change,
    )


def _ends(held: Workspace, origin: Origin) -> None:
    """Both ends of the scale; one alone says nothing yet."""
    known = origin.lowest < origin.highest
    keys = tuple(f"origin-{end}-{held.revision}" for end in ("lowest", "highest"))
    titles = ("The lowest answer possible", "The highest")
    for key, title, value in zip(keys, titles, (origin.lowest, origin.highest), strict=True):
        st.number_input(
            title,
            value=value if known else None,
            format="%g",
            key=key,
            on_change=_said_ends,
            disabled=not held.may_change,
            args=(held, keys),
            help="In the units of the table as it is mapped.",
        )


def _said_kind(held: Workspace, key: str) -> None:
    people = 0 if held.journey.answers is None else held.journey.answers.n_people
    held.hear(key, lambda: _say(held, Origin(st.session_state[key], people=people)))


def _said_count(held: Workspace, field: str, key: str) -> None:
    count = st.session_state[key]
    held.hear(key, lambda: _say(held, replace(held.journey.origin, **{field: count})))


def _said_ends(held: Workspace, keys: tuple[str, ...]) -> None:
    lowest, highest = (st.session_state[key] for key in keys)
    if lowest is not None and highest is not None:
        held.hear(
            keys[0],
            lambda: _say(held, replace(held.journey.origin, lowest=lowest, highest=highest)),
        )


def _say(held: Workspace, origin: Origin) -> None:
    if origin.kind != held.journey.origin.kind:
        stop_for_another_origin(held)
    held.change(held.journey.with_origin(origin, now()))
