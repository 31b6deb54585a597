"""What the doctor says: a finding, its meaning, and what can be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cml_core.files.reading.question import Choice as Choice
from cml_core.files.reading.question import Setting as Setting
from cml_core.fitting.scales.registry import SCALES

UNDERSTOOD, ODD, WRONG = "understood", "odd", "wrong"
# So many of the worst pairs or objects are named; the rest is counted.
NAMED = 5


@dataclass(frozen=True)
class Finding:
    """One thing to know about a table.

    Parameters
    ----------
    key : what kind of finding this is.
    grade : "understood", "odd" (worth knowing) or "wrong" (no map until a choice is made).
    fact : what, and where; the worst pairs with their values.
    meaning : what it means for the map.
    choices : how it can be mended, or a mend undone.
    field : of the `Preparation`, which a choice sets; empty where there is nothing to set.
    pairs, objects : that are concerned, worst first.
    advised_scale : a key of `fitting.scales.registry.SCALES`, the scale on which a fit would allow
        for it; empty where the finding says nothing of that.
    """

    key: str
    grade: str
    fact: str
    meaning: str = ""
    choices: tuple[Choice, ...] = ()
    field: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    objects: tuple[str, ...] = ()
    advised_scale: str = ""


def how_to_fit(scale: str) -> str:
    """Where a scale is chosen, and what it takes at its word, in two sentences."""
    chosen = SCALES[scale]
    return (
        "The map can allow for that: on the Discover page, under 'What the numbers mean', choose "
        f'"{chosen.title}". '
        f"{chosen.believed}"
    )


def named_values(pairs: Iterable[tuple[str, str]], values: Sequence[float]) -> str:
    """d(Aunt, Uncle) = 27, d(Son, Daughter) = 31."""
    return ", ".join(
        f"d({first}, {second}) = {value:.6g}"
        for (first, second), value in zip(pairs, values, strict=False)
    )


def with_more(text: str, shown: int, in_all: int) -> str:
    """A list in a sentence that says how many it does not show."""
    return text if in_all <= shown else f"{text} and {in_all - shown:,} more"
