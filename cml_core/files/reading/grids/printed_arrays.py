"""Arrays without names, as numpy, Python and R print them: [[0. 1.] [1. 0.]], or [1,] 0 1."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cml_core.errors import UnreadableFile
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Table, of_tables
from cml_core.files.reading.raw import Limits

_BEGIN = re.compile(
    r"(?:>>> .*\n)?(?:Out\[\d+\]:\s*)?(?:np\.)?(?:(?:array|matrix|tensor)\s*\(\s*)?\[\s*[\[\d.+-]"
)
# {{0, 1}, {1, 0}} and D = [0 1; 1 0].
_OF_MATHEMATICA = re.compile(r"\{\s*\{[\s\d.,+*^e-]+\}\s*,")
_ASSIGNED = re.compile(r"[A-Za-z]\w{0,60}\s*=\s*(?=\[)")
_BRACES = str.maketrans("{}", "[]")
_ROW = re.compile(r"\[([^\[\]]*)\]")
_BEGIN_OF_R = re.compile(r"(?:>.*\n)?\s*\[,1\]")
_VECTOR_OF_R = re.compile(r"\[1\] +\S")
_ROW_OF_R = re.compile(r"\s*\[(\d+),\]\s(.*)")
_WORD = re.compile(r"[^\s,]+")


def _tables(text: str, _limits: Limits) -> Iterator[Table]:
    if "..." in text:
        raise UnreadableFile(
            "The array was shortened when it was printed: it holds “...” in place of values.",
            remedy="Save it with numpy.save, or print it after "
            "numpy.set_printoptions(threshold=10**9).",
        )
    body = _in_brackets(text[text.index("[") :] if "[" in text else text)
    only = _ROW.match(body)
    if only and body.count("[") == 1:
        # A list of values is no table of one row.
        yield Table([found[0]] for found in _WORD.finditer(body, *only.span(1)))
    else:
        yield Table(_WORD.findall(found[1]) for found in _ROW.finditer(body))


def _in_brackets(text: str) -> str:
    """Each row in brackets, where Mathematica has braces, and the source of MATLAB semicolons."""
    if text.startswith("{"):
        return text.translate(_BRACES)
    only = _ROW.match(text)
    if only and ";" in only[1]:
        return "".join(f"[{row}]" for row in only[1].split(";") if row.strip())
    return text


def _suits(begin: Begin) -> bool:
    text = begin.text
    if _OF_MATHEMATICA.match(text):
        return True
    text = _ASSIGNED.sub("", text)
    # R counts the values of a vector in brackets before each line.
    if _BEGIN.match(text) is None or _VECTOR_OF_R.match(text):
        return False
    first = text[text.index("[") :].lstrip("[ \n").partition("]")[0].replace("...", " ")
    # Letters stand in no printed number but nan, inf and an exponent.
    return bool(re.fullmatch(r"(?:[\s,;\d.+-]|nan|inf|e[+-])*", first)) and first.strip() != ""


def _of_r(text: str, _limits: Limits) -> Iterator[Table]:
    """Rows that begin with their number, in blocks of columns where the table is wide."""
    rows: dict[str, list[str]] = {}
    for _, line in lines_of(text):
        if row := _ROW_OF_R.match(line):
            rows.setdefault(row[1], []).extend(row[2].split())
    yield Table(list(rows.values()))


def _is_of_r(begin: Begin) -> bool:
    return _BEGIN_OF_R.match(begin.text) is not None


PRINTED_BY_R = GridFile(
    "a matrix that R printed", _is_of_r, of_tables(_of_r), is_text=True, with_points=True
)
PRINTED = GridFile("a printed array", _suits, of_tables(_tables), is_text=True, with_points=True)
