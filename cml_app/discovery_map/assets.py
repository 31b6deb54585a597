"""The page parts of the component, put together for Streamlit.

Streamlit runs the code of a component that is not an installed package as one script, in which
modules cannot load one another. So they are joined here, each after those that it imports; the
lines by which they import one another are left out.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath

FOLDER = Path(__file__).parent / "assets"
ENTRY = "main.js"
STYLES = ("map.css", "legend.css", "finding.css")

_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"(\.[./\w]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function|const|class)", re.MULTILINE)


def html() -> str:
    return _text("map.html")


def css() -> str:
    return "\n".join(map(_text, STYLES))


def javascript() -> str:
    """All modules as one script that exports the component."""
    return "\n".join(f"// {name}\n{_joinable(text)}" for name, text in modules().items())


def modules() -> dict[str, str]:
    """The text of each module by its name, in an order in which each finds what it imports."""
    found: dict[str, str] = {}
    _find(ENTRY, found)
    return found


def tools() -> tuple[str, ...]:
    """The names of the tools, in the order of their buttons."""
    paths = map(PurePosixPath, modules())
    return tuple(path.stem for path in paths if path.parent.name == "tools")


def _find(name: str, found: dict[str, str]) -> None:
    text = _text(name)
    for other in _IMPORT.findall(text):
        path = normpath(PurePosixPath(name).parent / other)
        if path not in found:
            _find(path, found)
    found[name] = text


def _joinable(text: str) -> str:
    """Without imports and exports; in a block of its own what others need nothing of.

    So a tool may call its functions as it likes, whatever other tools call theirs.
    """
    alone = _IMPORT.sub("", text)
    return _EXPORT.sub("", alone) if "\nexport " in text else f"{{\n{alone}}}\n"


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
