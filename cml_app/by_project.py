"""What is under way for a project on this server, so that whoever opens the project finds it."""

from __future__ import annotations

import threading
from typing import Any, Generic, TypeVar

from cml_app.background import Background

# So many results at most wait for someone to open their project again.
MOST_UNCOLLECTED = 32

_Job = TypeVar("_Job", bound=Background[Any])


class ByProject(Generic[_Job]):
    """One job of a sort for each project, until someone has collected what it found."""

    def __init__(self) -> None:
        self._of: dict[str, _Job] = {}
        # Held while a job begins, which may have ended before.
        self._lock = threading.RLock()

    def of(self, project: str) -> _Job | None:
        """What is under way for a project, or has ended and was not collected."""
        return self._of.get(project)

    def holds(self, job: _Job) -> bool:
        """Whether it is under way, or no one has collected what it found."""
        return any(one is job for one in self._of.values())

    def let_go(self, job: _Job) -> None:
        """Someone has collected what it found, or stopped it."""
        with self._lock:
            self._of = {name: one for name, one in self._of.items() if one is not job}

    def move(self, project: str, to: str) -> None:
        """The same project has another name from now on."""
        with self._lock:
            self._of = {to if name == project else name: one for name, one in self._of.items()}

    def _hold(self, project: str, job: _Job) -> None:
        others = {name: one for name, one in self._of.items() if name != project}
        ended = [name for name, one in others.items() if one.done]
        for name in ended[: max(len(others) + 1 - MOST_UNCOLLECTED, 0)]:
            del others[name]
        self._of = {**others, project: job}
