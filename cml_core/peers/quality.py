"""quality(view, target) -> Quality: what of a picture may be believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.errors import LabelMismatch, LengthMismatch, listing
from cml_core.evidence.neighbours import kept_neighbours
from cml_core.peers.far import rank_correlation
from cml_core.peers.shown import ShownFeature, shown_features
from cml_core.peers.view import View
from cml_core.values.arrays import FloatArray, RealArray, Value
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import FeatureTable
from cml_core.values.words import enumerated

NEIGHBOURS = 10
# Neighbours are at most this part of the objects.
LARGEST_PART = 3
# Rank correlations of distances from which they follow the data, and below which they do not.
FAR_FAITHFUL, FAR_DOUBTFUL = 0.8, 0.5


@dataclass(frozen=True, eq=False, repr=False)
class Quality(Value):
    """How far a picture may be believed.

    Parameters
    ----------
    title : of the method.
    n_neighbors : in neighbourhoods of this size objects were compared.
    trustworthiness : 1 where all that lie near each other are alike; a map at random has .5.
    continuity : 1 where all that are alike lie near each other.
    far : rank correlation of distances on the picture and what they stand for, over all pairs.
    features : how well each is told by the neighbours on the picture.
    seed : repeats the dealings of values that the bands of chance are made of.
    """

    title: str
    n_neighbors: int
    trustworthiness: float
    continuity: float
    far: float
    features: tuple[ShownFeature, ...]
    seed: int

    @property
    def shown(self) -> tuple[ShownFeature, ...]:
        """Features beyond chance, best first."""
        beyond = [feature for feature in self.features if feature.beyond_chance]
        return tuple(sorted(beyond, key=lambda feature: -feature.share))

    @property
    def verdict(self) -> str:
        """What it shows, what it should not show, and whether its distances mean something."""
        new = [feature for feature in self.shown if not feature.known]
        old = [feature for feature in self.shown if feature.known]
        told = enumerated([feature.name for feature in new]) if new else "no feature"
        best = f" ({new[0].share:.2f} by neighbours)" if new else " beyond chance"
        known = ""
        if old:
            verb = "is" if len(old) == 1 else "are"
            known = f", and still shows {enumerated([f.name for f in old])}, which {verb} known"
        elif any(feature.known for feature in self.features):
            known = ", and is free of what is known"
        if self.far >= FAR_FAITHFUL:
            far = "distances between groups follow the data here"
        elif self.far >= FAR_DOUBTFUL:
            far = "distances between groups mean something"
        else:
            far = "distances between groups mean little"
        return f"{self.title} shows {told}{best}{known}; its {far} ({self.far:.2f})."

    def __repr__(self) -> str:
        return f"Quality({self.verdict})"


def quality(
    view: View,
    target: Any,
    features: FeatureTable | None = None,
    known: tuple[str, ...] = (),
    *,
    seed: int = 0,
) -> Quality:
    """Judge a picture by neighbours, by far distances, and by the features it shows.

    The quality of a picture that was chosen because of its quality is optimistic.

    Parameters
    ----------
    target : what the picture stands for, as `view` takes dissimilarities, or condensed: the
        dissimilarities of a plain view, `Conditioned.left` of a conditioned one.
    features : whatever is known of the objects, also what no fit was told.
    known : the names of the features that were taken out, which should not be shown.
    """
    wanted = _target(target, view)
    # Divided by the largest first, for squares of large numbers overflow, and of small ones vanish.
    places = view.places / (float(np.abs(view.places).max()) or 1.0)
    size = min(NEIGHBOURS, max(len(view.labels) // LARGEST_PART, 1))
    near = _near(wanted, places, size)
    table = FeatureTable(view.labels) if features is None else features.for_objects(view.labels)
    _check_known(known, table)
    return Quality(
        title=view.title,
        n_neighbors=size,
        trustworthiness=float(near[0][0]),
        continuity=float(near[1][0]),
        far=_far(wanted, places),
        features=shown_features(places, table, frozenset(known), seed),
        seed=seed,
    )


def _near(wanted: RealArray, places: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """Trustworthiness and continuity."""
    # Tables of many objects are large: each is made where it is needed, and there alone.
    left, shown = _shares_of_largest(wanted), _shares_of_largest(pdist(places))
    for values in (left, shown):
        np.square(values, out=values)
    return kept_neighbours(left, shown, len(places), (size,))


def _far(wanted: RealArray, places: FloatArray) -> float:
    seen = ~np.isnan(wanted)
    tables = (_shares_of_largest(values) for values in (wanted, pdist(places)))
    return rank_correlation(*(values if seen.all() else values[seen] for values in tables))


def _shares_of_largest(values: RealArray) -> FloatArray:
    shares: FloatArray = np.divide(values, float(np.fmax.reduce(values)) or 1.0, dtype=np.float64)
    return shares


def _target(target: Any, view: View) -> RealArray:
    """Condensed; NaN where it is not known."""
    data = target
    if not isinstance(target, np.ndarray) or target.ndim != 1:
        data = Dissimilarities.of(target)
        if isinstance(target, Dissimilarities) and data.labels != view.labels:
            raise LabelMismatch(
                "The view and its target name other objects, or in another order.",
                remedy="Judge a view by the dissimilarities that it was made of.",
            )
        data = data.condensed
    pairs = len(view.labels) * (len(view.labels) - 1) // 2
    if data.size != pairs:
        raise LengthMismatch(
            f"The view has {len(view.labels)} objects, with {pairs:,} pairs; the target has "
            f"{data.size:,} pairs.",
            remedy="Judge a view by the dissimilarities that it was made of.",
        )
    condensed: RealArray = data
    return condensed


def _check_known(known: tuple[str, ...], table: FeatureTable) -> None:
    strangers = [name for name in known if name not in table.names]
    if strangers:
        raise LabelMismatch(
            f"Known are {listing(strangers)}, of which the features do not tell.",
            remedy="Give the known features among the features.",
        )
