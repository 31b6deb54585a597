"""Time to the same stress: this package against scikit-learn's metric MDS."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks import ours, peers
from benchmarks.data import COLUMNS, SHAPES, Sample, simulate
from benchmarks.ours import SAME, TIGHT, Outcome
from benchmarks.peers import CLASSICAL, RANDOM, PeerRun
from benchmarks.report import (
    FASTER_THAN_SCIKIT_LEARN,
    Section,
    Table,
    Target,
    duration,
    excess,
    ratio,
)
from benchmarks.timing import Effort, Timing, interleaved, seconds_per_pass

ABOUT = f"""\
Both fit the same dissimilarities in {COLUMNS} dimensions. scikit-learn knows no features, so \
*metric* fits what it fits: nothing known, {COLUMNS} hidden dimensions. *conditional* has 4 \
features known and 3 dimensions hidden. All have one start and unit weights (scikit-learn has no \
others). This package stops by itself, at its default tolerance. scikit-learn makes just as many \
passes as it needs to come within 1e-6 of the best stress that either found for the metric \
problem, or to what this package reached, whichever is easier; they were counted beforehand. \
Where it does not get there within {{patience:.0f}} s, or at all, its time and the ratio are lower \
bounds. *Conditional, to 1e-6* likewise makes just the passes that bring it within 1e-6 of its \
best stress, as the target has it. *At its defaults* scikit-learn stops earlier and higher \
(max_iter=300, eps=1e-6).

The second table says where each of them ended, relative to the best: for *metric* and \
scikit-learn the same best, for *conditional* that of three starts driven to {TIGHT:g}."""

TIMES = (
    "data",
    "N",
    "scikit-learn starts",
    "scikit-learn, to the same stress",
    "metric",
    "faster",
    "conditional",
    "faster",
    "conditional, to 1e-6",
    "faster",
    "scikit-learn, at its defaults",
    "conditional is faster",
)
ENDS = (
    "data",
    "N",
    "scikit-learn starts",
    "scikit-learn: passes",
    "above best",
    "metric: passes",
    "above best",
    "conditional: passes",
    "within 1e-6 at pass",
    "above best",
    "scikit-learn, at its defaults: passes",
    "above best",
)
MOST_PASSES = 5000
# The reference has converged where a pass lowers the normalised stress by no more than this.
STALLED = 1e-12
NEAR = "conditional, to 1e-6"
ROUNDING = 1e-7
STARTS = {CLASSICAL: "classical", RANDOM: "random"}


@dataclass(frozen=True)
class _Goal:
    """The best metric stress; the passes scikit-learn needs to it, and whether they lead there."""

    best: float
    passes: dict[str, int]
    reached: dict[str, bool]


@dataclass(frozen=True)
class _Race:
    """What one sample gave."""

    sample: Sample
    goal: _Goal
    best: float
    times: dict[str, Timing]

    def faster(self, than: str, fit: str = "conditional") -> float:
        """How many times faster the conditional fit is."""
        return self.times[than].seconds / self.times[fit].seconds


def same_stress(effort: Effort) -> Section:
    """One row for every size, shape of data and start of scikit-learn."""
    races = [
        _race(simulate(shape, n_objects), effort) for n_objects in effort.sizes for shape in SHAPES
    ]
    both = [(race, start) for race in races for start in STARTS]
    return Section(
        "The same stress as scikit-learn",
        ABOUT.format(patience=effort.patience),
        (
            Table(TIMES, tuple(_time_row(race, start) for race, start in both)),
            Table(ENDS, tuple(_end_row(race, start) for race, start in both)),
        ),
        _figures(races),
    )


def _figures(races: list[_Race]) -> dict[Target, float]:
    """A fit that ended elsewhere than at the best stress has not reached it at any speed."""
    for race in races:
        if (race.sample.n_objects, race.sample.shape) == (2000, "uniform"):
            # What rounding may add where the last step was seen in single precision.
            near = race.times[NEAR].result.stress <= race.best * (1 + SAME) * (1 + ROUNDING)
            return {FASTER_THAN_SCIKIT_LEARN: race.faster(CLASSICAL, NEAR) if near else 0.0}
    return {}


def _race(sample: Sample, effort: Effort) -> _Race:
    goal = _goal(sample, effort)
    best = ours.conditional(sample, tol=TIGHT, n_init=3).stress
    whole = ours.conditional(sample, n_init=1)
    enough = whole.passes_to(best * (1 + SAME)) or whole.passes
    contenders: dict[str, Callable[[], Outcome | PeerRun]] = {
        "metric": partial(ours.metric, sample, n_init=1),
        "conditional": partial(ours.conditional, sample, n_init=1),
        NEAR: partial(ours.conditional, sample, n_init=1, max_iter=enough),
    }
    for start, passes in goal.passes.items():
        contenders[start] = partial(peers.scikit_learn, sample, start, passes, 0.0)
        contenders[_defaults(start)] = partial(peers.scikit_learn, sample, start)
    return _Race(sample, goal, best, interleaved(contenders, effort))


def _goal(sample: Sample, effort: Effort) -> _Goal:
    """Count the passes of scikit-learn from each of its starts."""
    limit = _affordable_passes(sample, effort)
    paths = {
        start: ours.majorised(sample, peers.start_of_scikit_learn(sample, start), limit, STALLED)
        for start in STARTS
    }
    tight = ours.metric(sample, tol=TIGHT, n_init=1).stress
    best = min(tight, *[path.stress for path in paths.values()])
    wanted = max(best * (1 + SAME), ours.metric(sample, n_init=1).stress)
    needed = {start: path.passes_to(wanted) for start, path in paths.items()}
    return _Goal(
        best,
        {start: max(needed[start] or paths[start].passes, 1) for start in STARTS},
        {start: needed[start] is not None for start in STARTS},
    )


def _affordable_passes(sample: Sample, effort: Effort) -> int:
    """As many as scikit-learn makes within our patience."""
    few, many = 2, 6
    runs = {
        str(passes): partial(peers.scikit_learn, sample, RANDOM, passes, 0.0)
        for passes in (few, many)
    }
    times = interleaved(runs, effort, repeats=3)
    each = seconds_per_pass(times[str(few)], times[str(many)], many - few)
    affordable = MOST_PASSES if math.isnan(each) else int(effort.patience / each)
    return max(min(affordable, MOST_PASSES), 10)


def _defaults(start: str) -> str:
    return f"{start} at its defaults"


def _time_row(race: _Race, start: str) -> tuple[str, ...]:
    times, short = race.times, not race.goal.reached[start]
    peer = times[start].seconds
    return (
        *_names(race, start),
        ("> " if short else "") + duration(peer),
        duration(times["metric"].seconds),
        ratio(peer / times["metric"].seconds, short),
        duration(times["conditional"].seconds),
        ratio(race.faster(start), short),
        duration(times[NEAR].seconds),
        ratio(race.faster(start, NEAR), short),
        duration(times[_defaults(start)].seconds),
        ratio(race.faster(_defaults(start))),
    )


def _end_row(race: _Race, start: str) -> tuple[str, ...]:
    metric: Outcome = race.times["metric"].result
    conditional: Outcome = race.times["conditional"].result
    peer: PeerRun = race.times[start].result
    defaults: PeerRun = race.times[_defaults(start)].result
    near = conditional.passes_to(race.best * (1 + SAME))
    return (
        *_names(race, start),
        str(peer.passes),
        excess(peer.stress, race.goal.best),
        str(metric.passes),
        excess(metric.stress, race.goal.best),
        str(conditional.passes),
        "never" if near is None else str(near),
        excess(conditional.stress, race.best),
        str(defaults.passes),
        excess(defaults.stress, race.goal.best),
    )


def _names(race: _Race, start: str) -> tuple[str, str, str]:
    return race.sample.shape, str(race.sample.n_objects), STARTS[start]
