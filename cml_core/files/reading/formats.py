"""The formats that tables are read in; one line for each."""

from __future__ import annotations

from cml_core.files.reading.arrays_file import NPY, NPZ
from cml_core.files.reading.condensed import CONDENSED
from cml_core.files.reading.container import Container
from cml_core.files.reading.format import Format, ReadTable
from cml_core.files.reading.measurements import MEASUREMENTS
from cml_core.files.reading.orange import ORANGE
from cml_core.files.reading.pairs import PAIRS
from cml_core.files.reading.people.confusion_list import CONFUSION_LIST
from cml_core.files.reading.people.rater_columns import RATER_COLUMNS
from cml_core.files.reading.people.rater_list import RATER_LIST
from cml_core.files.reading.people.sorting import SORTING
from cml_core.files.reading.people.triads import TRIADS
from cml_core.files.reading.people.wide_ratings import WIDE_RATINGS
from cml_core.files.reading.phylip import PHYLIP
from cml_core.files.reading.r_dist import R_DIST
from cml_core.files.reading.square import LSMAT, SQUARE
from cml_core.files.reading.triangle import TRIANGLE

# In the order in which they are offered.
_OF_PEOPLE = (RATER_LIST, RATER_COLUMNS, WIDE_RATINGS, SORTING, TRIADS, CONFUSION_LIST)
_OF_PAIRS = (SQUARE, TRIANGLE, R_DIST, PHYLIP, LSMAT, ORANGE, PAIRS, CONDENSED)
_ALL = (*_OF_PAIRS, *_OF_PEOPLE, NPY, NPZ, MEASUREMENTS)
FORMATS: dict[str, Format] = {each.key: each for each in _ALL}


def in_turn() -> list[Format]:
    """The formats in the order in which they are asked."""
    # The special before the general: a triangle can be read as a square with gaps, and any square
    # table as measurements, but not the other way round.
    return sorted(FORMATS.values(), key=lambda each: each.turn)


def read_as(container: Container, key: str) -> ReadTable:
    """The table in one of `FORMATS`; raises where the file is not in it, and then at once."""
    chosen = FORMATS[key]
    if container.kind not in chosen.containers:
        raise container.cannot_be(chosen.title)
    return container.refusing(key, lambda: chosen.read(container))
