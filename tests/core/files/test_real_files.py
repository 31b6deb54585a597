"""Files that real programs wrote become the tables they should, or are refused with a reason.

real_files.zip holds files of LibreOffice in German, R, pandas, NumPy, Orange, scikit-bio, SPSS's
format, gensim and survey programs (Qualtrics, JASP, Optimal Workshop; imitated), what should become
of each (the column "outcome at first"), and the tables themselves (truth/). Data: `UScitiesD`,
`eurodist`, `swiss` and others of R, Orange's own examples, and made-up ratings of fruit.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from benchmarks.real_files import (
    AFTER_A_CHOICE,
    AT_ONCE,
    MEASURED,
    REFUSED,
    WRONG_SILENTLY,
    as_table,
    outcomes,
)

FILES = Path(__file__).with_name("real_files.zip")


@pytest.mark.slow
def test_files_of_real_programs_arrive_right(tmp_path: Path) -> None:
    with zipfile.ZipFile(FILES) as archive:
        archive.extractall(tmp_path)
    found = list(outcomes(tmp_path))
    sys.stdout.write(as_table(found))
    assert [(file, wanted, now) for file, wanted, now, _ in found if wanted != now] == []
    became = [now for _, _, now, _ in found]
    assert WRONG_SILENTLY not in became
    holding = [now for now in became if now not in (REFUSED, MEASURED)]
    unreadable = [words for _, _, now, words in found if now == REFUSED]
    right = sum(now in (AT_ONCE, AFTER_A_CHOICE) for now in became)
    assert right >= 0.75 * len(holding)
    assert all(words.strip().endswith(".") or "write.csv" in words for words in unreadable)
