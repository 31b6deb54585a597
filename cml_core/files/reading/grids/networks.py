"""Networks whose links have a value: GML, TGF and Pajek's files become lists of pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cml_core.errors import UnreadableFile
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.raw import Limits

_VALUES = ("value", "weight", "distance", "dissimilarity", "similarity", "length", "len")
_ENDS = ("source", "target")
_HOW = "Save its links with their values as CSV: the two names and the value in each line."
# So many bytes are searched for the line that ends the nodes.
_MOST_NODES = 200_000
_GML = re.compile(r'"([^"]*+)"|([\[\]])|([^\s\[\]"]++)')
_SECTION = re.compile(r"\*(\w+)\s*(.*)")
_VERTEX = re.compile(r'\s*(\d+)\s+(?:"([^"]*)"|(\S+))')


def linked(links: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[list[str]]:
    """The pairs of a network, by the names of its nodes where they have some.

    Raises
    ------
    UnreadableFile : the links have no value.
    """
    key = next((key for key in _VALUES if links and key in links[0]), "")
    if not key:
        raise UnreadableFile("The links of the network have no value.", remedy=_HOW)
    yield ["source", "target", key]
    for link in links:
        one, other, value = ("" if link.get(k) is None else str(link[k]) for k in (*_ENDS, key))
        yield [names.get(one, one), names.get(other, other), value]


def _gml(text: str, _limits: Limits) -> Iterator[Table]:
    nodes: list[dict[str, str]] = []
    links: list[dict[str, str]] = []
    kinds = {"node": nodes, "edge": links}
    held: list[dict[str, str]] = []
    open_keys: list[str] = []
    key = ""
    for quoted, bracket, plain in _GML.findall(text):
        if bracket == "[":
            open_keys.append(key)
            held.append({})
            key = ""
        elif bracket:
            kind, entries = (open_keys.pop(), held.pop()) if held else ("", {})
            kinds.get(kind, []).append(entries)
            key = ""
        elif key and held:
            held[-1][key] = quoted or plain
            key = ""
        else:
            key = "" if key else plain
    names = {node["id"]: node.get("label") or node["id"] for node in nodes if "id" in node}
    yield Table(linked(links, names))


def _pajek(text: str, _limits: Limits) -> Iterator[Table]:
    names: dict[str, str] = {}
    links: list[dict[str, str]] = []
    rows: list[list[str]] = []
    section = ""
    for _, line in lines_of(text):
        if head := _SECTION.match(line.strip()):
            section = head[1].lower()
        elif section == "vertices" and (vertex := _VERTEX.match(line)):
            names[vertex[1]] = vertex[2] or vertex[3]
        elif section in ("edges", "arcs"):
            words = line.split()
            links.append(dict(zip((*_ENDS, "value"), words, strict=False)))
        elif section == "matrix":
            rows.append(line.split())
    if rows and len(rows) == len(names):
        table = zip(names.values(), rows, strict=True)
        yield Table([["", *names.values()], *([name, *row] for name, row in table)])
        return
    yield Table(rows or linked(links, names))


def _tgf(text: str, _limits: Limits) -> Iterator[Table]:
    nodes, _, links = text.partition("\n#")
    named = [line.split(None, 1) for _, line in lines_of(nodes)]
    ends = [
        dict(zip((*_ENDS, "value"), line.split(None, 2), strict=False))
        for _, line in lines_of(links)
    ]
    names = {words[0]: words[-1].strip() for words in named}
    yield Table(linked(ends, names))


def _is_tgf(begin: Begin) -> bool:
    """Nodes with an identifier each, a line with # alone, and links between two of them."""
    nodes, mark, links = begin.data[:_MOST_NODES].partition(b"\n#")
    first, _, rest = links.lstrip(b" \t\r").partition(b"\n") if mark else (b"", b"", b"")
    words = rest.split(None, 2)
    known = {line.split(None, 1)[0] for line in nodes.split(b"\n") if line.strip()}
    return not first.strip() and len(words) > 1 and {words[0], words[1]} <= known


def _is_gml(begin: Begin) -> bool:
    return re.match(r"(?:(?:Creator|Version|#)[^\n]*\n\s*)*graph\s*\[", begin.text) is not None


def _is_pajek(begin: Begin) -> bool:
    return re.match(r"(?:\*network[^\n]*\n\s*)?\*vertices\s", begin.text, re.IGNORECASE) is not None


GML = GridFile("a GML network", _is_gml, of_tables(_gml), is_text=True, with_points=True)
PAJEK = GridFile("a Pajek network", _is_pajek, of_tables(_pajek), is_text=True, with_points=True)
TGF = GridFile("a TGF network", _is_tgf, of_tables(_tgf), is_text=True, with_points=True)
