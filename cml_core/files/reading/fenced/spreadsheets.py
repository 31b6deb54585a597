"""OpenDocument, old Excel and binary Excel workbooks, by calamine; only the child imports this."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from python_calamine import CalamineSheet, SheetTypeEnum, SheetVisibleEnum, load_workbook

from cml_core.errors import TooManyObjects, UnreadableFile, listing

# Cells that may be laid out before a sheet is looked at closer: 3,000 objects have 9 million.
_MOST_LAID_OUT = 12_000_000


def tables(
    path: str, chosen: str, rows: int, columns: int
) -> tuple[list[str], str, Iterator[Sequence[object]]]:
    """The names of the sheets, which was taken, and its rows from the first on."""
    book = load_workbook(path)
    kept = [s for s in book.sheets_metadata if s.typ == SheetTypeEnum.WorkSheet]
    seen = [s.name for s in kept if s.visible == SheetVisibleEnum.Visible]
    every = [s.name for s in kept]
    names = seen or every
    if chosen and chosen not in every:
        raise UnreadableFile(
            f"The workbook has no sheet called {chosen[:80]!r}.",
            remedy=f"Choose one of {listing(names, 20) or 'its sheets: it has none'}.",
        )
    for name in [chosen] if chosen else names:
        sheet = book.get_sheet_by_name(name)
        if chosen or sheet.total_height:
            return names, name, _rows(sheet, name, rows, columns)
    raise UnreadableFile(
        "The workbook has no sheet with anything in it.", remedy="Put the table into a sheet."
    )


def _rows(sheet: CalamineSheet, name: str, rows: int, columns: int) -> Iterator[Sequence[object]]:
    if sheet.total_width > columns:
        raise TooManyObjects(
            f"Sheet {name!r} has {sheet.total_width:,} columns; at most {columns - 2:,} are read.",
            remedy="Clear what stands far to the right of the table, or leave out columns.",
        )
    if sheet.total_height * sheet.total_width > _MOST_LAID_OUT:
        raise UnreadableFile(
            f"Sheet {name!r} reaches to row {sheet.total_height:,}.",
            remedy="Clear what stands far below the table.",
        )
    if sheet.total_height > rows and sheet.total_width > 4:
        raise TooManyObjects(
            f"Sheet {name!r} has {sheet.total_height:,} rows; at most {rows:,} are read.",
            remedy="Give fewer objects.",
        )
    yield from sheet.to_python(skip_empty_area=False)
