"""Lines of a project file that are written only when somebody asks for their text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Line:
    """A line about something that never changes: by that it is known again, without its text.

    Parameters
    ----------
    of : what it tells; it has no other line.
    write : the text, which may be many megabytes.
    """

    of: object
    write: Callable[[], str]

    def __str__(self) -> str:
        return self.write()
