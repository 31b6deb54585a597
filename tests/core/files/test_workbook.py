"""Workbooks become grids of texts; what is hostile, damaged or foreign is refused."""

from __future__ import annotations

import datetime as dt
import io
import math
import random
import string
import struct
import zipfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.cell import WriteOnlyCell

from cml_core.errors import ConditionalMappingError, TooManyObjects, UnreadableFile
from cml_core.files.reading import archive
from cml_core.files.reading.raw import Limits
from cml_core.files.reading.workbook import cells as cells_module
from cml_core.files.reading.workbook import plain_rows
from cml_core.files.reading.workbook.grid import cells_of, is_workbook, sheet_names

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
NAMESPACE = f'xmlns="{MAIN}"'
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
SHEET = "xl/worksheets/sheet1.xml"
STRINGS = (
    '<Override PartName="/xl/sharedStrings.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>'
)


def saved(book: openpyxl.Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def book_of(rows: list[list[object]]) -> bytes:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Data")
    for row in rows:
        sheet.append(row)
    return saved(book)


# Made once: a workbook holds the time at which it was saved.
SMALL = book_of([[1]])
SQUARE = book_of([["", "a", "b"], ["a", 0, 1.5], ["b", 1.5, 0]])


def zipped(parts: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def parts_of(data: bytes) -> dict[str, bytes | str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_parts(parts: Mapping[str, bytes | str]) -> bytes:
    """A small workbook, some of whose parts are others."""
    return zipped({**parts_of(SMALL), **parts})


def sheet_of(rows: str) -> str:
    return f"<worksheet {NAMESPACE}><sheetData>{rows}</sheetData></worksheet>"


def links_of(links: str) -> str:
    return f'<Relationships xmlns="{LINKS}">{links}</Relationships>'


def with_sheet(rows: str, before: str = "", after: str = "") -> bytes:
    body = f"<worksheet {NAMESPACE}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>"
    return with_parts({SHEET: body})


def with_strings(strings: str, rows: str) -> bytes:
    types = str(parts_of(SMALL)["[Content_Types].xml"], "utf-8")  # type: ignore[arg-type]
    if "sharedStrings" not in types:
        types = types.replace("</Types>", STRINGS)
    return with_parts(
        {
            "xl/sharedStrings.xml": f"<sst {NAMESPACE}>{strings}</sst>",
            SHEET: sheet_of(rows),
            "[Content_Types].xml": types,
        }
    )


def test_cells_read_as_people_write_them_and_numbers_in_full() -> None:
    rows = [["", " x ", "y"], ["x", 0, 1 / 3], ["y", 12.0, 1e300], [True, -2.5, 1e15]]
    assert cells_of(book_of(rows)).rows == (
        ("", "x", "y"),
        ("x", "0", "0.3333333333333333"),
        ("y", "12", "1e+300"),
        ("TRUE", "-2.5", "1000000000000000"),
    )


def test_no_digit_of_a_number_is_lost() -> None:
    cells = cells_of(with_sheet("<row><c><v>0.30000000000000004</v></c><c><v>1E-7</v></c></row>"))
    assert [float(text) for text in cells.rows[0]] == [0.1 + 0.2, 1e-7]


def test_dates_and_times_are_iso_texts() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"] = dt.datetime(2024, 2, 29)
    sheet["B1"] = dt.datetime(2024, 2, 29, 13, 5, 7)
    sheet["C1"] = dt.time(3, 4)
    sheet["D1"] = dt.timedelta(hours=30, minutes=5)
    assert cells_of(saved(book)).rows == (
        ("2024-02-29", "2024-02-29T13:05:07", "03:04:00", "30:05:00"),
    )


def test_places_are_those_of_the_sheet() -> None:
    book = openpyxl.Workbook()
    book.active.title = "My sheet"
    book.active["C5"] = "here"
    book.active["AB9"] = 7
    cells = cells_of(saved(book))
    assert cells.lines == (5, 9)
    assert cells.rows[0] == ("", "", "here")
    assert cells.where(1, 27) == "Cell AB9 of sheet 'My sheet'"


def test_of_merged_cells_the_first_has_the_text() -> None:
    book = openpyxl.Workbook()
    book.active.append(["title"])
    book.active.append([1, 2, 3])
    book.active.merge_cells("A1:C1")
    assert cells_of(saved(book)).rows == (("title",), ("1", "2", "3"))


def book_with_sheets() -> bytes:
    book = openpyxl.Workbook()
    book.active.title = "empty"
    hidden = book.create_sheet("hidden")
    hidden["A1"] = "secret"
    hidden.sheet_state = "hidden"
    book.create_chartsheet("chart")
    book.create_sheet("data")["A1"] = 5
    book.create_sheet("more")["A1"] = 6
    return saved(book)


def test_the_first_sheet_with_anything_in_it_is_taken_hidden_ones_only_by_name() -> None:
    data = book_with_sheets()
    assert sheet_names(data) == ("empty", "data", "more")
    assert cells_of(data).sheet == "data"
    assert cells_of(data, "more").rows == (("6",),)
    assert cells_of(data, "hidden").rows == (("secret",),)
    assert cells_of(data, "empty").rows == ()


def test_an_unknown_sheet_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnreadableFile, match=r"'Tabelle'.*empty, data, more"):
        cells_of(book_with_sheets(), "Tabelle")


def test_a_workbook_without_content_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="no sheet with anything in it"):
        cells_of(saved(openpyxl.Workbook()))


def test_charts_images_and_links_are_not_even_looked_at() -> None:
    rubbish = b"\0not xml"
    names = ("xl/media/image1.png", "xl/charts/chart1.xml", "xl/externalLinks/externalLink1.xml")
    data = with_parts(dict.fromkeys((*names, "docProps/core.xml", "xl/theme/theme1.xml"), rubbish))
    assert cells_of(data).rows == (("1",),)


def test_an_error_in_a_cell_is_refused_with_its_place() -> None:
    with pytest.raises(UnreadableFile, match=r"Cell B2 of sheet 'Data' shows the error #DIV/0!"):
        cells_of(book_of([["a", 1], ["b", "#DIV/0!"]]))


def test_a_value_that_is_not_available_is_an_empty_cell() -> None:
    assert cells_of(book_of([["a", "#N/A", 2]])).rows == (("a", "", "2"),)


def test_a_formula_counts_as_its_result() -> None:
    rows = '<row><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>""</f><v></v></c></row>'
    assert cells_of(with_sheet(rows)).rows == (("2",),)


@pytest.mark.parametrize("result", ["", "<v></v>"])
def test_a_formula_that_was_never_computed_is_refused_with_its_place(result: str) -> None:
    with pytest.raises(UnreadableFile, match="Cell A1 of sheet 'Data' has a formula whose result"):
        cells_of(with_sheet(f'<row><c r="A1"><f>1+1</f>{result}</c></row>'))


def test_a_date_beyond_all_calendars_is_an_error_in_its_cell() -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Data")
    cell = WriteOnlyCell(sheet, value=1e10)
    cell.number_format = "yyyy-mm-dd"
    sheet.append([cell])
    with pytest.raises(
        UnreadableFile, match="Cell A1 of sheet 'Data' is formatted as a date, but 10000000000"
    ):
        cells_of(saved(book))


TEXTS = st.text(string.ascii_letters + string.digits + " .,;'\"<>&äß漢=-+", max_size=20)
VALUES = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS | st.floats(-1e300, 1e300)


def expected(value: object) -> str:
    """What a person would type for the value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return repr(value) if isinstance(value, float) else str(value).strip()


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.lists(VALUES, max_size=6), max_size=6))
def test_what_openpyxl_writes_is_read_back(rows: list[list[object]]) -> None:
    # A text that begins so is a formula to openpyxl.
    rows = [["" if str(value).startswith("=") else value for value in row] for row in rows]
    texts = [tuple(expected(value) for value in row) for row in rows]
    if not any(any(row) for row in texts):
        return
    cells = cells_of(book_of(rows))
    filled = [(line, row) for line, row in enumerate(texts, 1) if any(row)]
    assert cells.lines == tuple(line for line, _ in filled)
    for found, (_, row) in zip(cells.rows, filled, strict=True):
        width = max(place for place, text in enumerate(row, 1) if text)
        assert len(found) == width
        for text, wanted in zip(found, row[:width], strict=True):
            # openpyxl writes 16 digits of a number.
            assert text == wanted or math.isclose(float(text), float(wanted), rel_tol=1e-15)


def test_workbooks_are_recognised_even_when_cut_short() -> None:
    assert is_workbook(SMALL)
    assert is_workbook(SMALL[:-40])
    assert not is_workbook(b"a;b\n1;2\n")
    assert not is_workbook(zipped({"x.npy": b""}))


def bombs() -> dict[str, tuple[bytes, str]]:
    entity = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><workbook>&b;</workbook>'
    external = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><workbook/>'
    one = "<row><c><v>1</v></c></row>"
    wide = "".join(f'<row><c r="JZZ{line}"><v>1</v></c></row>' for line in range(1, 3000))
    # What cannot be packed, so that the rest may unpack further.
    bulk = random.Random(0).randbytes(200_000)
    attributes = " ".join(f'a{k}="1"' for k in range(50_000))
    sheets = "".join(f'<sheet name="s{k}" sheetId="{k + 1}" r:id="rId1"/>' for k in range(2000))
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return {
        "zeros": (with_parts({"xl/media/image1.png": bytes(50_000_000)}), "would unpack from"),
        "entities": (with_parts({"xl/workbook.xml": entity}), "defines entities"),
        "entities in UTF-16": (
            with_parts({"xl/workbook.xml": entity.encode("utf-16")}),
            "defines entities",
        ),
        "external entity": (with_parts({"xl/workbook.xml": external}), "defines entities"),
        "many cells": (with_sheet(one * 350_000), "out of all proportion"),
        "many empty cells": (with_sheet(f"<row>{'<c/>' * 1000}</row>" * 2450), "all proportion"),
        "many cells in UTF-16": (
            with_parts({SHEET: sheet_of(one * 160_000).encode("utf-16"), "xl/media/a.bin": bulk}),
            "all proportion",
        ),
        "nested out of sight": (with_sheet("<x>" * 200), "no proper XML"),
        "many runs": (with_sheet(f"<row><c><is>{'<t>ab</t>' * 100_000}"), "all proportion"),
        "many styles": (
            with_parts({"xl/styles.xml": f"<styleSheet {NAMESPACE}><cellXfs>{'<xf/>' * 100_001}"}),
            "more than 100000 formats",
        ),
        "name of a sheet": (
            with_parts(
                {"xl/workbook.xml": f'<workbook {NAMESPACE}><sheet name="{"x" * 300}"/></workbook>'}
            ),
            "a name of 300 characters",
        ),
        "same part twice": (
            with_parts(
                {
                    "xl/workbook.xml": f'<workbook {NAMESPACE} xmlns:r="{relations}"><sheets>'
                    + '<sheet name="a" r:id="rId1"/><sheet name="b" r:id="rId1"/>'
                    + "</sheets></workbook>"
                }
            ),
            "two of its sheets are the same part",
        ),
        "one wide row": (
            with_sheet(f"<row>{'<c><v>1</v></c>' * 90_000}</row>"),
            "wider than any sheet",
        ),
        "a million columns": (
            with_sheet(f"<row>{'<c><v>1</v></c>' * 1_000_000}</row>"),
            "would unpack from",
        ),
        "nested": (with_sheet(f"<row>{'<c>' * 500}{'</c>' * 500}</row>"), "all proportion"),
        "nearly empty": (with_sheet(wide), "is nearly empty"),
        "stray": (
            with_sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
            "Cell XFD1048576 of sheet 'Data' is not empty, and lies beyond the 10001 columns",
        ),
        "far row": (with_sheet(f'<row r="{10**12}"><c><v>1</v></c></row>'), "to row 10000000000"),
        "row zero": (with_sheet('<row r="0"><c><v>1</v></c></row>'), "from row 0 to row 0"),
        "row twice": (with_sheet('<row r="3"/><row r="3"/>'), "from row 3 to row 3"),
        "cell twice": (with_sheet('<row><c r="B1"><v>1</v></c><c r="B1"><v>2</v></c></row>'), "B1"),
        "sheets": (
            with_parts(
                {
                    "xl/workbook.xml": f'<workbook {NAMESPACE} xmlns:r="{relations}">'
                    f"<sheets>{sheets}</sheets></workbook>"
                }
            ),
            "more than 1000 sheets",
        ),
        "long tag": (
            with_parts({SHEET: f"<worksheet {attributes}/>", "xl/media/a.bin": bulk}),
            "all proportion",
        ),
        "long row": (
            with_strings(f"<si><t>{'x' * 9_000_000}</t></si>", ""),
            "all proportion",
        ),
        "long text": (
            with_strings(f"<si><t>{'x' * 40_000}</t></si>", '<row><c t="s"><v>0</v></c></row>'),
            "Cell A1 of sheet 'Data' holds a text of 40000 characters",
        ),
        "repeated text": (
            with_strings(
                f"<si><t> {'x' * 30_000}</t></si>", '<row><c t="s"><v>0</v></c></row>' * 20_000
            ),
            "comes to 200.0 MB",
        ),
        "number of digits": (
            with_sheet(f"<row><c><v>{'9' * 5000}</v></c></row>"),
            "Cell A1 of sheet 'Data' is marked as a number, but holds '999",
        ),
        "no number": (with_sheet("<row><c/><c><v>1_0</v></c></row>"), "Cell B1 .* holds '1_0'"),
        "word as a number": (with_sheet("<row><c><v>far</v></c></row>"), "Cell A1 .* holds 'far'"),
        "no such text": (
            with_sheet('<row><c t="s"><v>7</v></c></row>'),
            "Cell A1 of sheet 'Data' refers to text number 7",
        ),
        "text before the first": (with_sheet('<row><c t="s"><v>-1</v></c></row>'), "number -1"),
        "no truth": (with_sheet('<row><c t="b"><v>2</v></c></row>'), "true or false"),
        "unknown kind": (with_sheet('<row><c t="x"><v>2</v></c></row>'), "unknown kind 'x'"),
        "cell of another row": (with_sheet('<row r="2"><c r="A3"/></row>'), "row 2 is called 'A3'"),
        "cell without letters": (with_sheet('<row r="2"><c r="2"/></row>'), "row 2 is called '2'"),
        "cell far out": (with_sheet('<row r="1"><c r="AAAA1"/></row>'), "called 'AAAA1'"),
        "word as a row": (with_sheet('<row r="x"/>'), "from row 0 to row 0"),
        "not XML": (with_parts({SHEET: f"<worksheet {NAMESPACE}>"}), "no proper XML"),
        "other XML": (with_parts({SHEET: "<html/>"}), "is no worksheet"),
        "EBCDIC": (
            with_parts({SHEET: '<?xml version="1.0" encoding="cp037"?>'.encode("cp037")}),
            "no proper XML|not in the encoding",
        ),
        "other encoding": (
            with_parts({SHEET: '<?xml version="1.0" encoding="cp1252"?><x/>'}),
            "not in the encoding UTF-8",
        ),
        "no links": (
            with_parts({"xl/_rels/workbook.xml.rels": links_of("")}),
            "do not fit together",
        ),
        "no links at all": (
            zipped({"xl/workbook.xml": f"<workbook {NAMESPACE}/>"}),
            "do not fit together",
        ),
        "no contents": (with_parts({"xl/workbook.xml": "<x/>"}), "is no workbook"),
        "no sheet": (
            zipped({name: part for name, part in parts_of(SMALL).items() if name != SHEET}),
            "sheet 'Data' is not in it",
        ),
        "no workbook": (zipped({"other/xl/workbook.xml": ""}), "no Excel workbook"),
    }


BOMBS = bombs()


# Under coverage those of many cells take four times as long.
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.no_cover] if name.startswith("many") else [])
        for name in sorted(BOMBS)
    ],
)
def test_hostile_and_damaged_workbooks_are_refused_in_words_and_in_little_memory(
    name: str, memory_below: Callable[[int], AbstractContextManager[None]]
) -> None:
    data, words = BOMBS[name]
    with memory_below(200_000_000), pytest.raises(UnreadableFile, match=words) as caught:
        cells_of(data)
    assert caught.value.remedy


def test_dimensions_that_lie_allocate_nothing() -> None:
    data = with_sheet("<row><c><v>1</v></c></row>", before='<dimension ref="A1:XFD1048576"/>')
    cells = cells_of(data)
    assert (cells.rows, cells.lines) == ((("1",),), (1,))


def test_empty_formatted_cells_far_out_do_not_count() -> None:
    far = '<c r="XFD1" s="0"/></row><row r="1048576"><c s="0"/></row>'
    assert cells_of(with_sheet(f'<row r="1"><c r="A1"><v>1</v></c>{far}')).rows == (("1",),)


def test_what_stands_behind_the_cells_is_not_even_looked_at() -> None:
    merges = '<mergeCell ref="A1:B2"/>' * 41_000
    data = with_sheet("<row><c><v>1</v></c></row>", after=f"{merges}<row><c><v>2</v></c></row>")
    assert cells_of(data).rows == (("1",),)


def test_a_workbook_without_content_types_is_read() -> None:
    assert cells_of(with_parts({"[Content_Types].xml": "<Types/>"})).rows == (("1",),)


def test_a_workbook_needs_neither_shared_texts_nor_styles() -> None:
    needed = ("xl/workbook.xml", "xl/_rels/workbook.xml.rels", SHEET)
    parts = parts_of(SMALL)
    assert cells_of(zipped({name: parts[name] for name in needed})).rows == (("1",),)


def test_many_different_numbers_are_each_read_right() -> None:
    rows = [[line + column / 128 for column in range(100)] for line in range(100)]
    found = cells_of(book_of(rows)).rows
    assert [[float(text) for text in row] for row in found] == rows


def test_shared_texts_with_blanks_around_them_stay_shared() -> None:
    rows = '<row><c t="s"><v>0</v></c></row>' * 2
    found = cells_of(with_strings("<si><t> word </t></si>", rows)).rows
    assert found == (("word",), ("word",))
    assert found[0][0] is found[1][0]


def test_a_part_that_says_it_is_small_is_not_unpacked_any_further() -> None:
    data = bytearray(with_sheet("<!--" + " " * 5_000_000 + "-->"))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        part = archive.getinfo(SHEET)
    for begin in (data.index(struct.pack("<I", part.file_size)), data.rindex(SHEET.encode()) - 22):
        data[begin : begin + 4] = struct.pack("<I", 100)
    with pytest.raises(UnreadableFile, match="is damaged"):
        cells_of(bytes(data))


def test_parts_that_stand_there_twice_are_refused() -> None:
    stream = io.BytesIO(SMALL)
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(stream, "a") as archive,
    ):
        archive.writestr(SHEET, "<worksheet/>")
    with pytest.raises(UnreadableFile, match="more than once"):
        cells_of(stream.getvalue())


def test_locked_and_unusually_packed_archives_are_refused() -> None:
    with pytest.raises(UnreadableFile, match="packed in a way"):
        cells_of(zipped(parts_of(SMALL), zipfile.ZIP_LZMA))
    locked = bytearray(SMALL)
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        begin = -1
        while (begin := locked.find(mark, begin + 1)) >= 0:
            locked[begin + flags] |= 1
    with pytest.raises(UnreadableFile, match="password"):
        cells_of(bytes(locked))


def test_limits_hold_for_the_file_what_it_unpacks_to_and_its_columns() -> None:
    data = book_of([[k / 7 for k in range(40)]] * 40)
    unpacked = sum(len(part) for part in parts_of(data).values())
    assert len(cells_of(data, limits=Limits(bytes=unpacked)).rows) == 40
    with pytest.raises(UnreadableFile, match="comes to"):
        cells_of(data, limits=Limits(bytes=unpacked - 1))
    with pytest.raises(UnreadableFile, match="comes to"):
        cells_of(data, limits=Limits(bytes=len(data) - 1))
    with pytest.raises(UnreadableFile, match=r"Cell AE1 .* beyond the 30 columns"):
        cells_of(data, limits=Limits(columns=20, objects=29))


def test_too_many_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cml_core.files.reading.workbook.parts.MOST_TEXTS", 3)
    assert cells_of(with_strings("<si/>" * 3, "<row><c><v>1</v></c></row>")).rows == (("1",),)
    with pytest.raises(UnreadableFile, match="more than 3 texts"):
        cells_of(with_strings("<si/>" * 4, "<row><c><v>1</v></c></row>"))


def test_too_many_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cml_core.files.reading.archive.MOST_PARTS", 3)
    with pytest.raises(UnreadableFile, match="at most 3"):
        cells_of(SMALL)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data())
def test_a_damaged_workbook_raises_nothing_but_the_programs_own_error(data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        parts = parts_of(SQUARE)
        name = data.draw(st.sampled_from(sorted(parts)))
        content = bytearray(parts[name])  # type: ignore[arg-type]
        place = data.draw(st.integers(0, max(len(content) - 1, 0)))
        content[place : place + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))
        whole = zipped({**parts, name: bytes(content)})
    else:
        file = bytearray(SQUARE)
        place = data.draw(st.integers(0, len(file) - 1))
        file[place : place + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))
        whole = bytes(file)
    try:
        cells = cells_of(whole)
    except ConditionalMappingError:
        return
    assert len(cells.rows) == len(cells.lines)


ROWS = {
    "numbers": '<row r="2"><c r="A2"><v>1.5</v></c><c r="B2"><v>-2E-3</v></c></row>',
    "a name": '<row r="2" spans="1:3"><c r="A2" t="inlineStr"><is><t>oak</t></is></c>'
    '<c r="B2" s="1"><v>1</v></c><c r="C2" s="1"><v>2</v></c></row>',
    "letters beyond English": '<row r="2"><c r="A2" t="str"><v>Müller</v></c>'
    '<c r="B2"><v>1</v></c><c r="C2"><v>2</v></c></row>',
    "gaps": '<row r="3"><c r="A3"><v>7</v></c><c r="C3"><v>1</v></c><c r="AA3"><v>2</v></c></row>',
    "no first cell": '<row r="3"><c r="B3" t="n"><v>1</v></c><c r="C3" t="n"><v>2</v></c></row>',
    "a text among numbers": '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="str"><v>x</v></c></row>',
    "no number": '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>1,5</v></c></row>',
    "another row's cell": '<row r="2"><c r="A2"><v>1</v></c><c r="B3"><v>2</v></c></row>',
    "turned round": '<row r="2"><c r="C2"><v>1</v></c><c r="B2"><v>2</v></c></row>',
    "twice": '<row r="2"><c r="B2"><v>1</v></c><c r="B2"><v>2</v></c></row>',
    "in a comment": '<!-- <row r="2"><c r="A2"><v>1</v></c></row> '
    '<row r="3"><c r="A3"><v>1</v></c></row> --><row r="4"><c r="A4"><v>5</v></c></row>',
    "backwards": '<row r="9"><c r="A9"><v>1</v></c></row><row r="4"><c r="A4"><v>5</v></c></row>',
    "beyond any sheet": '<row r="2000000"><c r="A2000000"><v>1</v></c></row>',
    "an error": '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="e"><v>#DIV/0!</v></c></row>',
    "a formula": '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>A2*2</f><v>2</v></c></row>',
    "cut short": '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c>',
}


def as_number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


@pytest.mark.parametrize("case", ROWS)
def test_rows_of_numbers_are_read_alike_whether_they_are_parsed_or_not(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = '<row r="1"><c r="A1" t="str"><v>name</v></c><c r="B1"><v>0.25</v></c></row>'
    data = with_sheet(before + ROWS[case])

    def found() -> object:
        try:
            cells = cells_of(data)
        except UnreadableFile as error:
            return error.fact
        return [[as_number(text) for text in row] for row in cells.rows], cells.lines

    monkeypatch.setattr(cells_module, "PARSED_ROWS", 0)
    monkeypatch.setattr(cells_module, "PARSED_COLUMNS", 0)
    at_once = found()
    monkeypatch.setattr(plain_rows, "plain_row", lambda _row: None)
    assert at_once == found()


def test_rows_are_found_however_the_file_is_cut_into_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = "".join(
        f'<row r="{k}"><c r="A{k}"><v>{k}</v></c><c r="B{k}"><v>{k / 8}</v></c></row>'
        for k in range(1, 40)
    )
    data = with_sheet(rows)
    monkeypatch.setattr(cells_module, "PARSED_ROWS", 0)
    monkeypatch.setattr(cells_module, "PARSED_COLUMNS", 0)
    whole = cells_of(data)
    for size in (1, 3, 7, 50, 201):
        monkeypatch.setattr(archive, "CHUNK", size)
        assert cells_of(data).rows == whole.rows
    assert whole.rows[7] == ("8", "1.0")


def test_a_sheet_of_too_many_rows_is_refused_on_the_way() -> None:
    row = "".join(f'<c r="{letter}{{0}}"><v>1</v></c>' for letter in "ABCDEFGH")
    rows = "".join(f'<row r="{k}">{row.format(k)}</row>' for k in range(1, 400))
    with pytest.raises(TooManyObjects, match="more than 200 rows"):
        cells_of(with_sheet(rows), limits=Limits(objects=200))
