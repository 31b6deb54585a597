"""Words that people use for degrees, months, days and points of the compass, in their order."""

from __future__ import annotations

from collections.abc import Sequence

# Lowest first; words that mean the same degree are joined by a bar.
_SCALES = (
    "lowest, very low, low, medium|moderate|middle|mid|average|normal, high, very high, highest",
    "xxs, xs, s, m, l, xl, xxl",
    "tiny|very small|extra small, small, medium|middle|average, large|big, "
    "very large|very big|extra large, huge",
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
    "unimportant|not important|not at all important, slightly important|somewhat important, "
    "moderately important, important, very important, extremely important",
    "very short, short, medium|average, long|tall, very long|very tall",
    "very light, light, medium|average, heavy, very heavy",
    "very slow, slow, medium|moderate|average, fast, very fast",
    "very cold, cold, cool, mild|lukewarm, warm, hot, very hot",
    "very young, young, middle-aged|middle aged, old, very old",
    "beginner, intermediate, advanced, expert",
    "primary, secondary, tertiary",
    "primary school, secondary school|less than high school, "
    "high school|high school diploma|high school graduate, college|some college, "
    "associate|associate degree|associate's degree, "
    "bachelor|bachelor's|bachelor degree|bachelor's degree, "
    "master|master's|master degree|master's degree, phd|doctorate|doctor|doctoral degree",
    "bronze, silver, gold, platinum",
    "first|1st, second|2nd, third|3rd, fourth|4th, fifth|5th, sixth|6th, seventh|7th, "
    "eighth|8th, ninth|9th, tenth|10th",
    # German
    "sehr niedrig|sehr gering, niedrig|gering, mittel|mäßig|durchschnittlich, hoch, sehr hoch",
    "winzig|sehr klein, klein, mittel|mittelgroß, groß, sehr groß|riesig",
    "nie|niemals, fast nie, selten, manchmal|gelegentlich, oft|häufig, sehr oft|meistens, "
    "fast immer, immer",
    "stimme überhaupt nicht zu|stimme gar nicht zu|trifft gar nicht zu|trifft überhaupt nicht zu, "
    "stimme nicht zu|trifft nicht zu, stimme eher nicht zu|trifft eher nicht zu, "
    "teils teils|teils/teils|teils-teils|weder noch|unentschieden|neutral, "
    "stimme eher zu|trifft eher zu, stimme zu|trifft zu, "
    "stimme voll zu|stimme völlig zu|stimme voll und ganz zu|trifft voll zu|trifft völlig zu"
    "|trifft voll und ganz zu",
    "sehr unzufrieden, unzufrieden, eher unzufrieden, neutral|teils teils, eher zufrieden, "
    "zufrieden, sehr zufrieden",
    "sehr schlecht, schlecht, mittel|mäßig|teils teils, gut, sehr gut",
    "ungenügend, mangelhaft, ausreichend, befriedigend, gut, sehr gut",
    "gar nicht|überhaupt nicht, kaum|wenig|etwas, mittelmäßig|teilweise, ziemlich|überwiegend, "
    "sehr|völlig",
    "unwichtig, eher unwichtig, neutral, eher wichtig, wichtig, sehr wichtig",
    "sehr schwach, schwach, mittel, stark, sehr stark",
    # French
    "très faible|très bas, faible|bas, moyen, élevé|haut|fort, très élevé|très haut|très fort",
    "très petit, petit, moyen, grand, très grand",
    "jamais, presque jamais, rarement, parfois|quelquefois, souvent, très souvent, "
    "presque toujours, toujours",
    "pas du tout d'accord|tout à fait en désaccord, pas d'accord|en désaccord|plutôt pas d'accord, "
    "neutre|ni d'accord ni pas d'accord|sans opinion, plutôt d'accord, d'accord, "
    "tout à fait d'accord",
    "très insatisfait, insatisfait, neutre, satisfait, très satisfait",
    "très mauvais, mauvais, moyen|passable, bon, très bon, excellent",
    "pas du tout, un peu|peu, moyennement, assez|beaucoup, très|énormément",
    # Spanish
    "muy bajo, bajo, medio, alto, muy alto",
    "muy pequeño, pequeño, mediano, grande, muy grande",
    "nunca, casi nunca, rara vez|raramente, a veces|algunas veces, a menudo|frecuentemente, "
    "muy a menudo, casi siempre, siempre",
    "totalmente en desacuerdo|muy en desacuerdo, en desacuerdo, algo en desacuerdo, "
    "neutral|ni de acuerdo ni en desacuerdo, algo de acuerdo, de acuerdo, "
    "totalmente de acuerdo|muy de acuerdo",
    "muy insatisfecho, insatisfecho, neutral, satisfecho, muy satisfecho",
    "muy malo, malo, regular, bueno, muy bueno, excelente",
    "nada, poco|un poco, algo, bastante, mucho",
)
_CALENDARS = (
    "January|Jan, February|Feb, March|Mar, April|Apr, May, June|Jun, July|Jul, August|Aug, "
    "September|Sep|Sept, October|Oct, November|Nov, December|Dec",
    "Monday|Mon, Tuesday|Tue|Tues, Wednesday|Wed, Thursday|Thu|Thur|Thurs, Friday|Fri, "
    "Saturday|Sat, Sunday|Sun",
    "Januar|Jan|Jänner, Februar|Feb, März|Mär|Mrz|Maerz, April|Apr, Mai, Juni|Jun, Juli|Jul, "
    "August|Aug, September|Sep|Sept, Oktober|Okt, November|Nov, Dezember|Dez",
    "janvier|janv|janv., février|févr|févr., mars, avril|avr|avr., mai, juin, "
    "juillet|juil|juil., août, septembre|sept|sept., octobre|oct|oct., novembre|nov|nov., "
    "décembre|déc|déc.",
    "enero|ene, febrero|feb, marzo|mar, abril|abr, mayo|may, junio|jun, julio|jul, agosto|ago, "
    "septiembre|sep|sept, octubre|oct, noviembre|nov, diciembre|dic",
    "Montag|Mo, Dienstag|Di, Mittwoch|Mi, Donnerstag|Do, Freitag|Fr, Samstag|Sa|Sonnabend, "
    "Sonntag|So",
    "lundi|lun, mardi|mar, mercredi|mer, jeudi|jeu, vendredi|ven, samedi|sam, dimanche|dim",
    "lunes|lun, martes|mar, miércoles|mié, jueves|jue, viernes|vie, sábado|sáb, domingo|dom",
)
_SEASONS = (
    "Q1, Q2, Q3, Q4",
    "spring, summer, autumn|fall, winter",
    "Frühling|Frühjahr, Sommer, Herbst, Winter",
    "printemps, été, automne, hiver",
    "primavera, verano, otoño, invierno",
)
# Clockwise from north, where they begin again. East is O in German, and west in French.
_COMPASSES = (
    "north|N, north-north-east|NNE, north-east|NE|northeast, east-north-east|ENE, east|E, "
    "east-south-east|ESE, south-east|SE|southeast, south-south-east|SSE, south|S, "
    "south-south-west|SSW, south-west|SW|southwest, west-south-west|WSW, west|W, "
    "west-north-west|WNW, north-west|NW|northwest, north-north-west|NNW",
    "Nord|N|Norden, Nordnordost|NNO, Nordost|NO|Nordosten, Ostnordost|ONO, Ost|O|Osten, "
    "Ostsüdost|OSO, Südost|SO|Südosten, Südsüdost|SSO, Süd|S|Süden, Südsüdwest|SSW, "
    "Südwest|SW|Südwesten, Westsüdwest|WSW, West|W|Westen, Westnordwest|WNW, "
    "Nordwest|NW|Nordwesten, Nordnordwest|NNW",
    "nord|N|norte, nord-nord-est|NNE, nord-est|NE|noreste, est-nord-est|ENE, est|E|este, "
    "est-sud-est|ESE, sud-est|SE|sureste, sud-sud-est|SSE, sud|S|sur, sud-sud-ouest|SSO, "
    "sud-ouest|SO|suroeste, ouest-sud-ouest|OSO, ouest|O|oeste, ouest-nord-ouest|ONO, "
    "nord-ouest|NO|noroeste, nord-nord-ouest|NNO",
)
# N and S alone may stand for anything.
_FEWEST_POINTS = 3
_FULL_TURN = 360.0


def _degrees(scale: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(degree.split("|")) for degree in scale.split(", "))


def _places(degrees: tuple[tuple[str, ...], ...]) -> dict[str, int]:
    return {word.casefold(): k for k, words in enumerate(degrees) for word in words}


SCALES = tuple(_places(_degrees(scale)) for scale in _SCALES)
CALENDARS = tuple((_degrees(scale), _places(_degrees(scale))) for scale in (*_CALENDARS, *_SEASONS))
COMPASSES = tuple((_degrees(scale), _places(_degrees(scale))) for scale in _COMPASSES)


def order_of(levels: Sequence[str]) -> tuple[str, ...]:
    """The levels in the order that their words have; empty where they are not known to have one.

    Of months and days of the week all are given, so that those without objects keep their place;
    points of the compass begin nowhere, and have a place in the turn alone.
    """
    degrees, places = _among(CALENDARS, levels)
    if degrees:
        written = dict(zip(places, levels, strict=True))
        short = 1 if all(len(level) <= 3 for level in levels) else 0
        return tuple(
            written.get(k, words[min(short, len(words) - 1)]) for k, words in enumerate(degrees)
        )
    for scale in SCALES:
        ranks = _ranks(levels, scale)
        if ranks:
            return tuple(level for _, level in sorted(zip(ranks, levels, strict=True)))
    return ()


def turn_of(levels: Sequence[str]) -> tuple[float, tuple[float, ...]]:
    """After how many steps months, days or a compass begin again, and the place of each level.

    Places are counted from one, points of the compass in degrees. Zero and nothing where the
    levels are none of these.
    """
    degrees, places = _among(CALENDARS, levels)
    if degrees:
        return float(len(degrees)), tuple(place + 1.0 for place in places)
    found = [_ranks(levels, scale) for _, scale in COMPASSES]
    turns = {tuple(places) for places in found if len(places) >= _FEWEST_POINTS}
    # What is read in two ways in two languages is not known.
    if len(turns) != 1:
        return 0.0, ()
    return _FULL_TURN, tuple(place * _FULL_TURN / len(COMPASSES[0][0]) for place in turns.pop())


def _among(
    known: Sequence[tuple[tuple[tuple[str, ...], ...], dict[str, int]]], levels: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], list[int]]:
    for degrees, scale in known:
        places = _ranks(levels, scale)
        if places:
            return degrees, places
    return (), []


def _ranks(levels: Sequence[str], scale: dict[str, int]) -> list[int]:
    """The rank of each level; empty unless there are several, all known and all different."""
    ranks = [scale.get(" ".join(level.split()).casefold(), -1) for level in levels]
    ranked = len(ranks) > 1 and -1 not in ranks and len(set(ranks)) == len(ranks)
    return ranks if ranked else []
