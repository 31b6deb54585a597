"""Delimited text becomes a grid of cells; what stands between the cells is found out."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from cml_core.errors import TooManyObjects, UnreadableFile
from cml_core.files.reading.names import more_than
from cml_core.files.reading.numbers import decimal_commas, is_text
from cml_core.files.reading.raw import ORDINARY, Cells, Limits

_DELIMITERS = ("\t", ";", "|", ",")
# Possessive: nothing is remembered to come back to, however many lines there are.
_BLANK_LINES = re.compile(r"(?:[ \t,;|]*+\n)*+")
# Where a cell begins; an inch mark stands elsewhere.
_OPEN_QUOTE = re.compile(r'(?:^|[\t;|, ])"[^"]*$')
# What stands beside the digits of a price, a share, or a number in groups of three.
_BESIDE_DIGITS = re.compile(r"[$€£¥₩₹₽%°]\s?|\s?[$€£¥₩₹₽%°]|(?<=\d)[\s'’](?=\d{3})")
_SAMPLE_LINES, _SAMPLE_WIDTH = 50, 20_000
# Quoted cells may hold delimiters, and aligned columns many spaces.
_PADDING = 20
# A list of pairs has more lines than objects; before a table stand its head and some remarks.
_PAIR, _REMARKS = (3, 4), 100
# Names are counted after so many lines, then after twice as many.
AT_ONCE = 20_000


def cells_of_text(text: str, limits: Limits = ORDINARY) -> Cells:
    """The grid of a delimited text; lines of comment before it are left out.

    Raises
    ------
    UnreadableFile : where the text is empty, or its quotes do not match.
    TooManyObjects : for a line of more cells than are read, before it is taken apart.
    """
    delimiter = delimiter_of(text)
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    enough = AT_ONCE
    for line, row in _rows(text, delimiter, max(limits.objects, limits.columns) + 2):
        if any(row):
            rows.append(row)
            lines.append(line)
        if len(rows) > limits.objects + _REMARKS and len(row) not in _PAIR:
            raise TooManyObjects(
                f"The file has more than {limits.objects:,} rows; no more are read of a table.",
                remedy="Give fewer objects.",
            )
        if len(rows) == enough:
            check_names(rows, limits)
            enough *= 2
    begin = begin_of_table(rows)
    rows, lines = rows[begin:], lines[begin:]
    if rows and len(rows[0]) > 1 and rows[0][0].startswith("#"):
        rows[0] = (rows[0][0].lstrip("# "), *rows[0][1:])
    if not rows:
        raise UnreadableFile("The file is empty.", remedy="Give a table with some rows.")
    if len(rows) > 1 and all(len(row) > 1 and not row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    return Cells(tuple(rows), tuple(lines), decimal_comma=decimal_commas(rows))


def check_names(rows: Sequence[Sequence[str]], limits: Limits) -> None:
    """Raise `TooManyObjects` where the names in a list cannot be those of so few objects."""
    # Values differ from line to line, and so may people; the names of both objects may not.
    width = len(rows[-1])
    alike = [row for row in rows if len(row) == width]
    different = [{row[column] for row in alike} for column in range(width)]
    many = [texts for texts in different if len(texts) > limits.objects]
    named = sum(all(map(is_text, islice(texts, _SAMPLE_LINES))) for texts in many)
    if named > 1 or width - len(many) < 2:
        raise more_than(limits)


def delimiter_of(text: str) -> str:
    """The delimiter whose cells are most often numbers; a blank stands for any white space."""
    # Python's csv.Sniffer looks for characters that recur: of numbers with decimal commas between
    # blanks it takes the comma, of a list of words a letter. What becomes numbers says more.
    lines = _sample(text)
    body = lines[1:] or lines
    common = [d for d in _DELIMITERS if 2 * sum(d in line for line in body) >= len(body)]
    share = {
        delimiter: _share_of_numbers(lines, delimiter, set(common) - {delimiter})
        for delimiter in (*common, " ")
    }
    even = any(_is_even(lines, delimiter) for delimiter in common)
    # Between the blanks of names such as 3 by 4 may stand what looks like decimal commas.
    if share.get("\t", 0) > 0 or (even and not _is_even(lines, " ")):
        share.pop(" ")
    return max(share, key=lambda delimiter: (share[delimiter], delimiter != " "))


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Every line that is not blank, with its number, counted from one, without the line feed."""
    # Not str.splitlines: it breaks at a dozen characters that may stand in names, and holds a list
    # of all lines where one is needed.
    begin, count = 0, 1
    while begin < len(text):
        blank = _BLANK_LINES.match(text, begin)
        if blank is not None and blank.end() > begin:
            count += text.count("\n", begin, blank.end())
            begin = blank.end()
            continue
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        line = text[begin:end]
        if line.strip():
            yield count, line
        begin, count = end + 1, count + 1


def _sample(text: str) -> list[str]:
    """The first records; a line break within quotes ends none."""
    found: list[str] = []
    within_quotes = False
    for _, line in islice(lines_of(text), _SAMPLE_LINES):
        if within_quotes:
            found[-1] = f"{found[-1]} {line}"[:_SAMPLE_WIDTH]
            within_quotes = line.count('"') % 2 == 0
        elif not line.lstrip().startswith("#"):
            found.append(line[:_SAMPLE_WIDTH])
            within_quotes = line.count('"') % 2 == 1 and _OPEN_QUOTE.search(line) is not None
    return found


def _is_even(lines: list[str], delimiter: str) -> bool:
    """Whether all lines have equally many cells."""
    return len({len(line.split(delimiter.strip(" ") or None)) for line in lines}) == 1


def _share_of_numbers(lines: list[str], delimiter: str, others: set[str]) -> float:
    """How many cells are numbers; those that hold other delimiters speak against this one."""
    pieces = [
        piece.strip(' \t"') for line in lines for piece in line.split(delimiter.strip(" ") or None)
    ]
    filled = [piece for piece in pieces if piece]
    texts = [piece for piece in filled if is_text(_BESIDE_DIGITS.sub("", piece))]
    numbers = len(filled) - len(texts)
    mixed = sum(not others.isdisjoint(piece) for piece in texts)
    return (numbers - mixed) / max(len(filled), 1)


class _Lines:
    """Lines for the reader of records, and where the present record begins and ends."""

    def __init__(self, text: str, delimiter: str, widest: int) -> None:
        self._lines = lines_of(text)
        self._delimiter = delimiter
        self._widest = widest
        self.begin = self.end = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        before = self.end
        self.end, line = next(self._lines)
        # Within quotes a blank line is a part of the cell.
        blank = "\n" * (self.end - before - 1) if self.begin else ""
        self.begin = self.begin or self.end
        width = line.count(self._delimiter) + 1
        _check_width(self.end, width // _PADDING if _padded(line) else width, self._widest)
        return blank + (line.replace("\t", " ") if self._delimiter == " " else line) + "\n"


def _rows(text: str, delimiter: str, widest: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Where each record begins, and its cells, stripped."""
    # Splitting takes half the time of the csv module, and few tables have quotes.
    if '"' not in text and delimiter != " ":
        yield from _unquoted_rows(text, delimiter, widest)
        return
    lines = _Lines(text, delimiter, widest)
    read = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        for record in read:
            row = tuple(cell.strip() for cell in record)
            if delimiter == " " and row and not row[-1]:
                row = row[:-1]
            _check_width(lines.begin, len(row), widest)
            yield lines.begin, row
            lines.begin = 0
    except csv.Error as error:
        whole = lines.begin == lines.end
        at = f"Line {lines.begin}" if whole else f"What begins in line {lines.begin}"
        raise UnreadableFile(
            f"{at} is not a proper row of a table: {error}.",
            remedy="Check the quotes, or save the table as CSV again.",
        ) from None


def _unquoted_rows(text: str, delimiter: str, widest: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The same of a text without quotes, where a delimiter is nothing else."""
    for number, line in lines_of(text):
        _check_width(number, line.count(delimiter) + 1, widest)
        cells = line.split(delimiter)
        blanks = " " in line or not line.replace(delimiter, "").isprintable()
        yield number, tuple(map(str.strip, cells) if blanks else cells)


def _padded(text: str) -> bool:
    return '"' in text or "  " in text


def _check_width(line: int, width: int, widest: int) -> None:
    if width > widest:
        raise TooManyObjects(
            f"Line {line} has more than {widest - 2:,} cells; no more are read of a line.",
            remedy="Give fewer objects or columns.",
        )


def begin_of_table(rows: Sequence[Sequence[str]]) -> int:
    """How many rows stand before a table: remarks that begin with #, or a title of one cell."""
    begin = next((k for k, row in enumerate(rows) if not row[0].startswith("#")), len(rows))
    table = len(rows[begin]) if begin < len(rows) else -1
    while begin and len(rows[begin - 1]) == table > 1:
        begin -= 1
    if begin + 2 < len(rows) and sum(map(bool, rows[begin])) == 1 and is_text(rows[begin][0]):
        below = len(rows[begin + 1])
        begin += below > 2 and below - len(rows[begin]) > 1
    return begin
