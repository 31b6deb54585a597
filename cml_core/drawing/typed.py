"""Values that were typed or pasted become a feature."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from cml_core.errors import (
    LabelMismatch,
    LengthMismatch,
    UnsuitableFeature,
    listing,
)
from cml_core.values.features import Feature

TYPED = "typed in"
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


def from_text(name: str, labels: Sequence[str], text: str) -> Feature:
    """What was typed or pasted: a value a line, or a label, a tab and a value.

    An empty value, or "?", is missing; so is an object whose label does not occur. It is
    numeric where all values are numbers, and categorical where none is.

    Parameters
    ----------
    labels : the N objects; values without labels are in this order.
    """
    entries = _entries(labels, text)
    if any(_looks_numeric(entry[1]) for entry in entries if entry):
        numbers = [np.nan if entry is None else _number_in(*entry) for entry in entries]
        return Feature.numeric(name, numbers, TYPED)
    return Feature.categorical(name, [entry and entry[1] for entry in entries], origin=TYPED)


def _entries(labels: Sequence[str], text: str) -> list[tuple[int, str] | None]:
    """For each object the line number and the text of its value, None where missing."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and len(lines) > len(labels) and not lines[-1].strip():
        lines.pop()
    # A tab is what spreadsheets put between copied cells; names may hold everything else.
    labelled = any("\t" in line for line in lines)
    pairs = _by_label(labels, lines) if labelled else _in_turn(labels, lines)
    entries: list[tuple[int, str] | None] = [None] * len(labels)
    for row, number, value in pairs:
        entries[row] = None if value.strip() in ("", "?") else (number, value.strip())
    present = {entry[1] for entry in entries if entry is not None}
    if len(present) == 1:
        raise UnsuitableFeature(
            f"Every value is {present.pop()[:40]!r}, which tells no objects apart.",
            remedy="Give some objects another value.",
        )
    return entries


def _in_turn(labels: Sequence[str], lines: list[str]) -> list[tuple[int, int, str]]:
    if len(lines) != len(labels):
        raise LengthMismatch(
            f"There are {len(lines)} lines for {len(labels)} objects.",
            remedy="Give one value a line, empty where unknown; or a label, a tab and a value.",
        )
    return [(row, row + 1, value) for row, value in enumerate(lines)]


def _by_label(labels: Sequence[str], lines: list[str]) -> list[tuple[int, int, str]]:
    row_of = {label.strip(): row for row, label in enumerate(labels)}
    first: dict[int, int] = {}
    pairs = []
    for number, line in enumerate(lines, 1):
        label, *values = line.split("\t")
        if not line.strip():
            continue
        if len(values) != 1:
            raise UnsuitableFeature(
                f"Line {number} has {len(values)} tabs.",
                remedy="Give a label, one tab and a value on every line.",
            )
        row = row_of.get(label.strip())
        if row is None:
            raise LabelMismatch(
                f"Line {number} names {label.strip()[:40]!r}, which is no object of this map.",
                remedy=f"Use the names of the map, such as {listing(list(labels), 3)}.",
            )
        if first.setdefault(row, number) != number:
            raise UnsuitableFeature(
                f"Line {number} names {label.strip()[:40]!r} again, after line {first[row]}.",
                remedy="Give every object one value.",
            )
        pairs.append((row, number, values[0]))
    return pairs


def _number_in(line: int, value: str) -> float:
    """The number on a line."""
    try:
        number = float(value)
    except ValueError:
        number = np.inf
    if np.isinf(number):
        decimal_comma = DECIMAL_COMMA.fullmatch(value)
        raise UnsuitableFeature(
            f"Line {line} is {value[:40]!r}: no finite number.",
            remedy="Write decimals with a point."
            if decimal_comma
            else "Correct it, or make the feature categorical.",
        )
    return number


def _looks_numeric(value: str) -> bool:
    """Whether a person would call this a number: "1,5" is one, the name "Nan" is not."""
    try:
        float(value.replace(",", "."))
    except ValueError:
        return False
    return any(character.isdigit() for character in value)
