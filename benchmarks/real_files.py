"""`python -m benchmarks.real_files DIRECTORY`: what becomes of files from real programs.

The directory holds files, `outcomes.tsv` with the table under `truth/` that each should become
(tab-separated, labels in the first row and column; none where there is none to compare with), and
`truth/`.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import ConditionalMappingError
from cml_core.files import doctor, reading
from cml_core.files.doctor.findings import WRONG, Finding
from cml_core.files.doctor.mend import selected
from cml_core.files.joining.similar_names import folded
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.files.source import RawFile, raw_table

AT_ONCE, AFTER_A_CHOICE = "right at once", "right after an offered choice"
REFUSED, MEASURED, UNCHECKED = "refused", "measurements", "read, nothing to compare with"
ASKED, WRONG_SILENTLY = "another table, but something is asked", "ANOTHER TABLE"
# So many choices one after another are tried; printed tables have few digits; and PHYLIP and others
# cut names.
CHOICES, ENOUGH, CUT = 2, 7e-3, 9


def outcome(file: RawFile, truth: pd.DataFrame | None) -> tuple[str, str]:
    """What became of a file, and the words about it."""
    at_once, said = _plain_outcome(file, truth)
    if at_once not in (REFUSED, MEASURED, ASKED, WRONG_SILENTLY) or truth is None:
        return at_once, said
    for preparation in _further(file, [Preparation()], CHOICES):
        try:
            if agrees(raw_table((file,), preparation), truth, preparation):
                return AFTER_A_CHOICE, str(preparation.to_dict())
        except ConditionalMappingError:
            continue
    return at_once, said


def _plain_outcome(file: RawFile, truth: pd.DataFrame | None) -> tuple[str, str]:
    """What becomes of it before anything is chosen."""
    try:
        raw = raw_table((file,), Preparation())
    except ConditionalMappingError as error:
        measured = "is a table of measurements" in error.fact
        return MEASURED if measured else REFUSED, f"{error.fact} {error.remedy}"
    asked = [f.key for f in doctor.examine(raw, Preparation()) if f.grade == WRONG]
    words = f"{raw!r} {' '.join(raw.notes)}".strip()
    if truth is None:
        return UNCHECKED, words
    if agrees(raw, truth, Preparation()):
        return (AFTER_A_CHOICE, f"asked: {', '.join(asked)}") if asked else (AT_ONCE, words)
    return (ASKED, f"asked: {', '.join(asked)}") if asked else (WRONG_SILENTLY, words)


def _further(file: RawFile, chosen: list[Preparation], depth: int) -> Iterator[Preparation]:
    """What the choices that are offered lead to, the fewest first."""
    for _ in range(depth):
        chosen = [further for each in chosen for further in _offered(file, each)]
        yield from chosen


def _offered(file: RawFile, preparation: Preparation) -> Iterator[Preparation]:
    look = reading.look(
        file.content(), name=file.name, sheet=preparation.sheet, manner=preparation.manner
    )
    for way in look.ways_out:
        yield _with(preparation, way.field, way.choice.value)
    for key in look.formats:
        yield replace(preparation, format=key)
    for finding in _findings(file, preparation):
        for choice in finding.choices:
            yield _with(preparation, finding.field, choice.value)


def _findings(file: RawFile, preparation: Preparation) -> tuple[Finding, ...]:
    try:
        return doctor.examine(raw_table((file,), preparation), preparation)
    except ConditionalMappingError:
        return ()


def _with(preparation: Preparation, field: str, value: Any) -> Preparation:
    return replace(preparation, **{field: value})


def agrees(raw: RawTable, truth: pd.DataFrame, preparation: Preparation) -> bool:
    """Whether a table says of every pair what the truth says, in whichever order of objects."""
    table = selected(raw, preparation)
    ours = [_plain(label) for label in table.labels]
    theirs = [_plain(str(label)) for label in truth.index]
    if len(ours) != len(theirs):
        return False
    for names, wanted in ((ours, theirs), ([n[:CUT] for n in ours], [n[:CUT] for n in theirs])):
        if sorted(names) == sorted(wanted) and len(set(names)) == len(names):
            return _same(table, truth, [names.index(name) for name in wanted])
    nameless = all(label.startswith("object ") for label in table.labels)
    return nameless and _same(table, truth, list(range(len(ours))))


def _same(table: RawTable, truth: pd.DataFrame, place: list[int]) -> bool:
    values = np.where(np.isnan(table.values), table.values.T, table.values)[np.ix_(place, place)]
    wanted = truth.to_numpy(dtype=float)
    off = ~np.eye(len(wanted), dtype=bool)
    most = ENOUGH * np.nanmax(np.abs(wanted[off]))
    return bool(np.allclose(values[off], wanted[off], rtol=0, atol=most, equal_nan=True))


def _plain(label: str) -> str:
    return "".join(letter for letter in folded(label) if letter.isalnum())


def outcomes(directory: Path) -> Iterator[tuple[str, str, str, str]]:
    """Each file, what became of it at first, what becomes of it now, and the words."""
    with (directory / "outcomes.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            truth = _table(directory / "truth" / f"{row['truth']}.tsv") if row["truth"] else None
            file = RawFile(row["file"], (directory / row["file"]).read_bytes())
            yield row["file"], row["outcome at first"], *outcome(file, truth)


def _table(path: Path) -> pd.DataFrame:
    return pd.read_csv(
        path, sep="\t", index_col=0, keep_default_na=False, na_values=["nan", "NaN", ""]
    )


def main() -> None:
    """Print the table of a directory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    print(as_table(list(outcomes(parser.parse_args().directory))))


def as_table(found: Sequence[tuple[str, str, str, str]]) -> str:
    """What became of each file, and how often each outcome came."""
    each = (f"| {file} | {before} | {now} | {words[:200]} |" for file, before, now, words in found)
    counts = Counter(now for _, _, now, _ in found).most_common()
    return "\n".join(
        (
            "| file | at first | now | words |\n|---|---|---|---|",
            *each,
            "\n| now | files |\n|---|---:|",
            *(f"| {now} | {count} |" for now, count in counts),
        )
    )


if __name__ == "__main__":
    main()
