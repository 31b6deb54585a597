"""From what a file says to dissimilarities, by the choices that were made, one after another."""

from __future__ import annotations

import numpy as np

from cml_core.errors import (
    AsymmetricDissimilarities,
    LabelMismatch,
    NegativeDissimilarities,
    NonzeroDiagonal,
    TooFewObjects,
    UnreadableFile,
    listing,
)
from cml_core.files.doctor.conversions import OF_DISSIMILARITIES, converted
from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import BoolArray, FloatArray, IntArray, frozen, pair_count
from cml_core.values.condense import condense
from cml_core.values.dissimilarities import DIAGONAL_TOLERANCE, SYMMETRY_TOLERANCE, Dissimilarities
from cml_core.values.words import counted


def prepared(raw: RawTable, preparation: Preparation) -> Dissimilarities:
    """The dissimilarities that a file holds once every choice has been applied.

    Objects left out and pairs taken as unknown go first, so that they count for nothing; then
    come conversion, asymmetry, negative values, the diagonal, and the constant.

    Raises
    ------
    LabelMismatch : a choice names an object that is not there.
    UnsuitableConversion, AsymmetricDissimilarities, NegativeDissimilarities, NonzeroDiagonal :
        the table needs a choice that was not made.
    UnreadableFile : the file can be read in two ways, and it was not said which is meant.
    """
    _check_answered(raw)
    table = selected(raw, preparation)
    square = directed(table, preparation)
    both = one_direction(square, table.labels, preparation.asymmetry, table.weights)
    both = without_negatives(both, table.labels, preparation.negatives)
    _check_diagonal(both, np.diagonal(square), table.labels, preparation.diagonal)
    condensed = condensed_of(both)
    if preparation.added:
        with np.errstate(over="ignore"):  # what is too large is refused by its pair's name
            condensed = condensed + preparation.added
    called = dict(preparation.names)
    labels = tuple(called.get(label, label) for label in table.labels)
    return Dissimilarities(labels, frozen(condensed))


def _check_answered(raw: RawTable) -> None:
    """Raise where the file can be read in two ways and nobody said which."""
    asked = next((question for question in raw.questions if question.open), None)
    if asked is not None:
        offered = "; ".join(choice.title for choice in asked.choices)
        raise UnreadableFile(asked.fact, remedy=f"Choose for {asked.field!r}: {offered}.")


def prepared_weights(raw: RawTable, preparation: Preparation) -> FloatArray | None:
    """Condensed weights of the pairs as `prepared` has them, 0 where a pair is not known.

    A pair whose weight is not given counts once. Where one direction is chosen its weight is
    taken, otherwise the mean of both. None where the file has no weights.
    """
    if raw.weights is None:
        return None
    table = selected(raw, preparation)
    assert table.weights is not None
    square = directed(table, preparation)
    known = ~np.isnan(square)
    weights = np.where(np.isnan(table.weights), 1.0, table.weights)
    first, second = _weights_of_directions(known, weights, square, preparation.asymmetry)
    condensed = condensed_of(_middle(first, second))
    condensed[~condensed_of((known | known.T).astype(float)).astype(bool)] = 0.0
    return frozen(condensed)


def selected(raw: RawTable, preparation: Preparation) -> RawTable:
    """The table without the objects left out, and silent on pairs that are taken as unknown."""
    place = {label: i for i, label in enumerate(raw.labels)}
    named = [*preparation.without, *(name for pair in preparation.unknown_pairs for name in pair)]
    unknown = sorted({name for name in named if name not in place})
    if unknown:
        raise LabelMismatch(
            f"No object is called {listing(unknown)}.",
            remedy="Choose among the objects of the file.",
        )
    gone = {place[name] for name in preparation.without}
    kept = np.array([i for i in range(raw.n_objects) if i not in gone], dtype=np.int64)
    if kept.size < 3:
        raise TooFewObjects(
            f"Objects that are there and not left out: {kept.size}.",
            remedy="A map needs at least 3.",
        )
    # The table itself, which may be hundreds of megabytes.
    if not named:
        return raw
    values = raw.values.copy()
    for first, second in preparation.unknown_pairs:
        i, j = place[first], place[second]
        values[i, j] = values[j, i] = np.nan
    return RawTable(
        tuple(raw.labels[i] for i in kept),
        values[np.ix_(kept, kept)],
        raw.format,
        raw.notes,
        _part(raw.spread, kept),
        _part(raw.weights, kept),
        told=raw.told,
    )


def _part(square: FloatArray | None, kept: IntArray) -> FloatArray | None:
    return None if square is None else square[np.ix_(kept, kept)]


def directed(table: RawTable, preparation: Preparation) -> FloatArray:
    """The values after conversion, each direction by itself.

    The diagonal of similarities says how alike an object is to itself, or nothing; whatever it
    becomes, an object is at zero from itself.
    """
    key = preparation.conversion
    square = converted(table.values, table.labels, key, preparation.scale)
    return (
        square
        if key in OF_DISSIMILARITIES
        else np.where(np.eye(len(square), dtype=bool), 0.0, square)
    )


def gaps_between_directions(square: FloatArray) -> FloatArray:
    """|d(a, b) - d(b, a)|; 0 where not both are known, and where the difference is rounding."""
    with np.errstate(over="ignore", invalid="ignore"):
        gap = np.nan_to_num(np.abs(square - square.T), nan=0.0)
    np.fill_diagonal(gap, 0.0)
    gap[gap <= SYMMETRY_TOLERANCE * largest_of(square)] = 0.0
    return gap


def largest_of(square: FloatArray) -> float:
    """The largest size of a value of two different objects; 0 where none is known."""
    sizes = np.abs(square)
    np.fill_diagonal(sizes, np.nan)
    return float(np.nan_to_num(np.fmax.reduce(sizes, axis=None, initial=0.0)))


def one_direction(
    square: FloatArray, labels: tuple[str, ...], how: str, weights: FloatArray | None = None
) -> FloatArray:
    """A symmetric table, silent in its diagonal; one known direction stands for both.

    Where both are averaged, each counts by its weight.
    """
    if how == "refuse":
        _check_symmetry(square, labels)
    # A triangle is symmetric by its format: what one direction says, the other is taken to say too.
    filled = np.where(np.isnan(square), square.T, square)
    np.fill_diagonal(filled, np.nan)
    if how in ("upper", "lower"):
        kept = np.triu(np.ones(square.shape, dtype=bool))
        return np.where(kept if how == "upper" else kept.T, filled, filled.T)
    if how in ("larger", "smaller"):
        return (np.maximum if how == "larger" else np.minimum)(filled, filled.T)
    return _middle(filled, filled.T, 0.5 if weights is None else _shares(weights))


def _shares(weights: FloatArray) -> FloatArray:
    """How much each direction counts of both; alike where neither counts, or that is not told."""
    told = np.where(np.isnan(weights), 1.0, weights)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        shares = told / (told + told.T)
    return np.where((shares >= 0) & (shares <= 1), shares, 0.5)


def _middle(one: FloatArray, other: FloatArray, share: FloatArray | float = 0.5) -> FloatArray:
    """The mean, exact where both are the same, and finite where both are; the share is of one."""
    return np.where(one == other, one, one * share + other * (1 - share))


def _weights_of_directions(
    known: BoolArray, weights: FloatArray, square: FloatArray, how: str
) -> tuple[FloatArray, FloatArray]:
    """The weights of both directions, each a copy of the other where only that one is taken."""
    if how in ("upper", "lower"):
        upper = np.triu(known)
        taken = upper if how == "upper" else known & ~upper
    elif how in ("larger", "smaller"):
        sign = 1.0 if how == "larger" else -1.0
        taken = known & ~(sign * square < sign * square.T)
    else:
        taken = known
    taken = taken | (known & ~taken.T)
    first = np.where(taken, weights, weights.T)
    return first, first.T


def _check_symmetry(square: FloatArray, labels: tuple[str, ...]) -> None:
    gap = gaps_between_directions(square)
    count = int((gap > 0).sum()) // 2
    if not count:
        return
    i, j = sorted(divmod(int(np.argmax(gap)), len(labels)))
    first, second = labels[i], labels[j]
    raise AsymmetricDissimilarities(
        f"d({first}, {second}) is {square[i, j]:.6g} but d({second}, {first}) is "
        f"{square[j, i]:.6g}; {counted(count, 'pair differs', 'pairs differ')}.",
        remedy="Choose what becomes of the two directions: their average, one of the triangles, "
        "the larger or the smaller.",
    )


def without_negatives(square: FloatArray, labels: tuple[str, ...], how: str) -> FloatArray:
    """The symmetric table with values below zero mended; what is only rounding becomes zero."""
    below = below_zero(square)
    table = np.where((square < 0) & ~below, 0.0, square)
    if not below.any():
        return table
    lowest = float(np.min(square[below]))
    if how == "refuse":
        i, j = divmod(int(np.argmax(below & (square == lowest))), len(labels))
        count = int(below.sum()) // 2
        raise NegativeDissimilarities(
            f"d({labels[i]}, {labels[j]}) is {lowest:.6g}; "
            f"{counted(count, 'pair is', 'pairs are')} below zero.",
            remedy="If these are similarities or correlations, choose a conversion; otherwise "
            "choose what becomes of values below zero.",
        )
    if how == "shift":
        with np.errstate(over="ignore"):  # what is too large is refused by its pair's name
            return table - lowest
    if how == "absolute":
        return np.abs(table)
    return np.where(below, 0.0 if how == "zero" else np.nan, table)


def below_zero(square: FloatArray) -> BoolArray:
    """Where a table that is silent in its diagonal is below zero by more than rounding."""
    largest = float(np.fmax.reduce(square, axis=None, initial=0.0))
    below: BoolArray = square < -SYMMETRY_TOLERANCE * largest
    return below


def nonzero_diagonal(square: FloatArray, diagonal: FloatArray) -> IntArray:
    """Which objects differ from themselves by more than rounding."""
    wrong: IntArray = np.flatnonzero(np.abs(diagonal) > DIAGONAL_TOLERANCE * largest_of(square))
    return wrong


def _check_diagonal(
    square: FloatArray, diagonal: FloatArray, labels: tuple[str, ...], how: str
) -> None:
    wrong = nonzero_diagonal(square, diagonal)
    if how == "zero" or not wrong.size:
        return
    i = int(wrong[0])
    raise NonzeroDiagonal(
        f"d({labels[i]}, {labels[i]}) is {diagonal[i]:.6g}; {wrong.size} of {len(labels)} "
        "diagonal entries are not zero.",
        remedy="Choose to set the diagonal to zero; if these are similarities, choose a "
        "conversion instead.",
    )


def condensed_of(square: FloatArray) -> FloatArray:
    """The upper triangle of a symmetric table."""
    condensed = np.empty(pair_count(len(square)))
    condense(np.ascontiguousarray(square), condensed)
    return condensed
