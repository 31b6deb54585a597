"""The page parts of the component."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from cml_app import joined_modules

FOLDER = Path(__file__).parent / "assets"
ENTRY = FOLDER / "component.js"
STYLES = ("map.css", "legend.css", "finding.css")


def html() -> str:
    return text("map.html")


def css() -> str:
    return "\n".join(map(text, STYLES))


def javascript() -> str:
    """All modules as one script that exports the component."""
    return joined_modules.joined(ENTRY)


def modules() -> dict[str, str]:
    """The text of each module by its name, in an order in which each finds what it imports."""
    return joined_modules.modules(ENTRY)


def tools() -> tuple[str, ...]:
    """The names of the tools, in the order of their buttons."""
    paths = map(PurePosixPath, modules())
    return tuple(path.stem for path in paths if path.parent.name == "tools")


def text(name: str) -> str:
    """What stands in one of the files."""
    return (FOLDER / name).read_text(encoding="utf-8")
