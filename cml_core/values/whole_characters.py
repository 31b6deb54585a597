"""Halves of characters, which JSON can name and which nothing can show or write."""

from __future__ import annotations

import re

# A backslash, a character in two halves, or a half alone.
_ESCAPES = re.compile(
    r"\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2}))"
)


def of_whole_characters(json: str) -> str:
    """JSON in which every half of a character is replaced, as damaged text is anywhere."""
    return _ESCAPES.sub(lambda found: r"\ufffd" if found[1] else found[0], json)
