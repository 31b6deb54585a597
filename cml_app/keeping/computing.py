"""Which computations are under way, on whichever of the servers that share a database.

A server tells again and again that it is at work; one that has not told for a while has died, and
what it was asked can be asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Row, Table, delete, insert, select, update

from cml_app.keeping.database import transaction, wait_for_other_servers
from cml_app.keeping.schema import stamp
from cml_app.keeping.tokens import digest

# A server that has not told for so long has died.
STALE = timedelta(seconds=20)
# Of what is told in words; the table has room for no more.
LONGEST = 250


@dataclass(frozen=True)
class Told:
    """What a server tells of a computation.

    Parameters
    ----------
    server, job : where it is, and which of all it is.
    step, kind, label : about which step, what, and in words.
    share, words : how far it is.
    """

    server: str
    job: str
    step: str
    kind: str
    label: str
    share: float = 0.0
    words: str = ""


@dataclass(frozen=True)
class Heard:
    """What a server is told in return: whether to stop, and when someone elsewhere looked."""

    stop: bool
    seen: datetime | None


class Computing:
    """What is under way for which project, kept beside the projects.

    Parameters
    ----------
    engine : of the database that all servers share.
    table : of which sort it is.
    """

    def __init__(self, engine: Engine, table: Table) -> None:
        self._engine, self._table = engine, table

    def begin(self, project: str, told: Told, now: datetime) -> Told | None:
        """Tell that it begins; what another server has under way for the project, if anything."""
        with transaction(self._engine, writing=True) as connection:
            # Two servers that are asked at once would both find nothing.
            wait_for_other_servers(connection)
            this = self._table.c.digest == digest(project)
            row = connection.execute(select(self._table).where(this)).first()
            if row is not None and _is_under_way(row, now) and row.server != told.server:
                return _told(row)
            connection.execute(delete(self._table).where(this))
            values = _row(told) | {"stop": 0, "seen": None, "beat": stamp(now)}
            connection.execute(insert(self._table).values(digest=digest(project), **values))
        return None

    def beat(self, told: Told, now: datetime) -> Heard:
        """Tell how far it is; one that is no longer there is to stop: its project has gone."""
        this = self._table.c.job == told.job
        with transaction(self._engine, writing=True) as connection:
            connection.execute(
                update(self._table).where(this).values(**_row(told), beat=stamp(now))
            )
            row = connection.execute(select(self._table).where(this)).first()
        if row is None:
            return Heard(stop=True, seen=None)
        return Heard(bool(row.stop), row.seen and datetime.fromisoformat(row.seen))

    def of(self, project: str, now: datetime) -> Told | None:
        """What is under way for a project, where a server still tells of it."""
        this = select(self._table).where(self._table.c.digest == digest(project))
        with transaction(self._engine, writing=False) as connection:
            row = connection.execute(this).first()
        return _told(row) if row is not None and _is_under_way(row, now) else None

    def still(self, told: Told, now: datetime) -> Told | None:
        """How far it is, where its server still tells of it, though it was told to stop."""
        this = select(self._table).where(self._table.c.job == told.job)
        with transaction(self._engine, writing=False) as connection:
            row = connection.execute(this).first()
        return _told(row) if row is not None and _is_told_of(row, now) else None

    def look(self, told: Told, now: datetime) -> None:
        """Someone waits for it on another server."""
        self._change(told, seen=stamp(now))

    def stop(self, told: Told) -> None:
        """Have it stop, wherever it is."""
        self._change(told, stop=1)

    def _change(self, told: Told, **values: object) -> None:
        with transaction(self._engine, writing=True) as connection:
            connection.execute(
                update(self._table).where(self._table.c.job == told.job).values(**values)
            )

    def end(self, told: Told) -> None:
        """It has ended, and what it found is kept."""
        with transaction(self._engine, writing=True) as connection:
            connection.execute(delete(self._table).where(self._table.c.job == told.job))


def _is_under_way(row: Row[Any], now: datetime) -> bool:
    return not row.stop and _is_told_of(row, now)


def _is_told_of(row: Row[Any], now: datetime) -> bool:
    told: bool = row.beat > stamp(now - STALE)
    return told


def _row(told: Told) -> dict[str, object]:
    return {
        "server": told.server,
        "job": told.job,
        "step": told.step,
        "kind": told.kind,
        "label": told.label[:LONGEST],
        "share": told.share,
        "words": told.words[:LONGEST],
    }


def _told(row: Row[Any]) -> Told:
    names = ("server", "job", "step", "kind", "label", "share", "words")
    return Told(*(getattr(row, name) for name in names))
