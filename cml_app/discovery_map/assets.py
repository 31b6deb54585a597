"""The page parts of the component, put together for Streamlit.

Streamlit runs the code of a component that is not an installed package as one script, in which
modules cannot load one another. So the modules are joined here in the order below; the
lines by which they import one another, which let a reader see who needs whom, are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent / "assets"

MODULES = (
    "geometry",
    "view",
    "spatial",
    "theme",
    "palette",
    "labels",
    "marks",
    "drawing_marks",
    "legend_marks",
    "canvas",
    "objects",
    "svg",
    "motion",
    "render",
    "state",
    "tools",
    "pointer",
    "card",
    "legend",
    "toolbar",
    "export",
    "keyboard",
    "main",
)

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./\w+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function|const|class)", re.MULTILINE)


def html() -> str:
    return _text("map.html")


def css() -> str:
    return _text("map.css")


def javascript() -> str:
    """All modules as one script that exports the component."""
    joined = "\n".join(f"// {name}.js\n{_text(f'{name}.js')}" for name in MODULES)
    return _EXPORT.sub("", _IMPORT.sub("", joined))


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
