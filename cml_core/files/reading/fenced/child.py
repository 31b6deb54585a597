"""The process behind the fence: it reads one file with one library and says what it holds.

Run as a script with six arguments: which module of this package, the file, the sheet, the most rows
and columns, the bytes of memory and the seconds that reading may take. Lines of JSON come back: the
names of the tables, one row each, and `true` or a refusal at the end.
"""

from __future__ import annotations

import datetime as dt
import importlib
import json
import math
import sys
import time
import types
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[4]
# From here on Python writes floats with an exponent.
_WITH_EXPONENT = 1e16


def _without_the_rest(*packages: str) -> None:
    """Make packages known without running them: importing the whole core takes a second."""
    for name in packages:
        package = types.ModuleType(name)
        package.__path__ = [str(_ROOT.joinpath(*name.split(".")))]
        sys.modules[name] = package


def _confine(memory: int, seconds: int) -> None:
    """Let this process take so much more memory and so many more seconds, and leave no core."""
    try:
        import resource
    except ImportError:
        # Windows has no such limits; there the parent's patience alone bounds the process.
        return
    used = math.ceil(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    held = Path("/proc/self/statm")
    if held.exists():
        pages = int(held.read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + memory,) * 2)


def text_of(value: Any) -> str:
    """What people would type for a value; nothing for one that is missing."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dt.datetime):
        if value.time() == dt.time():
            return value.date().isoformat()
        return value.isoformat(timespec="milliseconds" if value.microsecond else "seconds")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    return str(value).strip()


def _number(value: float) -> str:
    if value != value:
        return ""
    if value.is_integer() and abs(value) < _WITH_EXPONENT:
        return str(int(value))
    return repr(value)


def _told(arguments: Sequence[str]) -> Iterator[object]:
    """The names of the tables, the rows of the chosen one, and how it ended."""
    from cml_core.errors import ConditionalMappingError

    which, path, sheet, rows, columns, memory, seconds = arguments
    try:
        reader = importlib.import_module(f"cml_core.files.reading.fenced.{which}")
    except ImportError as error:
        yield {"missing": (error.name or which).partition(".")[0]}
        return
    _confine(int(memory), int(seconds))
    try:
        names, chosen, table = reader.tables(path, sheet, int(rows), int(columns))
        yield {"names": list(names), "sheet": chosen}
        yield from _rows(table)
    except ConditionalMappingError as error:
        yield {"refused": type(error).__name__, "fact": error.fact, "remedy": error.remedy}
    except MemoryError:
        yield {"refused": "memory"}
    except BaseException:
        # Whatever it was: libraries have errors of their own, and Rust's panics are no Exception.
        yield {"refused": "damaged"}
    else:
        yield True


def _rows(table: Iterable[Sequence[object]]) -> Iterator[list[str]]:
    for row in table:
        texts = [text_of(value) for value in row]
        while texts and not texts[-1]:
            texts.pop()
        yield texts


def main(arguments: Sequence[str]) -> None:
    """Write what there is to tell, a line each."""
    _without_the_rest("cml_core", "cml_core.files", "cml_core.files.reading")
    write = sys.stdout.write
    for line in _told(arguments):
        write(json.dumps(line, ensure_ascii=True, separators=(",", ":")))
        write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
