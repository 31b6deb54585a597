"""Files of SPSS, Stata and SAS, by pyreadstat; only the child imports this."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyreadstat

from cml_core.files.reading.fenced.bounds import check_shape

_READERS: dict[str, Callable[..., Any]] = {
    "sav": pyreadstat.read_sav,
    "zsav": pyreadstat.read_sav,
    "por": pyreadstat.read_por,
    "dta": pyreadstat.read_dta,
    "sas7bdat": pyreadstat.read_sas7bdat,
    "xpt": pyreadstat.read_xport,
}


def tables(
    path: str, _chosen: str, rows: int, columns: int
) -> tuple[list[str], str, Iterator[list[object]]]:
    """The one table of the file, with the names of its variables above and labels for codes."""
    kind = _kind(Path(path))
    # As plain lists: pandas takes half a second to import.
    read = partial(_READERS[kind], path, output_format="dict")
    if kind != "por":
        _, told = read(metadataonly=True)
        check_shape("The file", told.number_rows or 0, told.number_columns or 0, rows, columns)
    found, told = read(row_limit=0 if kind == "por" else rows + 1)
    named = list(found)
    labelled = getattr(told, "variable_value_labels", {})
    values = [_with_labels(list(found[name]), labelled.get(name, {})) for name in named]
    height = max(map(len, values), default=0)
    check_shape("The file", height, len(named), rows, columns)
    return [], "", _rows(named, values)


def _with_labels(codes: list[object], labels: dict[object, str]) -> list[object]:
    """The words that codes stand for, where every code has one."""
    known = {code for code in codes if code is not None and code == code}
    if not labels or not known <= set(labels):
        return codes
    return [labels.get(code) for code in codes]


def _rows(named: list[str], values: list[list[object]]) -> Iterator[list[object]]:
    yield list(named)
    for row in zip(*values, strict=True):
        yield list(row)


def _kind(path: Path) -> str:
    with path.open("rb") as file:
        begin = file.read(500)
    if begin.startswith((b"$FL2", b"$FL3")):
        return "zsav" if begin.startswith(b"$FL3") else "sav"
    if b"SPSS PORT FILE" in begin:
        return "por"
    if begin.startswith(b"HEADER RECORD"):
        return "xpt"
    return "sas7bdat" if begin.startswith(b"\0" * 12) else "dta"
