"""The same table as people and programs write it: in one cell, in units, as a network."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cml_core.errors import ConditionalMappingError
from cml_core.files.doctor.totals import totals_in
from cml_core.files.preparation import Preparation
from cml_core.files.reading import RawTable, look, read
from cml_core.values.features import FeatureTable

NAMES = ("ash", "beech", "oak", "yew")
VALUES = {
    ("ash", "beech"): 90.0,
    ("ash", "oak"): 150.0,
    ("ash", "yew"): 1200.0,
    ("beech", "oak"): 75.0,
    ("beech", "yew"): 60.0,
    ("oak", "yew"): 105.0,
}
_TIMES = ("1:30", "2:30", "20:00", "1:15", "1:00", "1:45")
_DURATIONS = ("1 h 30 min", "2 h 30 min", "20 h", "1 h 15 min", "60 min", "1 h 45 min")


def _pairs(pattern: str, head: str = "", told: tuple[str, ...] = ()) -> str:
    shown = told or tuple(f"{value:g}" for value in VALUES.values())
    lines = (pattern.format(a, b, v) for (a, b), v in zip(VALUES, shown, strict=True))
    return "\n".join(filter(None, (head, *lines))) + "\n"


def _row(a: str) -> list[float]:
    return [0.0 if a == b else VALUES[min(a, b), max(a, b)] for b in NAMES]


def _aligned() -> str:
    title = "          Proximity Matrix\n\n     Euclidean Distance\n"
    cases = [f"{k}:{name}" for k, name in enumerate(NAMES, 1)]
    rows = "".join(
        f"{case:9}" + "".join(f"{value:10.1f}" for value in _row(name)) + "\n"
        for case, name in zip(cases, NAMES, strict=True)
    )
    return f"{title}{' ' * 9}{''.join(f'{case:>10}' for case in cases)}\n{rows}"


_GML = (
    'Creator "igraph"\ngraph [\n'
    + "".join(f'node [\n id {k}\n label "{name}"\n]\n' for k, name in enumerate(NAMES))
    + "".join(
        f"edge [\n source {NAMES.index(a)}\n target {NAMES.index(b)}\n weight {v}\n]\n"
        for (a, b), v in VALUES.items()
    )
    + "]\n"
)
_PAJEK = (
    "*Vertices 4\n"
    + "".join(f'{k} "{name}"\n' for k, name in enumerate(NAMES, 1))
    + "*Edges\n"
    + "".join(f"{NAMES.index(a) + 1} {NAMES.index(b) + 1} {v}\n" for (a, b), v in VALUES.items())
)
_TGF = (
    "".join(f"{k} {name}\n" for k, name in enumerate(NAMES, 1))
    + "#\n"
    + "".join(f"{NAMES.index(a) + 1} {NAMES.index(b) + 1} {v}\n" for (a, b), v in VALUES.items())
)
_EMBOSS = (
    "Distance Matrix\n---------------\n\nUncorrected for Multiple Substitutions\n"
    "Using base positions 123 in the codon\nGap weighting is 0.000000\n\n"
    "\t    1\t    2\t    3\t    4\n"
    + "".join(
        "\t" * (k + 1) + "\t".join(f"{v:6.2f}" for v in _row(name)[k:]) + f"\t\t{name} {k + 1}\n"
        for k, name in enumerate(NAMES)
    )
)
_NAMED_SIDES = "        to\nfrom       ash  beech    oak    yew\n" + "".join(
    f"  {n:6}" + "".join(f"{v:7.1f}" for v in _row(n)) + "\n" for n in NAMES
)
_FLAT = "     to   ash  beech    oak    yew\nfrom                           \n" + "".join(
    f"{n:8}" + "".join(f"{v:7.1f}" for v in _row(n)) + "\n" for n in NAMES
)
_STATA = f"             |      ash    beech      oak      yew\n{'-' * 13}+{'-' * 36}\n" + "".join(
    f"{n:>12} | " + "".join(f"{v:9.1f}" for v in _row(n)[: k + 1]) + "\n"
    for k, n in enumerate(NAMES)
)
_R_COMPARED = "\tPairwise comparisons\n\ndata:  height and tree\n\n      ash beech oak\n" + "".join(
    f"{n:6}" + " ".join([*(f"{v:g}" for v in _row(n)[:k]), *"---"][:3]) + "\n"
    for k, n in enumerate(NAMES)
    if k
)
_PRICES = ("90,00 €", "150,00 €", "1.200,00 €", "75,00 €", "60,00 €", "105,00 €")

WRITTEN = {
    "one cell, vs.": _pairs("{} vs. {}\t{}", "pair\tvalue"),
    "one cell, a hyphen, no head": _pairs("{}-{},{}"),
    "one cell, brackets": _pairs("({} / {});{}", "pair;value"),
    "R's comparisons": _pairs('"{}-{}",{},0.1', '"","diff","p adj"'),
    "JASP's correlations": _pairs('"{}","- {}",{},0.01', '"","","r","p"'),
    "units in a list": _pairs("{},{},{} km", "a,b,d"),
    "prices in a list": _pairs("{};{};{}", "a;b;d", _PRICES),
    "times": _pairs("{},{},{}", "a,b,d", _TIMES),
    "durations": _pairs("{},{},{}", "a,b,d", _DURATIONS),
    "about": _pairs("{},{},~{}", "a,b,d"),
    "GML": _GML,
    "Pajek": _PAJEK,
    "SPSS, aligned": _aligned(),
    "TGF": _TGF,
    "EMBOSS": _EMBOSS,
    "R, both sides named": _NAMED_SIDES,
    "the value between the names": _pairs("{0}\t{2}\t{1}"),
    "the value between the names, below heads": _pairs("{0},{2},{1}", "from,cost,to"),
    "R's row numbers, each pair twice": '"","Var1","Var2","Freq"\n'
    + "".join(
        f'"{k}","{a}","{b}",{v}\n'
        for k, ((a, b), v) in enumerate(
            [*VALUES.items(), *(((b, a), v) for (a, b), v in VALUES.items())], 1
        )
    ),
    "Cytoscape's table of links": _pairs("{0} (pp) {1},{2}", "name,weight"),
    "when each pair was entered": "date,first,second,value\n"
    + "".join(f"2024-01-0{k},{a},{b},{v}\n" for k, ((a, b), v) in enumerate(VALUES.items(), 1)),
    "R's flat table": _FLAT,
    "R's flat table in quotes": "\n".join(
        " " + line if line.startswith(" ") else re.sub(r"^([a-z]+)( *)", r'"\1"\2', line)
        for line in _FLAT.split("\n")
    ),
    "Stata's matrix": _STATA,
    "R's comparisons, printed": f"{_R_COMPARED}\nP value adjustment method: holm\n",
    "R's row numbers without a head": '"a" "b" "d"\n'
    + "".join(f'"{k}" "{a}" "{b}" {v}\n' for k, ((a, b), v) in enumerate(VALUES.items(), 1)),
    "a list that pandas printed": "       a      b       d\n"
    + "".join(f"{k}  {a}  {b}  {v}\n" for k, ((a, b), v) in enumerate(VALUES.items())),
    "a stacked table of pandas": ",,0\n" + _pairs("{},{},{}"),
    "a stacked table that pandas printed": "".join(
        f"{a if b == NAMES[NAMES.index(a) + 1] else '':6} {b:6} {v}\n"
        for (a, b), v in VALUES.items()
    )
    + "Name: d, dtype: float64\n",
    "merged cells": "a,b,d\n"
    + "".join(
        f"{a if b == NAMES[NAMES.index(a) + 1] else ''},{b},{v}\n" for (a, b), v in VALUES.items()
    ),
    "PsychoPy's lines for what else was shown": "a,b,slider.response,participant,expName\n"
    ",,,07,trees\n" + _pairs("{},{},{},07,trees"),
    "tuples of Python": _pairs("\"('{}', '{}')\",{}", "pair,d"),
    "names at the end of the lines of a triangle": "".join(
        ",".join([*(f"{v:g}" for v in _row(n)[:k]), n]) + "\n" for k, n in enumerate(NAMES)
    ),
    "SurveyMonkey's heads in two lines": "Respondent ID,Start Date,How far?"
    + "," * (len(VALUES) - 1)
    + "\n,,"
    + ",".join(f"{a} - {b}" for a, b in VALUES)
    + "\n"
    + "".join(f"{k},01/02/2024,{','.join(map(str, VALUES.values()))}\n" for k in (7, 8, 9)),
    "upper half alone": ",beech,oak,yew\nash,90,150,1200\nbeech,,75,60\noak,,,105\n",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_a_table_is_the_same_however_it_is_written(text: str) -> None:
    table = read(text.encode(), name="trees.txt")
    assert isinstance(table, RawTable)
    assert set(table.labels) == set(NAMES)
    place = {name: k for k, name in enumerate(table.labels)}
    for (a, b), value in VALUES.items():
        i, j = place[a], place[b]
        told = {table.values[i, j], table.values[j, i]}
        assert {v for v in told if v == v} == {value}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (_pairs("{},{},<{}", "a,b,d"), "a bound"),
        (_pairs("{},{},{}-99", "a,b,d"), "a range"),
        (_pairs("{},{},{}", "a,b,d", ("90 m", "150 m", "1.2 km", "75 m", "60 m", "9 km")), "unit"),
        ('<?xml version="1.0"?>\n<graphml><graph/></graphml>', "network"),
        ("ash pp beech\nash pp oak\nash pd yew\n", "SIF"),
        ("1 ash\n2 beech\n#\n1 2\n", "links of the network have no value"),
        (", , rater = A\n\n    ash oak\nash   0   1\n", "three or more sides"),
        (
            "          to   ash oak\nrater from            \nA     ash      0   1\n",
            "three or more sides",
        ),
        ("% a remark\n@RELATION trees\n@ATTRIBUTE a NUMERIC\n@DATA\n1\n", "ARFF"),
        ("%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n", "Matrix Market"),
    ],
)
def test_what_is_no_number_is_refused_by_name(text: str, what: str) -> None:
    with pytest.raises(ConditionalMappingError, match=what) as refused:
        read(text.encode(), name="trees.txt")
    assert refused.value.remedy


LONG_NAMES = ("New York", "Los Angeles", "San Francisco", "Rio de Janeiro")


def _spss(columns: int, case: str) -> str:
    """What SPSS prints, so many columns in a block."""
    lines = ["              Proximity Matrix", "", "             Euclidean Distance", ""]
    for begin in range(0, 4, columns):
        shown = range(begin, min(begin + columns, 4))
        heads = "".join(f"{j + 1}:{LONG_NAMES[j]}".rjust(20) for j in shown)
        lines += [case.ljust(20) + heads, ""]
        for i, name in enumerate(LONG_NAMES):
            row = _row(NAMES[i])
            lines.append(f"{i + 1}:{name}".ljust(20) + "".join(f"{row[j]:20.3f}" for j in shown))
        lines.append("")
    return "\n".join([*lines, "This is a dissimilarity matrix"])


@pytest.mark.parametrize("columns", [2, 3, 4])
@pytest.mark.parametrize("case", ["Case", "Fall", ""])
def test_names_with_blanks_in_what_spss_prints_stay_whole(columns: int, case: str) -> None:
    table = read(_spss(columns, case).encode(), name="output.txt")
    assert isinstance(table, RawTable)
    assert table.labels == LONG_NAMES
    assert table.values.tolist() == [_row(name) for name in NAMES]


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("columns", [4, 5, 7])
def test_a_condensed_vector_may_be_broken_into_lines(columns: int, counted: bool) -> None:
    values = [k + 0.5 for k in range(66)]
    rows = [values[k : k + columns] for k in range(0, 66, columns)]
    heads = [f"[{k * columns + 1}] " * counted for k in range(len(rows))]
    lines = (h + " ".join(map(str, row)) for h, row in zip(heads, rows, strict=True))
    table = read("\n".join(lines).encode(), name="d.txt")
    assert isinstance(table, RawTable)
    assert table.values[np.triu_indices(12, 1)].tolist() == values


def test_categories_that_are_numbers_are_no_values_of_a_table() -> None:
    counts = b'"","3","4","5"\n"4",1,8,2\n"6",2,4,1\n"8",12,0,2\n'
    assert not isinstance(read(counts, name="counts.csv"), RawTable)
    same = read(counts.replace(b'"3","4","5"', b'"4","6","8"'), name="counts.csv")
    assert isinstance(same, RawTable)
    assert same.labels == ("4", "6", "8")


def test_a_point_beside_a_decimal_comma_is_asked_about() -> None:
    text = _pairs("{};{};{}", "a;b;d", ("90 €", "12,50 €", "1.200 €", "75 €", "60 €", "105 €"))
    found = look(text.encode(), name="prices.csv")
    assert found.table is None
    (way,) = [way for way in found.ways_out if way.field == "decimal"]
    said = Preparation(decimal=str(way.choice.value))
    table = read(text.encode(), name="prices.csv", manner=said.manner)
    assert isinstance(table, RawTable)
    assert table.values.ravel()[~np.isnan(table.values).ravel()].max() == 1200


def test_words_for_gaps_are_found_in_lists_and_names_are_left_alone() -> None:
    text = _pairs("{},{},{}", "a,b,d", ("k. A.", "150", "1200", "75", "60", "105"))
    (way,) = [w for w in look(text.encode(), name="gaps.csv").ways_out if w.field == "missing"]
    assert way.choice.value == ("k. A.",)


def test_names_with_hyphens_are_no_pairs() -> None:
    text = "name,height,weight\n" + "".join(f"a{k}-b{k},{k},{k * k}\n" for k in range(6))
    assert not isinstance(read(text.encode(), name="people.csv"), RawTable)


@pytest.mark.parametrize("name", ["SD", "Max", "N"])
def test_rows_of_other_statistics_are_no_objects(name: str) -> None:
    body = np.array([[0, 9, 5, 2], [9, 0, 7, 4], [5, 7, 0, 8], [2, 4, 8, 0.0]])
    told = {"SD": body.std(axis=0), "Max": body.max(axis=0), "N": np.full(4, 20.0)}[name]
    whole = np.zeros((5, 5))
    whole[:4, :4], whole[4, :4], whole[:4, 4] = body, told, told
    assert totals_in(RawTable((*NAMES, name), whole, "square")) == (name,)


@pytest.mark.parametrize(
    "text",
    [
        "d\n" + "\n".join(f"{v:g}" for v in VALUES.values()),
        '"","x"\n' + "\n".join(f'"{k}",{v:g}' for k, v in enumerate(VALUES.values(), 1)),
        "\n".join(f"{k},{v:g}" for k, v in enumerate(VALUES.values(), 1)),
    ],
    ids=["below a head", "R's row numbers", "counted, without a head"],
)
def test_values_of_pairs_in_one_column_are_offered_as_pairs(text: str) -> None:
    seen = look(text.encode(), name="trees.csv")
    assert not isinstance(seen.table, RawTable)
    (way,) = seen.ways_out
    assert (way.field, way.choice.title) == ("format", "Read 6 values as the pairs of 4 objects")
    table = read(text.encode(), format=str(way.choice.value))
    assert isinstance(table, RawTable)
    assert table.values[np.triu_indices(4, 1)].tolist() == list(VALUES.values())


def test_a_vector_that_numpy_printed_is_read_at_once() -> None:
    table = read(b"[ 90.  150. 1200.\n   75.   60.  105.]\n", name="trees.txt")
    assert isinstance(table, RawTable)
    assert table.values[np.triu_indices(4, 1)].tolist() == list(VALUES.values())


def test_a_word_that_fills_one_half_of_a_table_is_offered_as_unknown() -> None:
    rows = [[n, *("n. z." if a <= b else str(VALUES[NAMES[b], n]) for b in range(4))]
            for a, n in enumerate(NAMES)]  # fmt: skip
    text = "\n".join(",".join(row) for row in [["", *NAMES], *rows])
    (way,) = look(text.encode(), name="trees.csv").ways_out
    assert way.choice.value == ("n. z.",)


@pytest.mark.parametrize(
    ("before", "between", "behind"),
    [("{{", "}, {", "}}"), ("D = [", "; ", "];\n")],
    ids=["Mathematica", "MATLAB"],
)
def test_arrays_in_the_source_of_programs_are_read(before: str, between: str, behind: str) -> None:
    rows = [", ".join(f"{v:g}" for v in _row(n)) for n in NAMES]
    text = f"{before}{between.join(rows)}{behind}"
    table = read(text.encode(), name="trees.txt")
    assert isinstance(table, RawTable)
    np.testing.assert_array_equal(table.values, [_row(n) for n in NAMES])


def test_measurements_that_r_printed_may_have_blanks_in_their_names() -> None:
    printed = "           mpg cyl\nMazda RX4 21.0   6\nFiat      32.4   4\nHornet 4  18.7  10\n"
    table = read(printed.encode(), name="cars.txt", format="measurements")
    assert isinstance(table, FeatureTable)
    assert read(printed.encode()).labels == table.labels
    assert table.labels == ("Mazda RX4", "Fiat", "Hornet 4")
    assert table["cyl"].values.tolist() == [6, 4, 10]
