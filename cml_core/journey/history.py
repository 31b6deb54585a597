"""What was done to a journey, to be undone and done again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from cml_core.values.arrays import Value
from cml_core.values.features import Feature, FeatureTable
from cml_core.values.origin import Origin

# So many moves are remembered.
MOST_MOVES = 100


class Words(NamedTuple):
    """What a person says of a step."""

    step_id: str
    name: str
    note: str


@dataclass(frozen=True, eq=False)
class Move(Value):
    """One thing that a person did: what it changed, before and after; None is as it was.

    Steps taken and what was computed about them are no part of it: they stay.

    Parameters
    ----------
    step : which step was looked at.
    features : all features there were.
    title : of the project.
    origin : what was said of how the data were made.
    words : what was said of a step.
    """

    step: tuple[str, str] | None = None
    features: tuple[FeatureTable, FeatureTable] | None = None
    title: tuple[str, str] | None = None
    origin: tuple[Origin, Origin] | None = None
    words: tuple[Words, Words] | None = None

    @property
    def is_one(self) -> bool:
        """Whether anything was done."""
        parts = (self.step, self.features, self.title, self.origin, self.words)
        return any(part is not None for part in parts)

    @property
    def back(self) -> Move:
        """The move the other way round."""
        return Move(
            self.step and self.step[::-1],
            self.features and self.features[::-1],
            self.title and self.title[::-1],
            self.origin and self.origin[::-1],
            self.words and self.words[::-1],
        )

    def renamed(self) -> list[tuple[str, str]]:
        """Features that got another name: the old one and the new one."""
        before, after = self.features or (None, None)
        if before is None or after is None or len(before) != len(after):
            return []
        pairs = zip(before.names, after.names, strict=True)
        return [(old, new) for old, new in pairs if old not in after and new not in before]

    def changed(self, now: FeatureTable) -> FeatureTable:
        """These features after the move, and what was made of others in the meantime."""
        if self.features is None:
            return now
        before, after = self.features
        others = [f for f in now.features if f.name not in before and f.name not in after]
        kept = [
            now[feature.name] if feature.name in now and _holds(feature, before) else feature
            for feature in after.features
        ]
        return FeatureTable(now.labels, (*kept, *others))


@dataclass(frozen=True)
class History:
    """The moves so far, the oldest first; and those undone, the next to be done again first."""

    past: tuple[Move, ...] = ()
    future: tuple[Move, ...] = ()

    def and_then(self, move: Move) -> History:
        """One move further; what was undone is not done again any more."""
        return History((*self.past, move)[-MOST_MOVES:])

    def undone(self) -> History:
        """With the last move undone."""
        return History(self.past[:-1], (self.past[-1], *self.future))

    def redone(self) -> History:
        """With the last move that was undone done again."""
        return replace(self, past=(*self.past, self.future[0]), future=self.future[1:])

    def moves(self) -> Iterator[Move]:
        """All of them."""
        yield from self.past
        yield from self.future


def same_features(one: FeatureTable, other: FeatureTable) -> bool:
    """Whether two tables hold the very same features in the same order."""
    if one is other:
        return True
    pairs = zip(one.features, other.features, strict=False)
    return len(one) == len(other) and all(_same(mine, yours) for mine, yours in pairs)


def _same(one: Feature, other: Feature) -> bool:
    return one is other or one.identity() == other.identity()


def _holds(feature: Feature, table: FeatureTable) -> bool:
    return feature.name in table and _same(table[feature.name], feature)
