"""What is left unexplained once a feature is added, and what chance would have left.

One more feature always lowers what is unexplained, for it gives the fit more to turn: the more,
the fewer objects there are. So beside the lower share stands what the same values would have
left, dealt out to the objects at random. What was read off a map lowers it more, for it is a
direction in which the objects differ whatever it means; so beside it stands what an arrow drawn
in no particular direction would have left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.linalg import block_diag

from cml_core.evidence.dealing import orders
from cml_core.evidence.refits import as_fitted, few_starts, refit
from cml_core.evidence.together import Gathered, together
from cml_core.evidence.work import OnStage, each
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.values.arrays import FloatArray, Value
from cml_core.values.features import Feature
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent

# How far a feature reaches in a start, as a share of the dissimilarities.
FAINT = 0.1
# So many refits, twice, take 0.1 s with 60 objects, 0.2 to 0.6 s with 300 and 0.3 to 1 s with 500,
# on one processor. They end within 2 % of what whole fits of such features leave.
REFITS = 7
# From these as well, where objects are so few that they cost nothing.
FRESH = 2
# The page looks up to here: a shuffled feature lowers what more objects leave by no 1 % of it.
MOST_OBJECTS = 300


@dataclass(frozen=True)
class Lowered(Value):
    """How much less is unexplained with one more feature.

    Parameters
    ----------
    feature : the one that was added.
    before, after : the share unexplained without it and with it.
    dealt_out : with its values dealt out to the objects at random, on average.
    other_arrow : with an arrow in a random direction of the map in its place, on average; None
        where it was not read off a map.
    """

    feature: str
    before: float
    after: float
    dealt_out: float
    other_arrow: float | None

    @property
    def verdict(self) -> str:
        """What chance would have left, in words."""
        if self.other_arrow is None:
            return f"A shuffled {self.feature} would have left {percent(self.dealt_out)}."
        return (
            "Whatever is read off a map lowers this: an arrow in no particular direction would "
            f"have left {percent(self.other_arrow)}, a shuffled {self.feature} "
            f"{percent(self.dealt_out)}."
        )


def added_feature(before: Problem, after: Problem) -> Feature | None:
    """The one feature by which a question goes beyond another; None where more differs."""
    new = [name for name in after.known.names if name not in before.known]
    if len(new) != 1:
        return None
    # In the same order, which makes no difference to a fit.
    shared = [name for name in before.known.names if name in after.known]
    same = replace(after, known=after.known.select(shared)).fingerprint()
    return after.known[new[0]] if same == before.fingerprint() else None


def left_by_chance(
    before: Fit,
    after: Fit,
    *,
    refits: int = REFITS,
    seed: int = 0,
    on_step: OnStage | None = None,
) -> Lowered | None:
    """What is unexplained with one more feature, and would be with one that says nothing.

    Parameters
    ----------
    before, after : fits without and with it; None is given back where they differ in more.
    refits : of so many features that say nothing the mean is taken.
    on_step : called after each refit; a true answer cancels.

    Raises
    ------
    Cancelled : `on_step` asked for it.
    """
    refits = whole_number("refits", refits, least=1)
    random = np.random.default_rng(whole_number("seed", seed))
    feature = added_feature(before.problem, after.problem)
    if feature is None:
        return None
    gathered = together(before.embedding, before.known_values @ before.coef)
    shuffled = _dealt_out(feature, gathered, refits, random)
    read_off = feature.read_off_map and before.problem.n_components > 0
    # Arrows are drawn by one chance, and all is done before a cluster would answer.
    refitted = partial(each, doing="fitting with what says nothing", workers=1, on_step=on_step)
    arrows = refitted(partial(_left_by_arrow, before), [random] * refits) if read_off else []
    left = refitted(partial(_left_shuffled, before), list(shuffled))
    return Lowered(
        feature.name,
        before.stress,
        after.stress,
        float(np.mean(left)),
        float(np.mean(arrows)) if read_off else None,
    )


def _dealt_out(
    feature: Feature, gathered: Gathered, count: int, random: np.random.Generator
) -> Iterator[Feature]:
    """The feature with its values at other objects, those that lie together dealt out together."""
    rows = ~feature.missing
    for order in orders(gathered.among(rows), count, random):
        values = feature.values.copy()
        values[rows] = values[rows][order]
        yield feature.with_values(values)


def _left_by_arrow(before: Fit, random: np.random.Generator) -> float:
    """What is unexplained where places along a random direction of the map are known as well."""
    places = before.embedding
    direction = random.standard_normal((places.shape[1], 1))
    direction = direction / np.linalg.norm(direction)
    along = places @ direction
    arrow = Feature.numeric("an arrow in no particular direction", along[:, 0])
    # The feature does what the map did in this direction, and the map has a dimension to spare.
    spared = FAINT * along.std() * random.standard_normal(along.shape)
    freed = places + (spared - along) * direction.T
    return _left(before, arrow, freed, np.ones(1))


def _left_shuffled(before: Fit, feature: Feature) -> float:
    """What is unexplained with a feature that the map knows nothing of."""
    size = float(np.sqrt(np.mean(before.distances() ** 2)))
    spread = np.nanstd(feature.columns(), axis=0)
    # It hardly counts as yet, for at zero it never would.
    reach = np.divide(FAINT * size, spread, out=np.zeros_like(spread), where=spread > 0)
    return _left(before, feature, before.embedding, reach)


def _left(before: Fit, feature: Feature, places: FloatArray, reach: FloatArray) -> float:
    """What is unexplained with one more feature, from where the fit without it ended."""
    problem = as_fitted(before.problem).knowing(feature)
    coef = block_diag(before.coef, np.diag(reach)) if before.coef.size else np.diag(reach)
    fresh = min(few_starts(problem), FRESH)
    return refit(problem, (places, coef), fresh=fresh, power=before.power).stress
