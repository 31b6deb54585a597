"""Delimited text of any common encoding becomes rows of cells."""

from __future__ import annotations

import codecs
import csv
import io

from cml_core.errors import UnreadableFile

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DELIMITERS = ("\t", ";", ",")
MISSING = frozenset({"", "na", "nan", "n/a", "null", "none", ".", "?"})


def rows_of(data: bytes) -> list[list[str]]:
    """The cells of each line that is not empty, stripped; the delimiter is found out."""
    text = _decoded(data)
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise UnreadableFile(
            f"Line {line} holds a NUL byte, so this is not a text file.",
            remedy="Save the table as CSV and upload that.",
        )
    delimiter = _delimiter(text)
    try:
        read = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = [[cell.strip() for cell in row] for row in read]
    except csv.Error as error:
        raise UnreadableFile(
            f"The file is not a proper table: {error}.",
            remedy="Check the quotes, or save the table as CSV again.",
        ) from None
    rows = [row for row in rows if any(row)]
    if all(len(row) > 1 and not row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    if not rows:
        raise UnreadableFile("The file is empty.", remedy="Upload a table with some rows.")
    return rows


def number(cell: str) -> float | None:
    """The number in a cell, NaN where it says missing, None where it is something else."""
    if cell.lower() in MISSING:
        return float("nan")
    for text in (cell, cell.replace(",", ".") if cell.count(",") == 1 else cell):
        try:
            return float(text) if "_" not in text else None
        except ValueError:
            continue
    return None


def _decoded(data: bytes) -> str:
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _delimiter(text: str) -> str:
    """The delimiter that gives the most lines of the same width, wider before narrower."""
    lines = [line for line in text.splitlines()[:50] if line.strip()]

    def evenness(delimiter: str) -> tuple[int, int]:
        counts = [line.count(delimiter) for line in lines]
        most = max(counts, default=0)
        return (sum(count == most for count in counts) if most else 0), most

    return max(_DELIMITERS, key=evenness)
