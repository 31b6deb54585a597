"""The project as a whole: its title, who may look at it, a copy, and this browser's own list."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from cml_app import this_server, visits
from cml_app.keeping.tokens import reading_token
from cml_app.my_projects import my_projects
from cml_app.this_server import now
from cml_app.workspace import FORGOTTEN, TOKEN, Workspace

READING = "You are looking at someone's project. Duplicate it to work on it."
_READERS_HELP = (
    "Whoever has that link sees all pages, steps and results, and can change nothing. They can "
    "duplicate the project."
)


def show(held: Workspace) -> None:
    """In the sidebar; on a server that keeps nothing there is no project to come back to."""
    if not this_server.settings().keep_projects:
        return
    with st.sidebar:
        if not held.may_change:
            st.info(READING)
            _duplicate(held)
        else:
            with st.popover("Project: name, share, duplicate", width="stretch"):
                _title(held)
                _readers(held)
                _duplicate(held)
        my_projects(
            token=held.token,
            title=held.journey.title,
            reads=not held.may_change,
            forgotten=st.session_state.get(FORGOTTEN),
            key="my-projects",
        )


def _title(held: Workspace) -> None:
    key = f"project-title-{held.revision}"
    st.text_input(
        "Title of the project",
        held.journey.title,
        key=key,
        max_chars=120,
        on_change=_retitle,
        args=(held, key),
    )


def _retitle(held: Workspace, key: str) -> None:
    if title := st.session_state[key].strip():
        held.hear(key, held.change, held.journey.titled(title, now()))


def _readers(held: Workspace) -> None:
    shared = held.saved is not None and held.saved.shared
    key = f"project-shared-{held.revision}"
    st.toggle(
        "Others may look at it",
        shared,
        key=key,
        help=_READERS_HELP,
        on_change=lambda: held.attempt(lambda: held.share(shared=st.session_state[key])),
    )
    if shared and held.token:
        st.caption("To look at it, and no more:")
        st.code(_link(reading_token(held.token)), language=None, wrap_lines=True)
        st.caption(
            "The address of this page gives full control: keep it to yourself. The Data page "
            "gives the project a new one."
        )


def _duplicate(held: Workspace) -> None:
    st.button(
        "Duplicate",
        icon=":material/content_copy:",
        key="duplicate",
        help="A copy of your own, with all steps, under an address of its own.",
        on_click=held.attempt,
        args=(visits.duplicate, held),
    )


def _link(token: str) -> str:
    """The page that is open, with another token."""
    here = urlsplit(st.context.url or "")
    return urlunsplit((here.scheme, here.netloc, here.path, f"{TOKEN}={token}", ""))
