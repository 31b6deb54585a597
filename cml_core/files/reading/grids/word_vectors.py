"""Vectors of words, as word2vec writes them, in text and in binary; GloVe's text is a table."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from cml_core.errors import TooManyObjects, UnreadableFile
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.grids.grid_file import (
    Begin,
    GridFile,
    Grids,
    Table,
    chosen_of,
    of_tables,
)
from cml_core.files.reading.raw import Limits

_HEAD = re.compile(rb"(\d{1,9}) (\d{1,5})\r?\n")
_LONGEST_WORD = 1_000


def _counts(data: bytes) -> tuple[int, int, int]:
    """Words, numbers for each, and where they begin; zeros where the first line is another."""
    match = _HEAD.match(data)
    return (int(match[1]), int(match[2]), match.end()) if match else (0, 0, 0)


def _is_text(begin: Begin) -> bool:
    count, width, _ = _counts(begin.data)
    lines = begin.text.split("\n")
    if not count or width < 2 or len(lines) < 2:
        return False
    words = lines[1].split(" ")
    whole = len(lines) > 2 or len(begin.data) < len(begin.text)
    long_row = not whole and len(words) > 10
    return (len(words := [w for w in words if w]) == width + 1 or long_row) and _are_numbers(
        words[1:-1]
    )


def _are_numbers(words: list[str]) -> bool:
    return all(re.fullmatch(r"[+-]?[\d.]+(?:e[+-]?\d+)?", word) for word in words)


def _text(text: str, limits: Limits) -> Iterator[Table]:
    numbered = lines_of(text)
    _, head = next(numbered)
    count, width = map(int, head.split())
    _check(count, width, limits)
    rows, lines = [], []
    for number, line in numbered:
        rows.append(line.split())
        lines.append(number)
        if len(rows) > count:
            break
    if len(rows) != count:
        raise _cut_short(count, len(rows))
    yield Table([["", *_columns(width)], *rows], lines=[1, *lines])


def _is_binary(begin: Begin) -> bool:
    count, width, at = _counts(begin.data)
    if not count or width < 2 or begin.text:
        # Text would have no zero bytes and be read as such.
        return (
            bool(count and width > 1) and not _is_text(begin) and _has_floats(begin.data, at, width)
        )
    return _has_floats(begin.data, at, width)


def _has_floats(data: bytes, at: int, width: int) -> bool:
    blank = data.find(b" ", at, at + _LONGEST_WORD)
    held = data[blank + 1 : blank + 1 + 4 * width]
    if blank < 0 or len(held) < 4 * width:
        return False
    values = np.frombuffer(held, "<f4")
    return (
        bool(np.isfinite(values).all())
        and bool((np.abs(values) < 1e6).all())
        and not (held.isascii() and held.decode().isprintable())
    )


def _binary(data: bytes, sheet: str, limits: Limits) -> Grids:
    count, width, at = _counts(data)
    _check(count, width, limits)
    rows = [["", *_columns(width)]]
    for k in range(count):
        while data[at : at + 1] == b"\n":
            at += 1
        blank = data.find(b" ", at, at + _LONGEST_WORD)
        end = blank + 1 + 4 * width
        if blank < 0 or end > len(data):
            raise _cut_short(count, k)
        values = np.frombuffer(data[blank + 1 : end], "<f4")
        rows.append([data[at:blank].decode("utf-8", "replace"), *map(str, values)])
        at = end
    return chosen_of([Table(rows)], sheet, limits)


def _columns(width: int) -> list[str]:
    return [f"dimension {k + 1}" for k in range(width)]


def _check(count: int, width: int, limits: Limits) -> None:
    if count > limits.objects or width > limits.columns:
        raise TooManyObjects(
            f"The file has vectors of {count:,} words with {width:,} numbers each; at most "
            f"{limits.objects:,} and {limits.columns:,} are read.",
            remedy="Save the vectors of the words that are needed.",
        )


def _cut_short(count: int, found: int) -> UnreadableFile:
    return UnreadableFile(
        f"The first line says that there are {count:,} words, but {found:,} were found.",
        remedy="Save or download the file again.",
    )


WORD_VECTORS = GridFile(
    "vectors of words", _is_text, of_tables(_text), is_text=True, with_points=True
)
BINARY_WORD_VECTORS = GridFile("vectors of words", _is_binary, _binary, with_points=True)
