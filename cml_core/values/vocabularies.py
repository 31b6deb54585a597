"""Words that people use for degrees of something, months and days, in their order."""

from __future__ import annotations

from collections.abc import Sequence

# Lowest first; words that mean the same degree are joined by a bar.
_SCALES = (
    "lowest, very low, low, medium|moderate|middle|mid|average|normal, high, very high, highest",
    "xxs, xs, s, m, l, xl, xxl",
    "tiny|very small, small, medium|middle|average, large|big, very large|very big|huge",
    "never, almost never|hardly ever|very rarely, rarely|seldom, sometimes|occasionally, "
    "often|frequently, very often|usually|mostly, almost always, always",
    "strongly disagree|completely disagree, disagree, "
    "somewhat disagree|slightly disagree|rather disagree, "
    "neutral|undecided|neither|neither agree nor disagree, "
    "somewhat agree|slightly agree|rather agree, agree, strongly agree|completely agree",
    "very dissatisfied, dissatisfied, neutral, satisfied, very satisfied",
    "very poor|very bad, poor|bad, fair|average|acceptable, good, very good, excellent",
    "very weak, weak, medium|moderate, strong, very strong",
    "none|absent, minimal, mild|slight, moderate|medium, severe, very severe",
    "none, few, some, many, most, all",
    "not at all, a little|slightly, somewhat|moderately, quite a bit|very, extremely",
    "very unlikely, unlikely, possible|neutral, likely, very likely, certain",
    "unimportant, slightly important, moderately important, important, very important",
    "very short, short, medium|average, long|tall, very long|very tall",
    "very light, light, medium|average, heavy, very heavy",
    "very slow, slow, medium|moderate|average, fast, very fast",
    "very cold, cold, cool, mild|lukewarm, warm, hot, very hot",
    "very young, young, middle-aged|middle aged, old, very old",
    "beginner, intermediate, advanced, expert",
    "primary, secondary, tertiary",
    "bronze, silver, gold, platinum",
    "first|1st, second|2nd, third|3rd, fourth|4th, fifth|5th, sixth|6th, seventh|7th, "
    "eighth|8th, ninth|9th, tenth|10th",
)
_CALENDARS = (
    "January|Jan, February|Feb, March|Mar, April|Apr, May, June|Jun, July|Jul, August|Aug, "
    "September|Sep|Sept, October|Oct, November|Nov, December|Dec",
    "Monday|Mon, Tuesday|Tue|Tues, Wednesday|Wed, Thursday|Thu|Thur|Thurs, Friday|Fri, "
    "Saturday|Sat, Sunday|Sun",
)


def _degrees(scale: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(degree.split("|")) for degree in scale.split(", "))


def _places(degrees: tuple[tuple[str, ...], ...]) -> dict[str, int]:
    return {word.casefold(): k for k, words in enumerate(degrees) for word in words}


SCALES = tuple(_places(_degrees(scale)) for scale in _SCALES)
CALENDARS = tuple((_degrees(scale), _places(_degrees(scale))) for scale in _CALENDARS)


def order_of(levels: Sequence[str]) -> tuple[str, ...]:
    """The levels in the order that their words have; empty where they are not known to have one.

    Of months and days of the week all are given, so that those without objects keep their place.
    """
    degrees, places = _calendar(levels)
    if degrees:
        written = dict(zip(places, levels, strict=True))
        short = 1 if all(len(level) == 3 for level in levels) else 0
        return tuple(
            written.get(k, words[min(short, len(words) - 1)]) for k, words in enumerate(degrees)
        )
    for scale in SCALES:
        ranks = _ranks(levels, scale)
        if ranks:
            return tuple(level for _, level in sorted(zip(ranks, levels, strict=True)))
    return ()


def turn_of(levels: Sequence[str]) -> tuple[float, tuple[float, ...]]:
    """After how many steps months or days begin again, and the place of each level, from one.

    Zero and nothing where the levels are neither.
    """
    degrees, places = _calendar(levels)
    return float(len(degrees)), tuple(place + 1.0 for place in places)


def _calendar(levels: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], list[int]]:
    for degrees, scale in CALENDARS:
        places = _ranks(levels, scale)
        if places:
            return degrees, places
    return (), []


def _ranks(levels: Sequence[str], scale: dict[str, int]) -> list[int]:
    """The rank of each level; empty unless there are several, all known and all different."""
    ranks = [scale.get(" ".join(level.split()).casefold(), -1) for level in levels]
    ranked = len(ranks) > 1 and -1 not in ranks and len(set(ranks)) == len(ranks)
    return ranks if ranked else []
