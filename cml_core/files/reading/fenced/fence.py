"""Running a library on a file in a process of its own, and what became of it in words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cml_core import errors
from cml_core.errors import ConditionalMappingError, UnreadableFile
from cml_core.files.reading.grids.grid_file import Grids
from cml_core.files.reading.raw import Cells, Limits

# A 16 KB .ods took 6.0 GB, and a 4.6 KB workbook aborted calamine's process. A process of its own
# has as much memory and time as a table of the file's size may need, and takes nobody with it.
_CHILD = Path(__file__).with_name("child.py")
_MEMORY, _MEMORY_EACH, _MOST_MEMORY = 150_000_000, 6, 1_200_000_000
_SECONDS, _BYTES_A_SECOND = 1, 4_000_000
# Where every processor is busy the process waits for its turn, which its own seconds do not count.
_PATIENCE, _START = 10, 30
_KEPT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "LANG", "LC_ALL")
# Threads reserve memory that is never used.
_QUIET = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "PYTHONIOENCODING": "utf-8",
}
_REMARKS = 100


def fenced(
    which: str, what: str, data: bytes, sheet: str, limits: Limits, *, unpacked: int = 0
) -> Grids:
    """The tables of a file, read by a module of this package in a process of its own.

    Parameters
    ----------
    which : the module.
    what : the kind of file in words, for what is said of it.
    unpacked : bytes of what it holds, where that is known to be more than the file.
    """
    size = max(len(data), unpacked)
    seconds = _SECONDS + size // _BYTES_A_SECOND
    bounds = (
        limits.objects + _REMARKS,
        max(limits.objects, limits.columns) + 2,
        min(_MEMORY + _MEMORY_EACH * size, _MOST_MEMORY),
        seconds,
    )
    with TemporaryDirectory(prefix="cml-") as folder:
        path = Path(folder, "file")
        path.write_bytes(data)
        said = _run((which, str(path), sheet, *map(str, bounds)), seconds)
    return _grids(said, what, limits)


def _run(arguments: tuple[str, ...], seconds: int) -> bytes:
    """All that the process said, nothing where it had to be stopped; its last line ends it."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    try:
        return subprocess.run(
            (sys.executable, "-P", str(_CHILD), *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=kept | _QUIET,
            timeout=_START + _PATIENCE * seconds,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired:
        return b""
    except (OSError, ValueError):
        raise UnreadableFile(
            "The process that reads such files could not be started here.",
            remedy="Save the table as CSV or .xlsx.",
        ) from None


def _grids(said: bytes, what: str, limits: Limits) -> Grids:
    told = _lines(said)
    first = next(told, None)
    if not isinstance(first, dict) or "names" not in first:
        raise _refusal(first, what)
    names, sheet = tuple(map(str, first["names"])), str(first["sheet"])
    try:
        cells = _cells(told, sheet, what)
    except ConditionalMappingError as error:
        return Grids(names, refused=error.with_traceback(None))
    if sum(len(row) for row in cells.rows) > limits.bytes:
        return Grids(names, refused=_refusal(None, what))
    return Grids(names, cells)


def _lines(said: bytes) -> Iterator[Any]:
    begin = 0
    while (end := said.find(b"\n", begin)) >= 0:
        yield json.loads(said[begin:end])
        begin = end + 1


def _cells(told: Iterator[Any], sheet: str, what: str) -> Cells:
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    for place, row in enumerate(told, 1):
        if row is True:
            return Cells(tuple(rows), tuple(lines), sheet=sheet, unit="Row")
        if not isinstance(row, list):
            raise _refusal(row, what)
        if row:
            rows.append(tuple(map(sys.intern, row)) if len(row) < 5 else tuple(row))
            lines.append(place)
    raise _refusal(None, what)


def _refusal(last: Any, what: str) -> ConditionalMappingError:
    """Why there is no table: what the process said last, if it could still say something."""
    last = last if isinstance(last, dict) else {}
    if "missing" in last:
        return UnreadableFile(
            f"The file is {what}, and {last['missing']} is not installed, which reads such files.",
            remedy="Install it: pip install 'whatsleft[files]'. Or save the table as CSV.",
        )
    if last.get("refused") == "damaged":
        return UnreadableFile(
            f"The file begins as {what}, but is damaged, or protected by a password.",
            remedy="Save it again without a password, or save the table as CSV.",
        )
    if "fact" in last:
        kind: type[ConditionalMappingError] = getattr(errors, last["refused"])
        return kind(last["fact"], remedy=last["remedy"])
    return UnreadableFile(
        f"The file is {what} that takes far more memory or time than a table of its size: "
        "something may stand far from the table, or the file is damaged.",
        remedy="Copy the table alone into a new file, or save it as CSV.",
    )
