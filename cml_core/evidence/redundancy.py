"""A cross-check without a map: what known features explain, as other fields would ask it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist

from cml_core.errors import ConditionalMappingError
from cml_core.evidence import distance_regression as regression
from cml_core.evidence.adjusting import benjamini_hochberg
from cml_core.evidence.dealing import orders
from cml_core.evidence.result import Result
from cml_core.evidence.table import NUMBER, SHARE, Column, Table
from cml_core.evidence.together import in_words, together
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.arrays import BoolArray, FloatArray, IntArray
from cml_core.values.columns import varying
from cml_core.values.features import Feature
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import enumerated, percent

# At the level at which false alarms were counted, see benchmarks/CALIBRATION.md.
SIGNIFICANT = 0.05
# With fewer objects beyond what is known, counted once where they lie together, dealing them out
# says nothing.
FEWEST_LEFT = 5
DIFFERS = (
    "This asks what known features explain of the dissimilarities along straight lines, and not "
    "what is left: as a way to a map, redundancy analysis recovered less of what was hidden in "
    "nearly every simulation."
)


class NotForRegression(ConditionalMappingError):
    """Pairs are missing, all are alike, or nothing is known: no regression says anything."""


@dataclass(frozen=True)
class FeatureShare:
    """What one known feature explains beyond the others.

    Parameters
    ----------
    name : the feature.
    share, pseudo_f : of redundancy analysis: its share of all squared dissimilarities, and that
        as a ratio to what stays unexplained.
    p_value, adjusted : how often residuals dealt out to the objects give as large a ratio, and
        the same after Benjamini and Hochberg; None where no fair test is possible.
    slope : of matrix regression, in standard deviations.
    read_off_map : whether it was read off a map; then it gets no p-value.
    """

    name: str
    share: float
    pseudo_f: float
    p_value: float | None
    adjusted: float | None
    slope: float
    read_off_map: bool


@dataclass(frozen=True, eq=False)
class Redundancy(Result):
    """What the known features explain of the dissimilarities, without a map.

    Parameters
    ----------
    features : in their order.
    explained, adjusted_share : the share of the squared dissimilarities that redundancy analysis
        explains by all together, and the same less what chance explains.
    pairs_explained : the share of the variance of pairs that matrix regression explains.
    permutations, seed : how often objects were dealt out, not at all where too few are left
        beyond what is known; the seed repeats it.
    together : how many objects each group has that was dealt out as a whole; empty where each
        was by itself.
    """

    features: tuple[FeatureShare, ...]
    explained: float
    adjusted_share: float
    pairs_explained: float
    permutations: int
    seed: int
    together: tuple[int, ...]

    heading = "Asked without a map"

    @property
    def verdict(self) -> str:
        share = percent(self.explained)
        return (
            f"Together the known features explain {share} of the squared dissimilarities. "
            f"{self._of_the_features()}"
        )

    def _of_the_features(self) -> str:
        tested = [one for one in self.features if one.adjusted is not None]
        if not tested:
            return "Which of them explains more than chance cannot be tested."
        found = [one.name for one in tested if (one.adjusted or 0.0) <= SIGNIFICANT]
        others = [one.name for one in tested if one.name not in found]
        beyond = "Beyond the others, "
        if not found:
            return f"{beyond}no more than chance is explained by {enumerated(others)}."
        said = f"{beyond}{enumerated(found)} {'explain' if len(found) > 1 else 'explains'} more"
        return f"{said} than chance{f', and not {enumerated(others)}' if others else ''}."

    @property
    def facts(self) -> tuple[str, ...]:
        less = percent(self.adjusted_share)
        pairs = percent(self.pairs_explained)
        shares = (
            f"Less what as many features of chance explain, that is {less}; matrix regression "
            f"explains {pairs} of the variance of dissimilarities."
        )
        return tuple(
            filter(None, (DIFFERS, shares, *self._of_dealings(), "Every pair counts alike."))
        )

    def _of_dealings(self) -> tuple[str, ...]:
        groups = in_words(self.together) if self.together else ""
        if not self.permutations:
            once = f" Those that lie together count once ({groups})." if groups else ""
            return (f"So much is known that too few objects are left to deal out.{once}",)
        dealt = f"{self.permutations} random dealings of the objects."
        together = f"Those that lie together were dealt out together, as {groups}."
        return (dealt, together if groups else "")

    def table(self) -> Table:
        adjusted = [one.adjusted for one in self.features]
        strict = "made stricter because all known features were judged (Benjamini and Hochberg)"
        return Table(
            (
                Column("Feature", [one.name for one in self.features]),
                Column(
                    "Explains",
                    [one.share for one in self.features],
                    SHARE,
                    "Redundancy analysis: the share of the squared dissimilarities that this "
                    "feature explains and no other known feature does.",
                ),
                Column(
                    "Pseudo-F",
                    [one.pseudo_f for one in self.features],
                    NUMBER,
                    "That share for each of its columns, as a ratio to what stays unexplained for "
                    "each object that is left.",
                ),
                Column(
                    "By chance",
                    adjusted,
                    SHARE,
                    "How often residuals of the other features, dealt out to the objects at "
                    f"random, give a ratio as large (the p-value), {strict}.",
                ),
                Column(
                    "Slope",
                    [one.slope for one in self.features],
                    NUMBER,
                    "Matrix regression: how many standard deviations dissimilarities grow where "
                    "objects are one standard deviation farther apart in this feature, and not in "
                    "the others.",
                ),
                Column(
                    "Read off a map",
                    [one.read_off_map for one in self.features],
                    meaning="Read off a map of these dissimilarities: that it explains them is no "
                    "surprise, and it gets no chance.",
                ),
            )
        )


def why_not_asked(problem: Problem) -> str:
    """Why a problem cannot be asked so; empty where it can."""
    if not problem.known.names:
        return "Nothing is known, so there is nothing to explain dissimilarities by."
    if not problem.targets.complete:
        return (
            "Redundancy analysis and matrix regression need the dissimilarity of every pair, and "
            "some are missing here."
        )
    if not varying(problem.targets.condensed[:, None].astype(np.float64)).any():
        return "All dissimilarities are alike, so there is nothing to explain."
    return ""


def redundancy(fit: Fit, *, permutations: int = 999, seed: int = 0) -> Redundancy:
    """Ask of the known features of a fit what other fields would ask of them.

    The map serves to see which objects lie together, and for nothing else; on every scale the
    dissimilarities are asked as they were given, or as geodesics.

    Parameters
    ----------
    permutations : how often objects are dealt out.

    Raises
    ------
    NotForRegression : dissimilarities of some pairs are missing, all are alike, or nothing is
        known.
    """
    permutations = whole_number("permutations", permutations, least=1)
    seed = whole_number("seed", seed)
    why_not = why_not_asked(fit.problem)
    if why_not:
        raise NotForRegression(why_not, remedy="Ask whether known features help (Did it help?).")
    # In the order of their names, so that it does not matter in which order objects came.
    names = np.argsort(np.array(fit.labels))
    values = fit.known_values[names]
    dissimilarities = _in_order(fit, names)
    with capped_linear_algebra(1):
        whole = regression.basis(values)
        needed = whole.shape[1] + FEWEST_LEFT
        gathered = together(fit.embedding[names], values @ fit.coef, needed)
        dealt = orders(gathered, permutations, np.random.default_rng(seed))
        if gathered.n_groups < needed:
            dealt = dealt[:0]
        gram = regression.products(dissimilarities)
        explained = regression.share_explained(gram, whole)
        block = fit.problem.encoding.block
        own = [values[:, block == k] for k in range(len(fit.problem.known.features))]
        slopes, pairs = regression.slopes(dissimilarities, [pdist(columns) for columns in own])
        judged = [
            _beyond_the_others(gram, feature, values, block == k, dealt)
            for k, feature in enumerate(fit.problem.known.features)
        ]
    chances = benjamini_hochberg([one.p_value for one in judged])
    features = tuple(
        FeatureShare(feature.name, *one, chance, float(slope), feature.read_off_map)
        for feature, one, chance, slope in zip(
            fit.problem.known.features, judged, chances, slopes, strict=True
        )
    )
    freedom = len(names) - 1 - whole.shape[1]
    beyond = 1.0 - (1.0 - explained) * (len(names) - 1) / freedom if freedom else 0.0
    return Redundancy(features, explained, beyond, pairs, len(dealt), seed, gathered.sizes)


def _beyond_the_others(
    gram: FloatArray, feature: Feature, values: FloatArray, own: BoolArray, dealt: IntArray
) -> regression.Explained:
    others = regression.basis(values[:, ~own])
    beyond = regression.basis(values[:, own], others)
    if not beyond.shape[1]:
        return regression.Explained(0.0, float("nan"), None)
    fair = dealt[:0] if feature.read_off_map else dealt
    return regression.explained_beyond(gram, beyond, others, fair)


def _in_order(fit: Fit, order: IntArray) -> FloatArray:
    """Dissimilarities between objects in another order, the largest one: only shares are told."""
    square = fit.problem.targets.square()[np.ix_(order, order)]
    condensed = square[np.triu_indices(len(order), 1)]
    shares: FloatArray = condensed / condensed.max()
    return shares
