"""What kind of table this seems to be, and how sure that is; nothing is converted because of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cml_core.errors import listing
from cml_core.files.doctor.pattern import pattern_of
from cml_core.files.reading.formats import FORMATS
from cml_core.files.reading.raw import RawTable
from cml_core.files.reading.surroundings import words_for_distances, words_for_similarities
from cml_core.values.arrays import FloatArray
from cml_core.values.columns import is_constant

# Evidence is added up in standard deviations of what chance would show of three objects at a time.
# With 3 and more, 2 of 16,800 simulated tables of 5 to 40 objects were taken the wrong way round,
# friendships of 8 and 12 people; with this much none.
SURE = 4.0
# However clear a pattern is, one thing that says the opposite is reason to ask.
MOST_OF_PATTERN = 6.0
# By construction, as a table of measurements compared, or by what is said and by all that is usual.
MADE, LARGEST_ITSELF, SAID, SMALLEST_ITSELF, ZERO_ITSELF = 20.0, 7.0, 5.0, 3.0, 0.5
# Values of whole numbers up to this, and no more of them, are answers on a scale, not counts.
LONGEST_SCALE = 11
# All eigenvalues take a time that grows with the cube of N. The diagonals of covariances differ,
# as those of similarities hardly do.
MOST_MULTIPLIED, PRODUCTS_VARY = 600, 0.05
# Rows of a table of shares add up to one, or to 100 per cent, up to rounding as printed.
SHARES_ROUNDING = 0.015


@dataclass(frozen=True)
class Recognition:
    """What a table seems to hold.

    Parameters
    ----------
    kind : "dissimilarities", "correlations", "similarities", "counts", "products" (such as
        covariances) or "confusion".
    why : in sentences: what speaks for that, and what against it.
    conversion : the key of the conversion that is suggested.
    certain : whether all evidence together is overwhelming; otherwise someone has to be asked.
    otherwise : the key of the conversion for similarities, whatever the kind.
    """

    kind: str
    why: str
    conversion: str
    certain: bool = True
    otherwise: str = "from_max"


@dataclass(frozen=True)
class Hint:
    """One thing that speaks for similarities (above zero) or dissimilarities, and how strongly."""

    weight: float
    why: str


def recognised(raw: RawTable) -> Recognition:
    """What a table seems to hold, why, and which conversion suits it.

    All evidence is added up: what a file says by its name, its heads and its format; the diagonal;
    values below zero; whether large or small values hang together in threes of objects; and
    whether a map of few dimensions shows the values as distances.
    """
    values = np.where(np.eye(raw.n_objects, dtype=bool), np.nan, raw.values)
    if np.isnan(values).all() or raw.n_objects < 3:
        return Recognition("dissimilarities", "Nothing is known of any pair.", "none")
    with np.errstate(all="ignore"):
        if is_constant(values[~np.isnan(values)]) and _self(raw, values) == 0:
            return Recognition("dissimilarities", "All known pairs have the same value.", "none")
        similar = _as_similarities(raw, values)
        hints = sorted(_hints(raw, values), key=lambda hint: -abs(hint.weight))
    in_all = sum(hint.weight for hint in hints)
    certain = abs(in_all) >= SURE
    if in_all > 0:
        return Recognition(similar.kind, _why(hints, 1, certain), similar.conversion, certain)
    why = _why(hints, -1, certain)
    return Recognition("dissimilarities", why, "none", certain, similar.conversion)


def _why(hints: list[Hint], sign: int, certain: bool) -> str:
    """What speaks for a reading, and what against it."""
    told = [hint for hint in hints if abs(hint.weight) >= 1]
    speaks = [hint.why for hint in told if hint.weight * sign > 0]
    against = [hint.why for hint in told if hint.weight * sign < 0]
    if certain or not told:
        return " ".join(speaks) or "Little speaks for either."
    return " ".join(
        (*speaks, *(f"But: {why}" for why in against), "That is not enough to be sure.")
    )


def _hints(raw: RawTable, values: FloatArray) -> Iterator[Hint]:
    if raw.format in FORMATS and FORMATS[raw.format].of_distances:
        made = "measurements", "sorting", "triads"
        weight = MADE if raw.format in made else SAID
        yield Hint(-weight, f"It is read as: {FORMATS[raw.format].title}, which gives distances.")
    yield from _of_words(raw.told)
    yield from _of_diagonal(raw, values)
    if _are_products(raw.values):
        yield Hint(LARGEST_ITSELF, "The table is one of covariances or scalar products.")
    if (values < -1e-9 * np.nanmax(np.abs(values))).any():
        yield Hint(SAID, "Some values are below zero, as no distance is.")
    yield from _of_pattern(raw)


def _of_pattern(raw: RawTable) -> Iterator[Hint]:
    pattern = pattern_of(raw)
    most = MOST_OF_PATTERN
    weight = float(np.clip(pattern.transitivity, -most, most))
    size = "large" if weight > 0 else "small"
    yield Hint(
        weight,
        f"Two objects that both have {size} values with a third tend to have a {size} value with "
        "each other, as things that are alike do.",
    )
    if pattern.clean:
        # Both are of the same numbers, and together count for no more than one that is clear.
        more = -min(SAID, most + min(weight, 0.0))
        yield Hint(more, "A map of few dimensions shows them as distances nearly without error.")


def _of_words(told: tuple[str, ...]) -> Iterator[Hint]:
    far, alike = words_for_distances(told), words_for_similarities(told)
    if far and not alike:
        yield Hint(-SAID, f"The file speaks of distances ({listing(far, 2)}).")
    if alike and not far:
        yield Hint(SAID, f"The file speaks of similarities ({listing(alike, 2)}).")


def _of_diagonal(raw: RawTable, values: FloatArray) -> Iterator[Hint]:
    itself = _self(raw, values)
    if itself > 0:
        yield Hint(LARGEST_ITSELF, "Each object is more like itself than like any other.")
    elif itself < 0:
        yield Hint(-SMALLEST_ITSELF, "Each object has its smallest value with itself.")
    elif not np.nan_to_num(np.diagonal(raw.values), nan=1.0).any():
        yield Hint(-ZERO_ITSELF, "Each object is at zero from itself.")


def _self(raw: RawTable, values: FloatArray) -> int:
    """1 where objects have their largest values with themselves, -1 their smallest; else 0.

    Of a diagonal that is not above zero it is always 0.
    """
    diagonal = np.diagonal(raw.values)
    if np.isnan(diagonal).any() or (diagonal <= 0).any():
        return 0
    largest = np.fmax(np.fmax.reduce(values, axis=1), np.fmax.reduce(values, axis=0))
    smallest = np.fmin(np.fmin.reduce(values, axis=1), np.fmin.reduce(values, axis=0))
    if (diagonal >= np.nan_to_num(largest, nan=-np.inf)).all():
        return 1
    return -int((diagonal <= np.nan_to_num(smallest, nan=np.inf)).all())


@dataclass(frozen=True)
class _Similar:
    """What a table would hold if it held similarities."""

    kind: str
    conversion: str


def _as_similarities(raw: RawTable, values: FloatArray) -> _Similar:
    diagonal = np.diagonal(raw.values)
    sizes = np.abs(values)
    within_one = not (sizes > 1).any()
    if _self(raw, values) <= 0:
        # Of what is hard to tell apart, something may be taken for another more often than not.
        if _shown_equally_often(raw.values) and _are_confusions(values, diagonal):
            return _Similar("confusion", "confusion")
        diagonal = np.full(raw.n_objects, np.nan)
    elif within_one and (diagonal == 1).all():
        return _correlations(values)
    elif _are_confusions(values, diagonal):
        return _Similar("confusion", "confusion")
    if within_one and np.isnan(diagonal).all() and np.nanmax(sizes) > 0:
        return _correlations(values)
    if _are_products(raw.values):
        return _Similar("products", "gram")
    if _are_counts(values, diagonal) and not _are_answers(values, diagonal):
        return _Similar("counts", "cooccurrence")
    return _Similar("similarities", "from_max")


def _correlations(values: FloatArray) -> _Similar:
    if (values < 0).any():
        return _Similar("correlations", "root_one_minus")
    return _Similar("similarities", "one_minus")


def _are_products(square: FloatArray) -> bool:
    """Whether the table can be one of covariances, and its diagonal says how large each is."""
    diagonal = np.diagonal(square)
    if np.isnan(square).any() or len(square) > MOST_MULTIPLIED or (diagonal <= 0).any():
        return False
    varied = np.ptp(diagonal) > PRODUCTS_VARY * diagonal.mean()
    if not varied or not np.allclose(square, square.T, rtol=1e-6, atol=0):
        return False
    if _are_counts(square, diagonal):
        return False
    values = np.linalg.eigvalsh(square)
    return bool(values[0] > -1e-6 * values[-1])


def _are_answers(values: FloatArray, diagonal: FloatArray) -> bool:
    """Whether whole numbers are few and small enough to be grades of a scale."""
    return bool(np.fmax(np.nanmax(values), np.fmax.reduce(diagonal)) <= LONGEST_SCALE)


def _are_counts(values: FloatArray, diagonal: FloatArray) -> bool:
    known = np.concatenate((values[~np.isnan(values)], diagonal[~np.isnan(diagonal)]))
    return bool((known >= 0).all() and (known % 1 == 0).all())


def _shown_equally_often(square: FloatArray) -> bool:
    """Whether all rows add up to the same, and mostly name what was shown.

    Ranks add up to the same as well, but of an object beside itself there is none.
    """
    rows, diagonal = square.sum(axis=1), np.diagonal(square)
    same = (np.abs(rows - rows.mean()) <= SHARES_ROUNDING * rows.mean()).all()
    return bool(same and (diagonal > 0).all() and len(square) * diagonal.mean() > rows.mean())


def _are_confusions(values: FloatArray, diagonal: FloatArray) -> bool:
    both = ~np.isnan(values) & ~np.isnan(values.T)
    if not (values[both] != values.T[both]).any():
        return False
    rows = diagonal + np.where(np.isnan(values), 0.0, values).sum(axis=1)
    shares = any((np.abs(rows - whole) <= SHARES_ROUNDING * whole).all() for whole in (1.0, 100.0))
    return _are_counts(values, diagonal) or (shares and not (values < 0).any())
