"""Files as real tools write them are read right, or refused for the right reason.

Those called r_*, skbio_*, pandas_*, numpy_*, scipy_*, gensim_*, pyreadstat_* and libreoffice_* or
lo_* were written by R 4.2, scikit-bio 0.7, pandas, numpy, SciPy, gensim, pyreadstat and LibreOffice
(German settings; data `swiss`, `eurodist` and `UScitiesD` of R; bad_formula.ods too); all others by
hand, after the documentation of their formats, or what such programs export.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cml_core import FeatureTable, errors
from cml_core.files.reading import FORMATS, RawTable, read, recognise

CORPUS = Path(__file__).parent / "corpus"
EXPECTED = json.loads((CORPUS / "expectations.json").read_text(encoding="utf-8"))
GOOD = [case for case in EXPECTED if "error" not in case]
BAD = [case for case in EXPECTED if "error" in case]


def called(case: dict[str, Any]) -> str:
    return str(case["file"])


def data_of(case: dict[str, Any]) -> bytes:
    return (CORPUS / case["file"]).read_bytes()


def check_pairs(table: RawTable, values: np.ndarray | None, expected: list[list[Any]]) -> None:
    assert values is not None
    place = {name: k for k, name in enumerate(table.labels)}
    for row, column, value in expected:
        found = values[place[row], place[column]]
        # A mean of three is not exact.
        assert np.isclose(found, np.nan if value is None else value, rtol=1e-14, equal_nan=True), (
            row,
            column,
        )


@pytest.mark.parametrize("case", GOOD, ids=called)
def test_a_file_is_recognised_and_read_right(case: dict[str, Any]) -> None:
    table = read(data_of(case), name=case["file"])
    assert table.labels == tuple(case["labels"])
    assert recognise(data_of(case), case["file"])[0] == case["recognised"]
    if "variables" in case:
        assert isinstance(table, FeatureTable)
        assert {name: table[name].shown() for name in case["variables"]} == case["variables"]
        return
    assert isinstance(table, RawTable)
    assert table.format == case["recognised"]
    check_pairs(table, table.values, case["values"])
    for kind in ("spread", "weights"):
        assert (getattr(table, kind) is None) == (kind not in case)
        check_pairs(table, np.array(getattr(table, kind)), case.get(kind, []))
    assert [question.key for question in table.questions if question.open] == case.get("asked", [])
    for words in case.get("notes", []):
        assert any(words in note for note in table.notes), table.notes


@pytest.mark.parametrize("case", BAD, ids=called)
def test_a_file_that_cannot_be_read_is_refused_with_the_place(case: dict[str, Any]) -> None:
    with pytest.raises(getattr(errors, case["error"])) as caught:
        read(data_of(case), name=case["file"])
    assert all(words in caught.value.fact for words in case["says"]), caught.value.fact
    assert caught.value.remedy


@pytest.mark.parametrize("case", GOOD, ids=called)
def test_the_name_of_a_file_is_not_needed_to_recognise_it(case: dict[str, Any]) -> None:
    assert recognise(data_of(case))[0] == case["recognised"]


def test_every_file_of_the_corpus_is_expected_and_every_text_format_has_one() -> None:
    files = {path.name for path in CORPUS.iterdir()} - {"expectations.json"}
    assert files == {case["file"] for case in EXPECTED}
    assert {case["recognised"] for case in GOOD} == set(FORMATS) - {"npy", "npz"}
