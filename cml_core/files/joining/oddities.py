"""What is odd about features before any fit: they hardly vary, repeat each other, or are names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cml_core.errors import listing
from cml_core.files.joining.inferred_kinds import TICKED, FeatureChoice
from cml_core.files.joining.similar_names import folded
from cml_core.files.joining.turning import Doubt, perhaps_a_turn, perhaps_turning
from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.kinds.registry import KINDS
from cml_core.values.quantities import quantity_of

# More quantities than this are not compared each with each.
MOST_COMPARED = 300
# Two quantities that are closer than this repeat each other but for rounding.
SAME = 1 - 1e-9
NEARLY_SAME = 0.98
NEARLY_ALL = 0.95
FEW_VALUES = 7
DOUBTS_OF_KIND = ("perhaps circular", "read as numbers", "perhaps groups", "perhaps numbers")


@dataclass(frozen=True)
class FeatureFact:
    """What is odd, and what it means for the map.

    Parameters
    ----------
    features : their names.
    kind : what it is in a word or two; the same for the same oddity.
    fact, meaning : a sentence or two each.
    """

    features: tuple[str, ...]
    kind: str
    fact: str
    meaning: str


def feature_facts(
    table: FeatureTable, choices: Sequence[FeatureChoice] = ()
) -> tuple[FeatureFact, ...]:
    """All that is odd about the features of a table, one by one and together.

    Parameters
    ----------
    choices : by which a person corrected the table; a kind that was chosen is not doubted.
    """
    settled = {choice.called or choice.name for choice in choices if choice.kind}
    single = (
        fact
        for feature in table.features
        for fact in remarks(feature)
        if feature.name not in settled or fact.kind not in DOUBTS_OF_KIND
    )
    return (*single, *_same_groups(table), *_same_numbers(table))


def remarks(feature: Feature) -> tuple[FeatureFact, ...]:
    """All that is odd about one feature."""
    found = (*_variety(feature), *_writing(feature))
    gaps = int(feature.missing.sum())
    if 2 * gaps < feature.n_objects:
        return found
    return (
        *found,
        FeatureFact(
            (feature.name,),
            "mostly missing",
            f"{feature.name} is missing for {gaps} of {feature.n_objects} objects.",
            "The fit fills the gaps freely, so such a feature explains more than it knows.",
        ),
    )


def _variety(feature: Feature) -> tuple[FeatureFact, ...]:
    """Whether a feature tells objects apart: none of them, hardly any, or every one."""
    values = feature.values[~feature.missing]
    most = int(Counter(values.tolist()).most_common(1)[0][1])
    distinct = np.unique(values).size
    name = feature.name
    if distinct == 1:
        fact = f"{name} is {_shown(feature)} for every object for which it is known."
        return (FeatureFact((name,), "constant", fact, "What does not vary explains nothing."),)
    if values.size > 3 and most >= min(values.size - 1, NEARLY_ALL * values.size):
        fact = f"{name} is the same for {most} of {values.size} objects."
        meaning = "It can explain only how the few others differ from the rest."
        return (FeatureFact((name,), "nearly constant", fact, meaning),)
    if KINDS[feature.kind].is_grouping and distinct == values.size > 2:
        fact = f"{name} names every object differently."
        meaning = "As a known feature it would explain everything; it tells objects, not groups."
        return (FeatureFact((name,), "a name", fact, meaning),)
    return ()


def _writing(feature: Feature) -> tuple[FeatureFact, ...]:
    """How the values were understood, where that could have been otherwise."""
    kind = KINDS[feature.kind]
    if kind.is_quantity:
        turning = _perhaps_circular(perhaps_turning(feature), feature)
        return (*_read_as(feature), *(turning or _perhaps_groups(feature)))
    if kind.is_grouping:
        told = (*_ticked(feature), *_perhaps_numbers(feature), *_perhaps_the_same(feature))
        return (*told, *_perhaps_circular(perhaps_a_turn(feature, "groups"), feature))
    order = f"an order from {feature.levels[0]} to {feature.levels[-1]}" if kind.is_order else ""
    return _perhaps_circular(perhaps_a_turn(feature, order), feature) if order else ()


def _perhaps_circular(doubt: Doubt | None, feature: Feature) -> tuple[FeatureFact, ...]:
    if doubt is None:
        return ()
    return (FeatureFact((feature.name,), "perhaps circular", doubt.fact, doubt.meaning),)


def _ticked(feature: Feature) -> tuple[FeatureFact, ...]:
    if feature.origin != TICKED:
        return ()
    fact = f"{feature.name} has marks: a cell with one is read as yes, an empty one as no."
    meaning = "Write no where that is known, if empty cells stand for what is not known."
    return (FeatureFact((feature.name,), "ticked", fact, meaning),)


def _read_as(feature: Feature) -> tuple[FeatureFact, ...]:
    if not feature.unit:
        return ()
    fact = f"{feature.name} is read as numbers: {feature.origin}."
    meaning = "A later or larger value counts as more; make it categorical if it does not."
    return (FeatureFact((feature.name,), "read as numbers", fact, meaning),)


def _perhaps_groups(feature: Feature) -> tuple[FeatureFact, ...]:
    distinct = np.unique(feature.values[~feature.missing])
    repeated = distinct.size <= min(
        FEW_VALUES, (feature.n_objects - int(feature.missing.sum())) / 2
    )
    if distinct.size < 2 or not repeated or (distinct % 1).any():
        return ()
    fact = f"{feature.name} has only the values {listing([f'{v:g}' for v in distinct], 7)}."
    meaning = "If they are codes of groups rather than amounts, make it categorical."
    return (FeatureFact((feature.name,), "perhaps groups", fact, meaning),)


def _perhaps_numbers(feature: Feature) -> tuple[FeatureFact, ...]:
    others = [level for level in feature.levels if not _may_be_number(level)]
    if 2 * len(others) >= len(feature.levels):
        return ()
    if others:
        fact = f"{feature.name} has numbers and also {listing([repr(o[:40]) for o in others])}."
        meaning = "So it is read as groups; correct or empty these cells to have numbers."
    else:
        fact = f"{feature.name} has only numbers, such as {feature.levels[0]!r}, as groups."
        meaning = (
            "They look like codes, or could be read in two ways (1,234 is a thousand or one); "
            "write them without marks for thousands if they are amounts."
        )
    return (FeatureFact((feature.name,), "perhaps numbers", fact, meaning),)


def _may_be_number(text: str) -> bool:
    """Whether a text alone is a number, with a decimal point or a decimal comma."""
    return any(quantity_of([text], decimal_comma=comma) for comma in (False, True))


def _perhaps_the_same(feature: Feature) -> tuple[FeatureFact, ...]:
    alike = defaultdict(list)
    for level in feature.levels:
        alike[folded(level)].append(repr(level[:40]))
    pairs = [" and ".join(levels) for levels in alike.values() if len(levels) > 1]
    if not pairs:
        return ()
    fact = f"{feature.name} has groups whose names hardly differ: {listing(pairs, 3)}."
    meaning = "They count as different groups; write them alike if they are the same."
    return (FeatureFact((feature.name,), "perhaps the same", fact, meaning),)


def _same_groups(table: FeatureTable) -> tuple[FeatureFact, ...]:
    """Features of which one at least is of groups, and which sort the objects alike."""
    sorted_alike: dict[bytes, list[Feature]] = defaultdict(list)
    for feature in table.features:
        _, first, code = np.unique(feature.values, return_index=True, return_inverse=True)
        if 1 < first.size < feature.n_objects:
            # Groups are numbered in the order in which they first appear: so two features that
            # sort the objects alike have the same bytes, whatever the groups are called.
            order = np.argsort(np.argsort(first))
            sorted_alike[order[code].tobytes()].append(feature)
    return tuple(
        FeatureFact(
            tuple(feature.name for feature in group),
            "the same groups",
            f"{listing([f.name for f in group])} sort the objects into the same groups.",
            "They say the same, so their shares cannot be told apart; one of them is enough.",
        )
        for group in sorted_alike.values()
        if len(group) > 1 and any(KINDS[feature.kind].is_grouping for feature in group)
    )


def _same_numbers(table: FeatureTable) -> tuple[FeatureFact, ...]:
    """Quantities and orders that rise and fall together."""
    scales = [feature for feature in table.features if KINDS[feature.kind].ordered]
    compared = [f for f in scales if np.unique(f.values[~f.missing]).size > 1][:MOST_COMPARED]
    if len(compared) < 2:
        return ()
    likeness = _correlations(np.column_stack([feature.values for feature in compared]))
    found = [
        _together(compared[i].name, compared[j].name, float(likeness[i, j]))
        for i, j in combinations(range(len(compared)), 2)
        if abs(likeness[i, j]) >= NEARLY_SAME
    ]
    if len(scales) > MOST_COMPARED:
        fact = f"Only the first {MOST_COMPARED} of {len(scales)} quantities were compared."
        found.append(FeatureFact((), "not compared", fact, "Others may repeat each other as well."))
    return tuple(found)


def _correlations(values: FloatArray) -> FloatArray:
    """(q, q) over the objects for which both are known; 0 where these are fewer than 3."""
    present = ~np.isnan(values)
    scale = np.nanmax(np.abs(values), axis=0)
    filled = np.where(present, values / np.where(scale == 0, 1.0, scale), 0.0)
    likeness = np.zeros((values.shape[1],) * 2)
    for k in range(values.shape[1]):
        both = present & present[:, [k]]
        count = np.maximum(both.sum(axis=0), 1)
        own = np.where(both, filled[:, [k]], 0.0)
        other = np.where(both, filled, 0.0)
        own = np.where(both, own - own.sum(axis=0) / count, 0.0)
        other = np.where(both, other - other.sum(axis=0) / count, 0.0)
        spread = np.sqrt((own**2).sum(axis=0) * (other**2).sum(axis=0))
        enough = (count > 2) & (spread > np.finfo(float).tiny)
        shared = (own * other).sum(axis=0)
        likeness[k] = np.where(enough, shared / np.where(enough, spread, 1.0), 0.0)
    return likeness


def _together(first: str, second: str, likeness: float) -> FeatureFact:
    against = "" if likeness > 0 else ", in opposite directions"
    if abs(likeness) >= SAME:
        fact = f"{first} and {second} rise and fall exactly together{against}."
        meaning = "They say the same, so their shares cannot be told apart; one of them is enough."
        return FeatureFact((first, second), "the same", fact, meaning)
    fact = f"{first} and {second} rise and fall nearly together (r = {likeness:.3f}){against}."
    meaning = "What one of them explains is hard to tell from what the other does."
    return FeatureFact((first, second), "nearly the same", fact, meaning)


def _shown(feature: Feature) -> str:
    value = next(value for value in feature.shown() if value is not None)
    return f"{value:g}" if isinstance(value, float) else repr(str(value)[:40])
