"""Against smacof's mds() for R, where it is installed."""

from __future__ import annotations

import subprocess
from functools import partial
from statistics import median

from benchmarks import ours, peers
from benchmarks.data import Sample, plane
from benchmarks.peers import PeerRun
from benchmarks.report import Section, Table, duration, ratio
from benchmarks.timing import Effort, interleaved

TITLE = "Against smacof"
ABSENT = "smacof is not installed (`Rscript -e 'library(smacof)'` fails), so it was left out."
ABOUT = """\
Metric MDS in two dimensions of uniform points in a plane, their distances times 1 + 0.1 z. smacof \
(`mds`) is at its defaults: from classical MDS, at most 1000 passes, until the squared Stress-1 \
falls by less than 1e-6. This package is at its defaults too, so it goes on to convergence, from \
several starts where that is worth its time. smacof's time is that of `mds` alone, without \
starting R or reading data."""
HEADS = (
    "scale",
    "N",
    "smacof",
    "passes",
    "Stress-1",
    "this",
    "passes",
    "Stress-1",
    "faster",
    "smacof's Stress-1 above this",
)
LARGEST = 500
VERSIONS = 'writeLines(c(R.version.string, as.character(packageVersion("smacof"))))'


def against_smacof(effort: Effort) -> Section:
    """Whole fits at defaults, up to the size at which smacof takes a minute."""
    if not peers.is_installed("smacof"):
        return Section(TITLE, ABSENT)
    rows = [_at_defaults(plane(n), effort) for n in effort.sizes if n <= LARGEST]
    return Section(TITLE, ABOUT, (Table(HEADS, tuple(rows)), _versions()))


def _versions() -> Table:
    asked = ["Rscript", "-e", VERSIONS]
    told = subprocess.run(asked, capture_output=True, check=True, text=True).stdout.splitlines()
    return Table(("", ""), tuple(zip(("R", "smacof"), told, strict=True)))


def _at_defaults(sample: Sample, effort: Effort, scale: str = "ratio") -> tuple[str, ...]:
    with peers.handed_over(sample) as folder:
        times = interleaved(
            {
                "here": partial(ours.metric, sample, n_components=2),
                "there": partial(peers.smacof, folder, sample.n_objects, 2, scale),
            },
            effort,
        )
    here, there = times["here"], times["there"]
    peer: PeerRun = there.result
    seconds = median(run.seconds for run in there.results)
    stresses = peer.stress**0.5, here.result.stress**0.5
    return (
        scale,
        str(sample.n_objects),
        duration(seconds),
        str(peer.passes),
        f"{stresses[0]:.6f}",
        duration(here.seconds),
        str(here.result.passes),
        f"{stresses[1]:.6f}",
        ratio(seconds / here.seconds),
        f"{stresses[0] / stresses[1] - 1:+.2%}",
    )
