"""Quantities: one column of the numbers themselves, as every kind is where it says nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cml_core.values.feature_codes import is_quantity
from cml_core.values.kinds.kind import Kind
from cml_core.values.kinds.parts import Parts
from cml_core.values.quantities import origin_in, quantity_of

# Zeros in front would be lost, so this is a name made of digits.
_CODE = re.compile("0[0-9]+")


def _recognised(texts: Sequence[str], decimal_comma: bool) -> Parts | None:
    quantity = quantity_of(texts, decimal_comma=decimal_comma)
    if quantity is None or any(_CODE.fullmatch(text) for text in texts):
        return None
    return Parts(quantity.values, origin=origin_in(quantity.unit), unit=quantity.unit)


KIND = Kind(
    "numeric",
    meaning="a quantity; differences mean the same everywhere on its scale",
    step="one unit",
    takes=is_quantity,
    recognised=_recognised,
)
