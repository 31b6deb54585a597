"""What single people said, brought to the direction and units of the dissimilarities."""

from __future__ import annotations

import numpy as np

from cml_core.errors import ConditionalMappingError
from cml_core.files.doctor.conversions import conversion_of
from cml_core.files.doctor.mend import (
    below_zero,
    condensed_of,
    directed,
    one_direction,
    prepared,
    selected,
)
from cml_core.files.preparation import Preparation
from cml_core.files.reading.by_person import ByPerson
from cml_core.files.reading.raw import RawTable
from cml_core.values.answers import FEWEST_PEOPLE, Answers
from cml_core.values.arrays import BoolArray, FloatArray

# Of the largest dissimilarity; means that differ by less differ by rounding.
ROUNDING = 1e-12


def answers_of(raw: RawTable, preparation: Preparation) -> Answers | None:
    """Dissimilarities by person, by the choices that led to those of the table.

    The mean of the answers is the prepared table. Where one person's table cannot be converted
    by itself, for a count of zero has no logarithm, an answer is how the table of all moves with
    the person instead. None where single people are not known, or are too few to speak of others.

    Raises
    ------
    What `doctor.prepared` raises of the table itself.
    """
    single = raw.by_person
    if single is None or single.n_people < FEWEST_PEOPLE:
        return None
    table = prepared(raw, preparation)
    counts = np.array([_counts(raw, own, preparation) for own in single.counts])
    values = _of_each(raw, single, preparation)
    if values is None:
        values = _moved_by_each(raw, single, counts, preparation)
    if values is None:
        return None
    values[:, _flipped(raw, preparation)] *= -1.0
    answers = Answers(table.labels, single.people, values, counts * ~np.isnan(values))
    return _with_mean(answers, np.asarray(table.condensed, dtype=np.float64))


def _of_each(raw: RawTable, single: ByPerson, preparation: Preparation) -> FloatArray | None:
    """(K, pairs) everyone's own table converted; None where some cannot be."""
    if conversion_of(preparation.conversion).counts:
        return None
    try:
        return np.array([_said(raw, own, preparation) for own in single.values])
    except ConditionalMappingError:
        return None


def _said(raw: RawTable, values: FloatArray, preparation: Preparation) -> FloatArray:
    """Condensed dissimilarities of a table in place of the one that sums people up."""
    chosen = selected(RawTable(raw.labels, values, raw.format), preparation)
    # What was to be refused was refused, or not, of the table that sums people up: one person's
    # directions differ where those of all together do not.
    how = "average" if preparation.asymmetry == "refuse" else preparation.asymmetry
    return condensed_of(one_direction(directed(chosen, preparation), chosen.labels, how))


def _counts(raw: RawTable, counts: FloatArray, preparation: Preparation) -> FloatArray:
    """How many answers one person gave of each pair, on average over the directions known."""
    asked = RawTable(raw.labels, np.where(counts > 0, counts, np.nan), raw.format)
    chosen = selected(asked, preparation)
    condensed: FloatArray = np.nan_to_num(
        condensed_of(one_direction(chosen.values, chosen.labels, "average"))
    )
    return condensed


def _moved_by_each(
    raw: RawTable, single: ByPerson, counts: FloatArray, preparation: Preparation
) -> FloatArray | None:
    """(K, pairs) how the table moves with each person; None where it cannot be told either."""
    # Tukey's pseudo-values of the jackknife, d + (C - c)/c (d - d without the
    # person), of C answers in all and c of this person, are the person's own dissimilarities
    # where the conversion is straight, and elsewhere their share in its bend.
    total, sums = single.counts.sum(axis=0), _sums(single.values, single.counts).sum(axis=0)
    everyone = counts.sum(axis=0)
    moved = np.full(counts.shape, np.nan)
    try:
        whole = _said(raw, raw.values, preparation)
        for k, own in enumerate(single.counts):
            left = total - own
            rest = np.full(left.shape, np.nan)
            np.divide(sums - _sums(single.values[k], own), left, out=rest, where=left > 0)
            step = np.nan_to_num(whole - _said(raw, rest, preparation))
            said = counts[k] > 0
            times = (everyone[said] - counts[k, said]) / counts[k, said]
            moved[k, said] = whole[said] + times * step[said]
    except ConditionalMappingError:
        return None
    return moved


def _sums(values: FloatArray, counts: FloatArray) -> FloatArray:
    """What was said in all; nothing where nobody said anything."""
    return np.where(counts > 0, values, 0.0) * counts


def _flipped(raw: RawTable, preparation: Preparation) -> BoolArray:
    """Of each pair, whether its sign was turned in the table."""
    chosen = selected(raw, preparation)
    both = one_direction(directed(chosen, preparation), chosen.labels, preparation.asymmetry)
    turned = below_zero(both) if preparation.negatives == "absolute" else np.zeros(both.shape)
    return condensed_of(turned.astype(np.float64)) > 0


def _with_mean(answers: Answers, table: FloatArray) -> Answers | None:
    """The answers, each pair's moved together so that their mean is the table.

    None where the table knows a pair of which nobody said anything.
    """
    # What is done to a table as a whole, or along a curve, does not commute with the mean: the
    # largest of means is no mean of largest values, nor is the logarithm of a mean one of
    # logarithms; added constants and values below zero are choices about the table, too. How
    # people deviate from each other is theirs; where they deviate from is the table's.
    off = table - answers.mean
    if np.isnan(off[~np.isnan(table)]).any():
        return None
    off[np.abs(off) <= ROUNDING * np.nanmax(np.abs(table))] = 0.0
    values = answers.values + off
    counts = np.where(np.isnan(values), 0.0, answers.counts)
    return Answers(answers.labels, answers.people, values, counts)
