"""The projects that this browser has opened; it alone keeps the list, and forgets on request."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


_mount = st.components.v2.component(
    "my_projects", html=_text("list.html"), css=_text("list.css"), js=_text("list.js")
)


def my_projects(
    *, token: str | None, title: str, reads: bool, forgotten: str | None, key: str
) -> None:
    """Show the list, with the project that is open at its top.

    Parameters
    ----------
    token : of the project that is open; None where it is not kept.
    reads : whether the visitor may only look at it.
    forgotten : the token of a project that was deleted.
    """
    opened = {"token": token, "title": title, "reads": reads} if token else None
    _mount(key=key, data={"opened": opened, "forgotten": forgotten})
