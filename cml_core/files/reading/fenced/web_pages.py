"""The tables of a web page, by Python's own parser; only the child runs this."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from cml_core.errors import TooManyObjects, UnreadableFile, listing
from cml_core.files.reading.fenced.bounds import check_shape

_CELLS = frozenset(("td", "th"))
_SILENT = frozenset(("script", "style", "sup"))
_MOST_SPANNED, _MOST_ROWS = 1_000, 200_000
_LONGEST_NAME = 80


def tables(
    path: str, chosen: str, rows: int, columns: int
) -> tuple[list[str], str, Iterator[list[str]]]:
    """The captions of the tables, which was taken, and its rows."""
    parser = _Tables()
    parser.feed(Path(path).read_text("utf-8"))
    parser.close()
    filled = [(name, body) for name, body in parser.tables if any(map(any, body))]
    found = {name[:_LONGEST_NAME] or f"Table {k}": body for k, (name, body) in enumerate(filled, 1)}
    names = list(found)
    if not names or (chosen and chosen not in found):
        raise UnreadableFile(
            f"The page has no table called {chosen[:80]!r}." if chosen else "There is no table.",
            remedy=f"Choose one of {listing(names, 20)}." if names else "Copy the table itself.",
        )
    body = found[chosen or names[0]]
    width = max(map(len, body))
    check_shape("The table", len(body), width, rows, columns)
    return names if len(names) > 1 else [], "", _rows(body)


def _rows(body: list[list[str]]) -> Iterator[list[str]]:
    for row in body:
        yield [" ".join(cell.split()) for cell in row]


class _Tables(HTMLParser):
    """The texts of the cells of all tables; what spans several cells stands in the first."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[tuple[str, list[list[str]]]] = []
        self._open: list[list[list[str]]] = []
        self._below: dict[int, int] = {}
        self._in_cell = self._in_caption = False
        self._silent = self._place = self._rows = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            rows: list[list[str]] = []
            self._open.append(rows)
            self.tables.append(("", rows))
            self._below = {}
        elif tag == "caption":
            self._in_caption = bool(self.tables)
        elif tag == "tr" and self._open:
            self._open[-1].append([])
            self._rows += 1
            if self._rows > _MOST_ROWS:
                raise TooManyObjects(
                    f"The page has tables of more than {_MOST_ROWS:,} rows; no more are read.",
                    remedy="Copy the one table that is needed.",
                )
            self._in_cell = False
        elif tag in _CELLS and self._open and self._open[-1]:
            self._begin_cell(dict(attributes))
        elif tag == "br" and self._in_cell:
            self._add(" ")
        self._silent += tag in _SILENT

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT and self._silent > 0
        if tag in _CELLS or tag == "tr":
            self._in_cell = False
        elif tag == "caption":
            self._in_caption = False
        elif tag == "table" and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._in_caption and self.tables:
            name, rows = self.tables[-1]
            self.tables[-1] = (f"{name} {data}".strip(), rows)
        elif self._in_cell and not self._silent:
            self._add(data)

    def _begin_cell(self, attributes: dict[str, str | None]) -> None:
        row = self._open[-1][-1]
        while self._below.get(len(row), 0) > 0:
            self._below[len(row)] -= 1
            row.append("")
        across, down = (_span(attributes.get(name)) for name in ("colspan", "rowspan"))
        for k in range(across):
            if down > 1:
                self._below[len(row) + k] = down - 1
        row.append("")
        self._place = len(row) - 1
        row.extend([""] * (across - 1))
        self._in_cell = True

    def _add(self, text: str) -> None:
        if self._open and self._open[-1] and self._place < len(self._open[-1][-1]):
            row = self._open[-1][-1]
            row[self._place] = f"{row[self._place]}{text}"


def _span(text: str | None) -> int:
    return min(int(text), _MOST_SPANNED) if text and text.isdecimal() and text.isascii() else 1
