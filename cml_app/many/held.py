"""Maps and tables of very many objects that are at hand, within bounds; others are made again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

import streamlit as st

from cml_app.many import uploads
from cml_app.settings import MEGABYTE
from cml_app.this_server import settings
from cml_core.many.loop import Loop
from cml_core.many.maps import ManyMap
from cml_core.many.opened import Opened, opened


class Held:
    """What was made last, by what was asked, shared by all who ask the same.

    Parameters
    ----------
    most_bytes : that maps and columns may take; the last one stays in any case.
    most_objects : that a table may have.
    folder : of files that visitors brought.
    """

    def __init__(self, most_bytes: int, most_objects: int, folder: Path) -> None:
        self._most_bytes, self._most_objects, self._folder = most_bytes, most_objects, folder
        self._held: OrderedDict[str, ManyMap | Opened] = OrderedDict()
        self._lock = threading.Lock()

    def map_of(self, loop: Loop, step: str) -> ManyMap | None:
        """The map of a step, where it is at hand and turned as the step says."""
        found = self._get(as_turned(loop, step))
        return found if isinstance(found, ManyMap) else None

    def keep(self, loop: Loop, step: str, made: ManyMap) -> None:
        """Have a map at hand."""
        self._put(as_turned(loop, step), made)

    def opened(self, loop: Loop) -> Opened:
        """The table of a loop; it is opened once for all who chose the same of it."""
        key = loop.table()
        found = self._get(key)
        if not isinstance(found, Opened):
            found = opened(loop, self._folder, self._most_objects)
            self._put(key, found)
        return found

    def forget(self, loop: Loop) -> None:
        """Open the table anew: its file may have changed."""
        with self._lock:
            self._held.pop(loop.table(), None)

    @property
    def bytes(self) -> int:
        """What all of it takes."""
        return sum(one.size for one in list(self._held.values()))

    def _get(self, key: str) -> ManyMap | Opened | None:
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
            return found

    def _put(self, key: str, made: ManyMap | Opened) -> None:
        with self._lock:
            self._held[key] = made
            self._held.move_to_end(key)
            # Tables grow as columns are read, so all is counted anew.
            while len(self._held) > 2 and self.bytes > self._most_bytes:
                self._held.popitem(last=False)


def as_turned(loop: Loop, step: str) -> str:
    """Names a map as it is turned."""
    return f"{loop.question(step)} {loop.at(step).turn}"


@st.cache_resource(show_spinner=False)
def held() -> Held:
    """What is at hand on this server."""
    set_up = settings()
    most = set_up.many_memory_mb * MEGABYTE
    return Held(most, set_up.many_objects, uploads.folder())
