"""Tables copied from web pages and texts: HTML, MediaWiki, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.encoding import text_of
from cml_core.files.reading.fenced.fence import fenced
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Grids, Table, of_tables
from cml_core.files.reading.raw import Limits

_HTML = re.compile(
    r"(?:<!doctype html|<html|<table|<meta|<head|<body|<div|<style)\b", re.IGNORECASE
)
_WIKI = re.compile(r"\{\|")
_WIKI_CELLS = re.compile(r"\|\||!!")
_WIKI_STYLE = re.compile(r'^\s*[\w-]+\s*=\s*"[^"]*"[^|\[]*\|(?!\|)')
_WIKI_LINK = re.compile(r"\[\[(?:[^\]|]{0,200}\|)?([^\]]{0,200})\]\]")
_RULE = re.compile(r"^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?\|?\s*$")
_LATEX = re.compile(r"\\(?:begin\{|documentclass)|[^\n]*&[^\n]*\\\\")
_MOST_TABLES, _MOST_CELLS = 100, 20_000
_LATEX_BEGIN = re.compile(r"\\begin\{(?:tabular\*?|tabularx|longtable|array)\}")
_LATEX_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)\b"
    r"|\\c(?:mid|)(?:rule|line)(?:\([^)]{0,20}\))?\{[^}]{0,20}\}"
)
_LATEX_STYLE = re.compile(
    r"\\(?:text(?:bf|it|tt|rm|sc)|emph|mathbf|multicolumn\{\d+\}\{[^}]{0,20}\})\{([^{}]*)\}"
)
_LATEX_ESCAPE = re.compile(r"\\([&%$#_{} ])")


def _html(data: bytes, sheet: str, limits: Limits) -> Grids:
    # Python's own parser takes hours for some pages that no browser wrote.
    return fenced("web_pages", "a web page", text_of(data).encode(), sheet, limits)


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


def _markdown(text: str, limits: Limits) -> Iterator[Table]:
    rows: list[list[str]] = []
    lines: list[int] = []
    for number, line in lines_of(text):
        if "|" in line and not _RULE.match(line):
            rows.append(_between_pipes(line))
            lines.append(number)
        # So many are refused, but in a list of pairs.
        if len(rows) > limits.objects + 200 and len(rows[-1]) not in (3, 4):
            break
    yield Table(rows, lines=lines)


def _between_pipes(line: str) -> list[str]:
    line = line.strip().replace("\\|", "\0")
    line = line.removeprefix("|")
    line = line.removesuffix("|")
    return [cell.replace("\0", "|").strip().strip("*`").strip() for cell in line.split("|")]


def _latex(text: str, _limits: Limits) -> Iterator[Table]:
    text = re.sub(r"(?<!\\)%.*", "", text)
    begun = _LATEX_BEGIN.split(text, _MOST_TABLES)
    found = [part.partition("\\end{")[0] for part in begun[1:]] or begun
    for k, body in enumerate(found, 1):
        rows = [_latex_row(row) for row in _LATEX_RULE.sub("", body).split("\\\\")]
        # Before the first row stand the kinds of the columns: {lrr}.
        if rows and rows[0]:
            rows[0][0] = re.sub(r"^\s*(?:\[[^\]]*\])?(?:\{[^&]*?\})+\s*", "", rows[0][0])
        yield Table([row for row in rows if any(row)], f"Table {k}")


def _latex_row(row: str) -> list[str]:
    if row.count("&") > _MOST_CELLS:
        return row.split("&")
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


HTML = GridFile("a table of a web page", _is_html, _html, is_text=True)
WIKI = GridFile("a MediaWiki table", _is_wiki, of_tables(_wiki), is_text=True)
MARKDOWN = GridFile("a Markdown table", _is_markdown, of_tables(_markdown), is_text=True)
LATEX = GridFile("a LaTeX table", _is_latex, of_tables(_latex), is_text=True)
