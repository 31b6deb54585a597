"""A project as it is kept, and how it is read from the database."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, or_, select

from cml_app.keeping.database import StoreDamaged
from cml_app.keeping.document_lines import lines_of, names_in
from cml_app.keeping.schema import LINES, PROJECTS
from cml_app.keeping.tokens import digest
from cml_core.journey.lines import Line


@dataclass(frozen=True)
class Saved:
    """A project as it is kept, in lines that have names; `version` counts its changes from 1.

    `may_change` is false for whoever came by the link for readers; `shared` tells that there is
    one.
    """

    lines: tuple[str | Line, ...] = field(repr=False)
    version: int
    changed: datetime
    names: tuple[str, ...] = field(default=(), repr=False, compare=False)
    may_change: bool = True
    shared: bool = False

    @property
    def document(self) -> str:
        """The project as one text."""
        assert self.lines, "what it says was let go"
        return "\n".join(map(str, self.lines))

    @property
    def bare(self) -> Saved:
        """Without what it says, for whoever has read that; it is still known what it was."""
        return replace(self, lines=())


def all_of(token: str, horizon: str) -> Select[Any]:
    """The project beside each of its lines, which only one statement sees together."""
    return (
        select(
            PROJECTS.c.digest,
            PROJECTS.c.reader,
            PROJECTS.c.names,
            PROJECTS.c.version,
            PROJECTS.c.changed,
            LINES.c.name,
            LINES.c.content,
        )
        .join(LINES, LINES.c.digest == PROJECTS.c.digest, isouter=True)
        .where(*found_by(token, horizon))
    )


def found_by(token: str, horizon: str) -> tuple[ColumnElement[bool], ...]:
    """By the owner's token or by that of readers, where it was changed after the horizon."""
    key = digest(token)
    return (
        or_(PROJECTS.c.digest == key, PROJECTS.c.reader == key),
        PROJECTS.c.changed > horizon,
    )


def saved_of(rows: Sequence[Row[Any]], token: str) -> Saved:
    """What was found, as the token lets it be seen.

    Raises
    ------
    StoreDamaged : it is there and can no longer be read.
    """
    project = rows[0]
    try:
        names = names_in(project.names)
        lines = lines_of(names, {row.name: row.content for row in rows})
        changed = datetime.fromisoformat(project.changed)
    except (zlib.error, ValueError, TypeError, KeyError):
        # A decoding error carries the bytes it failed on: it goes no further.
        raise StoreDamaged(
            "The project is kept but can no longer be read.",
            remedy="Start anew, or ask whoever runs this app to restore a backup.",
        ) from None
    may_change = project.digest == digest(token)
    shared = project.reader is not None
    return Saved(lines, project.version, changed, names, may_change, shared)
