"""How long the questions of the Evidence page take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.report import ELLIPSES, HIDDEN_FEATURE, Section, Table, duration
from benchmarks.timing import Effort, interleaved
from cml_core import Problem, fit
from cml_core.datasets import simulate_car_brands
from cml_core.evidence.dimensions import dimensions
from cml_core.evidence.hidden_feature import hidden_feature_test
from cml_core.evidence.importance import did_it_help
from cml_core.evidence.ranking import candidates_among, what_might_it_be
from cml_core.evidence.stability import stability
from cml_core.evidence.structure import without_structure
from cml_core.fitting.scales.registry import SCALES

KNOWN, HIDDEN = 4, 3
SIZES = (30, 100)
MOST_ROUNDS = 3
TEST, OUTLINES = "hidden feature, 199 data sets", "outlines, 200 refits"
QUESTIONS = (
    TEST,
    "0 to 8 dimensions, 10 folds",
    "did one feature help, 99 shuffles, 10 folds",
    "what might it be, one column, 999 dealings",
    OUTLINES,
    "without structure, 20 shuffles",
)
ABOUT = f"""\
Car brands with {KNOWN} of 7 features known and {HIDDEN} hidden dimensions, in one process; the \
app spreads them over several. Defaults throughout."""


def evidence(effort: Effort) -> Section:
    """A row for each question, a column for each number of objects."""
    times = {n: interleaved(_questions(n), effort, repeats=MOST_ROUNDS) for n in SIZES}
    rows = tuple((name, *(duration(times[n][name].seconds) for n in SIZES)) for name in QUESTIONS)
    figures = {
        HIDDEN_FEATURE: times[30][TEST].seconds,
        ELLIPSES: times[100][OUTLINES].seconds,
    }
    heads = ("question", *(f"N = {n}" for n in SIZES))
    return Section("Evidence", ABOUT, (Table(heads, rows), _on_every_scale(effort)), figures)


def _on_every_scale(effort: Effort) -> Table:
    """The hidden-feature test of the smaller maps, and where an alarm is held against rivals."""
    data = simulate_car_brands(SIZES[0], feature_noise=0.0, known=KNOWN)
    problem = Problem(data.values(), data.feature_table())
    asked = {
        f"{name} {p}": partial(
            hidden_feature_test, fit(replace(problem, scale=name, n_components=p), seed=0)
        )
        for name in SCALES
        for p in (HIDDEN, 1)
    }
    times = interleaved(asked, effort, repeats=MOST_ROUNDS)
    rows = tuple(
        (SCALES[name].title, *(duration(times[f"{name} {p}"].seconds) for p in (HIDDEN, 1)))
        for name in SCALES
    )
    heads = (f"{TEST}, by scale", f"N = {SIZES[0]}", f"N = {SIZES[0]}, one dimension only")
    return Table(heads, rows)


def _questions(n_objects: int) -> dict[str, Callable[[], Any]]:
    data = simulate_car_brands(n_objects, feature_noise=0.0, known=KNOWN)
    table = data.feature_table()
    problem = Problem(data.values(), table, n_components=HIDDEN)
    found = fit(problem, seed=0)
    without = problem.without(table.names[-1])
    more = candidates_among(table, without.known.names)
    asked: tuple[Callable[[], Any], ...] = (
        partial(hidden_feature_test, found),
        partial(dimensions, problem),
        partial(did_it_help, problem, [table.names[0]]),
        partial(what_might_it_be, fit(without, seed=0), more),
        partial(stability, found),
        partial(without_structure, found),
    )
    return dict(zip(QUESTIONS, asked, strict=True))
