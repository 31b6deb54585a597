"""Files that begin with the number of objects: what their first lines tell."""

from __future__ import annotations

from itertools import islice

from cml_core.files.reading.container import Container
from cml_core.files.reading.delimited import lines_of
from cml_core.files.reading.format import Claim
from cml_core.files.reading.numbers import is_text


def first_line(container: Container) -> str:
    """The first line that says something; empty where none does."""
    return next(lines_of(container.text), (1, ""))[1]


def claim_of_count(container: Container) -> Claim:
    """Certain where the second line begins with a name, as no table of cells would."""
    return Claim.CERTAIN if a_name_follows(container) else Claim.LIKELY


def a_name_follows(container: Container) -> bool:
    """Whether the second line begins with a word."""
    second = [line for _, line in islice(lines_of(container.text), 1, 2)]
    words = second[0].split() if second else []
    return bool(words) and is_text(words[0])
