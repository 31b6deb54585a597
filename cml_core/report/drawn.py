"""What was drawn on the map of a step, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from cml_core.journey.journey import Journey
from cml_core.report.map_svg import NamedLine
from cml_core.report.parts import safe_name
from cml_core.values.features import Feature

# Okabe and Ito (2008): people with any colour vision tell them apart.
GROUP_COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7")
OTHERS = "#8a8a8a"
_GROUPS = "groups selected"


def drawn_on_maps(journey: Journey) -> dict[str, tuple[Feature, ...]]:
    """For each step, by its id, the features that were read off its map and became known next."""
    found: dict[str, tuple[Feature, ...]] = {}
    seen: set[str] = set()
    for step in journey.steps:
        before = None if step.parent is None else journey.step(step.parent)
        if before is None:
            continue
        for feature in step.problem.known.features:
            new = feature.name not in before.problem.known and feature.name not in seen
            if new and feature.read_off_map:
                seen.add(feature.name)
                found[before.id] = (*found.get(before.id, ()), feature)
    return found


def lines_on(features: Sequence[Feature], axes: tuple[int, int]) -> tuple[NamedLine, ...]:
    """The lines that were drawn on these two dimensions."""
    return tuple(
        NamedLine(feature.name, feature.line)
        for feature in features
        if feature.line is not None and feature.line.axes == axes
    )


def grouped(features: Sequence[Feature]) -> Feature | None:
    """The groups that were selected, as they were made."""
    return next((one for one in features if one.levels and one.origin.startswith(_GROUPS)), None)


def group_colours(groups: Feature) -> list[str]:
    """A colour for each object."""
    return [OTHERS if code != code else _colour(int(code)) for code in groups.values.tolist()]


def said_of(features: Sequence[Feature]) -> str:
    """What a caption says of what was drawn; safe HTML."""
    lines = [safe_name(feature.name) for feature in features if feature.line is not None]
    told = f" What is drawn on it became {' and '.join(lines)}." if lines else ""
    groups = grouped(features)
    if groups is not None:
        keys = "; ".join(
            f'<span style="color:{_colour(code)}" aria-hidden="true">●</span> {safe_name(level)}'
            for code, level in enumerate(groups.levels)
        )
        told += f" Colours show the groups of {safe_name(groups.name)}: {keys}."
    return told


def _colour(code: int) -> str:
    return GROUP_COLOURS[code] if code < len(GROUP_COLOURS) else OTHERS
