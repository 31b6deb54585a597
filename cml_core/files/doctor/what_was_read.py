"""What was understood of a file: its size and kind, what was averaged, what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cml_core.errors import ConditionalMappingError, listing
from cml_core.files.doctor.conversions import (
    CONVERSIONS,
    OF_DISSIMILARITIES,
    conversion_of,
    refused,
    suiting,
)
from cml_core.files.doctor.findings import (
    NAMED,
    ODD,
    UNDERSTOOD,
    WRONG,
    Choice,
    Finding,
    with_more,
)
from cml_core.files.doctor.recognition import Recognition, recognised
from cml_core.files.doctor.values import as_unknown
from cml_core.files.doctor.which_way import SAID, ends_of, most_alike, which_way_finding
from cml_core.files.preparation import Preparation
from cml_core.files.reading.formats import FORMATS
from cml_core.files.reading.raw import RawTable
from cml_core.values.arrays import FloatArray
from cml_core.values.words import counted, percent

_KINDS = {
    "dissimilarities": "dissimilarities",
    "correlations": "correlations",
    "similarities": "similarities",
    "products": "covariances or scalar products",
    "counts": "counts of how often two objects occur together",
    "confusion": "confusions: how often one object was taken for another",
}
_OF_RATERS = "Mean of several tables"
# Repeats of a pair that differ by more than this share of the spread between pairs are odd.
UNRELIABLE = 0.5


def read_finding(raw: RawTable) -> Finding:
    """What was read: format, objects, known pairs, and what the reader noted."""
    n = raw.n_objects
    in_all = n * (n - 1) // 2
    known = ~np.isnan(raw.values)
    both = np.triu(known | known.T, 1)
    count = int(both.sum())
    pairs = (
        f"all {counted(in_all, 'pair')}" if count == in_all else f"{count:,} of {in_all:,} pairs"
    )
    meaning = "" if count == in_all else "Pairs that are not known do not pull on the map."
    title = FORMATS[raw.format].title if raw.format in FORMATS else _OF_RATERS
    return Finding(
        "read",
        UNDERSTOOD,
        f"{title}: {counted(n, 'object')} ({listing(raw.labels, 3)}), {pairs} known.",
        " ".join((*raw.notes, meaning)).strip(),
    )


def question_findings(raw: RawTable) -> Iterator[Finding]:
    """What the file left open, or what was said of it."""
    for question in raw.questions:
        grade = WRONG if question.open else ODD if question.key == "encoding" else UNDERSTOOD
        yield Finding(
            question.key, grade, question.fact, question.meaning, question.choices, question.field
        )


def too_few_finding(error: ConditionalMappingError) -> Finding:
    return Finding("too_few", WRONG, error.fact, error.remedy)


def left_out_findings(preparation: Preparation) -> tuple[Finding, ...]:
    """What was left out by choice, so that it can be brought back."""
    found = []
    if preparation.without:
        names = preparation.without
        found.append(
            Finding(
                "without",
                UNDERSTOOD,
                f"Left out: {listing(names, NAMED)}.",
                "They have no place on the map.",
                (Choice((), "Bring them back"),),
                "without",
                objects=names,
            )
        )
    if preparation.unknown_pairs:
        pairs = preparation.unknown_pairs
        shown = [f"d({first}, {second})" for first, second in pairs]
        found.append(
            Finding(
                "unknown_pairs",
                UNDERSTOOD,
                f"Taken as unknown: {listing(shown, NAMED)}.",
                "These pairs do not pull on the map; their objects are placed by all others.",
                (Choice((), "Bring them back"),),
                "unknown_pairs",
                pairs=pairs,
            )
        )
    return tuple(found)


def kind_finding(table: RawTable, preparation: Preparation) -> Finding:
    """Similarities or dissimilarities, and what was chosen to become of them."""
    seems = recognised(table)
    if preparation.conversion != "none":
        return _as_chosen(table, seems, preparation.conversion)
    if not seems.certain:
        return which_way_finding(table, seems)
    if seems.kind == "dissimilarities":
        return Finding(
            "kind",
            UNDERSTOOD,
            f"Taken as dissimilarities: large values are for pairs that differ. {seems.why}",
            _closest(table, "none"),
            _conversions(table, seems, "none"),
            "conversion",
        )
    return Finding(
        "kind",
        WRONG,
        f"These are {_KINDS[seems.kind]}. {seems.why}",
        "Taken as dissimilarities they would give a map that is inside out: what is alike would "
        "lie far apart.",
        _suggested(table, seems),
        "conversion",
    )


def _as_chosen(table: RawTable, seems: Recognition, key: str) -> Finding:
    conversion = conversion_of(key)
    seemed = (
        f"The table seemed to hold {_KINDS[seems.kind]}."
        if seems.certain
        else "The table alone could not tell for certain what it holds."
    )
    if key == SAID:
        fact = "As you said, large values are for pairs that differ."
    else:
        fact = (
            f"Mended: the values were converted ({conversion.title.lower()}: {conversion.formula})."
        )
    return Finding(
        "kind",
        UNDERSTOOD,
        fact,
        f"{_closest(table, key)} {seemed} {seems.why}".strip(),
        _suggested(table, seems, key),
        "conversion",
    )


def _closest(table: RawTable, key: str) -> str:
    """Which pair will lie closest; nothing where nothing is known."""
    ends = ends_of(table)
    if ends is None:
        return ""
    return most_alike(ends.smallest if key in OF_DISSIMILARITIES else ends.largest)


def _suggested(table: RawTable, seems: Recognition, *kept: str) -> tuple[Choice, ...]:
    """The conversions for a table, first and marked the one that its kind suggests, if any."""
    if seems.kind == "dissimilarities":
        return _conversions(table, seems, *kept)
    first, *others = _conversions(table, seems, seems.conversion, *kept)
    return (replace(first, title=f"{first.title} (suggested)"), *others)


def _conversions(table: RawTable, seems: Recognition, *kept: str) -> tuple[Choice, ...]:
    """The conversions that are not sure to fail, after those that are kept in any case."""
    # A root would leave similarities as similarities, and is no way out; and that nothing was said
    # is no choice, where it is to be said.
    left_out = {SAID, "none"}
    if seems.kind != "dissimilarities":
        left_out.add("square_root")
    if (np.diagonal(table.values) == 1).all():
        # Of correlations it is the distance between standardised variables.
        left_out.add("gram")
    others = [key for key in suiting(table.values) if key not in left_out]
    keys = dict.fromkeys((*kept, *others, *(() if "none" in kept else (SAID,))))
    return tuple(
        Choice(key, CONVERSIONS[key].title, f"{CONVERSIONS[key].formula}. {CONVERSIONS[key].about}")
        for key in keys
    )


def failed_conversion_findings(
    error: ConditionalMappingError, table: RawTable, preparation: Preparation
) -> tuple[Finding, ...]:
    """A conversion that the values do not allow, and the pairs that keep it from being made."""
    failed = Finding(
        "conversion",
        WRONG,
        error.fact,
        error.remedy,
        _conversions(table, recognised(table), preparation.conversion),
        "conversion",
    )
    reason = refused(table.values, table.labels, preparation.conversion, preparation.scale)
    others = (*_added_count(reason.added), *_outside(reason.pairs, preparation))
    return (failed, *others)


def _added_count(added: float) -> Iterator[Finding]:
    """A constant by which no count is zero any longer."""
    if added:
        yield Finding(
            "added_count",
            ODD,
            "Some counts are zero, and a small number added to every entry would mend that.",
            "It stands for how rarely the two would be confused if they were shown more often.",
            (Choice(added, f"Add {added:g} to every entry", "Half of the smallest other count."),),
            "scale",
        )


def _outside(pairs: tuple[tuple[str, str], ...], preparation: Preparation) -> Iterator[Finding]:
    """The pairs that keep a conversion from being made."""
    if not pairs:
        return
    shown = ", ".join(f"{first} and {second}" for first, second in pairs[:NAMED])
    yield Finding(
        "outside",
        ODD,
        f"{counted(len(pairs), 'pair')} cannot be converted: "
        f"{with_more(shown, NAMED, len(pairs))}.",
        "Taken as unknown they do not pull on the map, and all others can be converted.",
        as_unknown(pairs, preparation),
        "unknown_pairs",
        pairs,
    )


def infinite_finding(table: RawTable, preparation: Preparation) -> Finding | None:
    """Values that are not finite, between different objects."""
    wrong = np.isinf(table.values)
    wrong |= wrong.T
    first, second = np.nonzero(np.triu(wrong, 1))
    pairs = tuple((table.labels[i], table.labels[j]) for i, j in zip(first, second, strict=True))
    if not pairs:
        return None
    shown = ", ".join(f"d({a}, {b})" for a, b in pairs[:NAMED])
    return Finding(
        "infinite",
        WRONG,
        f"Infinite: {with_more(shown, NAMED, len(pairs))}.",
        "Nothing can be placed infinitely far away.",
        (Choice((*preparation.unknown_pairs, *pairs), "Take as unknown"),),
        "unknown_pairs",
        pairs,
    )


def spread_finding(table: RawTable) -> Finding | None:
    """How far apart the values were that were averaged for one pair."""
    if table.spread is None:
        return None
    both = np.triu(np.fmax(table.spread, table.spread.T), 1)
    first, second = np.nonzero(np.triu(np.isfinite(both), 1))
    if not first.size:
        return None
    spreads = both[first, second]
    # One of the spreads themselves, so that the number is found in the file.
    typical = float(np.quantile(spreads, 0.5, method="lower"))
    share = _share_of_spread(typical, table.values)
    worst = np.argsort(-spreads, kind="stable")[:NAMED]
    pairs = tuple((table.labels[first[k]], table.labels[second[k]]) for k in worst)
    shown = ", ".join(
        f"d({a}, {b}) ± {s:.4g}" for (a, b), s in zip(pairs, spreads[worst], strict=True)
    )
    return Finding(
        "spread",
        ODD if share > UNRELIABLE else UNDERSTOOD,
        f"{counted(spreads.size, 'pair')} had several values, which were averaged; typically they "
        f"scatter by {typical:.4g} (standard deviation), {_times(share)} as much as different "
        f"pairs do. Most: {shown}.",
        "What differs between repeats cannot show on one map; the map is of their mean.",
        pairs=pairs,
    )


def _times(share: float) -> str:
    return f"{share:.2g} times" if share >= 1 else percent(share)


def _share_of_spread(typical: float, values: FloatArray) -> float:
    """A standard deviation as a share of that between pairs; 0 where pairs do not differ."""
    known = values[~np.eye(len(values), dtype=bool) & ~np.isnan(values)]
    unit = float(np.abs(known).max(initial=0.0))
    between = float(np.std(known / unit)) if unit else 0.0
    return typical / unit / between if between else 0.0
