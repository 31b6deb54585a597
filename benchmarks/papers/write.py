"""The report: docs/PAPERS.md and its pictures, made of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.papers.documents import DOCUMENTS
from benchmarks.papers.kept import slug
from benchmarks.papers.row import (
    CANNOT_BE_RUN,
    VERDICTS,
    Found,
    Picture,
    Row,
    Verdict,
    told,
)

PAGE = Path(__file__).parents[2] / "docs" / "PAPERS.md"
PICTURES = "pictures/papers"
# So many pixels where there is room.
WIDTH = 420
ABOUT = """\
Every table, figure and claim of the papers behind this program that can be run with public data, \
run again by the program itself: `make papers` does it, and fails when a number leaves its \
tolerance. Beside each number stands what was published, and what is expected here: measured \
independently of this program, or frozen from its first run where there was nothing to measure \
against. A claim is never called false because of one data set: at least twenty were drawn, or \
all optima found of the one there is. *Median (quartiles)* is over data sets; their number is told \
with the row, and seeds count from 0. Maps are coloured from the lowest value (dark) to the \
highest (light)."""
FINE = 1e-5
COARSE_DIGITS, FINE_DIGITS = 3, 6


@dataclass(frozen=True)
class Outcome:
    """What came of a row.

    Parameters
    ----------
    found : None where it cannot be run.
    """

    row: Row
    found: Found | None
    verdict: Verdict

    @classmethod
    def of(cls, row: Row, found: Found | str) -> Outcome:
        """Of what a row found, or why it cannot be run."""
        if isinstance(found, str):
            return cls(row, None, Verdict(CANNOT_BE_RUN, found))
        return cls(row, found, row.judge(found.numbers))

    @property
    def off(self) -> tuple[str, ...]:
        """Sentences on numbers outside their tolerance."""
        return self.row.off(self.found) if self.found else ()


def counts(outcomes: Mapping[str, Outcome]) -> str:
    """How many rows came to each verdict, in words."""
    kinds = [outcome.verdict.kind for outcome in outcomes.values()]
    return ", ".join(f"{verdict} {kinds.count(verdict)}" for verdict in VERDICTS)


def report(outcomes: Mapping[str, Outcome]) -> str:
    """The whole page."""
    parts = [
        "# The papers, run again",
        ABOUT,
        f"Written by `python -m benchmarks.papers` on {date.today():%Y-%m-%d}. "
        f"{len(outcomes)} rows: {counts(outcomes)}.",
    ]
    for title, rows in DOCUMENTS.items():
        parts += [f"## {title}", _summary([outcomes[row.id] for row in rows])]
        parts += [section(outcomes[row.id]) for row in rows]
    return "\n\n".join(parts) + "\n"


def _summary(outcomes: list[Outcome]) -> str:
    lines = ["| row | claim | verdict |", "| --- | --- | --- |"]
    lines += [
        f"| {one.row.id} | {_cell(one.row.what)} | **{one.verdict.kind}** |" for one in outcomes
    ]
    return "\n".join(lines)


def section(outcome: Outcome) -> str:
    """One row: the claim, the verdict and why, its numbers and its pictures."""
    row, found = outcome.row, outcome.found
    parts = [
        f"### {row.id}",
        row.what,
        f"**{outcome.verdict.kind.capitalize()}.** {outcome.verdict.why}",
    ]
    if found is None:
        parts += [f"*{row.inputs}.*"] if row.inputs != "–" else []
        parts += [_unmeasured(row)] if row.expected else []
        return "\n\n".join(parts)
    drawn = f"; {found.replicates} data sets or starts" if found.replicates else ""
    parts += [f"*{row.inputs}{drawn}.*", _numbers(row, found)]
    parts += [_picture(row, k, picture) for k, picture in enumerate(found.pictures, start=1)]
    return "\n\n".join(parts)


def _numbers(row: Row, found: Found) -> str:
    names = [*found.numbers, *(name for name in row.published if name not in found.numbers)]
    columns: dict[str, list[str]] = {
        "": [_cell(name) for name in names],
        "published": [_published(row, name) for name in names],
        "expected": [_wanted(row, found, name) for name in names],
        "found": [_found(row, found, name) for name in names],
    }
    # A column of nothing takes room on a phone.
    filled = {head: cells for head, cells in columns.items() if any(cells)}
    lines = [_line(filled), _line(["---", *["---:"] * (len(filled) - 1)])]
    return "\n".join([*lines, *map(_line, zip(*filled.values(), strict=True))])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _published(row: Row, name: str) -> str:
    value = row.published.get(name, "")
    return value if isinstance(value, str) else f"{value:g}"


def _unmeasured(row: Row) -> str:
    lines = ["|  | expected with the data |", "| --- | ---: |"]
    lines += [f"| {_cell(name)} | {told(wanted)} |" for name, wanted in row.expected.items()]
    return "\n".join(lines)


def _wanted(row: Row, found: Found, name: str) -> str:
    if name not in row.expected:
        return ""
    wanted = row.expected[name]
    slack = row.tolerance_of(name, found.replicates)
    return told(wanted) + (f" ± {slack:.2g}" if slack else "")


def _found(row: Row, found: Found, name: str) -> str:
    if name not in found.numbers:
        return "not run"
    fine = name in row.expected and row.tolerance_of(name, found.replicates) < FINE
    digits = FINE_DIGITS if fine else COARSE_DIGITS
    text = _short(found.numbers[name], digits)
    if name not in found.quartiles:
        return text
    low, high = (_short(value, COARSE_DIGITS) for value in found.quartiles[name])
    return f"{text} ({low}–{high})"


def _short(value: float, digits: int) -> str:
    if value == int(value) and abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:.1e}" if abs(value) < 1e-6 else f"{value:.{digits}g}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _picture(row: Row, number: int, picture: Picture) -> str:
    name = f"{PICTURES}/{slug(row.id)}-{number}"
    text = f"![{picture.caption}]({name}.svg)\n\n{picture.caption}."
    if picture.project:
        text += f" As a project to open in the app: [{slug(row.id)}-{number}.json]({name}.json)."
    return text


def write(outcomes: Mapping[str, Outcome], page: Path = PAGE) -> None:
    """The page, its pictures, and their projects; those of earlier runs go."""
    folder = page.parent / PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for outcome in outcomes.values():
        pictures = outcome.found.pictures if outcome.found else ()
        for k, picture in enumerate(pictures, start=1):
            name = f"{slug(outcome.row.id)}-{k}"
            sized = picture.svg.replace("<svg ", f'<svg width="{WIDTH}" ', 1)
            (folder / f"{name}.svg").write_text(sized, encoding="utf-8")
            if picture.project:
                (folder / f"{name}.json").write_text(picture.project, encoding="utf-8")
    page.write_text(report(outcomes), encoding="utf-8")
