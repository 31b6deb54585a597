"""What is odd in which pairs are known: objects alone, objects with few pairs, pieces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cml_core.errors import listing
from cml_core.files.doctor.findings import NAMED, ODD, WRONG, Choice, Finding
from cml_core.files.doctor.pair_table import PairTable
from cml_core.files.preparation import Preparation
from cml_core.values.components import components
from cml_core.values.words import counted

# Two distances leave two places on a plane, three leave one.
FEWEST_PAIRS = 3


def gap_findings(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    """Objects alone, pieces, and objects with few known pairs."""
    if not table.ascending.size:
        yield Finding(
            "nothing_known",
            WRONG,
            "No pair of different objects is known.",
            "There is nothing to map. Give at least the pairs that join all objects.",
        )
        return
    counts = table.known_pairs.sum(axis=1)
    if (counts == 0).any():
        yield _alone(table, preparation)
    yield from _pieces(table, preparation)
    if ((counts > 0) & (counts < min(FEWEST_PAIRS, table.n_objects - 1))).any():
        yield _few(table, preparation)


def _leaving_out(names: tuple[str, ...], preparation: Preparation) -> tuple[Choice, ...]:
    what = names[0] if len(names) == 1 else counted(len(names), "object")
    return (Choice((*preparation.without, *names), f"Leave out {what}"),)


def _alone(table: PairTable, preparation: Preparation) -> Finding:
    names = table.names(np.flatnonzero(~table.known_pairs.any(axis=1)))
    return Finding(
        "alone",
        WRONG,
        f"No pair is known of {listing(names, NAMED)}.",
        "Nothing says where they belong on the map.",
        _leaving_out(names, preparation),
        "without",
        objects=names,
    )


def _few(table: PairTable, preparation: Preparation) -> Finding:
    counts = table.known_pairs.sum(axis=1)
    few = np.flatnonzero((counts > 0) & (counts < min(FEWEST_PAIRS, table.n_objects - 1)))
    few = few[np.argsort(counts[few], kind="stable")]
    names = table.names(few)
    shown = [f"{table.labels[i]} ({counted(int(counts[i]), 'pair')})" for i in few]
    return Finding(
        "few_pairs",
        ODD,
        f"Little is known of {listing(shown, NAMED)}.",
        f"With fewer than {FEWEST_PAIRS} known pairs, an object could stand in several places of "
        "a plane; where it is drawn says little.",
        _leaving_out(names, preparation),
        "without",
        objects=names,
    )


def _pieces(table: PairTable, preparation: Preparation) -> Iterator[Finding]:
    """Groups of several objects between which no pair is known."""
    piece = components(~np.isnan(table.condensed), table.n_objects)
    sizes = np.bincount(piece)
    groups = np.flatnonzero(sizes > 1)
    if groups.size < 2:
        return
    # Objects that are alone are told apart from these, for they can only be left out.
    largest = groups[np.argmax(sizes[groups])]
    kept = "the largest" if (sizes == sizes[largest]).sum() == 1 else "the first"
    cut_off = table.names(np.flatnonzero((sizes[piece] > 1) & (piece != largest)))
    yield Finding(
        "pieces",
        WRONG,
        f"The objects fall into {groups.size} groups that are never compared with each other; "
        f"outside of {kept}: {listing(cut_off, NAMED)}.",
        "Nothing says how the groups lie to each other. Give at least one pair between them, or "
        "map each group alone.",
        _leaving_out(cut_off, preparation),
        "without",
        objects=cut_off,
    )
