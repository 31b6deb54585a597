"""A small example in each format, to be downloaded and filled with other data."""

from __future__ import annotations

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
)
TEMPLATES: dict[str, FileKind] = {**WRITERS, **{table.key: table for table in _TABLES}}


def template(format: str) -> bytes:  # noqa: A002
    """Five capitals in a format: kilometres between them, or what is known of each.

    Parameters
    ----------
    format : a key of `TEMPLATES`: those of `WRITERS`, "features" and "measurements".
    """
    check_option("format", format, tuple(TEMPLATES))
    if format == "features":
        return written_features(_features())
    if format == "measurements":
        return written_features(_features().select(["latitude", "longitude"]))
    return written(Dissimilarities.from_condensed(KILOMETRES, CITIES), format)


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
