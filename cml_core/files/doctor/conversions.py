"""From similarities to dissimilarities: every conversion with its formula and its domain.

A conversion sees the square table as it was read, one row and one column for each object, with
NaN where nothing is said. It answers in the same shape and never fills what is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cml_core.errors import InfiniteDissimilarities, UnsuitableConversion, check_option
from cml_core.files.doctor import formulas
from cml_core.files.doctor.findings import how_to_fit
from cml_core.files.doctor.formulas import Outside, between, check
from cml_core.values.arrays import FloatArray


@dataclass(frozen=True)
class Conversion:
    """One way to turn what a table says into dissimilarities.

    Parameters
    ----------
    key : its name in a `Preparation`.
    title : in plain words.
    formula : s is what the table says, d the dissimilarity.
    about : what it is for, with its source where it has one.
    convert : from the (N, N) values, the scale and the labels to (N, N) dissimilarities.
    scale : what the scale of the conversion means; empty where it has none.
    default_scale : what a scale of 0 stands for.
    lowest, highest : between which the values of different objects must lie.
    own : whether it needs a positive value of each object with itself.
    counts : whether it is of counts, of which one person has too few to be converted alone.
    """

    key: str
    title: str
    formula: str
    about: str
    convert: Callable[[FloatArray, float, tuple[str, ...]], FloatArray]
    scale: str = ""
    default_scale: float = 0.0
    lowest: float = -np.inf
    highest: float = np.inf
    own: bool = False
    counts: bool = False


@dataclass(frozen=True)
class Refused:
    """What keeps a table from a conversion, where it is the values of pairs.

    Parameters
    ----------
    pairs : whose values are outside of its domain.
    added : a constant that would help if it were the scale; 0 where there is none.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    added: float = 0.0


def conversion_of(key: str) -> Conversion:
    """A conversion by its key; raise `UnknownOption` where there is none."""
    return CONVERSIONS[check_option("conversion", key, tuple(CONVERSIONS))]


def converted(
    values: FloatArray, labels: tuple[str, ...], key: str, scale: float = 0.0
) -> FloatArray:
    """The table after a conversion.

    Parameters
    ----------
    values : (N, N) what is said of each object with each other, NaN where nothing is.
    key : of `CONVERSIONS`.
    scale : of the conversion; 0 takes its default.

    Raises
    ------
    UnsuitableConversion : a value lies where the conversion is not defined; names its pair.
    """
    try:
        return _converted(values, labels, conversion_of(key), scale)
    except Outside as outside:
        error = outside.error
    # Out here it does not hold, as its context, what holds it: that could not be pickled.
    raise error


def suiting(values: FloatArray) -> tuple[str, ...]:
    """The keys of the conversions that this table is not sure to fail, by its extreme values."""
    off = values[between(values)]
    # By two numbers, for all conversions are asked whenever the page is drawn; one that passes may
    # still be refused for a single pair.
    low, high = (
        float(np.fmin.reduce(off, initial=np.inf)),
        float(np.fmax.reduce(off, initial=-np.inf)),
    )
    own = bool((np.diagonal(values) > 0).all())
    return tuple(
        conversion.key
        for conversion in CONVERSIONS.values()
        if conversion.lowest <= low and high <= conversion.highest and (own or not conversion.own)
    )


def refused(values: FloatArray, labels: tuple[str, ...], key: str, scale: float = 0.0) -> Refused:
    """What keeps a table from this conversion."""
    try:
        _converted(values, labels, conversion_of(key), scale)
    except Outside as outside:
        first, second = np.nonzero(np.triu(outside.wrong | outside.wrong.T, 1))
        pairs = tuple((labels[i], labels[j]) for i, j in zip(first, second, strict=True))
        return Refused(pairs, outside.added)
    except UnsuitableConversion:
        pass
    return Refused()


def _converted(
    values: FloatArray, labels: tuple[str, ...], conversion: Conversion, scale: float
) -> FloatArray:
    different = between(values)
    check(values, np.isinf(values) & different, labels, _infinite)
    with np.errstate(all="ignore"):
        table = conversion.convert(values, scale or conversion.default_scale, labels)
    beyond = different & ~np.isnan(values) & ~np.isfinite(table)
    check(values, beyond, labels, lambda where: _too_large(where, conversion))
    return table


def _infinite(where: str) -> Exception:
    return InfiniteDissimilarities(
        f"{where}.", remedy="Leave unknown pairs empty; give all others a finite number."
    )


def _too_large(where: str, conversion: Conversion) -> Exception:
    return UnsuitableConversion(
        f"{where}, for which {conversion.formula} is too large a number.",
        remedy="Choose another conversion, or take this pair as unknown.",
    )


# Ranks, roots and added constants are offered last or not at all. On undistorted data of 20 objects
# with nothing else hidden, roots and a constant of half the mean made the hidden-feature test see
# another feature in every trial, and what was hidden was recovered with a canonical correlation of
# .80 (roots) and .88 (constant) instead of .92; ranks gave .63 where an ordinal fit gives .94.
_POSITIVE = float(np.nextafter(0.0, 1.0))
_ONE = 1.0 + formulas.ROUNDING
_ALL = (
    Conversion(
        "none", "Nothing to convert", "d = s", "The table holds dissimilarities.", formulas.as_it_is
    ),
    Conversion(
        "dissimilarities",
        "They are dissimilarities",
        "d = s",
        "Large values are for pairs that differ: someone who knows the data says so.",
        formulas.as_it_is,
    ),
    Conversion(
        "from_max",
        "Largest minus each",
        "d = max s - s",
        "Similarities on any scale, such as ratings. The most similar pair comes out as zero "
        "unless the diagonal holds a larger value.",
        formulas.from_max,
    ),
    Conversion(
        "one_minus",
        "One minus each",
        "d = 1 - s",
        "Similarities with 1 for the same; correlations whose sign counts. The diagonal is not "
        "used.",
        formulas.one_minus,
        highest=_ONE,
    ),
    Conversion(
        "one_minus_absolute",
        "One minus the size of each",
        "d = 1 - |s|",
        "Correlations whose sign is arbitrary: opposite counts as alike. The diagonal is not used.",
        formulas.one_minus_absolute,
        lowest=-_ONE,
        highest=_ONE,
    ),
    Conversion(
        "root_one_minus",
        "Root of one minus each",
        "d = √(1 - s)",
        "Correlations, and similarities that form a positive semidefinite table: the results are "
        "Euclidean distances (Gower and Legendre 1986). The diagonal is not used.",
        formulas.root_one_minus,
        highest=_ONE,
    ),
    Conversion(
        "chord",
        "Distance between standardised variables",
        "d = √(2(1 - s))",
        "Correlations: the Euclidean distance of the variables at unit length. The diagonal is "
        "not used.",
        formulas.chord,
        highest=_ONE,
    ),
    Conversion(
        "gram",
        "Distance between what was multiplied",
        "d = √(s₁₁ + s₂₂ - 2 s₁₂)",
        "Covariances and scalar products: the Euclidean distance of the variables, or vectors, "
        "that they were made of. The diagonal holds their own sizes.",
        formulas.gram,
        own=True,
    ),
    Conversion(
        "reciprocal",
        "One over each",
        "d = 1/s",
        "Strengths, flows and conductances above zero; weak ties come out very far apart. The "
        "diagonal is not used.",
        formulas.reciprocal,
        lowest=_POSITIVE,
    ),
    Conversion(
        "minus_log",
        "Minus the logarithm",
        "d = -ln s",
        "Similarities that fall off exponentially with distance, between 0 and 1 (Shepard 1987). "
        "The diagonal is not used.",
        formulas.minus_log,
        lowest=_POSITIVE,
        highest=_ONE,
    ),
    Conversion(
        "gaussian",
        "Width of a Gaussian",
        "d = σ √(-2 ln s)",
        "Similarities that fall off as a Gaussian kernel, between 0 and 1. The diagonal is not "
        "used.",
        formulas.gaussian,
        scale="σ, the width of the Gaussian",
        default_scale=1.0,
        lowest=_POSITIVE,
        highest=_ONE,
    ),
    Conversion(
        "cooccurrence",
        "Counts together, relative to how often each occurs",
        "d = 1 - c/√(n n'), n the diagonal entry, else the sum of an object's counts",
        "Counts of how often two things occur together: the cosine, or Ochiai coefficient "
        "(van Eck and Waltman 2009).",
        formulas.cooccurrence,
        lowest=0.0,
        counts=True,
    ),
    Conversion(
        "association",
        "Counts together, relative to chance",
        "d = 1 - a/max a, a = c/(n n'), n the diagonal entry, else the sum of an object's counts",
        "Counts of how often two things occur together: the association strength, which van Eck "
        "and Waltman (2009) recommend for such counts.",
        formulas.association,
        lowest=0.0,
        counts=True,
    ),
    Conversion(
        "confusion",
        "Confusions, whatever the bias of answers",
        "d = -ln √(p q/(P Q)), p and q each taken for the other, P and Q each recognised",
        "How often one was taken for another: rows shown, columns answered, as counts or shares "
        "(Shepard 1957, Luce 1963). Both directions give one symmetric value.",
        formulas.confusion,
        scale="added to every entry, so that no count is zero",
        lowest=0.0,
        own=True,
        counts=True,
    ),
    Conversion(
        "ranks",
        "Ranks of pairs",
        "d = 1 for the most similar pair, 2 for the next, …; ties share their mean",
        "All that is kept is the order, and the steps are made equal, which differences between "
        "distances never are. Where only the order can be trusted, convert by largest minus each "
        f"instead. {how_to_fit('ordinal')} The diagonal is not used.",
        formulas.ranks,
    ),
    Conversion(
        "square_root",
        "Root of each dissimilarity",
        "d = √s",
        "Squared distances, and published tables that were mapped so. Roots of plain distances "
        "move all objects towards being equally far apart, and what is hidden is harder to find.",
        formulas.root,
        lowest=0.0,
    ),
)
CONVERSIONS: dict[str, Conversion] = {conversion.key: conversion for conversion in _ALL}
# These leave the meaning of the table, and so of its diagonal, as it is.
OF_DISSIMILARITIES = ("none", "dissimilarities", "square_root")
