"""Workbooks in every spelling that ECMA-376 allows; openpyxl, an independent reader, agrees."""

from __future__ import annotations

import datetime as dt
import io
import math
import zipfile

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900

from cml_core.errors import UnreadableFile
from cml_core.files.reading.workbook.grid import cells_of, sheet_names

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT_MAIN = "http://purl.oclc.org/ooxml/spreadsheetml/main"
STRICT_OFFICE = "http://purl.oclc.org/ooxml/officeDocument/relationships"
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"


def book(
    rows: str,
    *,
    strings: str = "",
    styles: str = "",
    properties: str = "",
    prefix: str = "",
    strict: bool = False,
    targets: tuple[str, str, str] = ("worksheets/sheet1.xml", "sharedStrings.xml", "styles.xml"),
    encoding: str = "utf-8",
) -> bytes:
    """A workbook written by hand; `prefix` stands before every tag that is given here."""
    p, main, office = prefix, *((STRICT_MAIN, STRICT_OFFICE) if strict else (MAIN, OFFICE))
    declared = f'xmlns{":" * bool(p)}{p.rstrip(":")}="{main}"'
    kinds = ("worksheet", "sharedStrings", "styles")
    links = "".join(
        f'<Relationship Id="id{kind}" Type="{office}/{kind}" Target="{target}"/>'
        for kind, target in zip(kinds, targets, strict=True)
    )
    parts = {
        "xl/workbook.xml": f'<{p}workbook {declared}>{properties}<{p}sheets><{p}sheet name="S" '
        f'sheetId="1" d3p1:id="idworksheet" xmlns:d3p1="{office}"/></{p}sheets></{p}workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{LINKS}">{links}</Relationships>',
        "xl/worksheets/sheet1.xml": f"<{p}worksheet {declared}><{p}sheetData>{rows}"
        f"</{p}sheetData></{p}worksheet>",
        "xl/sharedStrings.xml": f"<{p}sst {declared}>{strings}</{p}sst>",
        "xl/styles.xml": f"<{p}styleSheet {declared}>{styles}</{p}styleSheet>",
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text.encode(encoding))
    return stream.getvalue()


def row_of(data: bytes) -> tuple[str, ...]:
    (row,) = cells_of(data).rows
    return row


def test_rows_and_cells_without_a_name_follow_one_another() -> None:
    rows = "<row/><row><c/><c><v>2</v></c></row><row r='7'><c r='C7'><v>3</v></c><c><v>4</v></c>"
    cells = cells_of(book(f"{rows}</row><row><c><v>5</v></c></row>"))
    assert cells.lines == (2, 7, 8)
    assert cells.rows == (("", "2"), ("", "", "3", "4"), ("5",))


def test_a_row_without_a_name_stands_where_its_first_cell_does() -> None:
    cells = cells_of(book('<row><c r="B5"><v>1</v></c></row><row><c><v>2</v></c></row>'))
    assert (cells.lines, cells.rows) == ((5, 6), (("", "1"), ("2",)))


def test_cells_may_stand_in_any_order() -> None:
    cells = '<c r="C1"><v>3</v></c><c r="A1"><v>1</v></c><c r="B1"/>'
    assert row_of(book(f"<row>{cells}</row>")) == ("1", "", "3")


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("prefix", ["", "x:"])
def test_namespaces_may_be_strict_and_have_a_prefix(strict: bool, prefix: str) -> None:
    p = prefix
    cells = f'<{p}c t="s"><{p}v>0</{p}v></{p}c><{p}c r="C1"><{p}v>1</{p}v></{p}c>'
    shared = f"<{p}si><{p}t>a</{p}t></{p}si>"
    data = book(f'<{p}row r="1">{cells}</{p}row>', strings=shared, prefix=p, strict=strict)
    assert sheet_names(data) == ("S",)
    assert row_of(data) == ("a", "", "1")


def test_elements_of_other_namespaces_are_passed_over() -> None:
    foreign = '<o:row xmlns:o="other"><o:c><o:v>9</o:v></o:c></o:row>'
    assert cells_of(book(f"{foreign}<row><c><v>1</v></c></row>")).rows == (("1",),)


def test_parts_are_found_by_absolute_and_differently_spelled_names() -> None:
    targets = ("/xl/worksheets/sheet1.xml", "../xl/SharedStrings.xml", "./styles.xml")
    rows = '<row><c t="s"><v>0</v></c></row>'
    assert row_of(book(rows, strings="<si><t>a</t></si>", targets=targets)) == ("a",)


def test_utf_16_is_read() -> None:
    assert row_of(book("<row><c t='str'><v>ä漢</v></c></row>", encoding="utf-16")) == ("ä漢",)


RICH = (
    '<r><rPr><b/></rPr><t>rich </t></r><r><t xml:space="preserve"> text</t></r>'
    '<rPh sb="0" eb="1"><t>sound</t></rPh><phoneticPr fontId="1"/>'
)


def test_runs_of_a_text_are_joined_without_how_they_sound() -> None:
    rows = f'<row><c t="s"><v> 1 </v></c><c t="inlineStr"><is>{RICH}</is></c></row>'
    shared = f"<si><t/></si><si>\n  {RICH}\n</si>"
    assert row_of(book(rows, strings=shared)) == ("rich  text",) * 2


def test_a_text_keeps_its_blanks_inside_only() -> None:
    shared = '<si><t xml:space="preserve"> a  b\n c </t></si>'
    assert row_of(book('<row><c t="s"><v>0</v></c></row>', strings=shared)) == ("a  b\n c",)


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("a_x000D__x000a_b", "a\r\nb"),
        ("_x005F_x0041_", "_x0041_"),
        ("_xD83D__xDE00_", "\U0001f600"),
        ("_xD83D_", "�"),
        ("_x0000__x0001_", "_x0000__x0001_"),
        ("_x41_ _X0041_", "_x41_ _X0041_"),
        ("<![CDATA[<&>]]>&lt;&#65;", "<&>&lt;A".replace("&lt;", "<")),
    ],
)
def test_escapes_stand_for_characters_that_a_text_may_hold(stored: str, text: str) -> None:
    rows = f"<row><c t='s'><v>0</v></c><c t='str'><v>{stored}</v></c></row>"
    assert row_of(book(rows, strings=f"<si><t>{stored}</t></si>")) == (text, text)


def test_line_ends_between_the_elements_mean_nothing() -> None:
    cells = '\n<c r="A1">\n<v>1.5</v>\n</c>\n<c t="inlineStr">\n<is>\n<t>a</t>\n</is>\n</c>\n'
    blank = " " * 200_000
    assert row_of(book(f"\n<row>{blank}{cells}</row>\n")) == ("1.5", "a")


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("0.30000000000000004", "0.30000000000000004"),
        ("445.10000000000002", "445.1"),
        ("-0", "0"),
        ("+1.50", "1.5"),
        ("1E-7", "1e-07"),
        ("1E3", "1000"),
        (" 007 ", "7"),
        ("12345678901234567890", "12345678901234567890"),
        ("-9007199254740993", "-9007199254740993"),
        ("1e15", "1000000000000000"),
        ("1e16", "1e+16"),
    ],
)
def test_numbers_are_written_as_people_write_them(stored: str, text: str) -> None:
    assert row_of(book(f"<row><c><v>{stored}</v></c></row>")) == (text,)


def test_other_kinds_of_cells_become_texts() -> None:
    kinds = [("b", "1"), ("b", "false"), ("e", "#N/A"), ("d", "2024-02-29"), ("n", "5")]
    kinds += [("d", "2024-02-29T00:00:00"), ("d", "2024-02-29T13:05:07.5"), ("d", "03:04:00")]
    rows = "".join(f'<c t="{kind}"><v>{value}</v></c>' for kind, value in kinds)
    assert row_of(book(f"<row>{rows}</row>")) == (
        *("TRUE", "FALSE", "", "2024-02-29", "5"),
        *("2024-02-29", "2024-02-29T13:05:07.500", "03:04:00"),
    )


def dated(serial: str, format_id: int, code: str = "", properties: str = "") -> str:
    """How a number looks in a format, given by its code or as a built-in one."""
    formats = f'<numFmts><numFmt numFmtId="{format_id}" formatCode="{code}"/></numFmts>'
    xfs = f'<xf numFmtId="{format_id}"/>'
    styles = f"{formats * bool(code)}<cellStyleXfs>{xfs * 2}</cellStyleXfs>"
    styles += f'<cellXfs><xf numFmtId="0"/>{xfs}</cellXfs><dxfs><dxf>{formats}</dxf></dxfs>'
    rows = f'<row><c s="1"><v>{serial}</v></c></row>'
    return row_of(book(rows, styles=styles, properties=properties))[0]


IN_1904 = '<workbookPr date1904="1"/>'


# The days are those of ECMA-376 part 1, 18.17.4.1: 1900 counts as a leap year, 60 is 29 February.
@pytest.mark.parametrize(
    ("serial", "in_1900", "in_1904"),
    [
        ("1", "1900-01-01", "1904-01-02"),
        ("59", "1900-02-28", "1904-02-29"),
        ("60", "1900-02-29", "1904-03-01"),
        ("60.5", "1900-02-29T12:00:00", "1904-03-01T12:00:00"),
        ("61", "1900-03-01", "1904-03-02"),
        ("0", "00:00:00", "1904-01-01"),
        ("45351.545219907406", "2024-02-29T13:05:07", "2028-03-01T13:05:07"),
        ("45351.00000000001", "2024-02-29", "2028-03-01"),
        ("1.0000057870370371", "1900-01-01T00:00:00.500", "1904-01-02T00:00:00.500"),
    ],
)
def test_days_are_counted_from_1900_or_1904(serial: str, in_1900: str, in_1904: str) -> None:
    assert dated(serial, 14) == in_1900
    assert dated(serial, 14, properties=IN_1904) == in_1904


def test_the_last_day_is_the_end_of_the_year_9999() -> None:
    assert dated("2958465", 14) == "9999-12-31"
    assert dated("2957003", 14, properties=IN_1904) == "9999-12-31"


@pytest.mark.parametrize("properties", ["", IN_1904])
@pytest.mark.parametrize("serial", ["2958466", "2958465.9999999999", "-1", "1e300", "-1e-9"])
def test_days_beyond_the_calendar_are_refused_with_their_place(
    serial: str, properties: str
) -> None:
    with pytest.raises(UnreadableFile, match="Cell A1 of sheet 'S' is formatted as a date, but"):
        dated(serial, 14, properties=properties)


@pytest.mark.parametrize("number", [*range(14, 18), 22, *range(27, 37), *range(50, 59)])
def test_built_in_formats_of_dates_are_known(number: int) -> None:
    assert dated("45351", number) == "2024-02-29"


@pytest.mark.parametrize("number", [18, 19, 20, 21, 45, 47])
def test_built_in_formats_of_times_are_known(number: int) -> None:
    assert dated("0.5", number) == "12:00:00"
    assert dated("0.5", number, properties=IN_1904) == "12:00:00"


@pytest.mark.parametrize("code", ["h:mm", "hh:mm:ss AM/PM", "mm:ss.0", "[$-409]H:MM"])
def test_formats_with_letters_of_times_alone_show_times(code: str) -> None:
    assert dated("0.5", 200, code, IN_1904) == "12:00:00"


def test_hours_may_go_beyond_a_day() -> None:
    assert dated("1.2534722222222223", 46) == "30:05:00"
    assert dated("1.2534722222222223", 164, "[mm]:ss") == "30:05:00"


@pytest.mark.parametrize("number", [0, 1, 2, 9, 10, 11, 12, 13, 37, 40, 48, 49, 59])
def test_other_built_in_formats_are_those_of_numbers(number: int) -> None:
    assert dated("45351.5", number) == "45351.5"


@pytest.mark.parametrize(
    "code", ["yyyy-mm-dd", "[$-409]d/m/yy;@", "mmm", "&quot;on &quot;D", "[Red]ge.m.d"]
)
def test_formats_with_letters_of_dates_show_dates(code: str) -> None:
    assert dated("45351", 200, code) == "2024-02-29"


@pytest.mark.parametrize(
    "code",
    [
        "General",
        "0.00E+00",
        "#,##0.00 &quot;days; months&quot;",
        "0 &quot;h",
        r"0\d0",
        "0_d",
        "0*s",
        "[Red]0;[Blue]-0;d",
        "[$USD] 0",
        "[&gt;=100]0",
        "[d",
        "[" * 100_000,
    ],
)
def test_letters_that_are_quoted_escaped_or_in_brackets_make_no_date(code: str) -> None:
    assert dated("45351.5", 200, code) == "45351.5"


def test_a_format_that_a_workbook_defines_itself_goes_before_a_built_in_one() -> None:
    assert dated("45351", 14, "0.00") == "45351"


def test_a_formula_without_a_result_is_refused_whatever_its_kind() -> None:
    for kind in ("n", "s", "b", "e"):
        with pytest.raises(UnreadableFile, match="Cell B1 of sheet 'S' has a formula whose"):
            cells_of(book(f'<row><c r="A1"/><c t="{kind}"><f>x</f><v/></c></row>'))


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="￾￿")
    | st.sampled_from("\t\n \u00a0\u3000\"'<>&"),
    max_size=12,
).filter(lambda text: not text.startswith(("=", "#")) and "_x" not in text)
# Spreadsheets keep times to a millisecond.
MOMENTS = st.datetimes(dt.datetime(1904, 1, 2), dt.datetime(2200, 1, 1)).map(
    lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000)
)
VALUES = st.one_of(
    *(st.none(), st.booleans(), st.integers(-(2**60), 2**60), st.floats(-1e300, 1e300)),
    *(TEXTS, MOMENTS, MOMENTS.map(dt.datetime.date), MOMENTS.map(dt.datetime.time)),
    st.timedeltas(dt.timedelta(0), dt.timedelta(days=5000)),
)


def written_by_openpyxl(rows: list[list[object]], epoch: dt.datetime, merged: str) -> bytes:
    workbook = openpyxl.Workbook()
    workbook.epoch = epoch
    for line, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            workbook.active.cell(line, column, value)
    if merged:
        workbook.active.merge_cells(merged)
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def text_of(value: object) -> str:
    """What stands for a value that openpyxl read."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 1e16
        return str(int(value)) if whole else repr(value)
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    if isinstance(value, dt.datetime | dt.time):
        return value.isoformat(timespec="milliseconds" if value.microsecond else "seconds")
    return str(value).strip()


def grid_of_openpyxl(data: bytes) -> dict[tuple[int, int], str]:
    sheet = openpyxl.load_workbook(io.BytesIO(data), data_only=True).active
    texts = {
        (cell.row, cell.column): text_of(cell.value) for row in sheet.iter_rows() for cell in row
    }
    return {place: text for place, text in texts.items() if text}


@pytest.mark.slow
@settings(max_examples=150)
@given(
    st.lists(st.lists(VALUES, max_size=6), max_size=6),
    st.sampled_from([CALENDAR_WINDOWS_1900, CALENDAR_MAC_1904]),
    st.sampled_from(["", "A1:B1", "B2:C3"]),
)
def test_an_independent_reader_finds_the_same(
    rows: list[list[object]], epoch: dt.datetime, merged: str
) -> None:
    data = written_by_openpyxl([["begin"], *rows], epoch, merged)
    cells = cells_of(data)
    found = {
        (line, column): text
        for line, row in zip(cells.lines, cells.rows, strict=True)
        for column, text in enumerate(row, 1)
        if text
    }
    expected = grid_of_openpyxl(data)
    assert found.keys() == expected.keys()
    for place, text in found.items():
        assert text == expected[place] or same_number(text, expected[place])


def same_number(text: str, other: str) -> bool:
    """Whether one text writes out a whole number that the other has an exponent for."""
    try:
        return math.isclose(float(text), float(other), rel_tol=0)
    except ValueError:
        return False
