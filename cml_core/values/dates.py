"""Dates and times as people write them, where their parts can stand in one order only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from cml_core.values.arrays import FloatArray
from cml_core.values.vocabularies import CALENDARS

_EPOCH = datetime(1970, 1, 1)
_TIME = r"(?:[ T]+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?)?"
_Y, _M, _D = r"(?P<y>[0-9]{4})", r"(?P<m>[0-9]{1,2})", r"(?P<d>[0-9]{1,2})"
_WORD = r"(?P<m>[^\W\d_]{3,10})"
_YEAR_FIRST = re.compile(rf"{_Y}([./]){_M}\2{_D}{_TIME}")
_DOTS = re.compile(rf"{_D}\.\s?{_M}\.\s?{_Y}{_TIME}")
_DAY_FIRST = re.compile(rf"{_D}([/-]){_M}\2{_Y}{_TIME}")
_MONTH_FIRST = re.compile(rf"{_M}([/-]){_D}\2{_Y}{_TIME}")
_IN_WORDS = re.compile(rf"{_D}\.?[ -](?:de )?{_WORD}\.?[ -](?:de )?{_Y}{_TIME}")
_WORD_FIRST = re.compile(rf"{_WORD}\.? {_D}(?:st|nd|rd|th)?,? {_Y}{_TIME}")
# Years of two digits: from 1969 to 2068, as POSIX has it.
_YY, _PIVOT = r"(?P<y>[0-9]{2})", 69
_SHORT_DOTS = re.compile(rf"{_D}\.\s?{_M}\.\s?{_YY}{_TIME}")
_SHORT = tuple(
    re.compile(rf"{first}([/-]){second}\2{third}{_TIME}")
    for first, second, third in ((_D, _M, _YY), (_M, _D, _YY), (_YY, _M, _D))
)
_CLOCK = re.compile(
    r"(?P<hour>[0-9]{1,2})(?:[:h](?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?)?"
    r"\s?(?P<half>[ap]\.?m\.?|uhr|h)?",
    re.I,
)
_MONTHS = {
    word: place + 1
    for degrees, places in CALENDARS
    if len(degrees) == 12
    for word, place in places.items()
}


def days_of(texts: Sequence[str]) -> FloatArray | None:
    """Days since 1970, where every text is a date and all of them can be read in one order.

    3/4/2024 is in March or in April; so both or neither: where another date of the column has a
    day beyond the twelfth, that tells.
    """
    for pattern in (_YEAR_FIRST, _DOTS, _SHORT_DOTS, _IN_WORDS, _WORD_FIRST):
        days = _days(texts, pattern)
        if days is not None:
            return days
    for orders in ((_DAY_FIRST, _MONTH_FIRST), _SHORT):
        found = [days for days in (_days(texts, order) for order in orders) if days is not None]
        if found:
            alike = all(np.array_equal(found[0], other) for other in found[1:])
            return found[0] if alike else None
    return None


def _days(texts: Sequence[str], pattern: re.Pattern[str]) -> FloatArray | None:
    found = [pattern.fullmatch(text) for text in texts]
    try:
        moments = [_moment(match) for match in found if match]
    except (ValueError, KeyError):
        return None
    if len(moments) < len(texts):
        return None
    return np.array([(moment - _EPOCH) / timedelta(days=1) for moment in moments])


def _moment(match: re.Match[str]) -> datetime:
    month = match["m"]
    number = int(month) if month.isdigit() else _MONTHS[month.casefold()]
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    year = int(match["y"])
    if len(match["y"]) == 2:
        year += 1900 if year >= _PIVOT else 2000
    return datetime(year, number, int(match["d"]), hour, minute, second)


def hours_of(texts: Sequence[str]) -> FloatArray | None:
    """Hours of the day, where every text is a time: 14:30, 2:30 pm, 14 Uhr, 14h30."""
    hours = [_hour(text) for text in texts]
    found = [hour for hour in hours if hour is not None]
    return np.array(found, dtype=np.float64) if len(found) == len(texts) else None


def _hour(text: str) -> float | None:
    match = _CLOCK.fullmatch(text)
    if match is None or not (match["minute"] or match["half"]):
        return None
    hour, half = int(match["hour"]), (match["half"] or "").lower().replace(".", "")
    if half in ("am", "pm"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half == "pm")
    minute, second = int(match["minute"] or 0), int(match["second"] or 0)
    if hour > 24 or minute > 59 or second > 59:
        return None
    return hour + minute / 60 + second / 3600
