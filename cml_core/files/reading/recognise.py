"""Which format a file is in: what its first lines, its shape and its names say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np

from cml_core.errors import ConditionalMappingError, TooManyObjects, UnreadableFile
from cml_core.files.reading.container import Container
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.formats import FORMATS
from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.orange import has_constant_diagonal, header_of
from cml_core.files.reading.pairs import looks_like_pairs
from cml_core.files.reading.r_dist import speaks_for_r
from cml_core.files.reading.raw import Cells, RawTable
from cml_core.files.reading.sides import Sides, looks_square, rises, sides_of
from cml_core.values.features import FeatureTable

_BY_KIND = {
    "square": ("lsmat", "triangle", "square"),
    "triangle": ("triangle", "square"),
    "pairs": ("pairs",),
    "measurements": ("measurements",),
}


def best(container: Container, name: str) -> RawTable | FeatureTable:
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
            table = container.read(key)
        except TooManyObjects:
            raise
        except ConditionalMappingError as error:
            # A trace would hold on to the whole grid.
            tried[key] = error.with_traceback(None)
            continue
        if _convinces(key, table, container, name):
            return table
    raise _nothing_fits(container, name, tried)


def plausible(
    container: Container, name: str, known: RawTable | FeatureTable | None = None
) -> tuple[str, ...]:
    """Every format that the file can be read in, best first; `known` is not read again."""
    read_as = known.format if isinstance(known, RawTable) else "measurements"
    likely = list(_likely(container, name))
    found: list[str] = []
    doubtful: list[str] = []
    for key in [*likely, *(f for f in _others(container) if f not in likely)]:
        try:
            table = known if known is not None and key == read_as else container.read(key)
        except ConditionalMappingError:
            continue
        sure = key in likely and _convinces(key, table, container, name)
        (found if sure else doubtful).append(key)
    return (*found, *doubtful)


def _likely(container: Container, name: str) -> Iterator[str]:
    """Formats worth trying, best first."""
    if container.kind in ("npy", "npz"):
        yield container.kind
        return
    exact = _by_first_line(container, name) if container.kind == "text" else ()
    yield from exact
    if exact and _certain(container, exact[0]):
        return
    if container.kind == "text" and _printed_by_r(container):
        yield "r_dist"
        return
    for key in _BY_KIND[_kind_of(container.cells)]:
        if key != "lsmat" or container.kind == "text":
            yield key


def _others(container: Container) -> tuple[str, ...]:
    """Formats that a person may mean although nothing speaks for them."""
    if container.kind in ("npy", "npz"):
        return ()
    try:
        cells = container.cells
    except ConditionalMappingError:
        return ()
    maybe_pairs = ("pairs",) if looks_like_pairs(cells) else ()
    printed = ("r_dist",) if container.kind == "text" else ()
    return ("square", "triangle", *printed, *maybe_pairs, "measurements")


def _by_first_line(container: Container, name: str) -> tuple[str, ...]:
    """Formats that begin with the number of objects."""
    _, line = next(lines_of(container.text), (1, ""))
    try:
        header = header_of(line)
    except ConditionalMappingError:
        return ("orange",) if _ends(name, ".dst") else ()
    if header.flags or _ends(name, ".dst"):
        return ("orange",)
    return ("orange", "phylip") if header.count > 1 else ()


def _certain(container: Container, key: str) -> bool:
    """Whether the file cannot be anything else: a word stands where only this format has one."""
    if key == "orange" and len(_by_first_line(container, "")) == 1:
        return True
    second = [line for _, line in islice(lines_of(container.text), 1, 2)]
    words = second[0].split() if second else []
    return bool(words) and is_text(words[0])


def _printed_by_r(container: Container) -> bool:
    try:
        return _aligned(container.text) and speaks_for_r(container.text, container.limits)
    except ConditionalMappingError:
        return False


def _aligned(text: str) -> bool:
    """Whether blanks alone stand between the cells, as where R prints."""
    sample = text[:4_000]
    return not any(mark in sample for mark in "\t;|") and sample.count(", ") == 0


def _kind_of(cells: Cells) -> str:
    """The layout that a grid comes nearest to: "square", "triangle", "pairs", "measurements"."""
    sides = sides_of(cells)
    widths = sides.widths()
    if _shares_names(sides):
        return "square" if max(widths) - min(widths) < len(widths) - 1 else "triangle"
    if _is_stairs(widths) or (len(widths) > 2 and rises(sides.filled())):
        return "triangle"
    square = set(widths) == {sides.height}
    if looks_like_pairs(cells) and not (square and looks_square(sides)):
        return "pairs"
    nameless = sides.above is None and not sides.before
    if (square and nameless) or (abs(max(widths) - sides.height) < 2 and looks_square(sides)):
        return "square"
    return "measurements"


def _is_stairs(widths: list[int]) -> bool:
    """Whether nearly every row is one longer, or one shorter, than the one before."""
    steps = [after - before for before, after in pairwise(widths)]
    ordered = widths in (sorted(widths), sorted(widths, reverse=True))
    steady = any(2 * steps.count(step) > len(steps) for step in (1, -1))
    return steady or (ordered and abs(sum(steps)) >= len(steps) - 1 > 0)


def _shares_names(sides: Sides) -> bool:
    """Whether at least half of the names stand on both sides."""
    above, before = set(sides.above or ()), set(sides.row_names())
    return 2 * len(above & before) >= max(len(above), len(before), 1)


def _convinces(key: str, table: RawTable | FeatureTable, container: Container, name: str) -> bool:
    """Whether a format that can be read is meant; some nearly fit anything."""
    if isinstance(table, FeatureTable):
        return True
    if key == "orange":
        sure = len(_by_first_line(container, name)) == 1
        return sure or has_constant_diagonal(table)
    if key == "lsmat":
        return _ends(name, ".lsmat") or _written_by_scikit_bio(container, table)
    return True


def _written_by_scikit_bio(container: Container, table: RawTable) -> bool:
    """Whether there is a remark above, or tabs between and a point in every number."""
    first = container.text[:1_000].lstrip()
    if first.startswith("#") and container.cells.lines[0] > 1:
        return True
    complete = not np.isnan(table.values).any()
    rows = container.cells.rows[1:]
    return (
        complete
        and "\t" in first
        and all("." in cell or "e" in cell for row in rows[:50] for cell in row[1:51])
    )


def _nothing_fits(
    container: Container, name: str, tried: dict[str, ConditionalMappingError]
) -> UnreadableFile:
    nearest = _nearest(container, name, tried)
    if not nearest:
        return UnreadableFile(
            "The file is in no format that is read here.",
            remedy="Give a square table with the names of objects above and before it.",
        )
    error = tried[nearest]
    # Nothing speaks for a table of measurements: it is what is left.
    titles = "; ".join(FORMATS[key] for key in tried)
    added = f" (Tried as: {titles}.)" if nearest == "measurements" else ""
    return UnreadableFile(f"{error.fact}{added}", remedy=error.remedy)


def _nearest(container: Container, name: str, tried: dict[str, ConditionalMappingError]) -> str:
    """The format whose complaint helps most: the one that the shape speaks for."""
    likely = [key for key in _likely(container, name) if key in tried]
    if "phylip" in likely and _certain(container, "phylip"):
        return "phylip"
    if "orange" in likely and len(likely) == 1:
        return "orange"
    by_shape = [key for key in likely if key not in ("orange", "phylip", "lsmat")]
    if by_shape[:2] == ["triangle", "square"] and _kind_of(container.cells) == "square":
        return "square"
    return by_shape[0] if by_shape else next(iter(likely), "")


def _ends(name: str, suffix: str) -> bool:
    return name.lower().endswith(suffix)
