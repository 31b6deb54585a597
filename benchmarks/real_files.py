"""`python -m benchmarks.real_files DIRECTORY`: what becomes of files from real programs, as a table.

The directory holds files, `outcomes.tsv` with the table under `truth/` that each should become
(tab-separated, labels in the first row and column), and `truth/`.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from cml_core.errors import ConditionalMappingError
from cml_core.files import doctor, reading
from cml_core.files.doctor.findings import WRONG
from cml_core.files.doctor.mend import selected
from cml_core.files.joining.similar_names import folded
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.files.source import RawFile, raw_table

AT_ONCE, AFTER_A_CHOICE, REFUSED, ANOTHER = "right at once", "after a choice", "refused", "ANOTHER"
MEASURED, UNCHECKED = "measurements", "read, nothing to compare with"
# So many choices one after another are tried, and so many digits have to agree.
DEPTH, ENOUGH = 2, 7e-3


def outcome(path: Path, truth: pd.DataFrame | None) -> tuple[str, str]:
    """What became of a file, and the words about it."""
    file = RawFile(path.name, path.read_bytes())
    asked: list[Preparation] = [Preparation()]
    first = ""
    for depth in range(DEPTH + 1):
        further: list[Preparation] = []
        for preparation in asked:
            try:
                raw = raw_table((file,), preparation)
                findings = doctor.examine(raw, preparation)
                if not first and depth == 0:
                    first = f"{raw!r} {' '.join(raw.notes)}"
            except ConditionalMappingError as error:
                if not first and depth == 0:
                    first = f"{error.fact} >> {error.remedy}"
                    kind = MEASURED if "table of measurements:" in error.fact else REFUSED
                further += _other_readings(file, preparation)
                continue
            if depth == 0 and truth is None:
                return UNCHECKED, first
            if truth is not None and agrees(raw, truth, preparation):
                waits = any(finding.grade == WRONG for finding in findings)
                if depth or waits:
                    keys = ", ".join(f.key for f in findings if f.grade == WRONG)
                    return AFTER_A_CHOICE, f"{preparation.to_dict()} {keys}"
                return AT_ONCE, first
            kind = ANOTHER if depth == 0 else kind
            if depth == 0 and any(f.grade == WRONG for f in findings):
                kind = f"{ANOTHER}, but asked ({', '.join(f.key for f in findings if f.grade == WRONG)})"
            further += [
                replace(preparation, **{finding.field: choice.value})
                for finding in findings
                for choice in finding.choices
                if finding.field
            ]
            further += _other_readings(file, preparation)
        asked = further
    return kind, first


def _other_readings(file: RawFile, preparation: Preparation) -> Iterator[Preparation]:
    look = reading.look(
        file.content(), name=file.name, sheet=preparation.sheet, manner=preparation.manner
    )
    for way in look.ways_out:
        yield replace(preparation, **{way.field: way.choice.value})
    for part in look.parts[1:]:
        yield replace(preparation, sheet=part)
    for key in look.formats:
        yield replace(preparation, format=key)


def agrees(raw: RawTable, truth: pd.DataFrame, preparation: Preparation) -> bool:
    """Whether a table says of every pair what the truth says, in whichever order of objects."""
    raw = selected(raw, preparation)
    kept = raw.labels
    ours = {_plain(label): k for k, label in enumerate(kept)}
    theirs = [_plain(str(label)) for label in truth.index]
    if set(ours) != set(theirs):
        cut = {label[:10].lower(): label for label in theirs}
        if set(cut) == {label[:10] for label in ours}:
            ours = {cut[label[:10]]: k for label, k in ours.items()}
            return _same(raw, truth, [ours[label] for label in theirs])
        named = all(label.startswith("object ") for label in kept)
        if not named or len(kept) != len(theirs):
            return False
        ours = dict(zip(theirs, range(len(kept)), strict=True))
    return _same(raw, truth, [ours[label] for label in theirs])


def _same(raw: RawTable, truth: pd.DataFrame, place: list[int]) -> bool:
    values = np.where(np.isnan(raw.values), raw.values.T, raw.values)[np.ix_(place, place)]
    wanted = truth.to_numpy(dtype=float)
    off = ~np.eye(len(wanted), dtype=bool)
    unit = np.nanmax(np.abs(wanted[off]))
    return bool(
        np.allclose(values[off], wanted[off], rtol=0, atol=ENOUGH * unit, equal_nan=True)
    ) or bool(
        np.allclose(values[off] / 100, wanted[off], rtol=0, atol=ENOUGH * unit, equal_nan=True)
    )


def _plain(label: str) -> str:
    return "".join(letter for letter in folded(label) if letter.isalnum())


def outcomes(directory: Path) -> Iterator[tuple[str, str, str, str]]:
    with (directory / "outcomes.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            name = row["truth"]
            truth = None
            if name:
                truth = pd.read_csv(
                    directory / "truth" / f"{name}.tsv",
                    sep="\t",
                    index_col=0,
                    keep_default_na=False,
                    na_values=["nan", "NaN", ""],
                )
            yield (row["file"], row["outcome at first"], *outcome(directory / row["file"], truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    found = list(outcomes(parser.parse_args().directory))
    print("| file | at first | now | words |\n|---|---|---|---|")
    for file, before, now, words in found:
        print(f"| {file} | {before} | {now} | {words[:200]} |")
    for now, count in Counter(now for _, _, now, _ in found).most_common():
        print(f"- {now}: {count}", file=sys.stderr)


if __name__ == "__main__":
    main()
