"""A step becomes what the map shows: places, colours, cards."""

from __future__ import annotations

import numpy as np

from cml_app.compute import turned_to_match
from cml_app.discovery_map import Colouring, Scene
from cml_app.palettes import palette_of
from cml_app.workspace import Workspace
from cml_core import Feature, FeatureTable
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.journey.step import JourneyStep
from cml_core.values.arrays import FloatArray
from cml_core.values.words import enumerated, percent, unbroken, value_in_words

MOST_CATEGORIES = 20


def scene_of(workspace: Workspace, colour: Feature | None) -> Scene:
    """The map that is shown, with its objects told apart by a feature."""
    points = plane(workspace.shown, workspace.axes)
    return Scene(
        map_id=workspace.map_id,
        labels=workspace.step.fit.labels,
        x=points[:, 0],
        y=points[:, 1],
        title=f"{workspace.journey.title}, {sentence(workspace.step)}",
        colour=colouring(colour) if colour else None,
        cards=cards(workspace.step, workspace.journey.features),
        revision=workspace.map_revision,
    )


def scene_beside(workspace: Workspace, other: JourneyStep, colour: Feature | None) -> Scene:
    """Another step's map, turned to match the one that is shown."""
    points = plane(turned_to_match(other.embedding, workspace.shown), workspace.axes)
    return Scene(
        map_id=f"{other.id}/beside/{workspace.map_id}",
        labels=other.fit.labels,
        x=points[:, 0],
        y=points[:, 1],
        title=f"{workspace.journey.title}, {sentence(other)}",
        colour=colouring(colour) if colour else None,
        cards=cards(other, workspace.journey.features),
    )


def plane(embedding: FloatArray, axes: tuple[int, int] = (0, 1)) -> FloatArray:
    """(N, 2) places of two dimensions; a map with fewer lies on the first axis."""
    points = np.zeros((embedding.shape[0], 2))
    for place, axis in enumerate(axes):
        if axis < embedding.shape[1]:
            points[:, place] = embedding[:, axis]
    return points


def colouring(feature: Feature) -> Colouring:
    """The colours of a feature."""
    values, levels, palette = feature.values, feature.levels, palette_of(feature)
    if palette.has_levels and len(levels) > MOST_CATEGORIES:
        values = np.minimum(values, MOST_CATEGORIES - 1)
        levels = (*levels[: MOST_CATEGORIES - 1], "others")
    return Colouring(feature.name, palette.name, values, levels, feature.period)


def cards(step: JourneyStep, features: FeatureTable) -> tuple[tuple[tuple[str, str], ...], ...]:
    """What the map tells of each object: its features, and how badly it fits."""
    shown = {feature.name: feature.shown() for feature in features.features}
    unexplained = step.fit.object_stress()
    return tuple(
        (
            *((name, value_in_words(values[i])) for name, values in shown.items()),
            ("Unexplained", unbroken(percent(unexplained[i]))),
        )
        for i in range(len(step.fit.labels))
    )


def share_left(step: JourneyStep) -> str:
    """The share unexplained, and on which scale, for shares on different ones do not compare."""
    share = f"{percent(step.fit.stress)} unexplained"
    scale = step.problem.scale
    return share if scale == RATIO else f"{share}, {SCALES[scale].title.lower()}"


def sentence(step: JourneyStep) -> str:
    """What has been taken out."""
    names = step.problem.known.names
    if not names:
        return "with nothing known yet"
    return f"with {enumerated(names)} taken out"
