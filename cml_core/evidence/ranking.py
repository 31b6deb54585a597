"""What might it be: features that are not known yet, ranked by how well the map predicts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cml_core.errors import listing
from cml_core.evidence import prediction, together
from cml_core.evidence.adjusting import benjamini_hochberg, chance_columns
from cml_core.evidence.candidate import Candidate, held_against, seen_by
from cml_core.evidence.result import Result
from cml_core.evidence.table import COUNT, SHARE, Column, Table
from cml_core.fitting.result import Fit
from cml_core.fitting.threads import capped_linear_algebra
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS
from cml_core.values.real_numbers import whole_number

# A value of this share of the largest is nought but for rounding.
ROUNDING = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Result):
    """Features that are not known yet, best predicted first.

    Parameters
    ----------
    candidates : best first, those of which nothing can be said last.
    permutations : how many random dealings each was compared with.
    seed : repeats them.
    together : how many objects each group has that was dealt out as a whole, for its objects
        lie together; empty where each object was dealt out by itself.
    """

    candidates: tuple[Candidate, ...]
    permutations: int
    seed: int
    together: tuple[int, ...] = ()

    heading = "What might it be?"

    @property
    def verdict(self) -> str:
        """What the map might show, in words."""
        if not self.candidates:
            return "There is no feature that is not known already."
        found = [one.feature for one in self.candidates if one.stands_out]
        tested = sum(one.adjusted is not None for one in self.candidates)
        read_off = [one.feature for one in self.candidates if one.read_off_map]
        parts = [
            _of_the_tested(found, tested),
            _of_those_together(self.together) if tested else "",
            _of_the_drawn(read_off),
        ]
        return " ".join(filter(None, parts))

    @property
    def facts(self) -> tuple[str, ...]:
        return (f"{self.permutations} random dealings.",)

    def table(self) -> Table:
        untested = [one.why_no_p_value for one in self.candidates]
        by_chance, alone = chance_columns(
            [one.adjusted for one in self.candidates],
            [one.p_value for one in self.candidates],
            how_often="the same values, dealt out to the objects at random, are predicted at "
            "least as well, with what is known taken out of both, straight and curved; objects "
            "that lie together are dealt out together",
            tried="tried",
        )
        return Table(
            (
                Column("Feature", [one.feature for one in self.candidates]),
                Column(
                    "Predicted",
                    [one.best for one in self.candidates],
                    SHARE,
                    "The share of the feature that the map predicts for an object left out; the "
                    "better of straight and curved. 100 % is perfect, 0 no better than the mean.",
                ),
                by_chance,
                Column(
                    "Straight",
                    [one.linear for one in self.candidates],
                    SHARE,
                    "The share that is predicted along a straight direction of the map.",
                ),
                Column(
                    "Curved",
                    [one.smooth for one in self.candidates],
                    SHARE,
                    "The share that is predicted by a smooth surface over the map, which may be "
                    "curved.",
                ),
                alone,
                Column(
                    "Known already",
                    [one.already_known for one in self.candidates],
                    SHARE,
                    "The share of it that the ticked features predict. Much of it known already: "
                    "the map cannot show that part.",
                ),
                Column(
                    "Objects",
                    [one.n_objects for one in self.candidates],
                    COUNT,
                    "How many objects have a value.",
                ),
                *([Column("Why there is no chance", untested)] if any(untested) else []),
            )
        )

    def __repr__(self) -> str:
        return f"Ranking({self.verdict})"


def candidates_among(features: FeatureTable, known_names: Sequence[str]) -> FeatureTable:
    """The features that are not known, and the sizes of those that go both ways from zero.

    A map may well show how far objects are from zero, such as how many generations away, and
    not in which direction.
    """
    unknown = features.select([name for name in features.names if name not in known_names])
    for feature in unknown.features:
        size = f"|{feature.name}|"
        if _goes_both_ways(feature) and not feature.read_off_map and size not in features:
            origin = f"size of {feature.name}, whatever its sign"
            unknown = unknown.with_feature(Feature.numeric(size, np.abs(feature.values), origin))
    return unknown


def _goes_both_ways(feature: Feature) -> bool:
    if not KINDS[feature.kind].is_quantity:
        return False
    values = feature.values[~feature.missing]
    return bool(min(-values.min(), values.max()) > ROUNDING * np.abs(values).max())


def what_might_it_be(
    fit: Fit, candidates: FeatureTable, *, permutations: int = 999, seed: int = 0
) -> Ranking:
    """Rank features by how well a map predicts them.

    Parameters
    ----------
    fit : the map.
    candidates : features of the same objects; those that the fit knows are left out.
    permutations : how many random dealings of a feature's values it is compared with.
    seed : of the dealings; the same for every feature, so that none depends on the others.
    """
    permutations = whole_number("permutations", permutations, least=1)
    seed = whole_number("seed", seed)
    # In the order of their names, so that it does not matter in which order objects came.
    order = np.argsort(np.array(fit.labels))
    table = candidates.for_objects([fit.labels[i] for i in order])
    features = [feature for feature in table.features if feature.name not in fit.problem.known]
    with capped_linear_algebra(1):
        known_places = fit.known_values[order] @ fit.coef
        needed = fit.coef.shape[0] + prediction.FEWEST_VALUES
        gathered = together.together(fit.embedding[order], known_places, needed)
        over_map = prediction.predictors(fit.embedding[order])
        # Decomposing is what takes the time, and most features have the same objects missing: none.
        patterns = {feature.missing.tobytes(): ~feature.missing for feature in features}
        seen = {
            pattern: seen_by(over_map, fit.known_values[order], gathered, rows)
            for pattern, rows in patterns.items()
        }
        found = [
            held_against(feature, seen[feature.missing.tobytes()], permutations, seed)
            for feature in features
        ]
    adjusted = benjamini_hochberg([one.p_value for one in found])
    judged = [replace(one, adjusted=p) for one, p in zip(found, adjusted, strict=True)]
    return Ranking(tuple(sorted(judged, key=_place)), permutations, seed, gathered.sizes)


def _place(candidate: Candidate) -> tuple[bool, float]:
    nothing_said = candidate.p_value is None and not candidate.read_off_map
    return nothing_said, -candidate.best


def _of_the_tested(found: list[str], tested: int) -> str:
    if not tested:
        return "None of these features can be tested."
    if not found:
        return (
            "No feature is predicted from the map better than chance would do it "
            f"(tested: {tested}). What the map shows may be something that is not among them."
        )
    others = f", then at {listing(found[1:])}" if found[1:] else ""
    return (
        f"Look at {found[0]} first{others}: the map predicts {'these' if others else 'it'} better "
        f"than chance would (tested: {tested})."
    )


def _of_those_together(sizes: Sequence[int]) -> str:
    if not sizes:
        return ""
    return (
        f"Objects that lie together were dealt out together, as {together.in_words(sizes)}: what "
        "they share counts once."
    )


def _of_the_drawn(read_off: list[str]) -> str:
    if not read_off:
        return ""
    was, them = ("was", "it") if len(read_off) == 1 else ("were", "them")
    return f"{listing(read_off)} {was} read off a map; that a map predicts {them} proves nothing."
