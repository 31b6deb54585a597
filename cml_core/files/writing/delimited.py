"""Square tables, triangles and lists of pairs as delimited text."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence

from cml_core.files.exact_csv import quoted
from cml_core.files.writing import names
from cml_core.files.writing.names import corner, full_rows, lower_rows, texts_of
from cml_core.files.writing.writer import CSV, TSV, Writer
from cml_core.values.dissimilarities import Dissimilarities


def comma_table(dissimilarities: Dissimilarities) -> bytes:
    """The square table, commas between cells."""
    return _square(dissimilarities, ",").encode()


def tab_table(dissimilarities: Dissimilarities) -> bytes:
    """The square table, tabs between cells."""
    return _square(dissimilarities, "\t").encode()


def semicolon_table(dissimilarities: Dissimilarities) -> bytes:
    """The square table, semicolons between cells and decimal commas.

    A mark in front tells spreadsheets the encoding, which they would guess wrong.
    """
    return codecs.BOM_UTF8 + _square(dissimilarities, ";", decimal=",").encode()


def lower_triangle(dissimilarities: Dissimilarities) -> bytes:
    """Names above and before the lower triangle with its diagonal, commas between cells."""
    rows = lower_rows(dissimilarities, "", diagonal=True)
    return _table(dissimilarities.labels, rows, ",").encode()


def list_of_pairs(dissimilarities: Dissimilarities) -> bytes:
    """A line for each pair; where it is not known, the third cell is empty."""
    labels = [quoted(label) for label in dissimilarities.labels]
    values = texts_of(dissimilarities.condensed.tolist())
    pairs = ((i, j) for i in range(len(labels)) for j in range(i + 1, len(labels)))
    lines = (
        f"{labels[i]},{labels[j]},{value}\n" for (i, j), value in zip(pairs, values, strict=True)
    )
    return ("first,second,dissimilarity\n" + "".join(lines)).encode()


def _square(dissimilarities: Dissimilarities, delimiter: str, decimal: str = ".") -> str:
    rows = (
        (label, [value.replace(".", decimal) for value in values])
        for label, values in full_rows(dissimilarities)
    )
    return _table(dissimilarities.labels, rows, delimiter)


def _table(labels: Sequence[str], rows: Iterable[tuple[str, list[str]]], delimiter: str) -> str:
    # Texts in quotes, numbers bare: so a name that is a number stays a name.
    above = quoted(corner(labels)) if corner(labels) else ""
    head = delimiter.join([above, *map(quoted, labels)])
    body = (delimiter.join([quoted(label), *values]) for label, values in rows)
    return "\n".join([head, *body, ""])


def _quotable(dissimilarities: Dissimilarities) -> str:
    return names.quoted_name(dissimilarities.labels)


def _quotable_beside_commas(dissimilarities: Dissimilarities) -> str:
    return names.quoted_name_beside_commas(dissimilarities.labels)


COMMAS = Writer(
    "csv",
    "Square table, commas (CSV)",
    "For most programs, and for spreadsheets where decimals have points.",
    ".csv",
    CSV,
    comma_table,
    _quotable,
)
SEMICOLONS = Writer(
    "semicolons",
    "Square table, semicolons and decimal commas (CSV)",
    "For spreadsheets where decimals have commas.",
    ".csv",
    CSV,
    semicolon_table,
    _quotable_beside_commas,
)
TABS = Writer(
    "tsv",
    "Square table, tabs (TSV)",
    "For pasting into a spreadsheet, and for programs that read tab-separated tables.",
    ".tsv",
    TSV,
    tab_table,
    _quotable,
)
TRIANGLE = Writer(
    "triangle",
    "Lower triangle, commas (CSV)",
    "For typing in by hand: every pair is written once.",
    ".csv",
    CSV,
    lower_triangle,
    _quotable,
)
PAIRS = Writer(
    "pairs",
    "List of pairs (CSV)",
    "For databases, and where only some of the pairs are known.",
    ".csv",
    CSV,
    list_of_pairs,
    _quotable,
)
