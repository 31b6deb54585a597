"""Tables in JSON, as pandas, R, JavaScript and network programs write them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cml_core.errors import UnreadableFile
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.raw import Limits

_ROW_NAMES = ("_row", "index", "level_0", "Unnamed: 0")
_LABELS = ("labels", "names", "ids", "objects", "index", "columns")
_WEIGHTS = ("value", "weight", "distance", "dissimilarity", "length")
_MOST_NESTED = 4
_REMEDY = 'Save the table as a list of rows: [{"name": "a", "b": 1.5}, …], or as CSV.'


def text_of(value: Any) -> str:
    """What people would type for a value of JSON; nothing for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    if isinstance(value, list | dict):
        raise UnreadableFile("A value of the JSON table is a list or an object.", remedy=_REMEDY)
    return "" if value != value else str(value)


def _tables(text: str, _limits: Limits) -> Iterator[Table]:
    try:
        held = json.loads(text)
    except json.JSONDecodeError as error:
        held = _by_line(text, error)
    except (RecursionError, ValueError):
        raise UnreadableFile(
            "The JSON is nested too deeply, or has a number of thousands of digits.",
            remedy=_REMEDY,
        ) from None
    found = list(_found(held, 0))
    if not found:
        raise UnreadableFile("The JSON holds no table.", remedy=_REMEDY)
    yield from found


def _by_line(text: str, error: json.JSONDecodeError) -> list[Any]:
    """One object a line, which is no JSON as a whole."""
    lines = [line for line in text.split("\n") if line.strip()]
    try:
        if len(lines) > 1:
            return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        pass
    raise UnreadableFile(
        f"Line {error.lineno} is no JSON: {error.msg}.", remedy="Save the file as JSON again."
    )


def _found(held: Any, depth: int, name: str = "") -> Iterator[Table]:
    rows = None
    if isinstance(held, list):
        rows = _of_list(held)
    elif isinstance(held, dict):
        rows = _of_object(held)
    if rows:
        yield Table(rows, name)
    elif isinstance(held, dict) and depth < _MOST_NESTED:
        for key, part in held.items():
            yield from _found(part, depth + 1, key)


def _of_list(held: list[Any]) -> list[list[str]] | None:
    if len(held) > 1 and all(isinstance(row, dict) for row in held):
        return _records(held)
    if len(held) > 1 and all(isinstance(row, list) for row in held):
        return [list(map(text_of, row)) for row in held]
    return None


def _records(rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    first = next((key for key in _ROW_NAMES if key in keys), "")
    keys = [first, *(key for key in keys if key != first)] if first else keys
    return [
        ["" if key == first else key for key in keys],
        *([text_of(row.get(key)) for key in keys] for row in rows),
    ]


def _of_object(held: dict[str, Any]) -> list[list[str]] | None:
    links = next((held[key] for key in ("links", "edges") if isinstance(held.get(key), list)), None)
    if links and "nodes" in held and all(isinstance(link, dict) for link in links):
        return _links(links, held["nodes"])
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


def _labelled(table: list[list[Any]], held: dict[str, Any]) -> list[list[str]]:
    """A table with the names of its rows and columns beside it."""
    named = {k: list(map(text_of, held[k])) for k in _LABELS if _is_names(held.get(k))}
    rows = next((n for k, n in named.items() if k != "columns" and len(n) == len(table)), [])
    square = all(len(row) == len(table) for row in table)
    columns = named.get("columns", rows if square else [])
    texts = [[*rows[k : k + 1], *map(text_of, row)] for k, row in enumerate(table)]
    return [["" for _ in rows[:1]] + columns, *texts] if columns else texts


def _is_names(part: Any) -> bool:
    return isinstance(part, list) and not any(isinstance(entry, list | dict) for entry in part)


def _nested(held: dict[str, dict[str, Any]]) -> list[list[str]]:
    """An object of values for each name: pandas has columns outside, others rows."""
    inner = list(dict.fromkeys(key for part in held.values() for key in part))
    counted = inner == [str(k) for k in range(len(inner))]
    # Columns of records whose rows are only counted: as pandas writes by itself.
    if counted and set(inner) != set(held):
        return [list(held), *([text_of(held[name].get(k)) for name in held] for k in inner)]
    if set(inner) <= set(held):
        inner = list(held)
    rows = ([name, *(text_of(part.get(key)) for key in inner)] for name, part in held.items())
    return [["", *inner], *rows]


def _columns(held: dict[str, list[Any]]) -> list[list[str]]:
    height = max(map(len, held.values()))
    columns = [[*map(text_of, part), *[""] * (height - len(part))] for part in held.values()]
    return [list(held), *(list(row) for row in zip(*columns, strict=True))]


def _links(links: Sequence[Mapping[str, Any]], nodes: Any) -> list[list[str]]:
    """The pairs of a network, by names where its nodes have some."""
    names: dict[str, str] = {}
    for k, node in enumerate(nodes if isinstance(nodes, list) else []):
        if isinstance(node, dict):
            known = text_of(node.get("id", k))
            names[known] = text_of(node.get("label") or node.get("name") or known)
    key = next((key for key in _WEIGHTS if key in links[0]), "")
    if not key:
        raise UnreadableFile(
            "The links of the network have no value.", remedy='Give each link a "value".'
        )
    ends = ([text_of(link.get(end)) for end in ("source", "target")] for link in links)
    given = (text_of(link.get(key)) for link in links)
    pairs = ([*(names.get(e, e) for e in two), v] for two, v in zip(ends, given, strict=True))
    return [["source", "target", key], *pairs]


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


JSON = GridFile("a JSON file", _suits, of_tables(_tables), is_text=True, with_points=True)
