"""What stands around the values of a table, and what its words say of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from cml_core.files.reading.container import Container
from cml_core.files.reading.heads import words_of

# A head says what stands below it in a few words; what is longer is a text.
_LONGEST, _MOST_HEADS = 200, 60
# Beginnings of words in English, German, French, Spanish and Italian, accents kept and left out.
# "Proximity" is left aside: programs call either so.
_FAR = re.compile(
    r"(dis|non)[\s_-]?simil|un(ä|ae|a)hnlich|distan|abst(a|ä|ae)nd|entfernung|differen|unterschied"
    r"|verschieden|écart|diversit"
)
_ALIKE = re.compile(
    r"simil|(ä|ae|\ba)hnlich|ressembl|semejan|somigl|alike|affinit|korrel|correl|co-?occur|kookkur"
    r"|confus|konfus|verwechsl|covar|kovar"
)
_SHORT_FOR_ALIKE = frozenset(["cor", "corr", "cov", "sim", "sims"])
_SHORT_FOR_FAR = frozenset(["dist", "dists", "diss", "dissim"])


def told_around(container: Container, name: str, labels: Sequence[str]) -> tuple[str, ...]:
    """The name of the file and of the sheet, remarks above, and heads that name no object."""
    parts = [name, container.sheet, *_above(container)]
    if container.has_cells:
        objects = frozenset(labels)
        heads = (head for head in container.cells.rows[0] if head not in objects)
        parts += [head for head, _ in zip(heads, range(_MOST_HEADS), strict=False)]
    return tuple(part for part in dict.fromkeys(parts) if part and len(part) <= _LONGEST)


def _above(container: Container) -> list[str]:
    """The lines before the table, where there are some."""
    if not container.has_cells:
        return []
    if container.kind != "text":
        file, begin = container.cells_of_file, container.cells.lines[0]
        above = (row for row, line in zip(file.rows, file.lines, strict=True) if line < begin)
        return [" ".join(filter(None, row)) for row in islice(above, _MOST_HEADS)]
    return container.text.split("\n", _MOST_HEADS)[: min(container.cells.lines[0] - 1, _MOST_HEADS)]


def words_for_distances(told: Iterable[str]) -> tuple[str, ...]:
    """Those of the texts that speak of distances or dissimilarities."""
    return tuple(text for text in told if _speaks(text, _FAR, _SHORT_FOR_FAR))


def words_for_similarities(told: Iterable[str]) -> tuple[str, ...]:
    """Those of the texts that speak of similarities."""
    plain = ((text, _FAR.sub(" ", text.casefold())) for text in told)
    return tuple(text for text, rest in plain if _speaks(rest, _ALIKE, _SHORT_FOR_ALIKE))


def _speaks(text: str, beginnings: re.Pattern[str], short: frozenset[str]) -> bool:
    return bool(beginnings.search(text.casefold())) or bool(words_of(text) & short)
