"""What was found about a map of very many objects, as its recipe keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cml_core.errors import UnreadableFile
from cml_core.evidence.large.baseline import Baseline
from cml_core.evidence.large.columns_told import ColumnsTold
from cml_core.evidence.large.one_more import SampleHelp
from cml_core.evidence.large.unseen_pairs import UnseenPairs
from cml_core.evidence.result import Result, kind_of
from cml_core.journey.entry import Entry
from cml_core.journey.results import result_content, result_from

# In the order in which they are asked and shown.
FINDINGS: tuple[type[Result], ...] = (UnseenPairs, Baseline, ColumnsTold, SampleHelp)


def with_finding(found: Sequence[Result], new: Result) -> tuple[Result, ...]:
    """Findings with a further one, in place of one of its kind."""
    kept = [one for one in found if kind_of(one) != kind_of(new)]
    return tuple(sorted([*kept, new], key=lambda one: FINDINGS.index(type(one))))


def findings_content(found: Sequence[Result]) -> list[dict[str, Any]]:
    """Findings as JSON can hold them."""
    return [result_content(one) for one in found]


def findings_from(content: object) -> tuple[Result, ...]:
    """What `findings_content` gave; a finding that this version cannot read is left out.

    It can be found again, and a recipe is more than what was found.
    """
    found: tuple[Result, ...] = ()
    for entry in Entry(content, "found").items():
        try:
            found = with_finding(
                found, result_from(entry, n_objects=0, n_components=0, of=FINDINGS)
            )
        except UnreadableFile:
            continue
    return found
