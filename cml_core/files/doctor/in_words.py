"""What was chosen between a file and its dissimilarities, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from cml_core.errors import listing
from cml_core.files.doctor.conversions import CONVERSIONS, OF_DISSIMILARITIES
from cml_core.files.measures.catalogue import METRICS, SCALINGS, scaling_title
from cml_core.files.preparation import Preparation
from cml_core.files.reading.code_pages import CODE_PAGES
from cml_core.files.reading.roles import ROLES

ASYMMETRY_STEPS = {
    "average": "Both directions were averaged.",
    "upper": "Of both directions, the one above the diagonal was taken.",
    "lower": "Of both directions, the one below the diagonal was taken.",
    "larger": "Of both directions, the larger was taken.",
    "smaller": "Of both directions, the smaller was taken.",
}
NEGATIVES_STEPS = {
    "zero": "Values below zero were set to zero.",
    "missing": "Values below zero were taken as unknown.",
    "absolute": "Values below zero lost their sign.",
    "shift": "All values were raised so that the lowest is zero.",
}
DIAGONAL_STEP = "The diagonal was set to zero."


def choices_in_words(preparation: Preparation) -> tuple[str, ...]:
    """What was chosen, in sentences and in the order in which it acts; what was not is left out."""
    return (*_of_reading(preparation), *_of_values(preparation))


def _of_reading(preparation: Preparation) -> Iterator[str]:
    if preparation.format != "auto":
        yield f"The file was read as {preparation.format}."
    if preparation.sheet == "*":
        yield "Every sheet was read."
    elif preparation.sheet:
        yield f"The sheet {preparation.sheet} was read."
    yield from _of_manner(preparation)
    if preparation.metric:
        how = _measured(preparation.metric, preparation.scaling)
        yield f"Dissimilarities were computed from measurements ({how})."
    if preparation.columns:
        yield f"Only these measurements counted: {listing(preparation.columns)}."
    if preparation.without:
        yield f"Left out: {listing(preparation.without)}."
    if preparation.names:
        called = [f"{old} as {new}" for old, new in preparation.names]
        yield f"Objects were called otherwise: {listing(called)}."
    if preparation.unknown_pairs:
        pairs = [f"{first} with {second}" for first, second in preparation.unknown_pairs]
        yield f"Taken as unknown: {listing(pairs)}."


def _of_manner(preparation: Preparation) -> Iterator[str]:
    if preparation.area:
        yield f"Only the cells {preparation.area} were read."
    if preparation.encoding:
        yield f"Letters were read as {CODE_PAGES[preparation.encoding]}."
    if preparation.decimal:
        yield f"Decimal marks are {preparation.decimal}s."
    if preparation.missing:
        yield f"Taken for unknown: {listing([repr(text) for text in preparation.missing])}."
    if preparation.roles:
        said = [f"{head} is {ROLES[role].lower()}" for head, role in preparation.roles]
        yield f"Columns of the list: {listing(said)}."


def _measured(metric: str, scaling: str) -> str:
    """The titles of a metric and a scaling; keys that have none as they are."""
    title = METRICS[metric].title if metric in METRICS else metric
    if scaling == "none":
        return title
    return f"{title}, scaled: {scaling_title(scaling).lower() if scaling in SCALINGS else scaling}"


def _of_values(preparation: Preparation) -> Iterator[str]:
    if preparation.conversion != "none":
        yield _of_conversion(preparation)
    if preparation.asymmetry in ASYMMETRY_STEPS:
        yield ASYMMETRY_STEPS[preparation.asymmetry]
    if preparation.negatives in NEGATIVES_STEPS:
        yield NEGATIVES_STEPS[preparation.negatives]
    if preparation.diagonal == "zero" and preparation.conversion in OF_DISSIMILARITIES:
        yield DIAGONAL_STEP
    if preparation.added:
        yield f"{preparation.added:.6g} was added to every dissimilarity."


def _of_conversion(preparation: Preparation) -> str:
    if preparation.conversion not in CONVERSIONS:
        # Of a project by someone else, or a later version, which shows its steps all the same.
        return f"The values were converted: {preparation.conversion}."
    conversion = CONVERSIONS[preparation.conversion]
    what = conversion.title[:1].lower() + conversion.title[1:]
    scale = preparation.scale or conversion.default_scale
    tail = f" (scale {scale:.6g})" if conversion.scale and scale else ""
    if conversion.key == "dissimilarities":
        return "It was said that large values are for pairs that differ."
    if conversion.key == "square_root":
        return "Dissimilarities were replaced by their roots."
    return f"Similarities became dissimilarities: {what}{tail}."
