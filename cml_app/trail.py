"""A value with its past, and the future that was undone: a value itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

# So many values of the past are remembered.
MOST = 100

_Held = TypeVar("_Held")


@dataclass(frozen=True)
class Trail(Generic[_Held]):
    """Where something stands, where it stood, and where it would stand again.

    Parameters
    ----------
    now : the value that holds.
    past : what held before, the oldest first.
    future : what was undone, what comes next first.
    """

    now: _Held
    past: tuple[_Held, ...] = ()
    future: tuple[_Held, ...] = ()

    @property
    def has_moves(self) -> bool:
        """Whether there is anywhere to go."""
        return bool(self.past or self.future)

    def on(self, value: _Held) -> Trail[_Held]:
        """One further; the same value again is no step, and what was undone is gone."""
        if value == self.now:
            return self
        return Trail(value, (*self.past, self.now)[-MOST:])

    def back(self) -> Trail[_Held]:
        """One back, where there is a past."""
        if not self.past:
            return self
        return Trail(self.past[-1], self.past[:-1], (self.now, *self.future))

    def forth(self) -> Trail[_Held]:
        """One forth, where something was undone."""
        if not self.future:
            return self
        return Trail(self.future[0], (*self.past, self.now), self.future[1:])
