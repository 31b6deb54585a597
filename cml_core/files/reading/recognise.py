"""Which format a file is in: what its first lines, its shape and its names say."""

from __future__ import annotations

from collections.abc import Iterator

from cml_core.errors import ConditionalMappingError, TooManyObjects, UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Claim, ReadTable
from cml_core.files.reading.formats import FORMATS, in_turn, read_as
from cml_core.files.reading.layout import layout_of
from cml_core.files.reading.raw import RawTable


def best(container: Container, name: str) -> ReadTable:
    """The table in the first plausible format that fits.

    Raises
    ------
    UnreadableFile : none fits; it says what the nearest format lacks, and what was tried where
        nothing speaks for any.
    TooManyObjects : it is larger than what is read.
    """
    tried: dict[str, ConditionalMappingError] = {}
    for key in _likely(container, name):
        try:
            table = read_as(container, key)
        except TooManyObjects:
            # Every other format would find as many.
            raise
        except ConditionalMappingError as error:
            # A trace would hold on to the whole grid.
            tried[key] = error.with_traceback(None)
            continue
        if FORMATS[key].convinces(table, container, name):
            return table
    raise _nothing_fits(container, name, tried)


def plausible(container: Container, name: str, read: ReadTable | None = None) -> tuple[str, ...]:
    """Every format that the file can be read in, best first; what has been read is not again."""
    read_in = read.format if isinstance(read, RawTable) else "measurements"
    likely = list(_likely(container, name))
    others = [f.key for f in FORMATS.values() if f.key not in likely and f.may_be_meant(container)]
    found: list[str] = []
    doubtful: list[str] = []
    for key in (*likely, *others):
        try:
            table = read if read is not None and key == read_in else read_as(container, key)
        except ConditionalMappingError:
            continue
        sure = key in likely and FORMATS[key].convinces(table, container, name)
        (found if sure else doubtful).append(key)
    return (*found, *doubtful)


def _likely(container: Container, name: str) -> Iterator[str]:
    """Formats worth trying, best first: by their first lines, then by the layout of the grid."""
    certain = False
    for each in in_turn():
        claim = each.claim(container, name)
        certain = certain or claim == Claim.CERTAIN
        if claim == Claim.CERTAIN or (claim == Claim.LIKELY and not certain):
            yield each.key
    if certain:
        return
    layout = layout_of(container.cells)
    for each in in_turn():
        if layout in each.layouts and container.kind in each.containers:
            yield each.key


def _nothing_fits(
    container: Container, name: str, tried: dict[str, ConditionalMappingError]
) -> UnreadableFile:
    likely = tuple(key for key in _likely(container, name) if key in tried)
    if not likely:
        return UnreadableFile(
            "The file is in no format that is read here.",
            remedy="Give a square table with the names of objects above and before it.",
        )
    nearest = max(likely, key=lambda key: FORMATS[key].complaint(container, name, likely))
    error = tried[nearest]
    titles = "; ".join(FORMATS[key].title for key in tried)
    added = f" (Tried as: {titles}.)" if FORMATS[nearest].last_resort else ""
    return UnreadableFile(f"{error.fact}{added}", remedy=error.remedy)
