"""Large files that are read in blocks give what the readers of cells give, to the last bit."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from cml_core.errors import TooManyObjects, UnreadableFile
from cml_core.files import reading
from cml_core.files.reading import Limits, Look, RawTable, in_blocks, look
from cml_core.files.reading import reader as reader_module

COUNT = 40
NAMES = [f"objet {k} é" for k in range(COUNT)]


def square() -> np.ndarray:
    rng = np.random.default_rng(0)
    places = rng.normal(size=(COUNT, 3)) * 10.0 ** rng.integers(-3, 4, size=3)
    return np.sqrt(((places[:, None] - places) ** 2).sum(-1))


def as_csv(values: np.ndarray, **options: object) -> bytes:
    frame = pd.DataFrame(values, NAMES, NAMES)
    return frame.to_csv(**options).encode()  # type: ignore[call-overload]


def as_r(values: np.ndarray, *, row_names: bool = True) -> bytes:
    """What write.csv() and, with names before the rows, write.table() write."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(NAMES)
    for name, row in zip(NAMES, values.tolist(), strict=True):
        writer.writerow([name, *row] if row_names else row)
    return out.getvalue().encode()


def savetxt(values: np.ndarray, **options: object) -> bytes:
    out = io.BytesIO()
    np.savetxt(out, values, **options)  # type: ignore[arg-type]
    return out.getvalue()


def with_gaps() -> np.ndarray:
    values = square()
    values[3, 5] = values[COUNT - 1, COUNT - 1] = values[0, COUNT - 1] = np.nan
    return values


PAIRS = [(i, j, float(v)) for (i, j), v in np.ndenumerate(square()) if i > j]


def pairs(head: str = "from,to,distance\n", mark: str = ",") -> bytes:
    lines = (f"n {i}{mark}n {j}{mark}{v!r}\n" for i, j, v in PAIRS)
    return (head + "".join(lines)).encode()


def as_json(values: np.ndarray, orient: str = "columns") -> bytes:
    return str(pd.DataFrame(values, NAMES, NAMES).to_json(orient=orient)).encode()  # type: ignore[call-overload]


def json_pairs() -> bytes:
    return json.dumps([{"a": f"n {i}", "b": f"n {j}", "d": v} for i, j, v in PAIRS]).encode()


ASKED_OFTEN = [(i, j) for _ in range(600) for i in range(10) for j in range(i)]

FILES = {
    "pandas": as_csv(square()),
    "pandas with a mark": b"\xef\xbb\xbf" + as_csv(square()),
    "rounded": as_csv(square(), float_format="%.4f"),
    "whole numbers": as_csv(np.round(square())),
    "semicolons": as_csv(square(), sep=";", decimal=","),
    "tabs": as_csv(square(), sep="\t"),
    "a word in the corner": as_csv(square(), index_label="name"),
    "gaps": as_csv(with_gaps()),
    "gaps with a word": as_csv(with_gaps(), na_rep="NA"),
    "one triangle": as_csv(np.where(np.tri(COUNT, dtype=bool), square(), np.nan)),
    "zeros above": as_csv(np.tril(square())),
    "nothing but zeros": as_csv(np.zeros((COUNT, COUNT))),
    "quoted names": as_csv(square(), quoting=csv.QUOTE_NONNUMERIC),
    "write.table": as_r(square()),
    "no names before": as_r(square(), row_names=False),
    "no names": savetxt(square(), delimiter=","),
    "blanks": savetxt(square()),
    "counted rows": pd.DataFrame(square(), None, NAMES).to_csv().encode(),
    "years": pd.DataFrame(square(), range(1980, 2020), range(1980, 2020)).to_csv().encode(),
    "Windows": as_csv(square()).replace(b"\n", b"\r\n"),
    "blank lines": as_csv(square()).replace(b"\n", b"\n\n"),
    "a remark above": b"# distances\n" + as_csv(square()),
    "UTF-16": as_csv(square(), sep="\t").decode().encode("utf-16"),
    "JSON of columns": as_json(with_gaps()),
    "JSON of rows": as_json(np.round(square(), 1), "index"),
    "JSON, split": as_json(square(), "split"),
    "JSON of lists": as_json(square(), "values"),
    "JSON of records": pd.DataFrame(square(), NAMES, NAMES)
    .reset_index()
    .to_json(orient="records", indent=1)
    .encode(),
    "JSON of pairs": json_pairs(),
    "JSON with names behind": json.dumps({"data": square().tolist(), "names": NAMES}).encode(),
    "pairs": pairs(),
    "pairs without a head": pairs(""),
    "pairs listed twice": pairs() + pairs("")[:500].rpartition(b"\n")[0],
    "pairs with tabs": pairs("a\tb\tvalue\n", "\t"),
}
ODD = {
    "JSON with another key": as_json(square()).replace(b"objet 3 ", b"objet 33 ", 1),
    "JSON of two tables": json.dumps({"a": square().tolist(), "b": square().tolist()}).encode(),
    "JSON of rows that are counted": pd.DataFrame(square(), None, NAMES).to_json().encode(),
    "JSON cut off": as_json(square())[:-9],
    "JSON of lists in lists": json.dumps([[[1, 2]] * 9] * 9).encode(),
    "JSON with marks in names": as_json(square()).replace(b"objet ", b"objet;"),
    "JSON with lines": as_json(square(), "records").replace(b"},{", b"}\n{")[1:-1],
    "a word among numbers": as_csv(square()).replace(b"0.0", b"zero", 1),
    "a short row": as_csv(square()).rpartition(b",")[0],
    "rows in another order": as_csv(square()[::-1]).replace(b"objet 3 ", b"objet 33 "),
    "a name twice": as_csv(square()).replace(b"objet 3 ", b"objet 4 "),
    "thousands": as_csv(np.round(square(), 3), float_format="%.3f"),
    "a number too large": as_csv(square()).replace(b",0.0,", b",1e200,", 1),
    "ratings": b"rater,a,b,value\n" + b"".join(b"r%d,x,y%d,1\n" % (k, k) for k in range(99)),
    "measurements": pd.DataFrame(square()[:, :7], NAMES).to_csv().encode(),
    "a pair without a value": pairs() + b"n 1,n 2\n",
    "a pair with more": pairs() + b"n 1,n 2,3,4\n",
}


def told(found: Look) -> object:
    if found.error is not None:
        return found.error.fact
    if not isinstance(found.table, RawTable):
        return repr(found.table), found.formats
    table = found.table
    spread = None if table.spread is None else table.spread.tobytes()
    return (table.labels, table.values.tobytes(), spread, table.notes, table.told, table.format)


@pytest.mark.parametrize("case", [*FILES, *ODD])
def test_read_in_blocks_a_file_is_what_it_is_as_cells(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (FILES | ODD)[case]
    monkeypatch.setattr(in_blocks, "_LINES", 9)
    # A list as long as that is no table of measurements: it has more rows than there are objects.
    limits = Limits(objects=120)
    as_cells = look(data, name="table.csv", limits=limits)
    monkeypatch.setattr(in_blocks, "WORTHWHILE", 0)
    monkeypatch.setattr(in_blocks, "_BLOCK", 3_000)
    at_once = look(data, name="table.csv", limits=limits)
    assert told(at_once) == told(as_cells)
    assert at_once.formats == as_cells.formats


@pytest.mark.parametrize("case", FILES)
def test_plain_files_are_read_in_blocks(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_blocks, "_LINES", 9)
    monkeypatch.setattr(in_blocks, "WORTHWHILE", 0)
    opened = reader_module.opened(FILES[case], "", Limits())
    assert reader_module.large(opened, "table.csv") is not None


def test_what_has_too_many_objects_is_tried_in_no_other_format(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(reader_module, "plausible", never)
    found = look(b"[1,2,3]\n" * 900, limits=Limits(objects=500))
    assert isinstance(found.error, TooManyObjects)
    assert found.formats == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_long_list_is_refused_once_it_has_too_many_names(encoding: str) -> None:
    lines = "".join(f"left {k},right {k},{k}.5\n" for k in range(60_000))
    with pytest.raises(TooManyObjects, match="more than 3,000 objects"):
        reading.read(f"a,b,value\n{lines}".encode(encoding), limits=Limits(objects=3_000))


def test_a_table_of_too_many_objects_is_refused_before_it_is_read() -> None:
    names = [f"n{k}" for k in range(800)]
    rows = (f"{name},{','.join('1' * 800)}\n" for name in names)
    data = f",{','.join(names)}\n{''.join(rows)}".encode()
    with pytest.raises(TooManyObjects, match="800 objects; at most 700"):
        reading.read(data, limits=Limits(objects=700))


def test_empty_lines_alone_are_an_empty_file() -> None:
    with pytest.raises(UnreadableFile, match="empty"):
        reading.read(b"\n" * 1_000_000)


def many_names(lines: int, mark: str = ",", people: int = 0) -> bytes:
    """Of each name once, before a line that no reader takes."""
    head = mark.join(["person", "from", "to", "value"][not people :])
    rows = (
        mark.join([f"P{k % 7}"] * bool(people) + [f"o{k}", f"p{k}", str(k / 8)])
        for k in range(lines)
    )
    return "\n".join((head, *rows, f'"{mark}"oops')).encode()


@pytest.mark.parametrize("mark", [",", " "])
@pytest.mark.parametrize("people", [0, 7])
def test_a_list_of_too_many_names_is_refused_before_its_end_is_read(mark: str, people: int) -> None:
    with pytest.raises(TooManyObjects):
        reading.read(many_names(50_000, mark, people), limits=Limits(objects=500))


def test_a_long_list_of_few_names_is_read_below_a_title() -> None:
    lines = "".join(f"P{k // 45},o{i},o{j},{k % 7}\n" for k, (i, j) in enumerate(ASKED_OFTEN))
    table = reading.read(f"Study 1\nperson,first,second,rating\n{lines}".encode(), limits=Limits())
    assert isinstance(table, RawTable)
    assert (table.format, table.n_objects) == ("rater_list", 10)


@pytest.mark.parametrize("line", [",,", ";;;", " ", "\t\t", "|", '""', '"",""'])
def test_a_file_of_empty_lines_is_empty_whatever_stands_between_cells(line: str) -> None:
    with pytest.raises(UnreadableFile, match="The file is empty"):
        reading.read(f"{line}\n".encode() * 1000)


def test_empty_lines_of_a_spreadsheet_below_a_table_change_nothing() -> None:
    plain = as_csv(np.round(square(), 2))
    padded = plain + f"{',' * COUNT}\n".encode() * 10_000
    assert reading.read(padded).values.tobytes() == reading.read(plain).values.tobytes()  # type: ignore[union-attr]
