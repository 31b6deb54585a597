"""Features in a project file: each one once, and steps referring to them by their place."""

from __future__ import annotations

from typing import Any

from cml_core.drawing.on_map import MOST_POINTS
from cml_core.journey.entry import Entry
from cml_core.values.arrays import RealArray
from cml_core.values.drawn_line import DrawnLine
from cml_core.values.features import Feature, FeatureTable


class NumberedFeatures:
    """Features of a file, each one once."""

    def __init__(self) -> None:
        self.contents: list[dict[str, Any]] = []
        self._place: dict[bytes, int] = {}

    def places(self, table: FeatureTable) -> list[int]:
        """Where the features of a table stand."""
        return [self._place_of(feature) for feature in table.features]

    def _place_of(self, feature: Feature) -> int:
        # A feature that twenty steps know is written once.
        place = self._place.setdefault(feature.identity(), len(self.contents))
        if place == len(self.contents):
            content = {
                "name": feature.name,
                "kind": feature.kind,
                "values": listed(feature.values),
                "levels": list(feature.levels),
                "period": feature.period,
                "origin": feature.origin,
                "unit": feature.unit,
                "read_off_map": feature.read_off_map,
                "line": _line_content(feature.line),
            }
            self.contents.append(content)
        return place


def feature_of(entry: Entry, most_levels: int) -> Feature:
    """A feature of the file."""
    levels = tuple(level.text() for level in entry.at("levels").items())
    if len(set(levels)) < len(levels) or len(levels) > most_levels:
        raise entry.at("levels").wrong(f"up to {most_levels} levels with names of their own")
    with entry.blamed():
        return Feature(
            name=entry.at("name").text(),
            kind=entry.at("kind").text(),
            values=entry.at("values").numbers(gaps=True),
            levels=levels,
            period=entry.at("period").number_or_none(),
            origin=entry.at("origin").text(),
            unit=entry.at("unit").text(),
            read_off_map=entry.at("read_off_map").truth(),
            line=_line_of(entry.at("line")),
        )


def _line_content(line: DrawnLine | None) -> dict[str, Any] | None:
    if line is None:
        return None
    points = [list(point) for point in line.points]
    return {"points": points, "closed": line.closed, "axes": list(line.axes)}


def _line_of(entry: Entry) -> DrawnLine | None:
    if entry.value is None:
        return None
    points = entry.at("points").items()
    if not 2 <= len(points) <= MOST_POINTS:
        raise entry.at("points").wrong(f"a list of 2 to {MOST_POINTS} points")
    places = entry.at("points").matrix(len(points), 2).tolist()
    first, second = (axis.whole() for axis in entry.at("axes").items(2))
    closed = entry.at("closed").truth()
    return DrawnLine(tuple((x, y) for x, y in places), closed, (first, second))


def referred_to(entry: Entry, features: list[Feature], labels: tuple[str, ...]) -> FeatureTable:
    """The features that an entry refers to."""
    chosen = []
    for place in entry.items():
        if place.whole() >= len(features):
            raise place.wrong(f"the place of one of {len(features)} features")
        chosen.append(features[place.whole()])
    with entry.blamed():
        return FeatureTable(labels, tuple(chosen))


def listed(values: RealArray) -> list[float | None]:
    """Numbers as JSON can hold them; a gap is null."""
    return [None if value != value else value for value in values.tolist()]
