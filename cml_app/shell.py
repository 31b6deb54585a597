"""What every page begins with; nothing that matters happens only in app.py."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from cml_app import messages, workspace
from cml_app.workspace import NoSuchProject, Workspace

_STYLE = """
<style>
  .stMainBlockContainer { padding: 1.2rem 1.6rem 2rem; max-width: none; }
  .stMainBlockContainer h1 { font-size: 1.4rem; padding: 0; }
  .stMainBlockContainer h3, [data-testid="stSidebar"] h3 { font-size: 1.05rem; padding: .2rem 0; }
  .stMainBlockContainer [data-testid="stVerticalBlock"] { gap: .6rem; }
  [data-testid="stSidebarHeader"] { height: 1.5rem; padding-top: .5rem; }
  [data-testid="stHeader"] { background: transparent; }
  [class*="st-key-step-"] button, [class*="st-key-step-"] button > div {
    justify-content: flex-start; text-align: left; }
  [class*="st-key-step-"] button p { white-space: normal; overflow-wrap: anywhere; }
</style>
"""


@contextmanager
def open_page(title: str) -> Iterator[Workspace]:
    """Set up a page and hand it the visitor's workspace; every error is explained."""
    st.set_page_config(page_title=f"{title} · What is left?", page_icon="🧭", layout="wide")
    st.html(_STYLE)
    with messages.explained():
        try:
            held = workspace.current()
        except NoSuchProject as error:
            messages.show(error)
            st.button("Begin anew", on_click=workspace.leave, type="primary")
            st.stop()
        yield held
