"""Against cml, the paper author's package for R, where it is installed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import ours, peers
from benchmarks.data import SHAPES, Sample, simulate
from benchmarks.machine import memory_size
from benchmarks.ours import SAME, TIGHT, Outcome
from benchmarks.peers import PeerRun
from benchmarks.report import FASTER_THAN_CML, Section, Table, Target, duration, ratio
from benchmarks.timing import Effort, interleaved

TITLE = "Against cml"
ABSENT = "cml is not installed (`Rscript -e 'library(cml)'` fails), so it was left out."
ABOUT = """\
The same conditional problem (4 features known, 3 dimensions hidden). cml is at its defaults: one \
random start, stopped where a pass lowers the normalised stress by less than 1e-5. This package \
is at its defaults too, so it goes on to convergence, from several starts where that is worth its \
time (up to N = 500 here); *one start* is the time of one, and *to 1e-6* that of just the passes \
that bring it within 1e-6 of its best stress, as the target has it. cml's time is that of condMDS \
alone, without starting R or reading data. R has the linear algebra named below, in one thread \
unless that is OpenBLAS. Where N is large only passes are compared, *(per pass)*: cml's time for \
six passes less that for two, against a whole fit here divided by its passes."""
HEADS = (
    "data",
    "weights",
    "N",
    "cml",
    "passes",
    "stress",
    "this",
    "passes",
    "stress",
    "faster",
    "cml's stress above this",
    "one start",
    "faster",
    "to 1e-6",
    "faster",
)
NEAR = "to 1e-6"
WEIGHTS = {"unit": None, "sammon": "sammon"}
FEW, MANY = 2, 6
# R's peak in cml, while its garbage waits: 133 at N = 5000, over 190 at N = 10000.
BYTES_PER_PAIR = 300
VERSIONS = """\
algebra <- toString(basename(c(extSoftVersion()["BLAS"], La_library())))
writeLines(c(R.version.string, as.character(packageVersion("cml")), algebra))
"""


def against_cml(effort: Effort) -> Section:
    """Whole fits at defaults up to the size where that takes minutes, single passes beyond."""
    if not peers.is_installed("cml"):
        return Section(TITLE, ABSENT)
    rows: list[tuple[str, ...]] = []
    figures: dict[Target, float] = {}
    for n_objects in effort.sizes:
        for shape in SHAPES:
            sample = simulate(shape, n_objects)
            with peers.handed_over(sample) as folder:
                for weights in WEIGHTS:
                    row, faster = _at_defaults(sample, folder, weights, effort)
                    rows.append(row)
                    if (n_objects, shape, weights) == (2000, "uniform", "unit"):
                        figures[FASTER_THAN_CML] = faster
    fitting = [n for n in effort.pass_sizes if BYTES_PER_PAIR * n**2 < memory_size()]
    rows += [_per_pass(simulate("uniform", n_objects), effort) for n_objects in fitting]
    return Section(TITLE, ABOUT, (Table(HEADS, tuple(rows)), _versions()), figures)


def _versions() -> Table:
    asked = ["Rscript", "-e", VERSIONS]
    told = subprocess.run(asked, capture_output=True, check=True, text=True).stdout.splitlines()
    rows = zip(("R", "cml", "linear algebra of R"), told, strict=True)
    return Table(("", ""), tuple(rows))


def _at_defaults(
    sample: Sample, folder: Path, weights: str, effort: Effort
) -> tuple[tuple[str, ...], float]:
    alone = partial(ours.conditional, sample, WEIGHTS[weights], n_init=1)
    best = ours.conditional(sample, WEIGHTS[weights], tol=TIGHT, n_init=3).stress
    whole = alone()
    enough = whole.passes_to(best * (1 + SAME)) or whole.passes
    contenders: dict[str, Callable[[], Outcome | PeerRun]] = {
        "ours": partial(ours.conditional, sample, WEIGHTS[weights]),
        "one start": alone,
        NEAR: partial(alone, max_iter=enough),
        "cml": partial(peers.cml, folder, sample.n_objects, weights),
    }
    times = interleaved(contenders, effort)
    here, once, near, there = (times[name] for name in ("ours", "one start", NEAR, "cml"))
    peer: PeerRun = there.result
    seconds = median(run.seconds for run in there.results)
    row = (
        sample.shape,
        weights,
        str(sample.n_objects),
        duration(seconds),
        str(peer.passes),
        f"{peer.stress:.6f}",
        duration(here.seconds),
        str(here.result.passes),
        f"{here.result.stress:.6f}",
        ratio(seconds / here.seconds),
        f"{100 * (peer.stress / here.result.stress - 1):+.2f} %",
        duration(once.seconds),
        ratio(seconds / once.seconds),
        duration(near.seconds),
        ratio(seconds / near.seconds),
    )
    return row, seconds / near.seconds


def _per_pass(sample: Sample, effort: Effort) -> tuple[str, ...]:
    with peers.handed_over(sample) as folder:
        times = interleaved(
            {
                "few": partial(peers.cml, folder, sample.n_objects, "unit", FEW),
                "ours": partial(ours.conditional, sample),
                "many": partial(peers.cml, folder, sample.n_objects, "unit", MANY),
            },
            effort,
            repeats=1,
        )
    there = (times["many"].result.seconds - times["few"].result.seconds) / (MANY - FEW)
    here = times["ours"].seconds / times["ours"].result.passes
    shown = ("uniform", "unit", str(sample.n_objects), f"{duration(there)} (per pass)", "", "")
    compared = (f"{duration(here)} (per pass)", "", "", f"{ratio(there / here)} (per pass)")
    return (*shown, *compared, *[""] * 5)
