"""How dissimilarities were made, as far as their files and the choices made of them tell."""

from __future__ import annotations

from cml_core.files.preparation import Preparation
from cml_core.files.reading.raw import RawTable
from cml_core.values.origin import UNKNOWN, Origin

_OF_FORMATS = {
    "raters": "ratings",
    "rater_list": "ratings",
    "rater_columns": "ratings",
    "wide_ratings": "ratings",
    "sorting": "sorting",
    "triads": "triads",
    "confusion_list": "confusions",
}
_OF_CONVERSIONS = {
    "root_one_minus": "correlations",
    "one_minus_absolute": "correlations",
    "chord": "correlations",
    "gram": "measurements",
    "cooccurrence": "counts",
    "association": "counts",
    "confusion": "confusions",
}


def told_origin(raw: RawTable, preparation: Preparation) -> Origin:
    """What nobody has to be asked; unknown where a file is a table and no more."""
    if preparation.metric:
        return Origin("measurements")
    people = 0 if raw.by_person is None else raw.by_person.n_people
    if raw.format in _OF_FORMATS:
        return Origin(_OF_FORMATS[raw.format], people=people)
    if people:
        # A stack of arrays, one for each person.
        return Origin("ratings", people=people)
    return Origin(_OF_CONVERSIONS.get(preparation.conversion, UNKNOWN))
