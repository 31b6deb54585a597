"""What rows found, row by row, so that a run can go on where it stopped."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from dataclasses import asdict
from pathlib import Path

from benchmarks.papers import measures, pictures
from benchmarks.papers.row import CannotBeRun, Effort, Found, Picture, Row

FOLDER = Path(__file__).parents[2] / "build" / "papers"


def slug(row_id: str) -> str:
    """An id as the name of a file."""
    return re.sub(r"[^a-z0-9]+", "-", row_id.lower()).strip("-")


def run(row: Row, effort: Effort, *, resume: bool) -> Found | str:
    """What a row finds, or why it cannot be run.

    Parameters
    ----------
    resume : whether what an earlier run kept is taken, where neither the row's module nor the
        effort has changed since.
    """
    path = FOLDER / f"{slug(row.id)}.json"
    key = _key(row, effort)
    if resume and path.exists():
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["key"] == key:
            return _found(stored["found"])
    try:
        found = row.compute(effort)
    except CannotBeRun as error:
        return str(error)
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"key": key, "found": asdict(found)}, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return found


def _key(row: Row, effort: Effort) -> str:
    # A partial has no module of its own; the module of what it holds counts.
    function = getattr(row.compute, "args", ()) or (row.compute,)
    module = inspect.getmodule(function[0]) or inspect.getmodule(row.judge)
    assert module
    source = "".join(map(inspect.getsource, (module, measures, pictures)))
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    return f"{digest} {effort.replicates} {effort.data is not None}"


def _found(stored: dict[str, object]) -> Found:
    content: dict[str, object] = dict(stored)
    content["quartiles"] = {name: tuple(q) for name, q in stored["quartiles"].items()}  # type: ignore[attr-defined]
    content["pictures"] = tuple(Picture(**one) for one in stored["pictures"])  # type: ignore[attr-defined]
    return Found(**content)  # type: ignore[arg-type]
