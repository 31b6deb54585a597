"""Tables on the computer that the app runs on, named by their path: for one's own computer only."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from cml_app.this_server import settings
from cml_core.errors import UnreadableFile
from cml_core.values.rows.registry import FILES

_OWN = {"localhost", "127.0.0.1", "::1"}


def allowed() -> bool:
    """Whether visitors may name files of this computer."""
    said = settings().local_files
    return _for_one_person() if said is None else said


def _for_one_person() -> bool:
    """Whether the app opens a browser itself, and answers nobody but this computer.

    A server behind a proxy answers this computer alone as well; but it has no screen to open a
    browser on, and knows the name under which others reach it.
    """
    address = st.get_option("server.address")
    reached = st.get_option("browser.serverAddress")
    return address in _OWN and reached in _OWN and not st.get_option("server.headless")


def checked(path: str) -> Path:
    """A table, or a folder of tables.

    Raises
    ------
    UnreadableFile : this server reads none, there is none, or it is of no format that is read.
    """
    if not allowed():
        raise UnreadableFile(
            "This server reads no files of its own computer.", remedy="Bring the file instead."
        )
    if not path.strip() or "\0" in path:
        raise UnreadableFile(
            "There is no path.", remedy="Write where the file or folder is, such as /data/x.npy."
        )
    found = Path(path.strip().strip("\"'")).expanduser()
    try:
        _check_is_table(found)
    except OSError as error:
        raise UnreadableFile(
            f"{found} cannot be read ({error.strerror or error}).",
            remedy="Correct the path, or let the app read it.",
        ) from None
    return found.resolve()


def _check_is_table(path: Path) -> None:
    if path.is_dir():
        if not os.access(path, os.R_OK | os.X_OK):
            raise PermissionError(13, "Permission denied")
        if any(one.suffix.lower() in FILES for one in path.iterdir()):
            return
        raise UnreadableFile(
            f"The folder {path} holds no file with rows.",
            remedy=f"Put files there that end in {', '.join(FILES)}.",
        )
    if path.suffix.lower() not in FILES:
        raise UnreadableFile(
            f"{path.name} ends in {path.suffix or 'nothing'}; only tables are read by their path.",
            remedy=f"Name a file that ends in {', '.join(FILES)}; bring text as a file.",
        )
    if not path.is_file():
        raise UnreadableFile(
            f"There is no file {path}.", remedy="Correct the path; begin it with / or ~."
        )
    with path.open("rb"):
        pass
