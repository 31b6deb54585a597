"""What is under way for a project on this server, so that whoever opens the project finds it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from cml_app.background import Background, Presence

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

    def leave(self, job: _Job, presence: Presence) -> None:
        """A visitor looks at something else; where nobody else waits for it, it stops."""
        if self._is_for_others(job, presence):
            job.left_by(presence)
        else:
            job.cancel()
            self.let_go(job)

    def _is_for_others(self, job: _Job, presence: Presence) -> bool:
        others = (one for one in job.presences if one is not presence)
        return self.holds(job) and any(one.connected for one in others)

    def _joined_or_begun(
        self,
        project: str,
        is_same: Callable[[_Job], bool],
        begin: Callable[[_Job | None], _Job],
        presence: Presence,
        replacing: _Job | None,
    ) -> _Job:
        """What is under way for a project, if it is the same, or another one, begun in its place.

        Parameters
        ----------
        begin : is told which one to stop for it.
        replacing : what the visitor had; where others wait for it, it goes on.
        """
        job = self.of(project)
        if job is not None and job.wanted and is_same(job):
            job.seen_by(presence)
        else:
            alone = replacing is not None and not self._is_for_others(replacing, presence)
            job = begin(replacing if alone else None)
        if replacing is not None and replacing is not job:
            self.leave(replacing, presence)
        return job

    def _hold(self, project: str, job: _Job) -> None:
        others = {name: one for name, one in self._of.items() if name != project}
        ended = [name for name, one in others.items() if one.done]
        for name in ended[: max(len(others) + 1 - MOST_UNCOLLECTED, 0)]:
            del others[name]
        self._of = {**others, project: job}
