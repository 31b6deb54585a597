"""What the columns of a list may be, for a person to correct."""

from __future__ import annotations

from cml_core.files.reading.heads import (
    ANSWERED,
    OBJECT,
    ODD,
    PILE,
    VALUE,
    WEIGHT,
    columns_sharing_names,
    first_headed,
    is_person,
    pair_columns,
)
from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.raw import Cells
from cml_core.files.reading.roles import Roles, column_titles, has_heads


def likely_roles(cells: Cells) -> Roles:
    """A role for each column, by its head and by what stands below it."""
    titles = column_titles(cells)
    found = _by_heads(titles)
    pair = pair_columns(titles, tuple(found)) or _sharing(cells, tuple(found))
    if pair is not None:
        found |= dict(zip(pair, ("first", "second"), strict=True))
        value = first_headed(titles, VALUE | ANSWERED, tuple(found))
        value = _answer(_numeric(cells, found), pair) if value is None else value
        if value is not None:
            found[value] = "value"
        weight = first_headed(titles, WEIGHT, tuple(found))
        if weight is not None:
            found[weight] = "weight"
    return tuple((title, found.get(k, "ignore")) for k, title in enumerate(titles))


def _by_heads(titles: tuple[str, ...]) -> dict[int, str]:
    """What heads say of people, piles, and three objects of which one is odd."""
    found: dict[int, str] = {}
    person = next((k for k, title in enumerate(titles) if is_person(title)), None)
    if person is not None:
        found[person] = "person"
    pile = first_headed(titles, PILE, tuple(found))
    thing = first_headed(titles, OBJECT, (*found, -1 if pile is None else pile))
    if pile is not None and thing is not None:
        return {**found, pile: "pile", thing: "first"}
    objects = [k for k, title in enumerate(titles) if k not in found and title[-1:] in "123abc"]
    odd = first_headed(titles, ODD, (*found, *objects))
    if odd is not None and len(objects) == 3:
        roles = dict(zip(objects, ("first", "second", "third"), strict=True))
        return {**found, **roles, odd: "odd"}
    return found


def _sharing(cells: Cells, taken: tuple[int, ...]) -> tuple[int, int] | None:
    return columns_sharing_names(cells, taken) if len({len(r) for r in cells.rows}) == 1 else None


def _answer(numeric: list[int], pair: tuple[int, int]) -> int | None:
    """The numbers that stand after the pair; before it they often count the trials."""
    after = [k for k in numeric if k > max(pair)]
    return next(iter(after or numeric), None)


def _numeric(cells: Cells, taken: dict[int, str]) -> list[int]:
    begin = int(has_heads(cells))
    width = len(cells.rows[0])
    return [
        k
        for k in range(width)
        if k not in taken and not any(is_text(row[k]) for row in cells.rows[begin:] if k < len(row))
    ]
