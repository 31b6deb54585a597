"""Of which kind a column is likely to be, by its words and its name; people know better."""

from __future__ import annotations

from cml_core.files.joining.turning import period_named
from cml_core.many.sight import Seen
from cml_core.values.kinds.registry import KINDS
from cml_core.values.vocabularies import turn_of

FULL_TURN = 360.0
A_YEAR = 365.25


def known_order(seen: Seen) -> tuple[str, ...]:
    """The levels of a column in the order that their words have; empty where they have none."""
    parts = KINDS["ordinal"].recognised(seen.levels, False) if seen.levels else None
    return () if parts is None else parts.levels


def own_period(seen: Seen) -> float | None:
    """After how many levels months, days of the week or points of the compass begin again."""
    return turn_of(seen.levels)[0] or None if seen.levels else None


def likely_period(seen: Seen) -> float:
    """After how much an amount is likely to begin again, should it do so."""
    if seen.date:
        return A_YEAR
    return period_named(seen.name) or FULL_TURN
