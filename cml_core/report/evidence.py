"""What was found about a map, in a report: what it means, its numbers, perhaps a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cml_core.evidence.result import Result, kind_of
from cml_core.evidence.table import Column, Table
from cml_core.fitting.result import Fit
from cml_core.report.parts import as_table, safe_name, safe_names, safe_words
from cml_core.report.pictures import svg_of

MOST_ROWS = 25


def results_html(results: Sequence[Result], fit: Fit) -> str:
    """All that was found about a map, each in a section of its own."""
    looked_up = (other for found in results for other in found.shown_with(fit))
    # What two results are shown with, is shown once.
    return sections_html((*results, *looked_up))


def sections_html(results: Sequence[Result]) -> str:
    """Results alone, without what a fit would add."""
    sections = {kind_of(found): _section(found) for found in results}
    return "".join(sections.values())


def _section(found: Result) -> str:
    sketch, table = found.sketch, found.table()
    picture = f"<figure>{svg_of(sketch)}</figure>" if sketch else ""
    notes = "".join(f"<p><small>{note}</small></p>" for note in _notes(found, table))
    return (
        f"<h3>{safe_words(found.title)}</h3><p>{safe_name(found.verdict)}</p>"
        f"{picture}{_table(table)}{notes}"
    )


def _table(table: Table) -> str:
    if not table.names:
        lines = [map(safe_words, line) for line in table.upright()]
        return as_table(("What", "Number"), lines)
    rows = list(table.rows())[:MOST_ROWS]
    lines = [map(_cell, table.columns, row) for row in rows]
    return as_table([safe_name(column.head) for column in table.columns], lines, table.names)


def _cell(column: Column, value: Any) -> str:
    if isinstance(value, tuple):
        return safe_names(value)
    text = column.text(value)
    return safe_name(text) if isinstance(value, str) else safe_words(text)


def _notes(found: Result, table: Table) -> Iterator[str]:
    """As HTML: how many rows are left out, what is to be known, and what the columns mean."""
    if len(table) > MOST_ROWS:
        yield f"Rows not shown: {len(table) - MOST_ROWS}."
    if found.remarks:
        yield safe_words(found.remarks)
    meanings = [
        f"<strong>{safe_words(column.head)}:</strong> {safe_words(column.meaning)}"
        for column in table.columns
        if column.meaning
    ]
    if meanings:
        yield " ".join(meanings)
