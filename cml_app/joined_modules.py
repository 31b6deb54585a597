"""The JavaScript of a component, put together for Streamlit.

Streamlit runs the code of a component that is not an installed package as one script, in which
modules cannot load one another. So they are joined here, each after those that it imports; the
lines by which they import one another are left out. Components may share modules.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath

_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"(\.[./\w]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function|const|class)", re.MULTILINE)


def joined(entry: Path) -> str:
    """All modules as one script that exports the component."""
    return "\n".join(f"// {name}\n{_joinable(text)}" for name, text in modules(entry).items())


def modules(entry: Path) -> dict[str, str]:
    """The text of each module by its path, in an order in which each finds what it imports.

    Parameters
    ----------
    entry : the module that exports the component; paths are seen from its folder.
    """
    found: dict[str, str] = {}
    _find(entry.parent, entry.name, found)
    return found


def _find(folder: Path, name: str, found: dict[str, str]) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    for other in _IMPORT.findall(text):
        path = normpath(PurePosixPath(name).parent / other)
        if path not in found:
            _find(folder, path, found)
    found[name] = text


def _joinable(text: str) -> str:
    """Without imports and exports; in a block of its own what others need nothing of.

    So a tool may call its functions as it likes, whatever other tools call theirs.
    """
    alone = _IMPORT.sub("", text)
    return _EXPORT.sub("", alone) if "\nexport " in text else f"{{\n{alone}}}\n"
