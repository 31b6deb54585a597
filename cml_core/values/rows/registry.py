"""Where rows may lie; a new kind of file is one line here."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cml_core.errors import UnreadableFile
from cml_core.values.rows.arrow import rows_of_arrow, rows_of_parquet
from cml_core.values.rows.in_memory import FrameRows, rows_of_array, rows_of_npy
from cml_core.values.rows.rows import Rows
from cml_core.values.rows.several import joined

FILES: Mapping[str, Callable[[Path], Rows]] = {
    ".npy": rows_of_npy,
    ".parquet": rows_of_parquet,
    ".arrow": rows_of_arrow,
    ".feather": rows_of_arrow,
}


def rows_of(values: Any) -> Rows:
    """Rows of whatever holds them: an array, a DataFrame, a path, or a list of these."""
    if isinstance(values, Rows):
        return values
    if isinstance(values, str | os.PathLike):
        return _rows_at(Path(values))
    if isinstance(values, pd.DataFrame):
        return FrameRows(values)
    if _is_list_of_blocks(values):
        return joined([rows_of(block) for block in values])
    return rows_of_array(values)


def _is_list_of_blocks(values: Any) -> bool:
    return (
        isinstance(values, list | tuple)
        and len(values) > 0
        and all(
            isinstance(one, str | os.PathLike | pd.DataFrame)
            or (isinstance(one, np.ndarray) and one.ndim == 2)
            for one in values
        )
    )


def _rows_at(path: Path) -> Rows:
    if path.is_dir():
        parts = sorted(one for one in path.iterdir() if one.suffix.lower() in FILES)
        if parts:
            return joined([_rows_at(part) for part in parts])
        raise UnreadableFile(
            f"The folder {path.name} holds no file with rows.",
            remedy=f"Put files there that end in {', '.join(FILES)}.",
        )
    if not path.exists():
        raise UnreadableFile(
            f"There is no file {path}.", remedy="Correct the path; it counts from where you are."
        )
    kind = FILES.get(path.suffix.lower())
    if kind is None:
        raise UnreadableFile(
            f"{path.name} ends in {path.suffix or 'nothing'}, which says nothing of its format.",
            remedy=f"Give a file that ends in {', '.join(FILES)}, or an array.",
        )
    return kind(path)
