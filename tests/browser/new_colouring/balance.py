"""Balances: amounts above and below zero."""

from __future__ import annotations

from cml_core.values.kinds.kind import Kind

KIND = Kind(
    "balance",
    meaning="an amount above or below zero",
    step="one unit",
    colouring="diverging",
)
