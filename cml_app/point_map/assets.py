"""The page parts of the component; those that the other map has as well are that map's own."""

from __future__ import annotations

from pathlib import Path

from cml_app import joined_modules
from cml_app.discovery_map import assets as of_the_map

FOLDER = Path(__file__).parent / "assets"
ENTRY = FOLDER / "component.js"
SHARED_STYLES = ("map.css", "legend.css")


def html() -> str:
    return _text("points.html")


def css() -> str:
    return "\n".join([*map(of_the_map.text, SHARED_STYLES), _text("points.css")])


def javascript() -> str:
    """All modules as one script that exports the component."""
    return joined_modules.joined(ENTRY)


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
