"""What single people said, brought to the direction and units of the dissimilarities."""

from __future__ import annotations

import numpy as np

from cml_core.errors import ConditionalMappingError
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

    The mean of the answers is the prepared table. None where single people are not known, are
    too few to speak of others, or said what the conversion is not defined for.

    Raises
    ------
    What `doctor.prepared` raises of the table itself.
    """
    single = raw.by_person
    if single is None or single.n_people < FEWEST_PEOPLE:
        return None
    table = prepared(raw, preparation)
    flipped = _flipped(raw, preparation)
    try:
        each = [_of_person(raw, single, k, preparation) for k in range(single.n_people)]
    except ConditionalMappingError:
        # One count of zero has no logarithm: what this person said cannot be told in the units
        # of the table, and without one of them the mean of the others is another table.
        return None
    values = np.array([np.where(flipped, -said, said) for said, _ in each])
    answers = Answers(table.labels, single.people, values, np.array([count for _, count in each]))
    return _with_mean(answers, np.asarray(table.condensed, dtype=np.float64))


def _of_person(
    raw: RawTable, single: ByPerson, k: int, preparation: Preparation
) -> tuple[FloatArray, FloatArray]:
    """Condensed dissimilarities of one person, and how many answers each stands for."""
    own = RawTable(raw.labels, single.values[k], raw.format, weights=single.counts[k])
    chosen = selected(own, preparation)
    assert chosen.weights is not None
    # What was to be refused was refused, or not, of the table that sums people up: one person's
    # directions differ where those of all together do not.
    how = "average" if preparation.asymmetry == "refuse" else preparation.asymmetry
    said = condensed_of(one_direction(directed(chosen, preparation), chosen.labels, how))
    asked = np.where(chosen.weights > 0, chosen.weights, np.nan)
    counts = np.nan_to_num(condensed_of(one_direction(asked, chosen.labels, "average")))
    return said, np.where(np.isnan(said), 0.0, counts)


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
