"""Whatever the bytes, reading them gives a table or one of the program's own errors.

CML_FUZZ is the number of inputs in all; about 2,000 where it is not set.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cml_core import FeatureTable
from cml_core.errors import ConditionalMappingError
from cml_core.files.preparation import DECIMALS, Preparation
from cml_core.files.reading import (
    FORMATS,
    Limits,
    RawTable,
    feature_questions,
    look,
    read,
    read_features,
    recognise,
)
from cml_core.files.reading.code_pages import CODE_PAGES
from cml_core.files.reading.manner import Manner

pytestmark = pytest.mark.slow

INPUTS = int(os.environ.get("CML_FUZZ", "2000"))
SMALL = Limits(bytes=100_000, objects=60, columns=60, label_length=80)
CORPUS = Path(__file__).parent / "corpus"
FILES = tuple(
    path.read_bytes() for path in sorted(CORPUS.iterdir()) if path.name != "expectations.json"
)


def share(part: float) -> settings:
    return settings(
        max_examples=max(int(INPUTS * part), 1), suppress_health_check=list(HealthCheck)
    )


def survives(data: bytes, key: str = "auto", name: str = "") -> None:
    """Read it; a table must be whole, a refusal must say how to mend it."""
    try:
        table = read(data, name=name, format=key, limits=SMALL)
    except ConditionalMappingError as error:
        refusal = error.fact, error.remedy
    else:
        check_table(table)
        return
    assert all(refusal)


def check_table(table: RawTable | FeatureTable) -> None:
    assert len(set(table.labels)) == len(table.labels) <= SMALL.objects
    assert all(table.labels)
    if isinstance(table, RawTable):
        assert not (np.abs(table.values) > 1e150).any()


WORDS = st.sampled_from(
    ["a", "b", "c", "obj 1", "é", "=1+1", "", " ", "#", "x\ty", 'q"q', '"', "'", "\0", "\r", "\n"]
)
PLAIN = ("0", "1", "2", "-1", "1.5", "1,5", "1e3", "4.9e-324", "-1e-999", "1e150", "−2", "١٢")
ODD = ("1,234", "1.234,5", "1.5.2", "1,2,3", "1e999", "1e151", "1e", "1d5", "9" * 400, "0x1f")
MISSING = ("nan", "NaN(1)", "-nan", "NA", "#N/A", "--", ".", "inf", "-Infinity")
NEARLY = ("1_000", "½", "+", "+-1", "12:30", "5%", "$4")
NUMBERS = st.sampled_from((*PLAIN, *ODD, *MISSING, *NEARLY))
CELLS = st.one_of(NUMBERS, NUMBERS, WORDS, st.text(max_size=6))
DELIMITERS = st.sampled_from([",", ";", "\t", "|", " ", "  ", ", "])
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"])


@st.composite
def grids(draw: st.DrawFn) -> bytes:
    """Rows of odd cells, as wide as each other or nearly so, or as stairs."""
    height, width = draw(st.integers(0, 7)), draw(st.integers(0, 7))
    shape = draw(st.sampled_from(["even", "stairs", "ragged"]))
    delimiter, end = draw(DELIMITERS), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    rows = []
    for row in range(height):
        wide = {"even": width, "stairs": row + 1}.get(shape) or draw(st.integers(0, 7))
        rows.append(delimiter.join(draw(st.lists(CELLS, min_size=wide, max_size=wide))))
    head = draw(st.sampled_from(["", f"{height}{end}", f"{height} labelled{end}", f"# x{end}"]))
    return (head + end.join(rows)).encode(draw(ENCODINGS), "replace")


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A square table that would be right but for one or two cells."""
    count = draw(st.integers(2, 6))
    names = [f"n{k}" for k in range(count)]
    rows = [["", *names]]
    rows += [[names[i], *(str(abs(i - j)) for j in range(count))] for i in range(count)]
    for _ in range(draw(st.integers(0, 2))):
        row, column = draw(st.integers(0, count)), draw(st.integers(0, count))
        rows[row][column] = draw(CELLS)
    return "\n".join(draw(DELIMITERS).join(row) for row in rows).encode()


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """A file of the corpus with bytes changed, cut out, repeated, or joined to another file."""
    data = bytearray(draw(st.sampled_from(FILES)))
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 12))
        change = draw(st.sampled_from(["byte", "cut", "insert", "repeat", "truncate", "join"]))
        piece = {
            "byte": draw(st.binary(min_size=1, max_size=1)),
            "cut": b"",
            "insert": draw(
                st.sampled_from([b"\0", b'"', b",", b"\t", b"\n", b"1e999", b"-", b" "])
            ),
            "repeat": bytes(data[begin : begin + length]) * 2,
            "truncate": b"",
            "join": draw(st.sampled_from(FILES))[:200],
        }[change]
        end = {"byte": begin + 1, "insert": begin, "join": begin, "truncate": len(data)}.get(
            change, begin + length
        )
        data[begin:end] = piece
    return bytes(data)


@share(0.3)
@given(grids())
def test_grids_of_odd_cells_are_read_or_refused(data: bytes) -> None:
    survives(data)


@share(0.1)
@given(tables())
def test_nearly_right_tables_are_read_or_refused(data: bytes) -> None:
    survives(data)


@share(0.3)
@given(mutants())
def test_damaged_files_are_read_or_refused(data: bytes) -> None:
    survives(data)


@share(0.2)
@given(st.one_of(mutants(), grids()), st.sampled_from(sorted(FORMATS)))
def test_files_taken_for_any_format_are_read_or_refused(data: bytes, key: str) -> None:
    survives(data, key)


@share(0.05)
@given(st.one_of(mutants(), grids()), st.sampled_from(["", "x.dst", "x.lsmat", "x.csv"]))
def test_recognising_a_format_never_fails_otherwise(data: bytes, name: str) -> None:
    try:
        found = recognise(data, name, limits=SMALL)
    except ConditionalMappingError:
        return
    assert set(found) <= set(FORMATS)
    for key in found:
        read(data, name=name, format=key, limits=SMALL)


@share(0.05)
@given(st.binary(max_size=60))
def test_bytes_of_any_kind_are_read_or_refused(data: bytes) -> None:
    survives(data)


@pytest.mark.parametrize("key", [key for key in FORMATS if key not in ("npy", "npz")])
@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\0", b"\xff\xfe", b"\xff\xfe\0\0", b"2", b",", b'"']
)
def test_next_to_nothing_is_refused_in_every_format(data: bytes, key: str) -> None:
    with pytest.raises(ConditionalMappingError):
        read(data, format=key)


MANNERS = st.builds(
    Manner,
    encoding=st.sampled_from(["", *CODE_PAGES]),
    decimal=st.sampled_from(DECIMALS),
    missing=st.sampled_from([(), ("1",), ("a", "")]),
    area=st.sampled_from(["", "A1:C4", "B2:ZZ9"]),
    roles=st.sampled_from([(), (("a", "first"), ("b", "second"), ("column 3", "value"))]),
)


@share(0.2)
@given(st.one_of(mutants(), grids(), tables()), MANNERS)
def test_whatever_is_said_of_a_file_it_is_looked_at_and_asked_about(
    data: bytes, manner: Manner
) -> None:
    seen = look(data, manner=manner, limits=SMALL)
    assert (seen.table is None) != (seen.error is None)
    for way in seen.ways_out:
        assert way.choice.title
        Preparation(**{way.field: way.choice.value})
    if isinstance(seen.table, RawTable):
        check_table(seen.table)
        for question in seen.table.questions:
            for choice in question.choices:
                Preparation(**{question.field: choice.value})


@share(0.1)
@given(st.one_of(mutants(), grids(), tables()), MANNERS)
def test_features_are_read_or_refused(data: bytes, manner: Manner) -> None:
    try:
        feature_questions(data, limits=SMALL, manner=manner)
        table = read_features(data, limits=SMALL, manner=manner)
    except ConditionalMappingError:
        return
    check_table(table)
