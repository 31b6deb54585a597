"""What the map is told of a step."""

from __future__ import annotations

import numpy as np
import pytest

from cml_app.discovery_map import parse_state
from cml_app.discovery_map.scene import TOOLS
from cml_app.scenes import BY_FIT, IN_THE_DATA, Beside, optimum, scene_beside, scene_of
from cml_app.workspace import Workspace
from cml_core import FeatureTable, Problem, fit, load_dataset
from cml_core.journey.journey import Journey

AT = "2026-01-31T12:00:00Z"


def shown(scale: str = "ratio") -> Workspace:
    data = load_dataset("kinship14")
    found = fit(Problem(data.values(), FeatureTable(data.values().labels, ()), scale=scale), seed=0)
    journey = Journey.begun("Kinship", data.values(), data.feature_table(), AT)
    return Workspace(journey.after(found, found.embedding, AT))


def test_colours_can_tell_how_badly_objects_fit() -> None:
    workspace = shown()
    colour = scene_of(workspace, BY_FIT).colour
    assert colour is not None
    assert colour.name == "Unexplained, in %"
    np.testing.assert_allclose(colour.values, 100 * workspace.step.fit.object_stress())


def test_each_object_has_its_nearest_and_farthest_by_the_data() -> None:
    workspace = shown()
    labels = workspace.step.fit.labels
    near, far = scene_of(workspace, None).ends[labels.index("Mother")]
    assert labels[near[0][0]] in {"Father", "Daughter"}
    assert near[0][1] < far[0][1]
    # Found once for the same data.
    assert scene_of(workspace, None).ends is scene_of(workspace, None).ends


@pytest.mark.parametrize(("scale", "unit"), [("ratio", IN_THE_DATA), ("ordinal", "")])
def test_only_data_that_are_distances_have_a_scale_bar(scale: str, unit: str) -> None:
    assert scene_of(shown(scale), None).unit == unit


def test_a_map_beside_offers_only_what_does_something_there() -> None:
    workspace = shown()
    beside = scene_beside(workspace, Beside("1", workspace.step.fit, ""), None)
    assert beside.tools == ("move", "select")
    assert scene_of(workspace, None).tools == TOOLS
    for tool in ("arrow", "move"):
        sent = {"map": {"map_id": beside.map_id, "revision": 0, "tool": tool}}
        assert parse_state(sent, beside).tool == "move"


def test_what_is_told_of_another_optimum_is_its_own() -> None:
    workspace = shown()
    fit = workspace.step.fit
    other = optimum(fit, 1)
    assert other.stress == fit.alternatives[0].stress > fit.stress
    workspace.optimum = 1
    scene = scene_of(workspace, BY_FIT)
    assert scene.colour is not None
    np.testing.assert_allclose(scene.colour.values, 100 * other.object_stress())
    assert not np.allclose(other.object_stress(), fit.object_stress())
    beside = scene_beside(workspace, Beside("1", fit, "best"), BY_FIT)
    assert beside.colour is not None
    np.testing.assert_allclose(beside.colour.values, 100 * fit.object_stress())
