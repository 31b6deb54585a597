"""Project files of earlier versions, brought to the form of this one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cml_core.errors import UnreadableFile
from cml_core.journey.entry import Entry

FORMAT = "cml-journey"

_Content = dict[str, Any]

_ORIGINS_ON_A_MAP = (
    "place along an arrow on the map with",
    "place along a curve on the map with",
    "angle around a closed curve on the map with",
    "groups selected on the map with",
)


def brought_up_to_date(content: object) -> _Content:
    """The content of a project file in the form of this version.

    Raises
    ------
    UnreadableFile : it is no project file, or one of a version that is not known.
    """
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise UnreadableFile(
            "This file is not a project of this program.",
            remedy="Open a project file, or read tables of data as data.",
        )
    version = Entry(content, "").at("version").whole()
    if version > VERSION:
        raise UnreadableFile(
            f"The project file has version {version}; this program knows up to {VERSION}.",
            remedy="Open it with a newer version of the program.",
        )
    if version < 1:
        raise UnreadableFile(
            f"The project file has version {version}, which never was.",
            remedy="Use the file as it was saved.",
        )
    # One version at a time, so that each migration is written once and never again.
    for migration in MIGRATIONS[version - 1 :]:
        content = migration(content)
    return content


def _without_source(content: _Content) -> _Content:
    """Version 1 kept neither raw files nor the weights that came with the data."""
    return content | {"source": None, "pair_weights": None}


def _without_results(content: _Content) -> _Content:
    """In version 2 nothing was computed about steps."""
    return _each(content, "steps", lambda _: {"findings": []})


def _told_by_origin(content: _Content) -> _Content:
    """In version 3 only the words of its origin told that a feature was read off a map."""
    return _each(
        content,
        "features",
        lambda one: {"read_off_map": str(one.get("origin")).startswith(_ORIGINS_ON_A_MAP)},
    )


def _on_a_ratio_scale(content: _Content) -> _Content:
    """In version 4 dissimilarities were always taken for distances."""
    return _each(content, "steps", lambda _: {"scale": "ratio", "ties": "auto", "power": 1.0})


def _unit_by_origin(content: _Content) -> _Content:
    """In version 5 only the words of its origin told in which unit a feature was written."""
    return _each(content, "features", lambda one: {"unit": _unit_in(str(one.get("origin")))})


def _unit_in(origin: str) -> str:
    if origin.startswith("dates, as days since 1970-01-01"):
        return "days since 1970-01-01"
    told = origin.partition(", ")[0]
    return told.removeprefix("given in ") if told.startswith("given in ") else ""


def _of_unknown_origin(content: _Content) -> _Content:
    """In version 6 nobody was asked how the dissimilarities were made."""
    unknown = {"kind": "unknown", "people": 0, "lowest": 0.0, "highest": 0.0, "cases": 0}
    return content | {"origin": unknown}


def _without_lines(content: _Content) -> _Content:
    """In version 7 nothing was kept of what was drawn but the values that it gave."""
    return _each(content, "features", lambda _: {"line": None})


def _without_history(content: _Content) -> _Content:
    """In version 8 nothing could be undone."""
    return content | {"history": {"past": [], "future": []}}


def _without_pictures(content: _Content) -> _Content:
    """In version 9 objects had no pictures."""
    return content | {"pictures": []}


def _each(content: _Content, name: str, more: Callable[[_Content], _Content]) -> _Content:
    """More fields for each entry of a list; what is none is left for the reader to refuse."""
    entries = content.get(name)
    if not isinstance(entries, list):
        return content
    changed = [one | more(one) if isinstance(one, dict) else one for one in entries]
    return content | {name: changed}


# Each takes a file of its place in this list, counted from 1, one version further.
MIGRATIONS: tuple[Callable[[_Content], _Content], ...] = (
    _without_source,
    _without_results,
    _told_by_origin,
    _on_a_ratio_scale,
    _unit_by_origin,
    _of_unknown_origin,
    _without_lines,
    _without_history,
    _without_pictures,
)
VERSION = len(MIGRATIONS) + 1
