"""Excel workbooks (.xlsx), by the reader that was made for them here."""

from __future__ import annotations

from cml_core.errors import ConditionalMappingError
from cml_core.files.reading.grids.grid_file import Begin, GridFile, Grids
from cml_core.files.reading.raw import Limits
from cml_core.files.reading.workbook.grid import cells_of, is_workbook, sheet_names


def _suits(begin: Begin) -> bool:
    return is_workbook(begin.data)


def _opened(data: bytes, sheet: str, limits: Limits) -> Grids:
    names = sheet_names(data, limits)
    try:
        return Grids(names, cells_of(data, sheet, limits))
    except ConditionalMappingError as error:
        return Grids(names, refused=error.with_traceback(None))


EXCEL = GridFile("an Excel workbook", _suits, _opened)
