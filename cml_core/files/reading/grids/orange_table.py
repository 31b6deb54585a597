"""Orange's tables (.tab): three lines of heads, names, kinds and roles, above the values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.raw import Limits

_KINDS = frozenset(("continuous", "numeric", "discrete", "categorical", "string", "text", "time"))
_KINDS |= frozenset("cndst")
_ROLES = frozenset(("class", "meta", "ignore", "weight", "multiclass", "basket", *"cmiw"))
# More rows than may be read, so that they are refused as too many.
_HEADS = 200
# In one line: D#colour, mS#name, cC#price.
_SHORT = re.compile(r"([mciw]?)([CDSTN]?)#(.+)", re.DOTALL)


def _head(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.split("\n")[:3]]


def _suits(begin: Begin) -> bool:
    rows = _head(begin.text)
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    if sum(_SHORT.fullmatch(cell.strip()) is not None for cell in rows[0]) > len(rows[0]) / 2:
        return True
    if len(rows) < 3 or len(rows[1]) != len(rows[0]):
        return False
    kinds = [cell.strip() for cell in rows[1]]
    roles = [cell.strip() for cell in rows[2]]
    # In place of "discrete" the values may be listed, with blanks between them.
    return (
        any(kind in _KINDS for kind in kinds)
        and all(kind in _KINDS or " " in kind for kind in kinds)
        and all(_is_role(role) for role in roles)
    )


def _is_role(text: str) -> bool:
    return not text or text in _ROLES or "=" in text


def _tables(text: str, limits: Limits) -> Iterator[Table]:
    lines = [
        (number, line.split("\t"))
        for number, line in islice(lines_of(text), limits.objects + _HEADS)
    ]
    names = [cell.strip() for cell in lines[0][1]]
    short = [_SHORT.fullmatch(name) for name in names]
    if any(short):
        kinds = [match[2] if match else "" for match in short]
        roles = [match[1] if match else "" for match in short]
        names = [match[3] if match else name for match, name in zip(short, names, strict=True)]
        body = lines[1:]
    else:
        kinds = [cell.strip()[:1].upper() for cell in lines[1][1]]
        roles = [cell.strip()[:1] for cell in (lines[2][1] if len(lines) > 2 else [])]
        # A line of roles that are all empty is blank, and not among the lines.
        with_roles = len(lines) > 2 and all(_is_role(cell.strip()) for cell in lines[2][1])
        body = lines[3:] if with_roles else lines[2:]
        roles = roles if with_roles else []
    order = _order(kinds, roles, len(names))
    rows = [[row[k] if k < len(row) else "" for k in order] for _, row in body]
    yield Table([[names[k] for k in order], *rows], lines=[lines[0][0], *(n for n, _ in body)])


def _order(kinds: Sequence[str], roles: Sequence[str], width: int) -> list[int]:
    """Columns that are not to be ignored, one of texts first: it names the objects."""
    role = dict(enumerate(roles))
    kept = [k for k in range(width) if role.get(k) not in ("i", "w")]
    named = next((k for k in kept if k < len(kinds) and kinds[k] == "S"), None)
    return kept if named is None else [named, *(k for k in kept if k != named)]


ORANGE_TABLE = GridFile("a table of Orange", _suits, of_tables(_tables), is_text=True)
