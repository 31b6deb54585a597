"""Groups of objects that were selected on a map become categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cml_core.drawing.levels import rows_of
from cml_core.drawing.on_map import read_off
from cml_core.errors import UnsuitableFeature
from cml_core.values.features import Feature


def from_groups(
    name: str,
    labels: Sequence[str],
    groups: Mapping[str, Sequence[str]],
    known_names: Sequence[str] = (),
    rest: str | None = None,
) -> Feature:
    """Categories: which named selection an object is in.

    Parameters
    ----------
    labels : the N objects, in the order of the map.
    groups : the objects of each group, by the group's name.
    rest : what objects in none of the groups are called together; without it they are missing.
    """
    home: dict[str, str] = {}
    for group, members in groups.items():
        rows_of(labels, members)
        for label in members:
            if home.setdefault(label, group) != group:
                raise UnsuitableFeature(
                    f"{label} is in two groups, {home[label]} and {group}.",
                    remedy="Take it out of one of them.",
                )
    used = [group for group, members in groups.items() if members]
    if rest is not None and len(home) < len(labels):
        used = [*(group for group in used if group != rest), rest]
    if len(used) < 2:
        raise UnsuitableFeature(
            "There are fewer than two groups with objects in them.",
            remedy="Make another group of objects that differ from the first.",
        )
    values = [home.get(label, rest) for label in labels]
    feature = Feature.categorical(name, values, used)
    return read_off(feature, "groups selected", known_names)
