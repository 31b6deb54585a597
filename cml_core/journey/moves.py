"""Moves in a project file: each a line of its own, its features referred to by their place."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from cml_core.journey.entry import Entry
from cml_core.journey.features import NumberedFeatures, referred_to
from cml_core.journey.history import MOST_MOVES, History, Move, Words
from cml_core.journey.source import origin_content, origin_of
from cml_core.values.features import Feature

_Part = TypeVar("_Part")


def move_text(move: Move, numbered: NumberedFeatures) -> str:
    """A move as JSON."""
    content = {
        "step": _pair(move.step, str),
        "features": _pair(move.features, numbered.places),
        "title": _pair(move.title, str),
        "origin": _pair(move.origin, origin_content),
        "words": _pair(move.words, list),
    }
    return json.dumps(content, allow_nan=False)


def _pair(pair: tuple[Any, Any] | None, content: Callable[[Any], Any]) -> list[Any] | None:
    return pair and [content(part) for part in pair]


def history_of(
    entry: Entry, features: list[Feature], labels: tuple[str, ...], steps: Collection[str]
) -> History:
    """The history that a project file tells; its moves are between steps that there are."""

    def moves(name: str) -> tuple[Move, ...]:
        entries = entry.at(name).items()
        if len(entries) > MOST_MOVES:
            raise entry.at(name).wrong(f"a list of up to {MOST_MOVES}")
        return tuple(_move(one, features, labels, steps) for one in entries)

    return History(moves("past"), moves("future"))


def _move(
    entry: Entry, features: list[Feature], labels: tuple[str, ...], steps: Collection[str]
) -> Move:
    def step(one: Entry) -> str:
        if one.text() not in steps:
            raise one.wrong("one of the steps")
        return one.text()

    def words(one: Entry) -> Words:
        step_id, name, note = one.items(3)
        return Words(step(step_id), name.text(), note.text())

    move = Move(
        step=_both(entry.at("step"), step),
        features=_both(entry.at("features"), lambda one: referred_to(one, features, labels)),
        title=_both(entry.at("title"), Entry.text),
        origin=_both(entry.at("origin"), origin_of),
        words=_both(entry.at("words"), words),
    )
    if not move.is_one:
        raise entry.wrong("something that was done")
    return move


def _both(entry: Entry, read: Callable[[Entry], _Part]) -> tuple[_Part, _Part] | None:
    if entry.value is None:
        return None
    before, after = entry.items(2)
    return read(before), read(after)
