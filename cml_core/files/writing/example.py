"""A small example in each format, to be downloaded and filled with other data."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from cml_core.errors import check_option
from cml_core.files.writing.features import written_features
from cml_core.files.writing.formats import WRITERS, written
from cml_core.files.writing.writer import FileKind
from cml_core.values.dissimilarities import Dissimilarities
from cml_core.values.features import Feature, FeatureTable

CITIES = ("London", "Paris", "Berlin", "Madrid", "Rome")
# Great circles on a sphere of radius 6371 km, between the places below, in kilometres.
KILOMETRES = (343.0, 932.0, 1263.0, 1434.0, 877.0, 1053.0, 1105.0, 1869.0, 1183.0, 1364.0)
LATITUDES = (51.507, 48.857, 52.520, 40.417, 41.903)
LONGITUDES = (-0.128, 2.352, 13.405, -3.704, 12.496)

# Made up, as what three people may say.
RATINGS = {
    "Anna": (2, 4, 5, 6, 4, 5, 4, 7, 5, 3),
    "Otto": (3, 5, 6, 6, 3, 4, 3, 7, 6, 4),
    "Zoe": (2, 3, 5, 7, 4, 5, 5, 6, 5, 3),
}
PILES = {
    "Anna": ("north", "north", "north", "south", "south"),
    "Otto": ("islands", "middle", "middle", "far", "far"),
    "Zoe": ("1", "1", "2", "3", "3"),
}

_TABLES = (
    FileKind(
        "features",
        "Table of features (CSV)",
        "What is known of the objects: one row for each, its name first.",
        ".csv",
        "text/csv",
    ),
    FileKind(
        "measurements",
        "Table of measurements (CSV)",
        "Numbers from which dissimilarities can be computed: one row for each object.",
        ".csv",
        "text/csv",
    ),
    FileKind(
        "ratings",
        "List of ratings by several people (CSV)",
        "One line for each person and pair: who answered, two objects, and a number.",
        ".csv",
        "text/csv",
    ),
    FileKind(
        "sorting",
        "Free sorting by several people (CSV)",
        "One line for each person and object: who sorted, the object, and its pile.",
        ".csv",
        "text/csv",
    ),
)
TEMPLATES: dict[str, FileKind] = {**WRITERS, **{table.key: table for table in _TABLES}}


def template(format: str) -> bytes:  # noqa: A002
    """Five capitals in a format: how far apart they are, or what is known of each.

    Parameters
    ----------
    format : a key of `TEMPLATES`: those of `WRITERS`, and tables that are read only: "features",
        "measurements", "ratings" and "sorting".
    """
    check_option("format", format, tuple(TEMPLATES))
    if format == "features":
        return written_features(_features())
    if format == "measurements":
        return written_features(_features().select(["latitude", "longitude"]))
    if format in _OF_PEOPLE:
        return "".join(f"{','.join(map(str, line))}\n" for line in _OF_PEOPLE[format]()).encode()
    return written(Dissimilarities.from_condensed(KILOMETRES, CITIES), format)


def _ratings() -> list[tuple[object, ...]]:
    """From 1, as alike as can be, to 7: three people on how different the capitals are."""
    pairs = list(combinations(CITIES, 2))
    rows = (
        (who, *pair, n)
        for who, said in RATINGS.items()
        for pair, n in zip(pairs, said, strict=True)
    )
    return [("person", "object 1", "object 2", "rating"), *rows]


def _sorting() -> list[tuple[object, ...]]:
    rows = ((who, *put) for who, piles in PILES.items() for put in zip(CITIES, piles, strict=True))
    return [("person", "object", "pile"), *rows]


_OF_PEOPLE: dict[str, Callable[[], list[tuple[object, ...]]]] = {
    "ratings": _ratings,
    "sorting": _sorting,
}


def _features() -> FeatureTable:
    return FeatureTable(
        CITIES,
        (
            Feature.numeric("latitude", LATITUDES),
            Feature.numeric("longitude", LONGITUDES),
            Feature.categorical(
                "language", ["Germanic", "Romance", "Germanic", "Romance", "Romance"]
            ),
            Feature.categorical("euro", ["no", "yes", "yes", "yes", "yes"]),
        ),
    )
