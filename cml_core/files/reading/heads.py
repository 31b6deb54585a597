"""What the heads of columns say of them: a person, two objects, a pile, an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cml_core.files.reading.numbers import is_text
from cml_core.files.reading.raw import Cells


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


# In English, German and French, as survey programs and researchers head their columns.
PERSON = _words(
    "person rater judge subject subj participant respondent id observer listener sorter worker",
    "informant assessor evaluator panelist student user",
    "vp vpn proband versuchsperson teilnehmer teilnehmerin befragter beurteiler",
    "juge sujet personne répondant",
)
OBJECT = _words(
    "object item card stimulus word thing term element product picture image sound name",
    "objekt karte reiz wort begriff bild objet carte mot terme",
)
PILE = _words(
    "pile group category cluster stack class heap bin",
    "gruppe stapel kategorie haufen groupe catégorie tas classe",
)
VALUE = _words(
    "rating rate value score similarity dissimilarity distance difference proximity judgment",
    "judgement response answer urteil wert ähnlichkeit unähnlichkeit distanz abstand",
    "jugement valeur similarité dissimilarité réponse",
)
WEIGHT = _words(
    "weight weights w count counts n freq frequency times",
    "gewicht gewichte gewichtung häufigkeit anzahl poids effectif peso pesos frecuencia",
)
# What stands beside values and says how good they are, or when and how they came about.
BESIDE = _words(
    "sd std stdev se sem err error variance var ci lower upper pvalue p pval padj q z t",
    "lwr upr df statistic conf low high",
    "rt time latency duration ms seconds date order trial block index idx id nr no number row",
    "standardabweichung fehler zeit dauer reihenfolge durchgang nummer écart erreur temps durée",
)
ODD = _words("odd oddone oddity deviant different choice chosen answer response selected")
SHOWN = _words("shown stimulus presented target signal sent gezeigt reiz montré")
ANSWERED = _words("answered answer response said named reported received antwort réponse")
_HEADS = frozenset(
    {("i", "j"), ("a", "b"), ("from", "to"), ("source", "target"), ("row", "col")}
) | frozenset({("row", "column"), ("first", "second"), ("object", "other"), ("left", "right")})
_NUMBERED = re.compile(r"(?P<stem>[^\W\d_]+)[\s_.-]*\d+")
_SHORT = frozenset(["p", "s", "r", "j", "v", "vp", "pb", "pp", "ss"])
_WORD = re.compile(r"[A-Z]+(?![a-zà-ÿ])|[A-Zà-ÿ]?[a-zà-ÿ]+")


def words_of(head: str) -> frozenset[str]:
    """The words of a head, without numbers: Subject_Nr, participantID and item2 alike."""
    return frozenset(word.lower() for word in _WORD.findall(head))


def is_person(head: str) -> bool:
    """Whether a head says that a person is named below it, as item id does not."""
    words = words_of(head)
    return bool(words & PERSON) and not words & (OBJECT - {"name"})


def are_heads_of_pairs(first: str, second: str) -> bool:
    """Whether these head the two columns of names: from and to, or item1 and item2."""
    one, other = first.lower(), second.lower()
    endings = (("1", "2"), ("a", "b"), ("0", "1"))
    counted = one[:-1] == other[:-1] and (one[-1:], other[-1:]) in endings
    return counted or (one, other) in _HEADS


def first_headed(heads: Sequence[str], words: frozenset[str], taken: Sequence[int]) -> int | None:
    """The first column with one of these words in its head that is nothing else yet."""
    found = (k for k, head in enumerate(heads) if k not in taken and words_of(head) & words)
    return next(found, None)


def person_column(cells: Cells) -> int | None:
    """The column that says who answered, where its head says so and its names come again."""
    # Where every line has another name, it names objects: a table of participants is one of
    # measurements.
    for column, head in enumerate(cells.rows[0]):
        if is_person(head) and repeats(cells, column, 1):
            return column
    return None


def repeats(cells: Cells, column: int, begin: int) -> bool:
    """Whether some name stands in a column more than once."""
    names = [row[column] for row in cells.rows[begin:] if column < len(row)]
    return len(set(names)) < len(names)


def numbered_people(heads: Sequence[str]) -> bool:
    """Whether heads number people: P1, P2, …; rater 1, rater 2, …"""
    found = [_NUMBERED.fullmatch(head.strip()) for head in heads]
    stems = {match["stem"].lower() for match in found if match}
    return all(found) and len(stems) == 1 and bool(stems & (PERSON | _SHORT))


def pair_columns(heads: Sequence[str], taken: Sequence[int] = ()) -> tuple[int, int] | None:
    """The two columns whose heads say that objects are compared."""
    free = [k for k in range(len(heads)) if k not in taken]
    for at, i in enumerate(free):
        for j in free[at + 1 :]:
            if are_heads_of_pairs(heads[i], heads[j]):
                return i, j
    return None


def columns_sharing_names(cells: Cells, taken: Sequence[int]) -> tuple[int, int] | None:
    """The first two columns of words in which mostly the same names stand."""
    width = len(cells.rows[0])
    named = [k for k in range(width) if k not in taken and _holds_words(cells, k)]
    for at, i in enumerate(named):
        for j in named[at + 1 :]:
            if share_names(cells, i, j, 1):
                return i, j
    return None


def share_names(cells: Cells, one: int, other: int, begin: int) -> bool:
    """Whether at least half of the names of either column stand in both."""
    first, second = ({row[k] for row in cells.rows[begin:]} for k in (one, other))
    return 2 * len(first & second) >= max(len(first), len(second), 1)


def _holds_words(cells: Cells, column: int) -> bool:
    return all(map(is_text, {row[column] for row in cells.rows[1:]}))
