"""New objects on the map that is shown: where they lie, found once for each map and file."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from cml_app import this_server
from cml_app.discovery_map import Newcomer
from cml_app.evidence_requests import look_up
from cml_app.scenes import fit_shown, plane
from cml_app.workspace import Workspace
from cml_core import Fit
from cml_core.errors import ConditionalMappingError
from cml_core.files.newcomers import Newcomers, newcomers, read_newcomers
from cml_core.files.source import RawFile
from cml_core.fitting.landmarks.new_objects import NewObjects, new_objects


class Placement(NamedTuple):
    """New objects, and where they were placed on a map."""

    fit: Fit
    told: Newcomers
    placed: NewObjects


def placement(workspace: Workspace) -> Placement | ConditionalMappingError | None:
    """New objects on the map that is shown, or why there are none; None where none were brought."""
    file = workspace.newcomers
    if file is None or workspace.through is not None:
        return None
    return look_up(
        workspace,
        "newcomers",
        lambda: _found(workspace, file),
        of=(file.digest, workspace.optimum),
    )


def shown(workspace: Workspace) -> tuple[Newcomer, ...]:
    """As the map shows them."""
    found = placement(workspace)
    if not isinstance(found, Placement):
        return ()
    places = plane(found.placed.embedding, workspace.axes)
    return tuple(
        Newcomer(name, float(x), float(y), bool(far))
        for name, (x, y), far in zip(found.placed.labels, places, found.placed.far, strict=True)
    )


def _found(workspace: Workspace, file: RawFile) -> Placement | ConditionalMappingError:
    fit, journey = fit_shown(workspace), workspace.journey
    try:
        table = read_newcomers(file, this_server.limits())
        told = newcomers(table, journey.dissimilarities, fit.problem.known, journey.source)
        delta = pd.DataFrame(told.delta, index=list(told.labels), columns=list(fit.labels))
        placed = new_objects(fit, delta, told.known)
    except ConditionalMappingError as error:
        return error
    return Placement(fit, told, placed)
