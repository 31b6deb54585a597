"""How a grid is laid out: a square, a triangle, a list of pairs, or measurements."""

from __future__ import annotations

from itertools import pairwise

from cml_core.files.reading.pair_columns import looks_like_pairs
from cml_core.files.reading.raw import Cells
from cml_core.files.reading.sides import Sides, looks_square, rises, sides_of


def layout_of(cells: Cells) -> str:
    """The layout that a grid comes nearest to: "square", "triangle", "pairs", "measurements"."""
    return cells.once("layout", lambda: _layout_of(cells))


def _layout_of(cells: Cells) -> str:
    sides = sides_of(cells)
    widths = sides.widths()
    # Names on both sides say more than any shape; what is left over is a table of measurements.
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
