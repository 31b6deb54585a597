"""A step becomes what the map shows: places, colours, cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from cml_app.compute import turned_to_match
from cml_app.discovery_map import TOOLS, Colouring, Scene
from cml_app.own_colours import own_colours
from cml_app.own_faces import faces, scales_of_faces
from cml_app.palettes import palette_of, told_apart
from cml_app.question import offered_features
from cml_app.workspace import Workspace
from cml_core import Dissimilarities, Feature, FeatureTable, Fit
from cml_core.drawing.arrow import Arrow
from cml_core.drawing.directions import Direction, directions
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.journey.step import JourneyStep
from cml_core.values.arrays import FloatArray
from cml_core.values.nearest import Ends, ends
from cml_core.values.pictures import Pictures
from cml_core.values.words import enumerated, percent, unbroken, values_in_words

# The choice of a colour that is no feature.
BY_FIT = "how badly it fits"
# A way to show objects instead of colouring them. No feature is called so.
AS_FACES = "\0faces"
AS_PICTURES = "\0pictures"
# So many at either end are told of an object, and of so many objects: more take too long.
ENDS = 3
MOST_WITH_ENDS = 2000
IN_THE_DATA = "in the data"
# What one draws on a map beside would belong to no step that is shown, and readers change none.
LOOKING = ("move", "select")
# Arrows of features that the map tells less of say nothing, and more of them cannot be read.
LEAST_TOLD = 0.05
MOST_DIRECTIONS = 12

# What is told of the same data on every map of them.
_ENDS: WeakKeyDictionary[Dissimilarities, tuple[Ends, ...]] = WeakKeyDictionary()
_LINES: WeakKeyDictionary[Feature, tuple[tuple[str, str], ...]] = WeakKeyDictionary()


class Beside(NamedTuple):
    """Another map to be looked at: a step of the journey, or another optimum of the same step."""

    key: str
    fit: Fit
    words: str


def fit_shown(workspace: Workspace) -> Fit:
    """The fit whose map is shown."""
    return optimum(workspace.step.fit, workspace.optimum)


def optimum(fit: Fit, k: int) -> Fit:
    """The fit as if it had ended at its k-th other optimum; at its best one for 0."""
    return replace(fit, best=fit.alternatives[k - 1], alternatives=()) if k else fit


def bare_scene(workspace: Workspace) -> Scene:
    """The map that is shown, with nothing told of its objects but where they are."""
    points = plane(workspace.shown, workspace.axes)
    return Scene(
        map_id=workspace.map_id,
        labels=workspace.step.fit.labels,
        x=points[:, 0],
        y=points[:, 1],
        title=f"{workspace.journey.title}, {_what(workspace)}",
        selected=workspace.selected,
        drawing=workspace.proposed,
        tools=TOOLS if workspace.may_change else LOOKING,
        revision=workspace.map_revision,
    )


def scene_of(workspace: Workspace, colour: Feature | str | None) -> Scene:
    """The map that is shown, with its objects told apart by a feature, or `BY_FIT`."""
    features = workspace.journey.features
    if isinstance(colour, Feature) and colour.name not in features:
        features = features.with_feature(colour)
    fit = fit_shown(workspace)
    return replace(
        bare_scene(workspace),
        colour=_colouring(workspace, fit, colour),
        cards=cards(fit, features),
        ends=_ends(workspace.journey.dissimilarities),
        # On a view of a method, scaled to match the map, lengths are no numbers of the data.
        unit="" if workspace.through else _unit(fit),
        directions=_directions(workspace, plane(workspace.shown, workspace.axes)),
    )


def scene_beside(workspace: Workspace, other: Beside, colour: Feature | str | None) -> Scene:
    """Another map, turned to match the one that is shown."""
    fit = other.fit
    points = plane(turned_to_match(fit.embedding, workspace.shown), workspace.axes)
    return Scene(
        map_id=f"{other.key}/beside/{workspace.map_id}",
        labels=fit.labels,
        x=points[:, 0],
        y=points[:, 1],
        title=f"{workspace.journey.title}, {other.words}",
        colour=_colouring(workspace, fit, colour),
        cards=cards(fit, workspace.journey.features),
        ends=_ends(workspace.journey.dissimilarities),
        unit=_unit(fit),
        directions=_directions(workspace, points),
        tools=LOOKING,
    )


def plane(embedding: FloatArray, axes: tuple[int, int] = (0, 1)) -> FloatArray:
    """(N, 2) places of two dimensions; a map with fewer lies on the first axis."""
    points = np.zeros((embedding.shape[0], 2))
    for place, axis in enumerate(axes):
        if axis < embedding.shape[1]:
            points[:, place] = embedding[:, axis]
    return points


def _what(workspace: Workspace) -> str:
    """What is shown, in words."""
    through = f", {workspace.through.words}" if workspace.through else ""
    return f"{sentence(workspace.step)}{through}"


def ways_to_show(workspace: Workspace) -> tuple[str, ...]:
    """What objects can be shown as instead of dots."""
    journey = workspace.journey
    pictures = (AS_PICTURES,) if journey.pictures.of else ()
    return (*pictures, AS_FACES) if scales_of_faces(offered_features(journey)) else pictures


def _colouring(workspace: Workspace, fit: Fit, choice: Feature | str | None) -> Colouring | None:
    if isinstance(choice, Feature):
        return colouring(choice)
    if choice == BY_FIT:
        return Colouring("Unexplained, in %", "sequential", 100 * fit.object_stress())
    if choice == AS_PICTURES:
        return _as_pictures(fit.labels, workspace.journey.pictures)
    if choice == AS_FACES:
        drawn, addresses, words = faces(scales_of_faces(offered_features(workspace.journey)))
        return Colouring("Faces are drawn from", "picture", drawn, addresses, words=words)
    return None


def _as_pictures(labels: Sequence[str], pictures: Pictures) -> Colouring:
    addresses = [pictures.address(label) for label in labels]
    has = np.array([address is not None for address in addresses])
    index = np.where(has, np.cumsum(has) - 1, np.nan)
    return Colouring("Pictures", "picture", index, tuple(one for one in addresses if one))


def _ends(dissimilarities: Dissimilarities) -> tuple[Ends, ...]:
    """Found once for the same data, however often the page runs."""
    if dissimilarities.n_objects > MOST_WITH_ENDS:
        return ()
    if dissimilarities not in _ENDS:
        _ENDS[dissimilarities] = ends(dissimilarities, ENDS)
    return _ENDS[dissimilarities]


def _directions(workspace: Workspace, places: FloatArray) -> tuple[Direction, ...]:
    found = directions(offered_features(workspace.journey), places)
    return tuple(one for one in found if one.share >= LEAST_TOLD)[:MOST_DIRECTIONS]


def _unit(fit: Fit) -> str:
    """Only where the data count as distances are lengths on the map numbers of the data."""
    return IN_THE_DATA if fit.problem.scale == RATIO else ""


def colouring(feature: Feature) -> Colouring:
    """The colours of a feature; those that its values are, if they are colours."""
    if own := own_colours(feature):
        return Colouring(feature.name, "swatch", *own)
    palette = palette_of(feature)
    if not palette.has_levels:
        return Colouring(feature.name, palette.name, feature.values, feature.levels, feature.period)
    shown = told_apart(feature)
    return Colouring(feature.name, palette.name, shown.values, shown.levels, more=shown.more)


def main_direction(workspace: Workspace) -> Arrow:
    """The direction in which the objects of the map that is shown differ most."""
    points = plane(workspace.shown, workspace.axes)
    centre = points.mean(axis=0)
    along = np.linalg.svd(points - centre, full_matrices=False)[2][0]
    reach = float(np.abs((points - centre) @ along).max()) * along
    return Arrow(tuple(centre - reach), tuple(centre + reach))


def cards(fit: Fit, features: FeatureTable) -> tuple[tuple[tuple[str, str], ...], ...]:
    """What the map tells of each object: its features, and how badly it fits."""
    unexplained = fit.object_stress().tolist()
    fits = [("Unexplained", unbroken(percent(share))) for share in unexplained]
    return tuple(zip(*map(_lines, features.features), fits, strict=True))


def _lines(feature: Feature) -> tuple[tuple[str, str], ...]:
    """The line of each card that tells of a feature."""
    if feature not in _LINES:
        values = values_in_words(feature.shown())
        _LINES[feature] = tuple((feature.name, value) for value in values)
    return _LINES[feature]


def share_left(fit: Fit) -> str:
    """The share unexplained, and on which scale, for shares on different ones do not compare."""
    share = f"{percent(fit.stress)} unexplained"
    scale = fit.problem.scale
    return share if scale == RATIO else f"{share}, {SCALES[scale].title.lower()}"


def sentence(step: JourneyStep) -> str:
    """What has been taken out."""
    names = step.problem.known.names
    if not names:
        return "with nothing known yet"
    return f"with {enumerated(names)} taken out"
