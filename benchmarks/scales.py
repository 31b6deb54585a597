"""What a scale costs, and ordinal fits against scikit-learn's nonmetric MDS."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from benchmarks import ours, peers
from benchmarks.data import HIDDEN, KNOWN, Sample, plane, simulate
from benchmarks.ours import SAME, Outcome
from benchmarks.peers import CLASSICAL, RANDOM
from benchmarks.report import (
    NONMETRIC,
    ORDINAL_COSTS,
    SPLINE_COSTS,
    Section,
    Table,
    Target,
    duration,
    excess,
    ratio,
)
from benchmarks.timing import Effort, Timing, interleaved
from cml_core.fitting.scales.registry import RATIO, SCALES

COSTS = f"""\
Uniform features, {KNOWN} of them known and {HIDDEN} hidden, on every scale. *Default* has as many \
starts as are worth their time: over a scale half as many, after as many on the dissimilarities \
as they are. *One start* is the closed form alone."""
COST_HEADS = ("scale", "N", "default", "× ratio", "starts", "one start", "× ratio", "passes")
COST_SIZES = (100, 1000)

NONMETRIC_ABOUT = """\
Nonmetric MDS in two dimensions of uniform points in a plane, their distances times 1 + 0.1 z. \
Both have one start, this package from its closed form; it stops by itself, at its default \
tolerance. scikit-learn makes \
just as many passes as it needs to come within 1e-6 of that Stress-1, counted beforehand; where it \
does not get there within {patience:.0f} s its time and the ratio are lower bounds. *At its \
defaults* it stops earlier and higher (max_iter=300, eps=1e-6). Its Stress-1 is that of its map at \
the best size, which is up to a per cent below what it says itself."""
NONMETRIC_HEADS = (
    "N",
    "scikit-learn starts",
    "scikit-learn, to the same Stress-1",
    "passes",
    "this, one start",
    "passes",
    "Stress-1",
    "faster",
    "scikit-learn, at its defaults",
    "its Stress-1 above this",
    "faster",
    "this, default",
)
STARTS = {CLASSICAL: "classical", RANDOM: "random"}
LARGEST = 500
FIRST_TRY = 8


def scales(effort: Effort) -> list[Section]:
    """Both comparisons."""
    return [_costs(effort), _nonmetric(effort)]


def _costs(effort: Effort) -> Section:
    rows: list[tuple[str, ...]] = []
    worst = dict.fromkeys(SCALES, 0.0)
    for n_objects in COST_SIZES:
        sample = simulate("uniform", n_objects)
        contenders: dict[str, Callable[[], Outcome]] = {}
        for scale in SCALES:
            contenders[scale] = partial(ours.conditional, sample, scale=scale)
            contenders[f"{scale}, one"] = partial(
                ours.conditional, sample, scale=scale, init="closed_form"
            )
        times = interleaved(contenders, effort)
        for scale in SCALES:
            whole, one = times[scale], times[f"{scale}, one"]
            as_long = whole.seconds / times[RATIO].seconds
            worst[scale] = max(worst[scale], as_long)
            rows.append(
                (
                    scale,
                    str(n_objects),
                    duration(whole.seconds),
                    ratio(as_long),
                    str(whole.result.starts),
                    duration(one.seconds),
                    ratio(one.seconds / times[f"{RATIO}, one"].seconds),
                    str(one.result.passes),
                )
            )
    figures = {ORDINAL_COSTS: worst["ordinal"], SPLINE_COSTS: worst["spline"]}
    return Section("What a scale costs", COSTS, (Table(COST_HEADS, tuple(rows)),), figures)


def _nonmetric(effort: Effort) -> Section:
    rows: list[tuple[str, ...]] = []
    figures: dict[Target, float] = {}
    for n_objects in (n for n in effort.sizes if n <= LARGEST):
        sample = plane(n_objects)
        wanted = _ordinal(sample, init="closed_form").stress
        for start in STARTS:
            passes, reached = _passes_to(wanted * (1 + SAME) ** 2, sample, start, effort.patience)
            times = interleaved(
                {
                    "here": partial(_ordinal, sample, init="closed_form"),
                    "default": partial(_ordinal, sample),
                    "there": partial(peers.nonmetric, sample, start, passes, 0.0),
                    "its defaults": partial(peers.nonmetric, sample, start),
                },
                effort,
            )
            rows.append(_row(sample, start, times, reached))
            if (n_objects, start) == (LARGEST, CLASSICAL):
                figures[NONMETRIC] = times["there"].seconds / times["here"].seconds
    about = NONMETRIC_ABOUT.format(patience=effort.patience)
    title = "The same Stress-1 as scikit-learn's nonmetric MDS"
    return Section(title, about, (Table(NONMETRIC_HEADS, tuple(rows)),), figures)


def _ordinal(sample: Sample, **options: object) -> Outcome:
    return ours.metric(sample, n_components=2, scale="ordinal", **options)


def _passes_to(stress: float, sample: Sample, start: str, patience: float) -> tuple[int, bool]:
    """The fewest passes with which scikit-learn gets there, and whether it does in time."""

    def reached(passes: int) -> tuple[bool, float]:
        began = time.perf_counter()
        points, _ = peers.nonmetric(sample, start, passes, 0.0)
        seconds = time.perf_counter() - began
        return ours.ordinal_stress(sample, points) <= stress, seconds

    short, far = 0, FIRST_TRY
    there, seconds = reached(far)
    while not there and 2 * seconds <= patience:
        short, far = far, 2 * far
        there, seconds = reached(far)
    while there and far - short > 1:
        middle = (short + far) // 2
        short, far = (short, middle) if reached(middle)[0] else (middle, far)
    return far, there


def _row(sample: Sample, start: str, times: dict[str, Timing], reached: bool) -> tuple[str, ...]:
    here, there, early = times["here"], times["there"], times["its defaults"]
    root = here.result.stress**0.5
    early_root = ours.ordinal_stress(sample, early.result[0]) ** 0.5
    return (
        str(sample.n_objects),
        STARTS[start],
        ("" if reached else "> ") + duration(there.seconds),
        str(there.result[1]),
        duration(here.seconds),
        str(here.result.passes),
        f"{root:.6f}",
        ratio(there.seconds / here.seconds, not reached),
        duration(early.seconds),
        excess(early_root, root),
        ratio(early.seconds / here.seconds),
        duration(times["default"].seconds),
    )
