"""What a server makes ready once, behind the first visitors, and how far it has come."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from cml_app import messages
from cml_core.fitting.beforehand import Stage


class Readiness:
    """Stages that are gone through in turn; pages wait for all of them.

    Parameters
    ----------
    stages : what pages cannot do without.
    """

    def __init__(self, stages: Iterable[Stage]) -> None:
        self._stages = tuple(stages)
        self._done = threading.Event()
        self._reached = 0.0
        self._words = ""

    def work(self) -> None:
        """Do all of it; what fails is met again by whoever needs it, and explained there."""
        whole = sum(stage.share for stage in self._stages)
        try:
            for stage in self._stages:
                self._words = stage.words
                _run(stage)
                self._reached += stage.share / whole
        finally:
            self._done.set()

    @property
    def progress(self) -> tuple[float, str]:
        """The share that is done, and what is under way."""
        return min(self._reached, 1.0), self._words

    def wait(self, seconds: float) -> bool:
        """Whether pages can be shown; waits for it for a while."""
        return self._done.wait(seconds)


def _run(stage: Stage) -> None:
    try:
        stage.run()
    except Exception as error:
        messages.log.error("a server could not make ready %s", stage.words, exc_info=error)


# Pages that are run without this server, such as by tests, find everything ready.
_here: list[Readiness] = []


def begin(readiness: Readiness) -> None:
    """Let pages know what this server makes ready, which is under way from now on."""
    _here[:] = [readiness]


def under_way() -> Readiness | None:
    """What pages have to wait for; None where all is there."""
    return next((one for one in _here if not one.wait(0)), None)
