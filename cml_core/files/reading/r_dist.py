"""What R prints for a `dist`, a `daisy` or a matrix: columns aligned, in blocks where it is wide.

Names may hold blanks, so columns are told apart by the blank that runs through a whole block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.files.reading.aligned_prints import table_alone
from cml_core.files.reading.container import Container
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.format import Claim, Format, of_text
from cml_core.files.reading.names import (
    check_count,
    checked_names,
    more_than,
    without_case_numbers,
)
from cml_core.files.reading.numbers import checked, decimal_commas, notes_on
from cml_core.files.reading.raw import Cells, Limits, RawTable

# R breaks its lines at 80 characters, at 10,000 if it is told to; names may be wider than that.
_WIDEST = 100_000
_HOW = "Copy the whole output again, with the names above and before it, in a fixed-width font."


@dataclass(frozen=True)
class _Block:
    """Some columns for all rows: names above, names before, texts between."""

    above: tuple[str, ...]
    before: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    line: int
    lines: tuple[int, ...]


def r_dist(text: str, limits: Limits) -> RawTable:
    """The printed triangle or square; `diag` and `upper` may have been printed or not."""
    blocks = [_block(lines) for lines in _in_blocks(table_alone(text), limits)]
    above = [name for block in blocks for name in block.above]
    before, lines = blocks[0].before, blocks[0].lines
    _check_rows_agree(blocks)
    labels, skipped = _labels(above, before, blocks)
    check_count(len(labels), limits)
    places = [f"Line {blocks[0].line}"] * skipped + [f"Line {line}" for line in lines]
    names = without_case_numbers(checked_names(labels, places, limits))
    rows = [sum((block.texts[k] for block in blocks), ()) for k in range(len(before))]
    comma = decimal_commas(rows)
    count = len(names.labels)
    values = np.full((count, count), np.nan)
    for k, row in enumerate(rows):
        for j, cell in enumerate(row):
            if cell:
                where = f"The value of {before[k]} with {above[j]} (line {lines[k]})"
                values[k + skipped, j] = checked(cell, comma, where)
    notes = notes_on(Cells(tuple(rows), lines, decimal_comma=comma))
    return RawTable(names.labels, values, "r_dist", (*notes, *names.notes))


def printed_cells(text: str, limits: Limits) -> Cells | None:
    """The cells of a data frame whose names hold blanks; None of any other print."""
    if not _aligned(text) or text.lstrip("\n")[:1] != " ":
        return None
    try:
        found = [_block(lines) for lines in _in_blocks(text, limits)]
        _check_rows_agree(found)
    except ConditionalMappingError:
        return None
    above = [name for block in found for name in block.above]
    body = [
        (name, *(cell for block in found for cell in block.texts[k]))
        for k, name in enumerate(found[0].before)
    ]
    if not all(map(all, body)) or not any(" " in name for name in found[0].before):
        return None
    lines = (found[0].line, *found[0].lines)
    return Cells((("", *above), *body), lines, decimal_comma=decimal_commas(body))


def speaks_for_r(text: str, limits: Limits) -> bool:
    """Whether only this format can say what stands where: in blocks, or with empty corners.

    The names above and before must agree, or the first line stand further right than the rest.
    """
    lines = _in_blocks(text, limits)
    indented = next(lines_of(text))[1][0] in " \t"
    if indented and len(lines) > 1:
        return True
    blocks = [_block(each) for each in lines]
    if len(blocks) == 1 and all(cell for row in blocks[0].texts for cell in row):
        # A whole square can be read by its cells, too, unless there are blanks within names.
        whole = blocks[0]
        return whole.above == whole.before and any(" " in name for name in whole.before)
    if not indented:
        _labels([name for block in blocks for name in block.above], blocks[0].before, blocks)
    return True


def _in_blocks(text: str, limits: Limits) -> list[list[tuple[int, str]]]:
    """Lines by block; each begins with the names above, which stand further right than all else."""
    blocks: list[list[tuple[int, str]]] = []
    for number, line in lines_of(text):
        # The prompts of whoever copied the commands along.
        if line.startswith((">", "+ ")):
            continue
        if len(line) > _WIDEST:
            raise UnreadableFile(f"Line {number} is longer than any that R prints.", remedy=_HOW)
        if not blocks or line[0] in " \t":
            blocks.append([])
        blocks[-1].append((number, line.expandtabs().rstrip()))
        if len(blocks[-1]) > limits.objects + 1:
            raise more_than(limits)
    if not blocks or any(len(block) < 2 for block in blocks):
        raise UnreadableFile(
            "What R prints has a line of names and one line for each further object.",
            remedy=_HOW,
        )
    return [_with_its_margin(block) for block in blocks]


def _with_its_margin(block: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The block with the blanks before its first line, which are easily lost in copying."""
    number, head = block[0]
    if head.startswith(" "):
        return block
    return [(number, head.rjust(max(len(line) for _, line in block[1:]))), *block[1:]]


def _block(lines: list[tuple[int, str]]) -> _Block:
    head, body = lines[0][1], [line for _, line in lines[1:]]
    columns = _columns(head, body)
    if not columns:
        raise UnreadableFile(
            f"Line {lines[0][0]} and those below it do not stand in columns.", remedy=_HOW
        )
    edge = columns[0][0]
    return _Block(
        tuple(head[begin:end].strip() for begin, end in columns),
        tuple(line[:edge].strip() for line in body),
        tuple(tuple(line[begin:end].strip() for begin, end in columns) for line in body),
        lines[0][0],
        tuple(number for number, _ in lines[1:]),
    )


def _columns(head: str, body: Sequence[str]) -> list[tuple[int, int]]:
    """Where each column of values begins and ends.

    A name above may hold blanks: what has no value below belongs to the column on its right.
    """
    used_above, used = _inked([head]), _inked(body)
    width = max(used_above.size, used.size)
    above, below = np.zeros(width, dtype=bool), np.zeros(width, dtype=bool)
    above[: used_above.size], below[: used.size] = used_above, used
    edges = np.flatnonzero(np.diff(np.r_[False, above | below, False].astype(np.int8)))
    found: list[tuple[int, int]] = []
    begin: int | None = None
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if not above[start:end].any():
            if found or begin is not None:
                return []
            continue
        begin = start if begin is None else begin
        if below[start:end].any():
            found.append((begin, end))
            begin = None
    return found if begin is None else []


def _inked(lines: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """At which places some line has a character that is no blank."""
    found = np.zeros(max((len(line) for line in lines), default=0), dtype=bool)
    for line in lines:
        # One number for each character, whatever its script.
        codes = np.frombuffer(line.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        found[: codes.size] |= codes != ord(" ")
    return found


def _check_rows_agree(blocks: Sequence[_Block]) -> None:
    for one, other in pairwise(blocks):
        if one.before != other.before:
            k = next(
                (
                    k
                    for k, names in enumerate(zip(one.before, other.before, strict=False))
                    if names[0] != names[1]
                ),
                min(len(one.before), len(other.before)) - 1,
            )
            raise UnreadableFile(
                f"The block that begins in line {other.line} has other rows than the one before: "
                f"they differ at row {k + 1}.",
                remedy=_HOW,
            )


def _labels(
    above: list[str], before: tuple[str, ...], blocks: Sequence[_Block]
) -> tuple[list[str], int]:
    """All names, and how many objects stand above the first row: 1 without the diagonal."""
    if above == list(before):
        return above, 0
    if before and above and above[1:] == list(before[:-1]) and len(above) == len(before):
        return [above[0], *before], 1
    k = next((k for k, (a, b) in enumerate(zip(above, before, strict=False)) if a != b), 0)
    raise UnreadableFile(
        f"There are {len(above)} names above the columns (line {blocks[0].line}) and "
        f"{len(before)} before the rows, and they are not the same objects.",
        remedy=_HOW if k else f"{_HOW} R's lines begin with the names of objects.",
    )


def _claim(container: Container, _name: str) -> Claim:
    if container.kind != "text":
        return Claim.NOTHING
    text = table_alone(container.text)
    try:
        # What was taken away around it was a program's own.
        own = text is not container.text and r_dist(text, container.limits) is not None
        printed = _aligned(text) and (own or speaks_for_r(text, container.limits))
    except ConditionalMappingError:
        printed = False
    return Claim.CERTAIN if printed else Claim.NOTHING


def _aligned(text: str) -> bool:
    """Whether blanks alone stand between the cells, as where R prints."""
    sample = text[:4_000]
    return not any(mark in sample for mark in "\t;|") and sample.count(", ") == 0


def _may_be_meant(container: Container) -> bool:
    return container.kind == "text" and container.has_cells


R_DIST = Format(
    "r_dist",
    "What R prints for a dist object",
    of_text(r_dist),
    containers=("text",),
    turn=3,
    claim=_claim,
    may_be_meant=_may_be_meant,
    endings=(".dist",),
)
