"""Results as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

LOST = "lost in noise"


@dataclass(frozen=True)
class Target:
    """What is to be reached: a figure of at least, or at most, so much."""

    work: str
    wanted: float
    unit: str
    at_least: bool = False

    def met_by(self, figure: float) -> bool:
        return figure >= self.wanted if self.at_least else figure <= self.wanted


# NUMERICS: "Speed to reach", for two cores; and what a first use may take.
FASTER_THAN_SCIKIT_LEARN = Target(
    "N = 2000, q = 4, p = 3, to within 1e-6 of the best stress: times faster than "
    "scikit-learn's metric MDS (classical start)",
    40,
    "×",
    at_least=True,
)
FASTER_THAN_CML = Target(
    "N = 2000, q = 4, p = 3, to within 1e-6 of the best stress: times faster than cml at its "
    "defaults",
    1000,
    "×",
    at_least=True,
)
SAMMON = Target("Sammon weights, N = 5000: times as long as unit weights", 3, "×")
ORDINAL_COSTS = Target("ordinal fit, N = 100 and 1000: times as long as on the ratio scale", 4, "×")
SPLINE_COSTS = Target("spline fit, N = 100 and 1000: times as long as on the ratio scale", 3, "×")
NONMETRIC = Target(
    "N = 500, p = 2, to the same Stress-1: times faster than scikit-learn's nonmetric MDS "
    "(classical start)",
    20,
    "×",
    at_least=True,
)
RECOVERED = {
    name: Target(
        f"{told}: canonical correlation with what is hidden, on the scale that suits them best",
        0.93,
        "",
        at_least=True,
    )
    for name, told in {
        "square": "squared distances",
        "root": "roots of distances",
        "saturating": "saturating distances",
    }.items()
}
LOST_UNDISTORTED = Target(
    "distances as they are: canonical correlation that the spline or ordinal scale loses", 0.02, ""
)
ELEVEN_STARTS = Target("N = 14 with 11 starts", 30, "ms")
LARGE = Target("N = 10000, after the data are in memory", 1, "s")
MEMORY = Target("N = 10000: peak memory above the data", 1000, "MB")
FIRST_USE = Target("first use after installation, in a new process", 15, "s")
NEW_PROCESS = Target("importing and fitting 14 objects in a new process", 1.5, "s")
TICKS = {
    14: Target("from tick to the last painted frame, N = 14", 0.4, "s"),
    200: Target("from tick to the last painted frame, N = 200", 0.5, "s"),
    1000: Target("from tick to the last painted frame, N = 1000", 1.5, "s"),
}
COLD = Target("first map on a server that has just become healthy", 2.5, "s")
WARM = Target("first map for the next visitor", 1.2, "s")
FRAMES = Target("frames under 33 ms while panning 5,000 points", 95, "%", at_least=True)
CSV_TIME = Target("a CSV of 3,000 objects: times as long to read as pandas takes", 2, "×")
CSV_MEMORY = Target("a CSV of 3,000 objects: times the memory that pandas takes", 2, "×")
XLSX_TIME = Target("a workbook of 3,000 objects: times as long to read as calamine takes", 2, "×")
LIST_REFUSED = Target("a list of a million names: until it is refused", 2, "s")
VISITORS = Target(
    "20 visitors at once and a job of 3,000 objects: median reaction, times that of one alone",
    3,
    "×",
)
CLASSROOM = Target(
    "30 students on one puzzle: median reaction to handing in, times that of one alone", 3, "×"
)
HIDDEN_FEATURE = Target("hidden-feature test, N = 30, 199 data sets", 5, "s")
ELLIPSES = Target("outlines on the map, N = 100, 200 refits", 5, "s")
FIRST_UMAP = Target(
    "first UMAP of 200 objects in a new process: times sooner than umap-learn",
    3,
    "×",
    at_least=True,
)
KNOWN_BY_NEIGHBOURS = Target(
    "known features told by neighbours after conditioning, the worst of all methods", 0.0, ""
)
HIDDEN_BY_NEIGHBOURS = Target(
    "hidden features told by neighbours after conditioning, the least of MDS, Isomap, t-SNE, UMAP",
    0.5,
    "",
    at_least=True,
)
MILLION_TIME = Target("a million measured objects: processor seconds", 30, "s")
MILLION_MEMORY = Target("a million measured objects: peak memory of the process", 1000, "MB")
LARGE_EXCESS = Target("10,000 objects by landmarks: stress above that of all pairs", 0.3, "%")
TIMES_UMAP = Target(
    "100,000 objects by landmarks: times less processor time than umap-learn",
    50,
    "×",
    at_least=True,
)
LIKE_A_REFIT = Target(
    "new objects placed by 2,000 references: canonical correlation with a fit of all pairs",
    0.998,
    "",
    at_least=True,
)
TARGETS = (
    FASTER_THAN_SCIKIT_LEARN,
    FASTER_THAN_CML,
    SAMMON,
    ORDINAL_COSTS,
    SPLINE_COSTS,
    NONMETRIC,
    *RECOVERED.values(),
    LOST_UNDISTORTED,
    ELEVEN_STARTS,
    LARGE,
    MEMORY,
    FIRST_USE,
    NEW_PROCESS,
    *TICKS.values(),
    COLD,
    WARM,
    FRAMES,
    HIDDEN_FEATURE,
    ELLIPSES,
    VISITORS,
    CLASSROOM,
    CSV_TIME,
    CSV_MEMORY,
    XLSX_TIME,
    LIST_REFUSED,
    FIRST_UMAP,
    KNOWN_BY_NEIGHBOURS,
    HIDDEN_BY_NEIGHBOURS,
    MILLION_TIME,
    MILLION_MEMORY,
    LARGE_EXCESS,
    TIMES_UMAP,
    LIKE_A_REFIT,
)


@dataclass(frozen=True)
class Table:
    """Rows of cells under column heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """All columns but the first are numbers, and stand to the right."""
        rule = ["---", *["---:"] * (len(self.heads) - 1)]
        lines = [self.heads, rule, *self.rows]
        return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


@dataclass(frozen=True)
class Section:
    """One comparison: what was measured, the tables, and the figures of targets it gave."""

    title: str
    about: str
    tables: tuple[Table, ...] = ()
    figures: dict[Target, float] = field(default_factory=dict)

    def markdown(self) -> str:
        return "\n\n".join(
            [f"## {self.title}", self.about, *[table.markdown() for table in self.tables]]
        )


def document(
    sections: Sequence[Section], machine: Table, kind: str, targets: Sequence[Target] = TARGETS
) -> str:
    """The whole report, with these targets."""
    figures = {target: figure for section in sections for target, figure in section.figures.items()}
    return (
        "\n\n".join(
            [
                "# Benchmarks",
                f"Written by `python -m benchmarks` on {date.today():%Y-%m-%d} ({kind}). What is "
                "compared was run in turn in one process, with the same number of threads; times "
                "are medians.",
                "## Targets",
                targets_table(figures, targets).markdown(),
                *[section.markdown() for section in sections],
                "## Machine",
                machine.markdown(),
            ]
        )
        + "\n"
    )


def targets_table(figures: dict[Target, float], targets: Sequence[Target]) -> Table:
    """Targets, and whether they were met."""
    rows = []
    for target in targets:
        figure = figures.get(target)
        wanted = f"{'≥' if target.at_least else '≤'} {target.wanted:g} {target.unit}".rstrip()
        if figure is None:
            rows.append((target.work, wanted, "not measured", ""))
            continue
        verdict = "met" if target.met_by(figure) else "**missed**"
        measured = f"{three_digits(figure)} {target.unit}".rstrip()
        rows.append((target.work, wanted, measured, verdict))
    return Table(("work", "target", "measured", ""), tuple(rows))


def three_digits(value: float) -> str:
    """Three significant digits."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:#.3g}"


def duration(seconds: float) -> str:
    if not seconds > 0:
        return LOST
    return f"{three_digits(seconds)} s" if seconds >= 1 else f"{three_digits(1000 * seconds)} ms"


def ratio(value: float, at_least: bool = False) -> str:
    if not value > 0:
        return LOST
    return f"{'≥ ' if at_least else ''}{three_digits(value)} ×"


def excess(stress: float, best: float) -> str:
    """How far a stress is above the best one, relative to it."""
    return f"{stress / best - 1:+.1e}"


def megabytes(size: float) -> str:
    return f"{size / 1e6:.0f} MB"
