"""What a feature has in common with known ones, and how visible it is on a map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.errors import DegenerateComparison
from cml_core.fitting.geometry import canonical_correlations
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import varying
from cml_core.values.features import Feature, FeatureTable


@dataclass(frozen=True)
class Likeness:
    """How much a proposed feature resembles a known one.

    `correlation` is Pearson's between two single columns, with its sign, and the largest
    canonical correlation (for one column the multiple correlation) otherwise. It is None where
    nothing can be said: the known feature does not vary over the `n_objects` that have both, or
    they are so few that any values would correlate perfectly.
    """

    feature: str
    correlation: float | None
    n_objects: int


def likeness(feature: Feature, known: FeatureTable) -> tuple[Likeness, ...]:
    """What a proposed feature has in common with each known one, in the order of the table."""
    columns = _columns_of(feature)
    found = []
    for other in known.features:
        mine, theirs = _where_both(columns, other.columns())
        found.append(Likeness(other.name, _correlation(mine, theirs), len(mine)))
    return tuple(found)


def predictability(feature: Feature, embedding: FloatArray) -> float:
    """How visible a feature is on a map: its multiple correlation R with the coordinates.

    For a feature of several columns this is the largest canonical correlation.

    Parameters
    ----------
    embedding : (N, p) hidden coordinates.
    """
    mine, places = _where_both(_columns_of(feature), embedding)
    found = _correlation(mine, places)
    if found is None:
        raise DegenerateComparison(
            f"{feature.name} has {len(mine)} values, too few to compare with this map.",
            remedy="Compare a feature with more values, or a map with spread in fewer dimensions.",
        )
    return abs(found)


def _columns_of(feature: Feature) -> FloatArray:
    """The encoded columns of a feature that can be compared with something."""
    columns = feature.columns()
    if not _spread(columns[~np.isnan(columns).any(axis=1)]).shape[1]:
        raise DegenerateComparison(
            f"{feature.name} is the same for all objects.",
            remedy="Compare a feature that differs between objects.",
        )
    return columns


def _where_both(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    both = ~(np.isnan(a).any(axis=1) | np.isnan(b).any(axis=1))
    return a[both], b[both]


def _correlation(a: FloatArray, b: FloatArray) -> float | None:
    """None where there is no spread, or so little data that the correlation is 1 regardless."""
    spread = _spread(a), _spread(b)
    ranks = [int(np.linalg.matrix_rank(columns)) if columns.size else 0 for columns in spread]
    # With as many columns as objects any feature can be made of any other.
    if min(ranks) == 0 or sum(ranks) > len(a) - 1:
        return None
    if a.shape[1] == b.shape[1] == 1:
        return float(np.corrcoef(a[:, 0], b[:, 0])[0, 1])
    return float(canonical_correlations(a, b)[0])


def _spread(columns: FloatArray) -> FloatArray:
    """Columns that vary, centred and scaled."""
    if not columns.size:
        return np.zeros((len(columns), 0))
    centred = columns - columns.mean(axis=0)
    varies = varying(columns)
    scaled: FloatArray = centred[:, varies] / centred[:, varies].std(axis=0)
    return scaled
