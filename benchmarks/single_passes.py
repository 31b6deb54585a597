"""Where a peer is too slow to be run to the end: what one pass costs."""

from __future__ import annotations

from functools import partial

from benchmarks import ours, peers
from benchmarks.data import simulate
from benchmarks.peers import RANDOM
from benchmarks.report import Section, Table, duration, ratio
from benchmarks.timing import Effort, interleaved, seconds_per_pass

ABOUT = """\
Where scikit-learn would take minutes to hours, single passes of the metric problem are \
compared: the difference between runs of many and of few passes, the fastest of each. \
A pass costs the same whatever the data, the start or the stress. *Outside the passes* is the \
rest of a whole fit: reading, checking, starting (scikit-learn's random start is free; its \
classical start would need all eigenvectors). Both need about as many passes as at N = 2000."""

HEADS = (
    "N",
    "scikit-learn, per pass",
    "this, per pass",
    "faster (per pass)",
    "scikit-learn, outside the passes",
    "this, outside the passes",
    "faster (outside)",
)
OURS, THEIRS = (2, 12), (1, 11)


def single_passes(effort: Effort) -> Section:
    """One row for every large size."""
    rows = [_row(n_objects, effort) for n_objects in effort.pass_sizes]
    return Section("One pass against scikit-learn", ABOUT, (Table(HEADS, tuple(rows)),))


def _row(n_objects: int, effort: Effort) -> tuple[str, ...]:
    sample = simulate("uniform", n_objects)
    _ = sample.square
    times = interleaved(
        {
            "few": partial(ours.metric, sample, n_init=1, max_iter=OURS[0]),
            "their few": partial(peers.scikit_learn, sample, RANDOM, THEIRS[0], 0.0),
            "many": partial(ours.metric, sample, n_init=1, max_iter=OURS[1]),
            "their many": partial(peers.scikit_learn, sample, RANDOM, THEIRS[1], 0.0),
        },
        effort,
        repeats=3,
    )
    here = seconds_per_pass(times["few"], times["many"], OURS[1] - OURS[0])
    there = seconds_per_pass(times["their few"], times["their many"], THEIRS[1] - THEIRS[0])
    rest = times["few"].least - OURS[0] * here
    their_rest = times["their few"].least - THEIRS[0] * there
    return (
        str(n_objects),
        duration(there),
        duration(here),
        ratio(there / here),
        duration(their_rest),
        duration(rest),
        ratio(their_rest / rest),
    )
