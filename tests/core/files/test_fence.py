"""What libraries read is read in a process of its own, which takes nobody with it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.io import savemat

from cml_core.errors import TooManyObjects, UnreadableFile
from cml_core.files.reading import Limits, RawTable, fenced, look, parts, read, read_features
from cml_core.files.reading.fenced import fence

CORPUS = Path(__file__).parent / "corpus"
MIME = "application/vnd.oasis.opendocument.spreadsheet"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
HEAD = (
    f'<office:document-content xmlns:office="{OFFICE}office:1.0" '
    f'xmlns:table="{OFFICE}table:1.0" xmlns:text="{OFFICE}text:1.0">'
    "<office:body><office:spreadsheet>"
)
FOOT = "</office:spreadsheet></office:body></office:document-content>"
NUMBER = '<table:table-cell{} office:value-type="float" office:value="{}"/>'


def ods(tables: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    body = "".join(f'<table:table table:name="{n}">{t}</table:table>' for n, t in tables.items())
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), MIME)
        archive.writestr("content.xml", HEAD + body + FOOT)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return stream.getvalue()


def row(*cells: str, times: int = 1) -> str:
    repeated = f' table:number-rows-repeated="{times}"' if times > 1 else ""
    return f"<table:table-row{repeated}>{''.join(cells)}</table:table-row>"


def number(value: float, times: int = 1) -> str:
    return NUMBER.format(f' table:number-columns-repeated="{times}"' if times > 1 else "", value)


SQUARE = "".join(row(*(number(abs(i - j)) for j in range(4))) for i in range(4))


def bombs() -> dict[str, bytes]:
    stream = io.BytesIO()
    savemat(stream, {"D": np.zeros((5_000, 5_000), np.int8)}, do_compression=True)
    column = pa.array(np.zeros(3_000_000)).dictionary_encode()
    packed = io.BytesIO()
    pq.write_table(pa.table({f"c{k}": column for k in range(5)}), packed, compression="zstd")
    return {
        "a row a million times": ods({"S": row(number(1, 3_000), times=1_000_000)}),
        "rows of rows": ods({"S": "".join(row(number(k, 1_000), times=9_000) for k in range(50))}),
        "a cell far below": ods({"S": SQUARE + row(times=900_000) + row(number(1, 900))}),
        "a sheet too wide": ods({"S": row(number(1, 16_000))}),
        "zeros of MATLAB": stream.getvalue(),
        "one number in Parquet": packed.getvalue(),
        "unfinished declarations": b"<table><tr>" + b"<!" * 200_000,
    }


@pytest.mark.parametrize("case", bombs())
def test_what_unpacks_out_of_proportion_ends_in_a_sentence(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bombs()[case]
    bounds: list[list[int]] = []

    def run(arguments: tuple[str, ...], seconds: int) -> bytes:
        bounds.append([int(bound) for bound in arguments[-2:]])
        return run_as_ever(arguments, seconds)

    run_as_ever = fence._run
    monkeypatch.setattr(fence, "_run", run)
    with pytest.raises((UnreadableFile, TooManyObjects)) as caught:
        read(data, limits=Limits(objects=3_000, columns=3_000))
    assert caught.value.remedy
    # The system holds the process to them: 200 MB and 2 s for a small file.
    assert [memory <= 200_000_000 and seconds <= 2 for memory, seconds in bounds] == [True]


def test_sheets_of_a_document_can_be_chosen_and_the_first_filled_one_is_read() -> None:
    data = ods({"empty": "", "one": SQUARE, "two": SQUARE.replace('"3"', '"5"')})
    assert parts(data) == ("empty", "one", "two")
    first, second = read(data), read(data, sheet="two")
    assert isinstance(first, RawTable)
    assert isinstance(second, RawTable)
    assert (first.values[0, 3], second.values[0, 3]) == (3, 5)
    with pytest.raises(UnreadableFile, match=r"no sheet called 'three'.*empty, one, two"):
        read(data, sheet="three")


def test_an_error_in_a_cell_is_told_and_not_taken_for_missing() -> None:
    error = '<table:table-cell calcext:value-type="error"><text:p>#REF!</text:p></table:table-cell>'
    wrong = SQUARE.replace(number(2), error, 1)
    found = look(ods({"fine": SQUARE, "S": wrong}), sheet="S")
    assert found.parts == ("fine", "S")
    assert "Cell C1 of sheet 'S' shows the error #REF!" in str(found.error)
    assert look(ods({"fine": SQUARE, "S": wrong})).table is not None


@pytest.mark.parametrize(
    "record",
    [
        # A cell that is an error, and a formula that gave one, in row 3 and column 4.
        b"\x05\x02\x08\0" + b"\2\0\3\0\x0f\0" + b"\x07\1",
        b"\x06\0\x16\0" + b"\2\0\3\0\x0f\0" + b"\2\0\x07\0\0\0\xff\xff",
    ],
)
def test_an_error_in_an_old_workbook_is_told_as_well(
    record: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = b'{"names":["S"],"sheet":"S"}\n["","a","b"]\n["a","0","1"]\n["b","1"]\ntrue\n'
    monkeypatch.setattr(fence, "_run", lambda *_: said)
    data = (CORPUS / "lo_uscities.xls").read_bytes()
    assert look(data).table is not None
    assert "Cell D3 of sheet 'S' shows the error #DIV/0!" in str(look(data + record).error)


def test_where_a_library_is_missing_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fence, "_run", lambda *_: b'{"missing":"python_calamine"}\n')
    with pytest.raises(UnreadableFile, match=r"python_calamine is not installed.*pip install"):
        read(ods({"S": SQUARE}))


@pytest.mark.parametrize("said", [b"", b'{"names":[],"sheet":""}\n["a"]\n'])
def test_a_process_that_breaks_off_leaves_a_sentence(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fence, "_run", lambda *_: said)
    with pytest.raises(UnreadableFile, match="far more memory or time"):
        read(ods({"S": SQUARE}))


def test_features_come_from_such_files_too() -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = [("name", "colour"), ("oak", "brown"), ("ash", "grey")]
    data = ods({"S": "".join(row(*map(cell.format, texts)) for texts in rows)})
    assert read_features(data)["colour"].shown() == ["brown", "grey"]


def test_the_child_sees_no_settings_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, str] = {}
    monkeypatch.setenv("CML_DATABASE_URL", "postgresql://secret")

    def run(*_: object, env: dict[str, str], **__: object) -> None:
        seen.update(env)
        raise OSError

    monkeypatch.setattr(fence.subprocess, "run", run)
    with pytest.raises(UnreadableFile, match="could not be started"):
        read(ods({"S": SQUARE}))
    assert seen
    assert not [name for name in seen if name.startswith("CML_")]


def test_the_fence_is_a_room_of_its_own() -> None:
    folder = Path(str(fenced.__file__)).parent
    readers = {path.stem for path in folder.glob("*.py")} - {"__init__", "bounds", "fence", "child"}
    assert readers == {"spreadsheets", "statistics", "columns", "matlab", "web_pages"}


def test_of_a_file_of_matlab_what_pairs_have_is_taken_and_a_line_of_pdist_is_a_triangle() -> None:
    stream = io.BytesIO()
    savemat(stream, {"n": np.arange(3.0), "d": np.arange(1.0, 7.0)[None], "x": np.ones((4, 2))})
    table = read(stream.getvalue(), name="d.mat")
    assert isinstance(table, RawTable)
    assert table.values[np.triu_indices(4, 1)].tolist() == [1, 2, 3, 4, 5, 6]
