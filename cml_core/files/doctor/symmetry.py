"""What is odd in the two directions of a pair, below zero, and in the diagonal."""

from __future__ import annotations

import numpy as np

from cml_core.files.doctor.findings import (
    NAMED,
    UNDERSTOOD,
    WRONG,
    Choice,
    Finding,
    named_values,
    with_more,
)
from cml_core.files.doctor.in_words import ASYMMETRY_STEPS, DIAGONAL_STEP, NEGATIVES_STEPS
from cml_core.files.doctor.mend import (
    below_zero,
    gaps_between_directions,
    largest_of,
    nonzero_diagonal,
)
from cml_core.files.preparation import Preparation
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted, percent

ASYMMETRY_CHOICES = (
    Choice("average", "Average both directions", "What both directions have in common."),
    Choice("larger", "Take the larger", "Two objects are as far apart as either direction says."),
    Choice("smaller", "Take the smaller", "Two objects are as close as either direction says."),
    Choice("upper", "Take what stands above the diagonal", "Row before column, as in the file."),
    Choice("lower", "Take what stands below the diagonal", "Column before row, as in the file."),
)
NEGATIVE_CHOICES = (
    Choice("zero", "Set to zero", "Such pairs should coincide."),
    Choice("missing", "Take as unknown", "Such pairs do not pull on the map."),
    Choice("absolute", "Drop the sign", "For differences whose direction does not matter."),
    Choice("shift", "Raise all values", "So that the lowest becomes zero; order is kept."),
)
DIAGONAL_CHOICES = (Choice("zero", "Set the diagonal to zero", "It is not used for the map."),)
UNDO = Choice("refuse", "Undo", "Then no map is made until it is mended.")


def asymmetry_finding(
    square: FloatArray, before: FloatArray, labels: tuple[str, ...], preparation: Preparation
) -> Finding | None:
    """Pairs whose directions differ after conversion; `before` is the table before it."""
    gap = np.triu(gaps_between_directions(square), 1)
    count = int((gap > 0).sum())
    if not count:
        return _already_symmetric(before)
    worst = [divmod(int(k), len(labels)) for k in _largest(gap)]
    pairs = tuple((labels[i], labels[j]) for i, j in worst)
    share = asymmetric_share(square)
    mended = ASYMMETRY_STEPS.get(preparation.asymmetry)
    shown = [
        f"d({labels[i]}, {labels[j]}) = {square[i, j]:.6g} but d({labels[j]}, {labels[i]}) = "
        f"{square[j, i]:.6g}"
        for i, j in worst
    ]
    listed = with_more("; ".join(shown), len(shown), count)
    named = f", most in {shown[0]}" if mended else f": {listed}"
    in_all = int(np.triu(~np.isnan(square) & ~np.isnan(square.T), 1).sum())
    fact = f"The two directions differ in {count:,} of {counted(in_all, 'pair')}{named}."
    return Finding(
        "asymmetry",
        UNDERSTOOD if mended else WRONG,
        _told(fact, mended),
        f"A map has one distance for both directions, so it cannot show {percent(share)} of what "
        "varies in this table.",
        (*ASYMMETRY_CHOICES, UNDO) if mended else ASYMMETRY_CHOICES,
        "asymmetry",
        pairs,
    )


def _already_symmetric(before: FloatArray) -> Finding | None:
    """Directions that differed until the conversion made one of them."""
    count = int((gaps_between_directions(before) > 0).sum()) // 2
    if not count:
        return None
    return Finding(
        "asymmetry",
        UNDERSTOOD,
        f"Mended: the two directions differed in {counted(count, 'pair')}; the conversion made "
        "one value of both.",
        "What differs between directions is not on the map.",
    )


def asymmetric_share(square: FloatArray) -> float:
    """The share of the variance of pairs known in both directions that is asymmetric."""
    # A table is the sum of a symmetric and a skew part, and so is its variance (Gower 1977).
    unit = largest_of(square) or 1.0
    off = ~np.eye(len(square), dtype=bool) & ~np.isnan(square) & ~np.isnan(square.T)
    values, others = square[off] / unit, square.T[off] / unit
    in_all = float(((values - values.mean()) ** 2).sum()) if values.size else 0.0
    return float((((values - others) / 2) ** 2).sum()) / in_all if in_all else 0.0


def _largest(gap: FloatArray) -> list[int]:
    """The places of the largest positive entries, largest first."""
    flat = gap.ravel()
    most = min(NAMED, int((flat > 0).sum()))
    # Not sorted: there may be fifty million, and five are told.
    top = np.argpartition(flat, -most)[-most:]
    return [int(k) for k in top[np.lexsort((top, -flat[top]))]]


def negatives_finding(
    both: FloatArray, labels: tuple[str, ...], preparation: Preparation
) -> Finding | None:
    """Values below zero in the symmetric table."""
    below = np.triu(below_zero(both), 1)
    count = int(below.sum())
    if not count:
        return None
    worst = [divmod(k, len(labels)) for k in _largest(np.where(below, -both, 0.0))]
    pairs = tuple((labels[i], labels[j]) for i, j in worst)
    shown = named_values(pairs, [both[i, j] for i, j in worst])
    fact = f"{counted(count, 'pair')} below zero: {with_more(shown, len(pairs), count)}."
    mended = NEGATIVES_STEPS.get(preparation.negatives)
    return Finding(
        "negatives",
        UNDERSTOOD if mended else WRONG,
        _told(fact, mended),
        "No distance on a map is below zero. Correlations and similarities need a conversion "
        "instead.",
        (*NEGATIVE_CHOICES, UNDO) if mended else NEGATIVE_CHOICES,
        "negatives",
        pairs,
    )


def diagonal_finding(
    both: FloatArray, diagonal: FloatArray, labels: tuple[str, ...], preparation: Preparation
) -> Finding | None:
    """Objects that are not at zero from themselves."""
    wrong = nonzero_diagonal(both, diagonal)
    if not wrong.size:
        return None
    wrong = wrong[np.argsort(-np.abs(diagonal[wrong]), kind="stable")]
    names = tuple(labels[i] for i in wrong)
    shown = named_values(
        [(labels[i], labels[i]) for i in wrong[:NAMED]], [diagonal[i] for i in wrong[:NAMED]]
    )
    who = "is not at zero from itself" if wrong.size == 1 else "are not at zero from themselves"
    fact = (
        f"{wrong.size:,} of {counted(len(labels), 'object')} {who}: "
        f"{with_more(shown, NAMED, wrong.size)}."
    )
    mended = DIAGONAL_STEP if preparation.diagonal == "zero" else None
    return Finding(
        "diagonal",
        UNDERSTOOD if mended else WRONG,
        _told(fact, mended),
        "On a map every object is at zero from itself. A diagonal that is not zero is often a "
        "sign of similarities, or of repeated measurements that differ.",
        (*DIAGONAL_CHOICES, UNDO) if mended else DIAGONAL_CHOICES,
        "diagonal",
        objects=names,
    )


def _told(fact: str, mended: str | None) -> str:
    """A fact, after what was chosen to become of it."""
    return f"Mended: {mended[0].lower()}{mended[1:]} {fact}" if mended else fact
