"""Which names and gaps a format can hold, and the pairs as texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from cml_core.values.arrays import pair_of
from cml_core.values.dissimilarities import Dissimilarities

# What readers take: PHYLIP so much of a name, and this program so much of a line that R prints.
PHYLIP_WIDTH = 10
WIDEST_LINE = 100_000
_SHOWN = 40
# -1.2345678901234567e-308
_LONGEST_NUMBER = 24


def corner(labels: Sequence[str]) -> str:
    """What stands above the names of rows; it must not be taken for one of them."""
    return "" if "object" in labels else "object"


def encodable_name(labels: Sequence[str]) -> str:
    """What stands in the way of names in any text file."""
    for label in labels:
        if "\0" in label or any("\ud800" <= letter <= "\udfff" for letter in label):
            return f"{_short(label)} has a character that no text file can hold"
    return ""


def quoted_name(labels: Sequence[str]) -> str:
    """What stands in the way of names in quotes."""
    for label in labels:
        if "\r" in label:
            return f"{_short(label)} has a carriage return, which some systems change"
        if any(line and not line.strip() for line in label.split("\n")[1:-1]):
            return f"{_short(label)} has a line of nothing but blanks, which readers leave out"
    return encodable_name(labels)


def quoted_name_beside_commas(labels: Sequence[str]) -> str:
    """What stands in the way of names in quotes where decimals have commas."""
    for label in labels:
        if "." in label and _is_number(label):
            return f"{_short(label)} is a number with a point, while all others have commas"
    return quoted_name(labels)


def name_in_a_line(labels: Sequence[str]) -> str:
    """What stands in the way of names between tabs, without quotes."""
    for label in labels:
        if not label.strip():
            return "one name is empty"
        if "\t" in label or len(label.splitlines()) > 1 or label != label.strip():
            return f"{_short(label)} has a tab, a line break or blanks around it"
        if '"' in label:
            return f"{_short(label)} has quotes that would be taken for those around a text"
    return encodable_name(labels)


def name_in_columns(labels: Sequence[str]) -> str:
    """What stands in the way of names above and before columns of aligned numbers."""
    for label in labels:
        if re.search(r"\s\s|[^\S ]", label):
            return f"{_short(label)} has several blanks in a row, or others than plain ones"
        if label.startswith((">", "+ ")):
            return f"{_short(label)} begins like a prompt of R"
    if len(labels) * (max(map(len, labels)) + _LONGEST_NUMBER) > WIDEST_LINE:
        return f"its lines would be longer than {WIDEST_LINE:,} characters"
    return name_in_a_line(labels)


def name_before_numbers(labels: Sequence[str]) -> str:
    """What stands in the way of names that only a blank, or their length, parts from numbers."""
    plain = as_phylip_names(labels)
    for label, name in zip(labels, plain, strict=True):
        if plain.count(name) > 1:
            return f"{_short(label)} would be written like another name"
        if re.search(r"[^\S ]", label):
            return f"{_short(label)} has blanks other than plain ones"
    return name_in_a_line(labels)


def as_phylip_names(labels: Sequence[str]) -> list[str]:
    """Names as they are where all fit into ten characters, else blanks become underscores."""
    if all(len(label) <= PHYLIP_WIDTH for label in labels):
        return list(labels)
    return [label.replace(" ", "_") for label in labels]


def no_gaps(dissimilarities: Dissimilarities) -> str:
    """What stands in the way where every pair must be known."""
    if dissimilarities.complete:
        return ""
    index = int(np.argmax(dissimilarities.missing))
    first, second = (dissimilarities.labels[k] for k in pair_of(index, dissimilarities.n_objects))
    return f"d({first[:_SHOWN]}, {second[:_SHOWN]}) is missing, and it has no sign for that"


def texts_of(values: Sequence[float], gap: str = "") -> list[str]:
    """Numbers with as many digits as it takes to have the same ones back."""
    # repr, not a number of digits: 17 of them are not pretty, 15 are not the same float.
    return [gap if value != value else repr(value) for value in values]


def lower_rows(
    dissimilarities: Dissimilarities, gap: str, *, diagonal: bool
) -> Iterator[tuple[str, list[str]]]:
    """Each object with its values to those before it, and to itself where that is wanted."""
    square = dissimilarities.square()
    for k, label in enumerate(dissimilarities.labels):
        yield label, texts_of(square[k, : k + int(diagonal)].tolist(), gap)


def full_rows(dissimilarities: Dissimilarities) -> Iterator[tuple[str, list[str]]]:
    """Each object with its values to all."""
    square = dissimilarities.square()
    for k, label in enumerate(dissimilarities.labels):
        yield label, texts_of(square[k].tolist())


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _short(label: str) -> str:
    return repr(label[:_SHOWN])
