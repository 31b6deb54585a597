"""The store that a server's settings ask for; it may be one that keeps nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from cml_app.keeping.saved import Saved
from cml_app.keeping.store import Store, no_such_project
from cml_app.settings import MEGABYTE, Settings
from cml_core.journey.lines import Line


def open_store(settings: Settings, now: datetime) -> Store | NoStore:
    """The store that the settings ask for, cleared of what has expired."""
    if not settings.keep_projects:
        return NoStore()
    store = Store(
        settings.database_url,
        settings.keep_days,
        largest=settings.max_project_mb * MEGABYTE,
    )
    store.expire(now)
    return store


class NoStore:
    """What `Store` can do, keeping nothing: no project has a token, and none is found."""

    def create(self, document: str, now: datetime) -> None:
        """There is no token."""

    def load(self, token: str, now: datetime) -> Saved:  # noqa: ARG002
        """Nothing is ever found."""
        raise no_such_project()

    def check_is_there(self, token: str, now: datetime) -> None:  # noqa: ARG002
        """Nothing is ever found."""
        raise no_such_project()

    def update(
        self,
        token: str,  # noqa: ARG002
        change: Callable[[str], str],  # noqa: ARG002
        now: datetime,  # noqa: ARG002
        seen: Saved | None = None,  # noqa: ARG002
    ) -> Saved:
        """Nothing is ever found."""
        raise no_such_project()

    def update_lines(
        self,
        token: str,  # noqa: ARG002
        change: Callable[[Saved], Sequence[str | Line]],  # noqa: ARG002
        now: datetime,  # noqa: ARG002
        seen: Saved | None = None,  # noqa: ARG002
    ) -> Saved:
        """Nothing is ever found."""
        raise no_such_project()

    def share(self, token: str, now: datetime, *, shared: bool) -> str:  # noqa: ARG002
        """Nothing is ever found."""
        raise no_such_project()

    def renew(self, token: str, now: datetime) -> str:  # noqa: ARG002
        """Nothing is ever found."""
        raise no_such_project()

    def delete(self, token: str) -> None:
        """There is nothing to forget."""

    def expire(self, now: datetime) -> int:  # noqa: ARG002
        """Nothing expires."""
        return 0

    def puzzles(self) -> None:
        """There are none."""

    def computing(self, sort: str = "") -> None:
        """No other server knows of any project."""

    def ping(self) -> None:
        """Always well."""

    def look_through(self) -> None:
        """There is nothing to look through."""

    def close(self) -> None:
        """Nothing is open."""
