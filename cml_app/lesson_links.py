"""From a number to the lesson that explains it."""

from __future__ import annotations

from cml_core.lessons import LESSONS


def link(name: str, words: str = "") -> str:
    """A link in Markdown; empty where there is no such lesson."""
    if name not in LESSONS:
        return ""
    return f"[{words or f'A lesson: {LESSONS[name].title}'}](Learn?lesson={name})"
