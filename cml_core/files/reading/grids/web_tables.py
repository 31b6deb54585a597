"""Tables copied from web pages and texts: HTML, MediaWiki, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from cml_core.errors import UnreadableFile
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.raw import Limits

_HTML = re.compile(
    r"(?:<!doctype html|<html|<table|<meta|<head|<body|<div|<style)\b", re.IGNORECASE
)
_CELLS = frozenset(("td", "th"))
_SILENT = frozenset(("script", "style", "sup"))
_MOST_SPANNED = 1_000
_WIKI = re.compile(r"\{\|")
_WIKI_CELLS = re.compile(r"\|\||!!")
_WIKI_STYLE = re.compile(r'^\s*[\w-]+\s*=\s*"[^"]*"[^|\[]*\|(?!\|)')
_WIKI_LINK = re.compile(r"\[\[(?:[^\]|]{0,200}\|)?([^\]]{0,200})\]\]")
_RULE = re.compile(r"^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?\|?\s*$")
_LATEX = re.compile(r"\\(?:begin\{|documentclass)|[^\n]*&[^\n]*\\\\")
_LATEX_BEGIN = re.compile(r"\\begin\{(?:tabular\*?|tabularx|longtable|array)\}")
_LATEX_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)\b"
    r"|\\c(?:mid|)(?:rule|line)(?:\([^)]{0,20}\))?\{[^}]{0,20}\}"
)
_LATEX_STYLE = re.compile(
    r"\\(?:text(?:bf|it|tt|rm|sc)|emph|mathbf|multicolumn\{\d+\}\{[^}]{0,20}\})\{([^{}]*)\}"
)
_LATEX_ESCAPE = re.compile(r"\\([&%$#_{} ])")


class _Tables(HTMLParser):
    """The texts of the cells of all tables; what spans several cells stands in the first."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[tuple[str, list[list[str]]]] = []
        self._open: list[list[list[str]]] = []
        self._below: dict[int, int] = {}
        self._in_cell = self._in_caption = False
        self._silent = self._place = 0

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


def _html(text: str, _limits: Limits) -> Iterator[Table]:
    parser = _Tables()
    try:
        parser.feed(text)
        parser.close()
    except AssertionError:
        # So Python's parser says that a declaration is none.
        raise UnreadableFile(
            "The HTML of the table is damaged.",
            remedy="Copy the table into a spreadsheet and save that.",
        ) from None
    filled = [(name, rows) for name, rows in parser.tables if any(map(any, rows))]
    for k, (name, rows) in enumerate(filled, 1):
        texts = [[" ".join(cell.split()) for cell in row] for row in rows]
        yield Table(texts, name[:80] or f"Table {k}")


def _wiki(text: str, _limits: Limits) -> Iterator[Table]:
    rows: list[list[str]] = [[]]
    for _, line in lines_of(text):
        line = line.strip()
        if line.startswith(("{|", "|+")):
            continue
        if line.startswith("|}"):
            break
        if line.startswith("|-"):
            rows.append([])
        elif line.startswith(("|", "!")):
            rows[-1].extend(_wiki_text(cell) for cell in _WIKI_CELLS.split(line[1:]))
    yield Table([row for row in rows if row])


def _wiki_text(cell: str) -> str:
    return _WIKI_LINK.sub(r"\1", _WIKI_STYLE.sub("", cell)).replace("'''", "").strip()


def _markdown(text: str, _limits: Limits) -> Iterator[Table]:
    numbered = [(number, line) for number, line in lines_of(text) if "|" in line]
    rows = [(n, _between_pipes(line)) for n, line in numbered if not _RULE.match(line)]
    yield Table([row for _, row in rows], lines=[number for number, _ in rows])


def _between_pipes(line: str) -> list[str]:
    line = line.strip().replace("\\|", "\0")
    line = line.removeprefix("|")
    line = line.removesuffix("|")
    return [cell.replace("\0", "|").strip().strip("*`").strip() for cell in line.split("|")]


def _latex(text: str, _limits: Limits) -> Iterator[Table]:
    text = re.sub(r"(?<!\\)%.*", "", text)
    begun = _LATEX_BEGIN.split(text)
    found = [part.partition("\\end{")[0] for part in begun[1:]] or begun
    for k, body in enumerate(found, 1):
        rows = [_latex_row(row) for row in _LATEX_RULE.sub("", body).split("\\\\")]
        # Before the first row stand the kinds of the columns: {lrr}.
        if rows and rows[0]:
            rows[0][0] = re.sub(r"^\s*(?:\[[^\]]*\])?(?:\{[^&]*?\})+\s*", "", rows[0][0])
        yield Table([row for row in rows if any(row)], f"Table {k}")


def _latex_row(row: str) -> list[str]:
    cells = re.split(r"(?<!\\)&", row)
    return [_LATEX_ESCAPE.sub(r"\1", _LATEX_STYLE.sub(r"\1", c)).strip().strip("$") for c in cells]


def _is_html(begin: Begin) -> bool:
    return _HTML.match(begin.text) is not None and "<t" in begin.text.lower()


def _is_wiki(begin: Begin) -> bool:
    return _WIKI.match(begin.text) is not None


def _is_markdown(begin: Begin) -> bool:
    lines = begin.text.split("\n")
    head = next((k for k, line in enumerate(lines[:-1]) if "|" in line), -1)
    return head >= 0 and _RULE.match(lines[head + 1]) is not None


def _is_latex(begin: Begin) -> bool:
    return _LATEX.match(begin.text) is not None and "&" in begin.text


HTML = GridFile("a table of a web page", _is_html, of_tables(_html), is_text=True)
WIKI = GridFile("a MediaWiki table", _is_wiki, of_tables(_wiki), is_text=True)
MARKDOWN = GridFile("a Markdown table", _is_markdown, of_tables(_markdown), is_text=True)
LATEX = GridFile("a LaTeX table", _is_latex, of_tables(_latex), is_text=True)
