"""The page parts of the component; those that the map has as well are the map's own."""

from __future__ import annotations

from pathlib import Path

from cml_app import joined_modules
from cml_app.discovery_map import assets as of_the_map

FOLDER = Path(__file__).parent / "assets"
ENTRY = FOLDER / "component.js"


def html() -> str:
    return _text("drag.html")


def css() -> str:
    return "\n".join([of_the_map.text("map.css"), _text("drag.css")])


def javascript() -> str:
    """All modules as one script that exports the component."""
    return joined_modules.joined(ENTRY)


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
