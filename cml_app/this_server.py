"""What all visitors of this server share: how it is run, where projects are kept, its clock."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import streamlit as st

from cml_app.keeping.opening import NoStore, open_store
from cml_app.keeping.store import Store
from cml_app.settings import Settings
from cml_core.files.reading.raw import Limits


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """How this server is run."""
    return Settings.from_environment(os.environ)


def limits() -> Limits:
    """How much of a file is read."""
    return settings().limits()


@st.cache_resource(show_spinner=False)
def store() -> Store | NoStore:
    """Where projects are kept."""
    return open_store(settings(), moment())


def moment() -> datetime:
    """Now, in universal time."""
    return datetime.now(UTC)


def now() -> str:
    """The time as journeys write it."""
    return moment().isoformat(timespec="milliseconds")
