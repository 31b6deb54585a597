"""Of which kind a column is likely to be, by its words and its name; people know better."""

from __future__ import annotations

import re

from cml_core.many.sight import Seen
from cml_core.values.kinds.registry import KINDS
from cml_core.values.vocabularies import turn_of

# After how much an amount of such a name begins again.
_TURNS = {
    "hour": 24.0,
    "hours": 24.0,
    "stunde": 24.0,
    "heure": 24.0,
    "hora": 24.0,
    "month": 12.0,
    "monat": 12.0,
    "mois": 12.0,
    "mes": 12.0,
    "week": 52.0,
    "weekday": 7.0,
    "wochentag": 7.0,
    "minute": 60.0,
    "second": 60.0,
    "radians": 6.283185307179586,
}
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
    words = re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", seen.name).lower())
    return next((_TURNS[word] for word in words if word in _TURNS), FULL_TURN)
