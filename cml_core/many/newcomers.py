"""New objects on a map of very many, from a table of their own: read, placed, and told of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import TooManyObjects, UnreadableFile, listing
from cml_core.fitting.landmarks.new_objects import NewObjects, OnBlock, new_objects
from cml_core.many.loop import Discovery, Loop
from cml_core.many.maps import MapOf
from cml_core.many.new_columns import in_levels, known_like, named_fields, vectors_like
from cml_core.many.opened import LONGEST_NAME, Opened
from cml_core.values.arrays import BoolArray, FloatArray, Value, frozen
from cml_core.values.measurements import Measurements
from cml_core.values.rows.beside import texts
from cml_core.values.rows.rows import Rows
from cml_core.values.words import counted, enumerated

# So many take some seconds, and a file of them is still at hand in memory.
MOST_NEW = 100_000
# So much is drawn at each side of a map, as a share of its width and height.
BESIDE = 0.25


@dataclass(frozen=True, eq=False, repr=False)
class PlacedNewcomers(Value):
    """New objects on the map of a step.

    Parameters
    ----------
    names : what they are called.
    places : (n, 2) where they lie on the map as it is turned.
    drawn : (n, 2) the same, but at the edge of what is drawn, in their direction, for those
        `beyond` (n,) it: one that lies a hundred times as far as all else would leave a dot of the
        map.
    found : how they were placed, and how far outside they lie.
    columns : names of the columns of what is known of them, `found.known_values`.
    notes : what was made of their table, in sentences.
    """

    names: tuple[str, ...]
    places: FloatArray
    drawn: FloatArray
    beyond: BoolArray
    found: NewObjects
    columns: tuple[str, ...]
    notes: tuple[str, ...]


def place_newcomers(
    table: Opened,
    loop: Loop,
    step: str,
    rows: Rows,
    map_of: MapOf,
    *,
    on_block: OnBlock | None = None,
) -> PlacedNewcomers:
    """Place new objects on the map of a step, which stays as it is.

    What was drawn on an earlier map is read off that map, where they are placed first; whatever
    else is known at the step and missing in their table is found with each place.

    Parameters
    ----------
    table : of the objects that the map was made of.
    rows : the new objects: the columns that objects are compared by, and what is known of them.
    map_of : finds the map of a step.
    on_block : of `new_objects`.
    """
    if not rows.n_rows:
        raise UnreadableFile(
            "The table of new objects is empty.", remedy="Bring one with a row for each object."
        )
    if rows.n_rows > MOST_NEW:
        raise TooManyObjects(
            f"There are {rows.n_rows:,} new objects; {MOST_NEW:,} are placed at a time.",
            remedy="Bring them in several files.",
        )
    placing = _Placing(table, loop, rows, map_of, on_block)
    found, places = placing.at(step)
    on_map, notes = map_of(step), [*placing.notes(step)]
    drawn, beyond = _within_reach(places, on_map.places)
    if beyond.any():
        notes.append(
            f"{counted(int(beyond.sum()), 'lies', 'lie')} further off than is drawn: at the edge, "
            "in the same direction."
        )
    columns = on_map.fit.landmarks.problem.encoding.names
    return PlacedNewcomers(
        placing.names, frozen(places), frozen(drawn), beyond, found, columns, tuple(notes)
    )


def _within_reach(places: FloatArray, on_map: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Places as they are drawn about a map, and which of them lie beyond."""
    low, high = on_map.min(axis=0), on_map.max(axis=0)
    middle, size = (low + high) / 2, high - low
    reach = (0.5 + BESIDE) * np.where(size > 0, size, size.max() or 1.0)
    share = np.abs((places - middle) / reach).max(axis=1)
    drawn: FloatArray = middle + (places - middle) / np.maximum(share, 1.0)[:, None]
    # What lies within stands exactly where it lies.
    return np.where(share[:, None] > 1.0, drawn, places), share > 1.0


@dataclass(frozen=True, eq=False)
class _Placing:
    """New objects on their way to the maps of a loop; each map, and each column, once."""

    table: Opened
    loop: Loop
    rows: Rows
    map_of: MapOf
    on_block: OnBlock | None
    _at: dict[str, tuple[NewObjects, FloatArray]] = field(default_factory=dict)
    _columns: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """What their table has, by its names."""
        return named_fields(self.table, self.rows)

    @cached_property
    def measurements(self) -> Measurements:
        """What they are compared by."""
        return Measurements(vectors_like(self.table, self.rows), self.loop.measure)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """As the column says that names the objects of the map; else numbers."""
        numbered = tuple(f"new object {i + 1}" for i in range(self.rows.n_rows))
        if not self.loop.called or self.loop.called not in self.fields:
            return numbered
        said = texts(self.rows, self.loop.called, LONGEST_NAME).to_pylist()
        return tuple(own or number for own, number in zip(said, numbered, strict=True))

    def at(self, step: str) -> tuple[NewObjects, FloatArray]:
        """Where they lie at a step, and where on its map."""
        if step not in self._at:
            on_map = self.map_of(step)
            columns = {name: self._known(name) for name in self.loop.at(step).known}
            known = pd.DataFrame(columns) if columns else None
            found = new_objects(on_map.fit, self.measurements, known, on_block=self.on_block)
            self._at[step] = found, on_map.turned(found.embedding)
        return self._at[step]

    def _known(self, name: str) -> Any:
        if name not in self._columns:
            self._columns[name] = self._told(name)
        return self._columns[name]

    def _told(self, name: str) -> Any:
        drawn = self.loop.discovery(name)
        if drawn is not None:
            return self._read_off(drawn)
        if name not in self.fields:
            return np.full(self.rows.n_rows, np.nan)
        candidate = next(one for one in self.loop.candidates if one.name == name)
        return known_like(self.table, candidate, self.rows)

    def _read_off(self, drawn: Discovery) -> Any:
        """What was drawn tells of them where they lie on its map, beside all objects of it."""
        there = self.map_of(drawn.step).places
        points = np.concatenate([there, self.at(drawn.step)[1]])
        whole = drawn.drawing().feature(drawn.name, points)
        values = whole.values[len(there) :]
        if not whole.levels:
            return values
        return in_levels(values.astype(np.int64), whole.levels)

    def notes(self, step: str) -> Iterator[str]:
        """What was made of their table."""
        known = self._behind(step)
        drawn = [name for name in known if self.loop.discovery(name) is not None]
        absent = [name for name in known if name not in (*self.fields, *drawn)]
        if absent:
            yield f"The table has no {listing(absent)}, so that is found with each place."
        if gaps := self._gaps([name for name in known if name not in (*absent, *drawn)]):
            yield (
                f"Of {counted(gaps, 'object')} not all that is known has a value; the rest is "
                "found with the place."
            )
        if drawn:
            yield (
                f"{enumerated(drawn)} {'was' if len(drawn) == 1 else 'were'} drawn: each new "
                "object was placed on that map first, and its value read off there."
            )
        spread = (column.name for column in self.measurements.rows.columns)
        used = {*self.loop.vectors, *spread, *known, self.loop.called}
        left = [name for name in self.fields if name not in used]
        if left:
            yield f"Not used on this map: {listing(left)}."

    def _behind(self, step: str) -> list[str]:
        """What is known at a step, and at those that something of it was drawn on."""
        found: dict[str, None] = {}
        for name in self.loop.at(step).known:
            drawn = self.loop.discovery(name)
            found |= dict.fromkeys([name, *(self._behind(drawn.step) if drawn else ())])
        return list(found)

    def _gaps(self, names: list[str]) -> int:
        """Of how many objects something of these is missing."""
        missing = np.zeros(self.rows.n_rows, dtype=np.bool_)
        for name in names:
            missing |= np.asarray(pd.isna(self._known(name)))
        return int(missing.sum())
