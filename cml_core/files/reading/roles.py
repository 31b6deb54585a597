"""What the columns of a list can be, as a person says it."""

from __future__ import annotations

from cml_core.errors import UnreadableFile
from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.raw import Cells

ROLES = {
    "person": "Who judged",
    "first": "Object, or the first of two",
    "second": "Second object",
    "third": "Third object",
    "value": "How far apart, or how alike",
    "weight": "How much it counts",
    "pile": "Pile or group",
    "odd": "The odd one out",
    "ignore": "Leave out",
}

Roles = tuple[tuple[str, str], ...]


def has_heads(cells: Cells) -> bool:
    """Whether the first line says what stands below it: words that do not come again."""
    head, rest = cells.rows[0], cells.rows[1:]
    if not rest or not all(is_text(cell) or not cell for cell in head) or not any(head):
        return False
    return not any(
        cell and any(row[k : k + 1] == (cell,) for row in rest) for k, cell in enumerate(head)
    )


def column_titles(cells: Cells) -> tuple[str, ...]:
    """What the columns of a list are called; their number where there is no head, or twice one."""
    width = max(len(row) for row in cells.rows)
    head = cells.rows[0] if has_heads(cells) else ()
    titles: list[str] = []
    for k in range(width):
        name = head[k] if k < len(head) else ""
        titles.append(name if name and name not in titles else f"column {k + 1}")
    return tuple(titles)


def places_of(cells: Cells, roles: Roles) -> dict[str, tuple[int, ...]]:
    """The columns that have each role.

    Raises
    ------
    UnreadableFile : a column is named that is not there.
    """
    titles = column_titles(cells)
    found: dict[str, tuple[int, ...]] = {}
    for head, role in roles:
        if head not in titles:
            raise UnreadableFile(
                f"No column is called {head[:40]!r}.",
                remedy="Say again what each column is.",
            )
        if role != "ignore":
            found[role] = (*found.get(role, ()), titles.index(head))
    return found
