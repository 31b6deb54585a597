"""A row: one table, figure or claim of a paper, what is expected of it here, and what judges it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cml_core.errors import ConditionalMappingError

HOLDS = "holds"
WITH_A_CONDITION = "holds with a condition"
DOES_NOT_HOLD = "does not hold"
CANNOT_BE_RUN = "cannot be run"
VERDICTS = (HOLDS, WITH_A_CONDITION, DOES_NOT_HOLD, CANNOT_BE_RUN)

QUICK_REPLICATES, REPLICATES = 20, 100


@dataclass(frozen=True)
class Effort:
    """How much is to be done.

    Parameters
    ----------
    replicates : data sets of a row that draws its own.
    workers : processes among which they are spread.
    data : a folder with the data that cannot be given away.
    """

    replicates: int = REPLICATES
    workers: int = 1
    data: Path | None = None


@dataclass(frozen=True)
class Between:
    """A number that is expected to lie between two others."""

    low: float
    high: float


Expected = float | Between
Numbers = Mapping[str, float]


@dataclass(frozen=True)
class Picture:
    """A figure.

    Parameters
    ----------
    svg : its text.
    project : the project file that opens as this map, where it is one.
    """

    caption: str
    svg: str
    project: str = ""


@dataclass(frozen=True)
class Found:
    """What a row came to.

    Parameters
    ----------
    numbers : by their names; medians where there are `quartiles`.
    quartiles : the lower and upper one, over replicates.
    replicates : how many data sets, or starts, were drawn; 0 where nothing is left to chance.
    """

    numbers: Numbers
    quartiles: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    replicates: int = 0
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """One of `VERDICTS`, and why."""

    kind: str
    why: str


class CannotBeRun(ConditionalMappingError):
    """The data of a row are not here."""


@dataclass(frozen=True)
class Row:
    """One table, figure or claim.

    Parameters
    ----------
    what : where it stands in the paper, and what is claimed.
    inputs : data and settings.
    published : the paper's own numbers, by name.
    expected : of this program, by name; measured on their own, or frozen from the first run.
    tolerance : how far off they may be, all of them or by name. Where replicates are drawn, that
        many times wider as the root of their number is smaller than the full one.
    judge : tells from the numbers alone whether the claim holds.
    brief : whether it is done in a second or so, and nothing of it depends on how many replicates
        there are.
    """

    id: str
    what: str
    inputs: str
    compute: Callable[[Effort], Found]
    judge: Callable[[Numbers], Verdict]
    published: Mapping[str, float | str] = field(default_factory=dict)
    expected: Mapping[str, Expected] = field(default_factory=dict)
    tolerance: float | Mapping[str, float] = 0.0
    brief: bool = False

    def tolerance_of(self, name: str, replicates: int) -> float:
        """How far off a number may be, with so many replicates."""
        given = self.tolerance if isinstance(self.tolerance, float) else self.tolerance[name]
        fewer = 0 < replicates < REPLICATES
        return given * ((REPLICATES / replicates) ** 0.5 if fewer else 1.0)

    def off(self, found: Found) -> tuple[str, ...]:
        """Sentences on the numbers that leave their tolerance."""
        return tuple(
            f"{self.id}: {name} is {found.numbers[name]:.6g}, and {told(wanted)} was expected."
            for name, wanted in self.expected.items()
            if not self._near(found, name, wanted)
        )

    def _near(self, found: Found, name: str, wanted: Expected) -> bool:
        value, slack = found.numbers[name], self.tolerance_of(name, found.replicates)
        if isinstance(wanted, Between):
            return wanted.low - slack <= value <= wanted.high + slack
        return abs(value - wanted) <= slack


def told(wanted: Expected) -> str:
    """An expectation in words."""
    if isinstance(wanted, Between):
        return f"{wanted.low:.4g} to {wanted.high:.4g}"
    return f"{wanted:.6g}"


def one_of(holds: bool, why: str, otherwise: str = DOES_NOT_HOLD) -> Verdict:
    """Holds, or not, for the same reason told by its numbers."""
    return Verdict(HOLDS if holds else otherwise, why)


def without_data(id_: str, what: str, why: str) -> Row:
    """A row whose data nobody can have."""

    def compute(_effort: Effort) -> Found:
        raise CannotBeRun(why, remedy="Nothing can be done here.")

    return Row(id_, what, "–", compute, lambda _numbers: Verdict(CANNOT_BE_RUN, why))
