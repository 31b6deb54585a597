"""Tables in JSON, as pandas, R, JavaScript and network programs write them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

from cml_core.errors import UnreadableFile
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.grids.json_lines import (
    LABELS,
    REMEDY,
    ROW_NAMES,
    lines_of_json,
    text_of,
)
from cml_core.files.reading.grids.networks import linked
from cml_core.files.reading.raw import Limits
from cml_core.values.whole_characters import of_whole_characters

_MOST_NESTED = 4
# One at a time, so that a table of too many is refused before all of it has become texts.
_Rows: TypeAlias = Iterator[Sequence[str]]


def _texts(values: Iterable[Any]) -> list[str]:
    return list(map(text_of, values))


def _let_go(rows: list[Any]) -> Iterator[Any]:
    """Each row in turn, of which nothing is kept: what it becomes takes its memory."""
    for k, row in enumerate(rows):
        rows[k] = None
        yield row


def _tables(text: str, _limits: Limits) -> Iterator[Table]:
    text = of_whole_characters(text)
    try:
        held = json.loads(text)
    except json.JSONDecodeError as error:
        held = _by_line(text, error)
    except (RecursionError, ValueError):
        raise UnreadableFile(
            "The JSON is nested too deeply, or has a number of thousands of digits.",
            remedy=REMEDY,
        ) from None
    found = list(_found(held, 0))
    if not found:
        raise UnreadableFile("The JSON holds no table.", remedy=REMEDY)
    yield from found


def _by_line(text: str, error: json.JSONDecodeError) -> list[Any]:
    """One object a line, which is no JSON as a whole."""
    try:
        held = [json.loads(line) for _, line in lines_of(text)]
        if len(held) > 1:
            return held
    except (ValueError, RecursionError):
        pass
    raise UnreadableFile(
        f"Line {error.lineno} is no JSON: {error.msg}.", remedy="Save the file as JSON again."
    )


def _found(held: Any, depth: int, name: str = "") -> Iterator[Table]:
    rows: _Rows | None = None
    if isinstance(held, list):
        rows = _of_list(held)
    elif isinstance(held, dict):
        rows = _of_object(held)
    if rows:
        yield Table(rows, name)
    elif isinstance(held, dict) and depth < _MOST_NESTED:
        for key, part in held.items():
            yield from _found(part, depth + 1, key)


def _of_list(held: list[Any]) -> _Rows | None:
    if len(held) > 1 and all(isinstance(row, dict) for row in held):
        return _records(held)
    if len(held) > 1 and all(isinstance(row, list) for row in held):
        return map(_texts, _let_go(held))
    return None


def _records(rows: list[Any]) -> _Rows:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    first = next((key for key in ROW_NAMES if key in keys), "")
    keys = [first, *(key for key in keys if key != first)] if first else keys
    yield ["" if key == first else key for key in keys]
    yield from (_texts(map(row.get, keys)) for row in _let_go(rows))


def _of_object(held: dict[str, Any]) -> _Rows | None:
    links = next((held[key] for key in ("links", "edges") if isinstance(held.get(key), list)), None)
    if links and "nodes" in held and all(isinstance(link, dict) for link in links):
        links = [link.get("data", link) for link in links]
        return linked(
            [dict(zip(link, _texts(link.values()), strict=True)) for link in links],
            _names_of(held["nodes"]),
        )
    table = next((held[k] for k in held if _is_matrix(held[k])), None)
    if table is not None:
        return _labelled(table, held)
    if isinstance(held.get("data"), list) and "schema" in held:
        return _of_list(held["data"])
    values = list(held.values())
    if len(values) > 1 and all(isinstance(value, dict) for value in values):
        return _nested(held)
    if len(values) > 1 and all(isinstance(value, list) for value in values):
        return _columns(held)
    return None


def _is_matrix(part: Any) -> bool:
    return isinstance(part, list) and len(part) > 1 and all(isinstance(row, list) for row in part)


def _labelled(table: list[list[Any]], held: dict[str, Any]) -> _Rows:
    """A table with the names of its rows and columns beside it."""
    named = {k: _texts(held[k]) for k in LABELS if _is_names(held.get(k))}
    rows = next((n for k, n in named.items() if k != "columns" and len(n) == len(table)), [])
    square = all(len(row) == len(table) for row in table)
    columns = named.get("columns", rows if square else [])
    if columns:
        yield ["" for _ in rows[:1]] + columns
    yield from ([*rows[k : k + 1], *_texts(row)] for k, row in enumerate(_let_go(table)))


def _is_names(part: Any) -> bool:
    return isinstance(part, list) and not any(isinstance(entry, list | dict) for entry in part)


def _nested(held: dict[str, dict[str, Any]]) -> _Rows:
    """An object of values for each name: pandas has columns outside, others rows."""
    inner = list(dict.fromkeys(key for part in held.values() for key in part))
    counted = inner == [str(k) for k in range(len(inner))]
    # Columns of records whose rows are only counted: as pandas writes by itself.
    if counted and set(inner) != set(held):
        yield list(held)
        yield from (_texts(held[name].get(k) for name in held) for k in inner)
        return
    if set(inner) <= set(held):
        inner = list(held)
    yield ["", *inner]
    while held:
        name = next(iter(held))
        yield [name, *_texts(map(held.pop(name).get, inner))]


def _columns(held: dict[str, list[Any]]) -> _Rows:
    yield list(held)
    yield from map(_texts, zip_longest(*held.values()))


def _names_of(nodes: Any) -> dict[str, str]:
    """What the nodes of a network are called, by the id that links name them by."""
    names: dict[str, str] = {}
    for k, node in enumerate(nodes if isinstance(nodes, list) else []):
        if isinstance(node, dict):
            node = node.get("data", node)
            known = text_of(node.get("id", k))
            names[known] = text_of(node.get("label") or node.get("name") or known)
    return names


def _suits(begin: Begin) -> bool:
    text = begin.text
    if text[:1] == "{":
        return text[1:].lstrip()[:1] in ('"', "")
    return (
        text[:1] == "["
        and text[1:].lstrip()[:1] in ("{", "[")
        and ("," in text[:200] or text[1:].lstrip()[:1] == "{")
        and not _is_printed(text)
    )


def _is_printed(text: str) -> bool:
    """Whether numpy printed it: numbers with blanks between them."""
    first = text.lstrip("[ \n").partition("]")[0]
    return "," not in first and '"' not in first


JSON = GridFile(
    "a JSON file",
    _suits,
    of_tables(_tables),
    is_text=True,
    with_points=True,
    as_lines=lines_of_json,
)
