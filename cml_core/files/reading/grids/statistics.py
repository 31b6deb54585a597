"""Files of statistics programs, columns on disk and MATLAB: known by their first bytes."""

from __future__ import annotations

from cml_core.errors import UnreadableFile
from cml_core.files.reading.fenced.fence import fenced
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Grids
from cml_core.files.reading.raw import Limits

_SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
# Of versions 5 and 8.
_SAS_TRANSPORT = (
    b"HEADER RECORD*******LIBRARY HEADER RECORD",
    b"HEADER RECORD*******LIBV8   HEADER RECORD",
)
_LONGEST_NAME = 64


def _is_statistics(begin: Begin) -> bool:
    data = begin.data
    return (
        data.startswith((b"$FL2@(#)", b"$FL3@(#)", b"<stata_dta>", _SAS, *_SAS_TRANSPORT))
        or b"SPSS PORT FILE" in data[:500]
        or _is_old_stata(data)
    )


def _is_old_stata(data: bytes) -> bool:
    """Versions 8 to 12: a version, the order of bytes, a one and a zero."""
    version, order, rest = data[:1], data[1:2], data[2:4]
    return b"\x69" <= version <= b"\x73" and order in (b"\1", b"\2") and rest == b"\1\0"


def _is_columns(begin: Begin) -> bool:
    return begin.data.startswith((b"PAR1", b"ARROW1\0\0", b"FEA1"))


def _is_matlab(begin: Begin) -> bool:
    return begin.data.startswith((b"MATLAB 5.0 MAT-file", b"MATLAB 7.3 MAT-file")) or (
        _is_old_matlab(begin.data)
    )


def _is_old_matlab(data: bytes) -> bool:
    """Version 4: kind, rows, columns, whether complex, and the length of the name, as integers."""
    if len(data) < 24:
        return False
    kind, rows, columns, complex_, length = (
        int.from_bytes(data[k : k + 4], "little") for k in range(0, 20, 4)
    )
    plain = kind in (0, 10, 20, 30, 40, 50) and complex_ == 0 and 1 < length <= _LONGEST_NAME
    if not plain or not 0 < rows * columns <= len(data):
        return False
    name = data[20 : 20 + length]
    return name.endswith(b"\0") and name[:-1].isalnum()


def _statistics(data: bytes, sheet: str, limits: Limits) -> Grids:
    return fenced("statistics", "a file of SPSS, Stata or SAS", data, sheet, limits)


def _columns(data: bytes, sheet: str, limits: Limits) -> Grids:
    return fenced("columns", "a Parquet or Feather file", data, sheet, limits)


def _matlab(data: bytes, sheet: str, limits: Limits) -> Grids:
    if data.startswith(b"MATLAB 7.3"):
        raise UnreadableFile(
            "The file is one of MATLAB's version 7.3, which is not read here.",
            remedy="Save it in MATLAB with save('file.mat', 'D', '-v7').",
        )
    return fenced("matlab", "a file of MATLAB", data, sheet, limits)


STATISTICS = GridFile("a file of SPSS, Stata or SAS", _is_statistics, _statistics, with_points=True)
COLUMNS = GridFile("a Parquet or Feather file", _is_columns, _columns, with_points=True)
MATLAB = GridFile("a file of MATLAB", _is_matlab, _matlab, with_points=True)
