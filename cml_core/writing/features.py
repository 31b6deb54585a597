"""Features as a table that is safe to open in a spreadsheet."""

from __future__ import annotations

from cml_core.features import FeatureTable
from cml_core.sheets import to_csv


def written_features(table: FeatureTable) -> bytes:
    """Features as CSV, one object a row, values as people write them, empty where missing."""
    shown = [feature.shown() for feature in table.features]
    rows = [[column[row] for column in shown] for row in range(len(table.labels))]
    return to_csv(table.names, table.labels, rows).encode("utf-8", "replace")
