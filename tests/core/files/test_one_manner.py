"""What can be said of a file holds in whatever format it is, and what it leaves open is asked."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO

import numpy as np
import pytest

from cml_core.errors import UnreadableFile
from cml_core.files.reading import (
    RawTable,
    feature_questions,
    in_blocks,
    look,
    parts,
    read,
    read_features,
)
from cml_core.files.reading.manner import Manner

HEAD = ("", "Москва", "Казань", "Тверь")
ROWS = (("Москва", "0", "1", "2"), ("Казань", "1", "0", "k. A."), ("Тверь", "2", "k. A.", "0"))
GRID = (HEAD, *ROWS)
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
)


def html(rows: tuple[tuple[str, ...], ...], caption: str = "") -> str:
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><caption>{caption}</caption>{body}</table>"


def markdown(rows: tuple[tuple[str, ...], ...]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join((lines[0], "|---" * len(rows[0]) + "|", *lines[1:]))


def as_json(rows: tuple[tuple[str, ...], ...]) -> str:
    return json.dumps([list(row) for row in rows], ensure_ascii=False)


def ods(sheets: dict[str, tuple[tuple[str, ...], ...]]) -> bytes:
    def cell(text: str) -> str:
        if text.replace(".", "").isdigit():
            return (
                f'<table:table-cell office:value-type="float" office:value="{text}">'
                f"<text:p>{text}</text:p></table:table-cell>"
            )
        return (
            '<table:table-cell office:value-type="string">'
            f"<text:p>{text}</text:p></table:table-cell>"
        )

    tables = "".join(
        f'<table:table table:name="{name}">'
        + "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}><office:body>'
        f"<office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", MANIFEST)
    return out.getvalue()


def in_all_formats(rows: tuple[tuple[str, ...], ...]) -> dict[str, bytes]:
    return {
        "CSV": "\n".join(",".join(row) for row in rows).encode(),
        "HTML": html(rows).encode(),
        "Markdown": markdown(rows).encode(),
        "JSON": as_json(rows).encode(),
        "ODS": ods({"Daten": rows}),
    }


FORMATS = tuple(in_all_formats(GRID))


@pytest.mark.parametrize("kind", FORMATS)
def test_words_for_unknown_values_are_offered_and_taken_in_every_format(kind: str) -> None:
    data = in_all_formats(GRID)[kind]
    (way,) = [way for way in look(data).ways_out if way.field == "missing"]
    assert way.choice.value == ("k. A.",)
    table = read(data, manner=Manner(missing=("k. A.",)))
    assert isinstance(table, RawTable)
    assert table.labels == HEAD[1:]
    assert np.isnan(table.values[1, 2])
    assert table.values[0, 2] == 2


@pytest.mark.parametrize("kind", FORMATS)
def test_the_corners_of_a_table_can_be_said_in_every_format(kind: str) -> None:
    data = in_all_formats(GRID)[kind]
    # In Markdown a rule stands between the names and the rows, and every line counts.
    corners = "A1:C4" if kind == "Markdown" else "A1:C3"
    table = read(data, manner=Manner(area=corners))
    assert isinstance(table, RawTable)
    assert table.labels == ("Москва", "Казань")


@pytest.mark.parametrize("kind", FORMATS)
def test_what_stands_around_a_table_is_left_out_in_every_format(kind: str) -> None:
    plain = (HEAD, ("Москва", "0", "1", "2"), ("Казань", "1", "0", "3"), ("Тверь", "2", "3", "0"))
    rows = tuple((*row, "", "note") if k == 2 else (*row, "", "") for k, row in enumerate(plain))
    table = read(in_all_formats(rows)[kind])
    assert isinstance(table, RawTable)
    assert table.labels == HEAD[1:]
    assert any("'note'" in note for note in table.notes)


@pytest.mark.parametrize("kind", ["CSV", "HTML", "Markdown"])
def test_marks_for_thousands_are_asked_for_wherever_people_write_numbers(kind: str) -> None:
    rows = (("", "a", "b"), ("a", "", "1.212"), ("b", "1.212", ""))
    if kind == "CSV":
        data = "\n".join(";".join(row) for row in rows).encode()
    else:
        data = in_all_formats(rows)[kind]
    table = read(data)
    assert isinstance(table, RawTable)
    assert [question.key for question in table.questions if question.open] == ["decimal"]
    for said, value in (("comma", 1212), ("point", 1.212)):
        table = read(data, manner=Manner(decimal=said))
        assert isinstance(table, RawTable)
        assert table.values[0, 1] == value
        assert not any(question.open for question in table.questions)


def test_marks_for_thousands_are_asked_for_beside_a_currency_too() -> None:
    data = b'car,price\nGolf,"$1,212"\nPolo,$900\nUp,$10\n'
    assert [question.key for question in feature_questions(data)] == ["decimal"]
    for said, value in (("point", 1212), ("comma", 1.212)):
        price = read_features(data, manner=Manner(decimal=said))["price"]
        assert price.kind == "numeric"
        assert price.values[0] == value


def test_numbers_that_programs_wrote_are_not_asked_about() -> None:
    data = json.dumps({"a": {"a": 0, "b": 1.212}, "b": {"a": 1.212, "b": 0}}).encode()
    table = read(data)
    assert isinstance(table, RawTable)
    assert table.questions == ()
    assert table.values[0, 1] == 1.212


@pytest.mark.parametrize("kind", ["CSV", "HTML", "Markdown", "JSON"])
def test_another_code_page_is_asked_for_and_can_be_said_in_every_text(kind: str) -> None:
    rows = tuple(tuple(cell.replace("k. A.", "3") for cell in row) for row in GRID)
    data = in_all_formats(rows)[kind].decode().encode("cp1251")
    found = look(data).table
    assert isinstance(found, RawTable)
    assert "encoding" in [question.key for question in found.questions]
    table = read(data, manner=Manner(encoding="cp1251"))
    assert isinstance(table, RawTable)
    assert table.labels == HEAD[1:]


def test_a_code_page_in_which_a_file_is_no_such_file_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="In the code page utf-16-le"):
        read(html(GRID).encode(), manner=Manner(encoding="utf-16-le"))


def test_another_sheet_or_table_is_offered_where_the_first_holds_no_pairs() -> None:
    plain = tuple(tuple(cell.replace("k. A.", "3") for cell in row) for row in GRID)
    about = (("This file was made with care",), ("by some people",))
    page = (html(about, "About") + html(plain, "Distances")).encode()
    for data, names in (
        (ods({"About": about, "Distances": plain}), ("About", "Distances")),
        (page, ("About", "Distances")),
    ):
        assert parts(data) == names
        (way,) = look(data).ways_out
        assert (way.field, way.choice.value) == ("sheet", "Distances")
        table = read(data, sheet="Distances")
        assert isinstance(table, RawTable)
        assert table.values[1, 2] == 3


def large_square(encoding: str = "utf-8") -> bytes:
    names = [f"Größe {k}" for k in range(30)]
    rows = [("", *names)]
    rows += [(name, *(f"{abs(i - k) / 2}" for k in range(30))) for i, name in enumerate(names)]
    return "\n".join(",".join(row) for row in rows).encode(encoding)


def test_what_is_said_of_a_large_file_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_blocks, "WORTHWHILE", 0)
    table = read(large_square(), manner=Manner(area="A1:D4"))
    assert isinstance(table, RawTable)
    assert table.n_objects == 3
    table = read(large_square(), manner=Manner(missing=("0.5",)))
    assert isinstance(table, RawTable)
    assert np.isnan(table.values[0, 1])


def test_the_code_page_of_a_large_file_is_asked_for_and_can_be_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(in_blocks, "WORTHWHILE", 0)
    table = read(large_square("cp1252"))
    assert isinstance(table, RawTable)
    assert table.labels[0] == "Größe 0"
    assert [question.key for question in table.questions] == ["encoding"]
    table = read(large_square("mac_roman"), manner=Manner(encoding="mac_roman"))
    assert isinstance(table, RawTable)
    assert table.labels[0] == "Größe 0"
