"""How large a table may be, asked before its values are read."""

from __future__ import annotations

from cml_core.errors import TooManyObjects

# A list of pairs, with a weight, has more rows than objects.
_WIDEST_LIST = 4


def check_shape(what: str, height: int, width: int, rows: int, columns: int) -> None:
    """Raise `TooManyObjects` for more rows or columns than are read."""
    if width > columns or (height > rows and width > _WIDEST_LIST):
        raise TooManyObjects(
            f"{what} has {height:,} rows and {width:,} columns; at most {rows:,} and "
            f"{columns - 2:,} are read.",
            remedy="Give fewer objects or columns.",
        )
