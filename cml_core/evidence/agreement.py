"""How far people agree, and who is unlike the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cml_core.files.agreement import row_correlations
from cml_core.values.answers import Answers
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, Value, frozen

# So many robust standard deviations below the median, somebody is called unlike the others.
UNLIKE = 3.0
# The standard deviation of a normal distribution, in median absolute deviations.
ROBUST = 1.4826
# Fewer answers have no correlation worth the name.
FEWEST_COMMON = 4
# Beyond, Fisher's z tells differences that nobody would.
MOST_ALIKE = 0.999


@dataclass(frozen=True, eq=False)
class Agreement(Value):
    """Correlations of what people said of the same pairs.

    Parameters
    ----------
    between : of two people, on average over all twos; NaN where none can be said.
    with_others : (K,) of each person's answers with the mean of all others'.
    common : (K,) over how many pairs that is.
    """

    between: float
    with_others: FloatArray
    common: IntArray


def agreement_of(answers: Answers, people: IntArray) -> Agreement:
    """How far these people agree, of all whose answers there are."""
    between = row_correlations(np.array(answers.values[people]))
    twos = between[np.triu_indices(people.size, 1)]
    told = twos[~np.isnan(twos)]
    pairs = [_with_others(answers, people, k) for k in range(people.size)]
    return Agreement(
        between=float(told.mean()) if told.size else np.nan,
        with_others=frozen(np.array([correlation for correlation, _ in pairs])),
        common=frozen(np.array([common for _, common in pairs], np.int64)),
    )


def unlike_others(with_others: FloatArray, common: IntArray) -> BoolArray:
    """(K,) who agrees with the others far less than most do.

    On Fisher's z, three robust standard deviations below the median; these are 1.4826 median
    absolute deviations, but no less than chance alone would spread so many answers.
    """
    z = np.arctanh(np.clip(with_others, -MOST_ALIKE, MOST_ALIKE))
    told = ~np.isnan(z)
    if not told.any():
        return np.zeros(z.size, bool)
    middle = np.median(z[told])
    spread = ROBUST * np.median(np.abs(z[told] - middle))
    by_chance = 1.0 / np.sqrt(np.maximum(common - 3.0, 1.0))
    found: BoolArray = told & (z < middle - UNLIKE * np.maximum(spread, by_chance))
    return found


def _with_others(answers: Answers, people: IntArray, k: int) -> tuple[float, int]:
    own, others = answers.values[people[k]], answers.mean_of(np.delete(people, k))
    both = ~(np.isnan(own) | np.isnan(others))
    if both.sum() < FEWEST_COMMON:
        return np.nan, int(both.sum())
    return float(row_correlations(np.array([own[both], others[both]]))[0, 1]), int(both.sum())
