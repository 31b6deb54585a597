"""Features as a table."""

from __future__ import annotations

from cml_core.files.exact_csv import side_by_side, to_csv
from cml_core.values.features import FeatureTable


def written_features(table: FeatureTable) -> bytes:
    """Features as CSV, one object a row, values as people write them, empty where missing."""
    shown = [feature.shown() for feature in table.features]
    rows = side_by_side(shown, len(table.labels))
    return to_csv(table.names, table.labels, rows).encode("utf-8", "replace")
