"""What the process of the pictures does: without Streamlit, which would take 50 MB of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np
from scipy.spatial.distance import pdist

from cml_core import Dissimilarities, FeatureTable, Fit
from cml_core.peers import (
    Quality,
    View,
    beforehand,
    conditioned,
    drawn_by_lot,
    quality,
    view,
)
from cml_core.peers.conditioned import left_for_views
from cml_core.values.arrays import FloatArray, RealArray, row_of


class Wanted(NamedTuple):
    """One picture.

    Parameters
    ----------
    method : one of `METHODS`.
    hidden : of the hidden distances in so many dimensions, or in those that are `CHOSEN`; None for
        one of the data as given.
    settings : of the method, by name.
    lot : of so many objects that are drawn by lot; 0 of all.
    """

    method: str
    hidden: int | None = None
    seed: int = 0
    settings: tuple[tuple[str, Any], ...] = ()
    lot: int = 0


class HiddenPlaces(NamedTuple):
    """Where objects are in the hidden dimensions; of many, their distances are a large table."""

    labels: tuple[str, ...]
    places: FloatArray

    def distances(self) -> Dissimilarities:
        """Between all of them."""
        return Dissimilarities.from_condensed(pdist(self.places), self.labels, copy=False)


def hidden_places(fit: Fit, n_components: int, **_: object) -> HiddenPlaces:
    """Of the same question with so many hidden dimensions."""
    found = conditioned(fit, n_components)
    return HiddenPlaces(found.labels, found.fit.embedding)


def drawn(
    given: Dissimilarities | HiddenPlaces,
    wanted: Wanted,
    *,
    on_step: Callable[[Any], bool],
    **_: object,
) -> View:
    """A picture of dissimilarities, or of the hidden distances."""
    data = given.distances() if isinstance(given, HiddenPlaces) else given
    if wanted.lot:
        data = data.subset(drawn_by_lot(data.labels, wanted.lot, wanted.seed))
    return view(data, wanted.method, seed=wanted.seed, on_step=on_step, **dict(wanted.settings))


def judged(
    seen: View,
    target: Dissimilarities | Fit,
    features: FeatureTable,
    known: tuple[str, ...],
    **_: object,
) -> Quality:
    """How far a picture of these data may be believed, or one of what this fit leaves of them."""
    wanted = left_for_views(target) if isinstance(target, Fit) else target.condensed
    if seen.labels != target.labels:
        wanted = _among(wanted, target.labels, seen.labels)
    return quality(seen, wanted, features, known)


def _among(condensed: RealArray, labels: tuple[str, ...], chosen: tuple[str, ...]) -> RealArray:
    """The pairs of the chosen objects, condensed."""
    at = np.flatnonzero(np.isin(labels, chosen))
    rows = [row_of(condensed, int(i), len(labels))[at[k + 1 :]] for k, i in enumerate(at)]
    return cast("RealArray", np.concatenate(rows))


def warmed_up(**_: object) -> None:
    """Load and compile what pictures need."""
    for stage in beforehand.STAGES:
        stage.run()
