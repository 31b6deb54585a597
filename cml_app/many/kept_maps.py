"""Maps of very many objects as files: other servers, and this one begun anew, need not place again.

A file has where all objects lie, and is found by the digest of what was asked. Files lie below
those that visitors brought, and take as much room at most as maps at hand take memory.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from cml_app.many import uploads
from cml_app.settings import MEGABYTE
from cml_app.this_server import settings
from cml_core.fitting.landmarks.placing import Placed
from cml_core.fitting.landmarks.result import Everyone, Sampled
from cml_core.many.loop import Loop

# Of what is written; another version does not read it.
VERSION = 1
_SAMPLED = "sampled"


def named(question: str) -> str:
    """Names the map of a question, whatever number its step has in a copy of the loop."""
    return hashlib.sha256(question.encode()).hexdigest()


def of(loop: Loop, step: str) -> Everyone | None:
    """What was found of a map, where there is a file of it that can be read."""
    file = _file(loop, step)
    if file is None:
        return None
    try:
        with np.load(file) as kept:
            placed = Placed(**{field.name: kept[field.name] for field in fields(Placed)})
            n_objects, *told = kept[_SAMPLED].tolist()
        os.utime(file)
    except (OSError, ValueError, KeyError, BadZipFile, EOFError):
        return None
    return Everyone(placed, Sampled(int(n_objects), *told))


def may_come(loop: Loop, step: str) -> bool:
    """Whether another server's file of this map would be seen here, and is not there yet."""
    file = _file(loop, step)
    return file is not None and not file.exists()


def keep(loop: Loop, step: str, found: Everyone) -> None:
    """Write what was found; where that cannot be, it is found again when it is asked for."""
    file = _file(loop, step)
    if file is None:
        return
    with suppress(OSError):
        for folder in (file.parent.parent, file.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as temporary:
            written = Path(temporary) / file.name
            told: dict[str, Any] = {_SAMPLED: np.array(astuple(found.sampled))}
            told |= {field.name: getattr(found.placed, field.name) for field in fields(Placed)}
            np.savez(written, **told)
            uploads.make_room(
                file.parent, written.stat().st_size, settings().many_memory_mb * MEGABYTE
            )
            written.replace(file)


def _file(loop: Loop, step: str) -> Path | None:
    """None where there is no place for it, or where its table may become another one."""
    folder = uploads.lasting_folder()
    if folder is None or not loop.whence.never_changes:
        return None
    return folder / uploads.MAPS / f"{named(loop.question(step))}-{VERSION}.npz"
