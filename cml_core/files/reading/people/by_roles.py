"""A list whose columns a person has named: read as what these columns make of it."""

from __future__ import annotations

from collections.abc import Mapping

from cml_core.errors import UnreadableFile
from cml_core.files.reading.pair_columns import PairColumns
from cml_core.files.reading.pairs import pairs
from cml_core.files.reading.people.confusion_list import ConfusionColumns, confusion_list
from cml_core.files.reading.people.lists import check_width
from cml_core.files.reading.people.rater_columns import RaterColumns, rater_columns
from cml_core.files.reading.people.rater_list import RatingColumns, rater_list
from cml_core.files.reading.people.sorting import SortingColumns, sorting
from cml_core.files.reading.people.triads import TriadColumns, triads
from cml_core.files.reading.raw import Cells, Limits, RawTable
from cml_core.files.reading.roles import ROLES, Roles, has_heads, places_of

# What each kind of list needs, and may have; the first that fits is read.
_KINDS: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (frozenset({"person", "first", "pile"}), frozenset()),
    (frozenset({"first", "second", "third", "odd"}), frozenset({"person"})),
    (frozenset({"person", "first", "second", "value"}), frozenset()),
    (frozenset({"first", "second", "value"}), frozenset({"weight"})),
    (frozenset({"person", "first", "second"}), frozenset()),
)


def by_roles(cells: Cells, limits: Limits, roles: Roles) -> RawTable:
    """The list as its columns say: ratings, pairs, sortings, triads or confusions.

    Several columns of values are several people, each with one column.

    Raises
    ------
    UnreadableFile : the columns make no list that can be read; says which one lacks.
    """
    check_width(cells, 3, "a list has at least three columns")
    at = places_of(cells, roles)
    _check_kind(at)
    begin = int(has_heads(cells))
    one = {role: columns[0] for role, columns in at.items()}
    if "pile" in at:
        return sorting(
            cells, limits, SortingColumns(begin, one["person"], one["first"], one["pile"])
        )
    if "odd" in at:
        three = (one["first"], one["second"], one["third"])
        return triads(cells, limits, TriadColumns(begin, one.get("person"), three, one["odd"]))
    first, second = one["first"], one["second"]
    if len(at.get("value", ())) > 1:
        return rater_columns(cells, limits, RaterColumns(begin, first, second, at["value"]))
    if "value" not in at:
        return confusion_list(cells, limits, ConfusionColumns(begin, one["person"], first, second))
    if "person" in at:
        said = RatingColumns(begin, one["person"], first, second, one["value"])
        return rater_list(cells, limits, said)
    return pairs(cells, limits, PairColumns(begin, first, second, one["value"], one.get("weight")))


def _check_kind(at: Mapping[str, tuple[int, ...]]) -> None:
    for role, columns in at.items():
        if len(columns) > 1 and not (role == "value" and "person" not in at):
            raise UnreadableFile(
                f"{len(columns)} columns are said to be: {ROLES[role].lower()}.",
                remedy="Choose one column for it. Several columns of values are several people, "
                "where no column says who judged.",
            )
    given = frozenset(at)
    if any(needed <= given <= needed | further for needed, further in _KINDS):
        return
    needed, _ = min(_KINDS, key=lambda kind: (len(kind[0] ^ given), len(kind[0] - given)))
    lacking = [ROLES[role].lower() for role in ROLES if role in needed - given]
    beyond = [ROLES[role].lower() for role in ROLES if role in given - needed]
    wrong = [f"no column is said to be: {', '.join(lacking)}"] * bool(lacking)
    wrong += [f"it has no use for: {', '.join(beyond)}"] * bool(beyond and not lacking)
    raise UnreadableFile(
        f"The columns do not make a list yet: {'; '.join(wrong)}.",
        remedy="Pairs need two objects and a value; sortings a person, an object and a pile; "
        "triads three objects and the odd one.",
    )
