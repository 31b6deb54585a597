"""Whether a map predicts a feature better than chance: the same values dealt out to the objects.

Objects that lie together may share what has nothing to do with the map. So whole groups of them
are dealt out, and each group is predicted from the others alone. Any such dealing is as likely as
any other where a feature has nothing to do with the map, whoever shares it inside the groups; so
groups that are no such cost power, and raise no alarms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lgamma

import numpy as np

from cml_core.evidence.prediction import Smoother, centred, is_testable
from cml_core.evidence.together import Gathered, apart
from cml_core.values.arrays import FloatArray, IntArray, Value

# Shares that are equal may differ by rounding, and by what the penalty of planes makes.
SAME_SHARE = 1e-6
SMALLEST = float(np.finfo(float).tiny)
# Families of one to four have fewer ways to change places with families of their size in every
# third map of 26 objects, too few to tell one in twenty.
ENOUGH_WAYS = 100
# Numbers held at once while a feature is dealt out.
BLOCK = 2_000_000


@dataclass(frozen=True, eq=False)
class _GroupOut(Value):
    """A smoother that predicts each group of objects from the others.

    `inverses` has, for the groups of each size, what turns their errors into those that they
    have when they are left out.
    """

    smoother: Smoother
    members: tuple[IntArray, ...]
    inverses: tuple[FloatArray, ...]

    def squared_errors(self, columns: FloatArray) -> FloatArray:
        """(m,) sums of squared errors of centred columns (n, m)."""
        errors = self.smoother.errors(columns)
        total = np.zeros(columns.shape[1])
        for members, inverses in zip(self.members, self.inverses, strict=True):
            left_out = inverses @ errors[members]
            total += np.einsum("gij,gij->j", left_out, left_out)
        return total


def p_value(
    fitted: Sequence[Smoother],
    columns: FloatArray,
    permutations: int,
    seed: int,
    *,
    over_known: FloatArray | None = None,
    gathered: Gathered | None = None,
) -> float:
    """How often the same values, dealt out at random, are predicted as well.

    The best share over all smoothers is compared, and it is chosen anew in every dealing. So a
    feature that has nothing to do with the map gets at most 5 % in at most 5 % of all cases,
    whatever its distribution.

    What is known is taken out of the feature first, and out of every dealing of the rest: a map
    is never quite free of what is known, and a feature that hangs together with that would seem
    to be on the map. The test is then nearly, not strictly, exact (Kennedy 1995).

    Parameters
    ----------
    fitted, columns : as for `prediction`; 1 where nothing can be predicted.
    over_known : (n, k) orthonormal and centred, what is known of the same objects.
    gathered : who lies together; by default each object is by itself.
    """
    if not fitted or not is_testable(columns):
        return 1.0
    gathered = apart(len(columns)) if gathered is None else gathered
    judges = [_group_out(smoother, by_size(gathered.groups)) for smoother in fitted]
    values = left_by(over_known, centred(columns))
    observed = _best_shares(judges, values[:, None, :])[0]
    as_well = 0
    for dealt in _dealings(values, gathered, permutations, np.random.default_rng(seed)):
        n, m, k = dealt.shape
        left = left_by(over_known, dealt.reshape(n, m * k)).reshape(n, m, k)
        as_well += int((_best_shares(judges, left) >= observed - SAME_SHARE).sum())
    return (1 + as_well) / (1 + permutations)


def left_by(over_known: FloatArray | None, values: FloatArray) -> FloatArray:
    """What orthonormal columns leave of centred ones; all where there are none."""
    if over_known is None:
        return values
    left: FloatArray = values - over_known @ (over_known.T @ values)
    return left


def by_size(groups: IntArray) -> tuple[IntArray, ...]:
    """For each size of groups, the objects of each group of that size, a row a group."""
    order = np.argsort(groups, kind="stable")
    _, begins, counts = np.unique(groups[order], return_index=True, return_counts=True)
    return tuple(
        order[begins[counts == size][:, None] + np.arange(size)] for size in np.unique(counts)
    )


def orders(gathered: Gathered, count: int, random: np.random.Generator) -> IntArray:
    """(count, n) whose values each object gets, those of a group either end first.

    Groups change places with groups of their size, where there are enough ways to do that.
    Where there are not, they come into a random order, and their values are laid out along the
    row in which objects stand that lie together: so most neighbours stay neighbours.
    """
    row = gathered.order
    _, group = np.unique(gathered.groups[row], return_inverse=True)
    sizes = np.bincount(group)
    drawn = random.random((count, 2, sizes.size))
    turn, end = np.argsort(np.argsort(drawn[:, 0], axis=1), axis=1), drawn[:, 1] < 0.5
    place = np.arange(row.size) * np.where(end, -1, 1)[:, group]
    # What stands first in turn, and inside a group what stands first in the row, goes first.
    given = row[np.argsort(2 * row.size * turn[:, group] + place, axis=1)]
    found = np.empty((count, row.size), dtype=np.int64)
    if _ways(sizes) < ENOUGH_WAYS:
        found[:, row] = given
        return found
    of_object = np.empty(row.size, dtype=np.int64)
    of_object[row] = sizes[group]
    for size in np.unique(sizes):
        receiving = row[of_object[row] == size]
        found[:, receiving] = given[of_object[given] == size].reshape(count, receiving.size)
    return found


def _ways(sizes: IntArray) -> float:
    """In how many ways groups can change places with groups of their size."""
    alike = np.unique(sizes, return_counts=True)[1]
    return float(np.exp(min(sum(lgamma(count + 1) for count in alike), 700.0)))


def _group_out(smoother: Smoother, members: Sequence[IntArray]) -> _GroupOut:
    n = len(smoother.left)
    inverses: list[FloatArray] = []
    for rows in members:
        left = smoother.left[rows]
        # The pull of a group on its own prediction, a block of the hat matrix H: errors e become
        # (I - H)^-1 e with the group left out, as for a single object.
        pull = 1.0 / n + (left * smoother.gains) @ left.transpose(0, 2, 1)
        inverses.append(np.asarray(np.linalg.inv(np.eye(rows.shape[1]) - pull), dtype=np.float64))
    return _GroupOut(smoother, tuple(members), tuple(inverses))


def _best_shares(judges: Sequence[_GroupOut], dealt: FloatArray) -> FloatArray:
    """(m,) the best share predicted of each dealing in (n, m, k), its k columns together."""
    n, m, k = dealt.shape
    columns = dealt.reshape(n, m * k)
    errors = [judge.squared_errors(columns).reshape(m, k).sum(axis=1) for judge in judges]
    # Nothing may be left of a dealing.
    of_the_mean = np.maximum(np.einsum("imk,imk->m", dealt, dealt), SMALLEST)
    shares: FloatArray = 1.0 - np.min(errors, axis=0) / of_the_mean
    return shares


def _dealings(
    values: FloatArray,
    gathered: Gathered,
    permutations: int,
    random: np.random.Generator,
) -> Iterator[FloatArray]:
    """The columns with their rows dealt out, (n, m, k) at a time."""
    n, k = values.shape
    at_once = max(BLOCK // (n * k), 1)
    for done in range(0, permutations, at_once):
        yield values[orders(gathered, min(at_once, permutations - done), random).T]
