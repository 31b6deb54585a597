"""The addresses of puzzles, to be shared, and where they lead."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from cml_app.class_mode import PUZZLE, TEACHER
from cml_app.keeping.puzzles import Keys
from cml_app.pictures.qr_code import qr_code
from cml_core.report.map_svg import escaped

# As large as there is room: it is read from the last row of a room.
CODE_WIDTH = "min(100%, 26rem)"


def of_students(puzzle: str) -> str:
    """The link to be shared."""
    return _address({PUZZLE: puzzle})


def of_teacher(keys: Keys) -> str:
    """The link to the class view."""
    return _address({PUZZLE: keys.puzzle, TEACHER: keys.teacher})


def share(puzzle: str) -> None:
    """The link for students, as text and as a picture for phones."""
    link = of_students(puzzle)
    st.caption("For your students, to be sent, shown or written on the board:")
    st.code(link, language=None, wrap_lines=True)
    picture = escaped(qr_code(link))
    st.html(f'<img alt="The link as a QR code" style="width:{CODE_WIDTH}" src="{picture}">')


def leave() -> None:
    """Back to the whole Learn page."""
    for name in (PUZZLE, TEACHER):
        st.query_params.pop(name, None)


def _address(query: dict[str, str]) -> str:
    here = urlsplit(st.context.url or "")
    return urlunsplit((here.scheme, here.netloc, here.path, urlencode(query), ""))
