"""The kinds of features there are, in the order in which people are offered them."""

from __future__ import annotations

from collections.abc import Mapping

from cml_core.values.kinds import categorical, circular, curved, numeric, ordinal
from cml_core.values.kinds.kind import Kind

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (numeric.KIND, curved.KIND, ordinal.KIND, categorical.KIND, circular.KIND)
}
# Whatever no kind recognises: words, yes and no, and what could be read in two ways.
OTHERWISE = categorical.KIND
