"""What a fit remarked, as plain content for a project file, and back."""

from __future__ import annotations

from collections.abc import Sequence

from cml_core.errors import AdjustedData, FlexibleScale, NotConverged, RedundantFeatures
from cml_core.fitting.remarks import Remark
from cml_core.journey.entry import Entry

_KINDS = {
    kind.__name__: kind for kind in (NotConverged, RedundantFeatures, AdjustedData, FlexibleScale)
}


def remarks_content(remarks: Sequence[Remark]) -> list[list[str]]:
    """Each remark, and of which kind it is."""
    return [[remark.text, remark.category.__name__] for remark in remarks]


def remarks_of(entry: Entry) -> tuple[Remark, ...]:
    """What `remarks_content` gave."""
    return tuple(_remark(one) for one in entry.items())


def _remark(entry: Entry) -> Remark:
    text, category = entry.items(2)
    return Remark(text.text(), _KINDS[category.one_of(tuple(_KINDS))])
