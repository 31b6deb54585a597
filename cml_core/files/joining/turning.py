"""What may begin again after its period although it is read as an amount, an order or groups."""

from __future__ import annotations

from dataclasses import dataclass

from cml_core.files.reading.heads import words_of
from cml_core.values.features import Feature
from cml_core.values.quantities import HOURS
from cml_core.values.vocabularies import turn_of


@dataclass(frozen=True)
class Doubt:
    """How a feature is read, and what to do if it begins again."""

    fact: str
    meaning: str


@dataclass(frozen=True)
class Turn:
    """A quantity that begins again.

    Parameters
    ----------
    what : it is, in words.
    period, lowest : after how much, and from where on it is counted.
    words : in names of columns, in English, German, French and Spanish.
    units : that tell it.
    whole : whether it is counted in whole numbers.
    """

    what: str
    period: float
    words: frozenset[str]
    lowest: float = 0.0
    units: frozenset[str] = frozenset()
    whole: bool = False


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TURNS = (
    Turn(
        "these are hours of the day",
        24.0,
        _words("hour hours time oclock uhrzeit stunde uhr heure heures hora horas"),
        units=frozenset({HOURS, "h", "Uhr"}),
    ),
    Turn(
        "these are months",
        12.0,
        _words("month months monat mois mes"),
        lowest=1.0,
        whole=True,
    ),
    Turn(
        "these are days of the week",
        7.0,
        _words("weekday weekdays dow wochentag jour día dia"),
        whole=True,
    ),
    Turn(
        "these are degrees of an angle",
        360.0,
        _words(
            "angle direction bearing azimuth heading degree degrees deg hue phase aspect "
            "orientation rotation longitude winkel richtung himmelsrichtung grad farbton "
            "ausrichtung längengrad direction orientation teinte cap ángulo angulo dirección "
            "rumbo tono"
        ),
        units=frozenset({"°", "deg"}),
    ),
    Turn(
        "these are degrees of an angle",
        360.0,
        _words("longitude längengrad angle winkel bearing azimuth"),
        lowest=-180.0,
        units=frozenset({"°", "deg"}),
    ),
)


def period_named(name: str) -> float | None:
    """After how much a quantity of this name begins again; None where the name does not tell."""
    named = words_of(name)
    return next((turn.period for turn in _TURNS if named & turn.words), None)


def perhaps_turning(feature: Feature) -> Doubt | None:
    """Numbers that by their name and range may be degrees, hours, months or days of the week."""
    values = feature.values[~feature.missing]
    named = words_of(feature.name)
    for turn in _TURNS:
        told = bool(named & turn.words) or feature.unit in turn.units
        within = turn.lowest <= values.min() and values.max() <= turn.lowest + turn.period
        if told and within and not (turn.whole and (values % 1).any()):
            return Doubt(
                f"{feature.name} is read as a quantity, from {values.min():g} to {values.max():g}.",
                f"If {turn.what}, which begin again, make it circular with period {turn.period:g}.",
            )
    return None


def perhaps_a_turn(feature: Feature, read_as: str) -> Doubt | None:
    """Levels that are months, days of the week or points of the compass."""
    period, _ = turn_of(feature.levels)
    if not period:
        return None
    return Doubt(
        f"{feature.name} is read as {read_as}.",
        f"If the last is next to the first, make it circular with period {period:g}.",
    )
