"""How long files of large tables take to be read, and in how much memory, against libraries."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from statistics import median

import numpy as np
import openpyxl
import openpyxl.utils
import pandas as pd

from benchmarks.report import (
    CSV_MEMORY,
    CSV_TIME,
    LIST_REFUSED,
    XLSX_TIME,
    Section,
    Table,
    Target,
    duration,
    megabytes,
    ratio,
)
from benchmarks.timing import Effort

PROJECT = Path(__file__).parents[1]
ABOUT = """\
Distances with four decimals and names on both sides, and lists of pairs, in seconds of \
processor and peak memory above the file, one new process each, a median of {repeats}. pandas \
reads to a `DataFrame`, calamine to lists; this package recognises the format, checks names, \
quotes and gaps, and ends with the table as float64. A list is refused as soon as it has too \
many names."""
_PAIRS = 1_000_000
_SHEET = "xl/worksheets/sheet1.xml"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def reading(effort: Effort) -> Section:
    """CSV, workbooks and lists of pairs, each against the library that reads it fastest."""
    sizes = (1000, 3000) if effort.memory_size > 2000 else (1000,)
    repeats = min(3, effort.repeats)
    rows: list[tuple[str, ...]] = []
    figures: dict[Target, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            files = _written(size, Path(folder))
            for file, peer in zip(files, ("pandas", "calamine"), strict=True):
                ours, theirs = _median("this", file, repeats), _median(peer, file, repeats)
                times, memory = ours[0] / theirs[0], ours[1] / theirs[1]
                rows.append((f"{size:,} objects, {file.suffix}", *_row(file, ours, peer, theirs)))
                if size == 3000:
                    chosen = {CSV_TIME: times, CSV_MEMORY: memory}
                    figures |= chosen if peer == "pandas" else {XLSX_TIME: times}
        for name, file in _lists(Path(folder)).items():
            ours, theirs = _median("this", file, repeats), _median("pandas", file, repeats)
            rows.append((name, *_row(file, ours, "pandas", theirs)))
            if "refused" in name:
                figures[LIST_REFUSED] = max(ours[0], figures.get(LIST_REFUSED, 0.0))
    heads = ("", "file", "this", "memory", "peer", "its time", "its memory", "time", "memory")
    table = Table(heads, tuple(rows))
    return Section("Reading files", ABOUT.format(repeats=repeats), (table,), figures)


def _row(
    file: Path, ours: tuple[float, float], peer: str, theirs: tuple[float, float]
) -> tuple[str, ...]:
    return (
        megabytes(file.stat().st_size),
        duration(ours[0]),
        megabytes(int(ours[1])),
        peer,
        duration(theirs[0]),
        megabytes(int(theirs[1])),
        ratio(ours[0] / theirs[0]),
        ratio(ours[1] / theirs[1]),
    )


def _written(size: int, folder: Path) -> tuple[Path, Path]:
    """The same table as CSV and as a workbook."""
    places = np.random.default_rng(0).normal(size=(size, 5))
    distances = np.sqrt(((places[:, None] - places) ** 2).sum(-1)) * 10
    names = [f"object {k}" for k in range(size)]
    csv, book = folder / f"{size}.csv", folder / f"{size}.xlsx"
    square = np.round(distances, 4)
    pd.DataFrame(square, names, names).to_csv(csv, float_format="%.4f")
    _write_book(book, names, square)
    return csv, book


def _write_book(path: Path, names: list[str], square: np.ndarray) -> None:
    """A sheet as Excel stores it, in openpyxl's empty workbook; its own writer takes minutes."""
    empty = io.BytesIO()
    openpyxl.Workbook().save(empty)
    letters = [openpyxl.utils.get_column_letter(k + 1) for k in range(len(names) + 1)]
    text = '<c r="{}{}" t="inlineStr"><is><t>{}</t></is></c>'
    head = "".join(text.format(letters[k + 1], 1, name) for k, name in enumerate(names))
    with zipfile.ZipFile(empty) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            if part != _SHEET:
                new.writestr(part, old.read(part))
        with new.open(_SHEET, "w", force_zip64=True) as sheet:
            sheet.write(f'<worksheet xmlns="{_MAIN}"><sheetData><row r="1">{head}</row>'.encode())
            for line, (name, row) in enumerate(zip(names, square.tolist(), strict=True), 2):
                cells = "".join(
                    f'<c r="{letters[k]}{line}"><v>{value}</v></c>'
                    for k, value in enumerate(row, 1)
                )
                first = text.format("A", line, name)
                sheet.write(f'<row r="{line}">{first}{cells}</row>'.encode())
            sheet.write(b"</sheetData></worksheet>")


def _lists(folder: Path) -> dict[str, Path]:
    """A million pairs of 1,414 objects; and of a million names, in two encodings."""
    values = np.random.default_rng(0).random(_PAIRS)
    first, second = (side[:_PAIRS] for side in np.triu_indices(1415, 1))
    files = {
        "1,000,000 pairs": (first, second, "utf-8"),
        "a million names, refused": (np.arange(_PAIRS), -np.arange(_PAIRS), "utf-8"),
        "the same in UTF-16, refused": (np.arange(_PAIRS), -np.arange(_PAIRS), "utf-16"),
    }
    found = {}
    for k, (name, (one, other, encoding)) in enumerate(files.items()):
        ends = zip(one.tolist(), other.tolist(), values.tolist(), strict=True)
        text = "from,to,value\n" + "".join(f"o{a},o{b},{v:.3f}\n" for a, b, v in ends)
        found[name] = folder / f"list {k}.csv"
        found[name].write_text(text, encoding=encoding)
    return found


def _median(method: str, file: Path, repeats: int) -> tuple[float, float]:
    """Seconds of processor, and bytes above the file."""
    told = [_child("read", method, str(file)).split() for _ in range(repeats)]
    return median(float(seconds) for seconds, _ in told), median(float(size) for _, size in told)


def _child(*arguments: str) -> str:
    command = [sys.executable, "-m", "benchmarks.child", *arguments]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True, text=True)
    return done.stdout
