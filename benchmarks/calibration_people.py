"""How often an outline holds a true place, by how data were made: of people and of pairs."""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.calibration_data import repeated
from benchmarks.calibration_ellipses import REFITS, held
from benchmarks.calibration_kinds import ABOUT as ABOUT_KINDS
from benchmarks.calibration_kinds import Made
from benchmarks.report import Table
from cml_core import fit
from cml_core.evidence.stability import stability
from cml_core.fitting.geometry import procrustes
from cml_core.values.origin import Origin

ABOUT = f"""\
{ABOUT_KINDS} Two features are hidden, 20 objects. The share of objects whose true hidden place, \
turned, shifted and stretched onto the map, lies within the outline for 95 %, with its standard \
error over data sets; {REFITS} refits, of people or of pairs drawn anew. *Drawn* is the share of \
data sets whose outlines are shown; for the others it is said why not."""
HEADS = ("data", "scale", "people", "pairs", "drawn")
# Kind of data, its origin, and scales on which outlines may be asked for.
CELLS = (
    ("ratings of 16 people", "ratings", ("ordinal", "interval")),
    ("ratings of 30 people", "ratings", ("ordinal",)),
    ("16 people who rate otherwise", "ratings", ("ordinal", "interval")),
    ("30 people who rate otherwise", "ratings", ("ordinal",)),
    ("sortings of 30 people", "sorting", ("ordinal", "interval")),
    ("distances", "pairs", ("ratio", "ordinal")),
    ("clusters", "pairs", ("ratio", "ordinal")),
    ("squares", "pairs", ("ratio", "power", "ordinal")),
    ("square roots", "pairs", ("ratio", "power")),
    ("saturating", "pairs", ("ratio", "spline", "ordinal")),
    ("one rating from 1 to 7", "ratings", ("ratio", "ordinal")),
    ("ratings of 8 people", "ratings", ("ratio",)),
    ("correlations", "correlations", ("ratio", "ordinal")),
    ("confusions", "confusions", ("power", "ordinal")),
    ("confusions by squares", "confusions", ("power", "ordinal")),
    ("taken for the same", "confusions", ("power", "ordinal")),
    ("confusions of 16 people", "confusions", ("power", "ordinal")),
    ("objects with a bias", "pairs", ("ratio", "ordinal")),
    ("city-block", "pairs", ("ratio",)),
)
NO_PEOPLE = "–"


def people_calibration(data_sets: int) -> list[Table]:
    """A row for each kind of data and scale."""
    rows = []
    for kind, origin, scales in CELLS:
        for scale in scales:
            made = Made(kind, scale, hidden=2)
            rows.append((kind, scale, *_row(made, Origin(origin), data_sets)))
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    return [Table(HEADS, tuple(rows))]


def _row(made: Made, origin: Origin, data_sets: int) -> tuple[str, str, str]:
    found = repeated(_held, data_sets, made, origin)
    by_people, by_pairs, drawn = (
        [one[key] for one in found if key in one] for key in ("people", "pairs", "drawn")
    )
    told = _told(by_people) if by_people else NO_PEOPLE
    return told, _told(by_pairs), f"{np.mean(drawn):.2f}"


def _told(held_by_data_set: list[float]) -> str:
    error = np.std(held_by_data_set, ddof=1) / np.sqrt(len(held_by_data_set))
    return f"{np.mean(held_by_data_set):.3f} ± {error:.3f}"


def _held(made: Made, origin: Origin, seed: int) -> dict[str, float]:
    sample = made.simulated(seed)
    found = fit(sample.problem, seed=seed)
    # On any scale but the ratio scale a map has a size of its own.
    turned = procrustes(sample.hidden, found.embedding, scaling=True).points
    shares = {}
    for left_out in ("people", "pairs") if sample.answers else ("pairs",):
        steady = stability(
            found,
            left_out=left_out,
            answers=sample.answers,
            origin=origin,
            refits=REFITS,
            seed=seed,
        )
        shares[left_out] = held(turned, steady.centres, steady.covariances, steady.people)
        shares["drawn"] = float(not steady.why_no_outlines)
    return shares
