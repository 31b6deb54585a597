"""Taking home a map of very many objects: tables, and a program that makes it again."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np

from cml_core.many.loop import Loop
from cml_core.many.maps import DIMENSIONS, ManyMap, MapOf, feature
from cml_core.many.newcomers import PlacedNewcomers
from cml_core.many.opened import Opened
from cml_core.many.origins import PATH, UPLOAD, Whence
from cml_core.many.text_tables import TEXT_ENDINGS
from cml_core.values.arrays import FloatArray
from cml_core.values.features import Feature

# Rows of text that are written at a time.
BLOCK = 65_536


def coordinates_parquet(opened: Opened, loop: Loop, found: ManyMap, map_of: MapOf) -> bytes:
    """Where all objects lie, with all features, for pandas, R, DuckDB and others."""
    return _as_parquet(_of_all(opened, loop, found, map_of))


def coordinates_csv(opened: Opened, loop: Loop, found: ManyMap, map_of: MapOf) -> bytes:
    """The same as text."""
    return _as_csv(_of_all(opened, loop, found, map_of))


def newcomers_parquet(placed: PlacedNewcomers) -> bytes:
    """Where new objects lie, how far outside, and what was known or found of them."""
    return _as_parquet(_of_new(placed))


def newcomers_csv(placed: PlacedNewcomers) -> bytes:
    """The same as text."""
    return _as_csv(_of_new(placed))


def _as_parquet(columns: dict[str, Any]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    written = io.BytesIO()
    parquet.write_table(pa.table(columns), written, compression="zstd")
    return written.getvalue()


def _as_csv(columns: dict[str, Any]) -> bytes:
    import pyarrow as pa
    from pyarrow import csv

    written = io.BytesIO()
    csv.write_csv(pa.table(columns), written, csv.WriteOptions(batch_size=BLOCK))
    return written.getvalue()


def _of_all(opened: Opened, loop: Loop, found: ManyMap, map_of: MapOf) -> dict[str, Any]:
    columns = _places(opened.called(np.arange(opened.n_objects)), found.places)
    columns["unexplained"] = found.fit.placed.unexplained
    for name in loop.names:
        columns[_free(name, columns)] = _column(feature(opened, loop, name, map_of))
    return columns


def _of_new(placed: PlacedNewcomers) -> dict[str, Any]:
    columns = _places(list(placed.names), placed.places)
    columns["unexplained"] = placed.found.unexplained
    columns["outside"], columns["far outside"] = placed.found.outside, placed.found.far
    for name, values in zip(placed.columns, placed.found.known_values.T, strict=True):
        columns[_free(name, columns)] = values
    return columns


def _places(names: list[str], places: FloatArray) -> dict[str, Any]:
    dimensions = {f"dimension {k + 1}": places[:, k] for k in range(DIMENSIONS)}
    return {"object": names, **dimensions}


def _free(name: str, columns: dict[str, Any]) -> str:
    """The name, with blanks behind it where another column is called so."""
    while name in columns:
        name += " "
    return name


def _column(one: Feature) -> Any:
    """A feature as Arrow has it: groups by their names, what is missing empty."""
    import pyarrow as pa

    if not one.levels:
        return pa.array(one.values, mask=one.missing)
    codes = np.where(one.missing, 0, one.values).astype(np.int32)
    named = pa.DictionaryArray.from_arrays(pa.array(codes, mask=one.missing), list(one.levels))
    return named.cast(pa.string())


def program(loop: Loop, unexplained: float) -> str:
    """A Python program that makes the map of the current step again, with this package.

    Parameters
    ----------
    unexplained : of the map, which the program prints beside its own.
    """
    kept = replace(loop, whence=_by_path(loop.whence))
    # Everything from outside goes in by repr: a name may hold quotes, line ends, or a program.
    return _PROGRAM.format(
        recipe=repr(kept.to_json()), files=_files(kept.whence), unexplained=repr(float(unexplained))
    )


def _by_path(whence: Whence) -> Whence:
    """A file that was brought goes by its name."""
    other = None if whence.beside is None else _by_path(whence.beside)
    if whence.kind != UPLOAD:
        return replace(whence, beside=other)
    return replace(whence, kind=PATH, place=whence.title, beside=other)


def _files(whence: Whence) -> str:
    if whence.kind != PATH:
        return ""
    told = _TABLE.format(file=repr(whence.place), text=_text("TABLE", whence))
    other = whence.beside
    if other is None:
        return told
    return told + _BESIDE.format(file=repr(other.place), text=_text("FEATURES", other))


def _text(name: str, whence: Whence) -> str:
    is_text = whence.place.lower().endswith(TEXT_ENDINGS)
    return _TEXT.format(name=name) if is_text else ""


_TABLE = """
# Where the table is; as it stood when the map was saved.
TABLE = {file}
{text}LOOP = replace(LOOP, whence=replace(LOOP.whence, place=TABLE))
"""
_BESIDE = """
# Where further columns of the same objects are.
FEATURES = {file}
{text}BESIDE = replace(LOOP.whence.beside, place=FEATURES)
LOOP = replace(LOOP, whence=replace(LOOP.whence, beside=BESIDE))
"""
_TEXT = """# Text is turned into Arrow beside it, x.csv into x.csv.cml.arrow, to be read in blocks.
{name} = str(to_arrow(Path({name}), {name}))
"""
_PROGRAM = '''"""Makes one map of many objects again with cml_core, from its recipe.

It needs the package cml_core, which comes with the app "What is left?" (its distribution is called
whatsleft), and pyarrow: pip install "whatsleft[files]".
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from cml_core.many.loop import Loop
from cml_core.many.maps import map_again
from cml_core.many.text_tables import to_arrow

# What was chosen, known and drawn, step by step.
LOOP = Loop.from_json(
    {recipe}
)
{files}
found = map_again(LOOP)
print(f"unexplained: {{found.fit.stress!r}}")
print("as saved:    {unexplained}")
np.save("places.npy", found.places)
'''
