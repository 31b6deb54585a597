"""`python -m benchmarks.calibration`: how often the tests on the Evidence page are right."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date
from pathlib import Path

from benchmarks import (
    calibration_alarms,
    calibration_cases,
    calibration_counting,
    calibration_curvature,
    calibration_dimensions,
    calibration_ellipses,
    calibration_helped,
    calibration_hidden,
    calibration_individuals,
    calibration_measured_outlines,
    calibration_people,
    calibration_ranking,
    calibration_rectangles,
    calibration_scales,
    calibration_sortings,
    calibration_together,
    calibration_ways,
)
from benchmarks.report import Section, Table

WRITTEN = Path(__file__).with_name("CALIBRATION.md")
DATA_SETS = 400

# Title, explanation, what measures, and how many times fewer data sets that has time for.
Part = tuple[str, str, Callable[[int], list[Table]], int]
PARTS: dict[str, Part] = {
    "hidden": (
        "Is another feature hidden?",
        calibration_hidden.ABOUT,
        calibration_hidden.hidden_feature_calibration,
        1,
    ),
    "alarms": (
        "Is another feature hidden? By scale, and by how data were made",
        calibration_alarms.ABOUT,
        calibration_alarms.alarms_calibration,
        1,
    ),
    "cases": (
        "Is another feature hidden? Of measurements, cases drawn anew",
        calibration_cases.ABOUT,
        calibration_cases.cases_calibration,
        6,
    ),
    "ways": (
        "Is another feature hidden? Of distances by way of neighbours",
        calibration_ways.ABOUT,
        calibration_ways.ways_calibration,
        10,
    ),
    "counting": (
        "Is another feature hidden? Of confusions, counted anew",
        calibration_counting.ABOUT,
        calibration_counting.counting_calibration,
        10,
    ),
    "sortings": (
        "Is another feature hidden? Of sortings, were chance known",
        calibration_sortings.ABOUT,
        calibration_sortings.sortings_calibration,
        4,
    ),
    "dimensions": (
        "How many dimensions are left?",
        calibration_dimensions.ABOUT,
        calibration_dimensions.dimensions_calibration,
        4,
    ),
    "helped": (
        "Did it help?",
        calibration_helped.ABOUT,
        calibration_helped.helped_calibration,
        4,
    ),
    "curvature": (
        "Does it act along a curve?",
        calibration_curvature.ABOUT,
        calibration_curvature.curvature_calibration,
        4,
    ),
    "ranking": (
        "What might it be?",
        calibration_ranking.ABOUT,
        calibration_ranking.ranking_calibration,
        1,
    ),
    "individuals": (
        "Do people differ?",
        calibration_individuals.ABOUT,
        calibration_individuals.individuals_calibration,
        4,
    ),
    "together": (
        "What might it be, of couples and families, and on every scale?",
        calibration_together.ABOUT,
        calibration_together.together_calibration,
        1,
    ),
    "redundancy": (
        "Asked without a map",
        calibration_together.CROSS_ABOUT,
        calibration_together.redundancy_calibration,
        1,
    ),
    "scales": (
        "What do the numbers mean?",
        calibration_scales.ABOUT,
        calibration_scales.scales_calibration,
        20,
    ),
    "rectangles": (
        "Rectangles",
        calibration_rectangles.ABOUT,
        calibration_rectangles.rectangles_calibration,
        4,
    ),
    "people": (
        "Outlines by people and by pairs",
        calibration_people.ABOUT,
        calibration_people.people_calibration,
        10,
    ),
    "measured": (
        "Outlines by cases",
        calibration_measured_outlines.ABOUT,
        calibration_measured_outlines.measured_outlines_calibration,
        20,
    ),
    "ellipses": (
        "Outlines on the map",
        calibration_ellipses.ABOUT,
        calibration_ellipses.ellipses_calibration,
        20,
    ),
}


def main() -> None:
    """Measure what was asked for, print it, and write it where it is complete."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--data-sets", type=int, default=DATA_SETS)
    parser.add_argument("--output", type=Path)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; default all")
    asked = parser.parse_args()
    chosen = asked.parts or list(PARTS)
    text = "\n\n".join(
        [
            "# Calibration",
            f"Written by `python -m benchmarks.calibration` on {date.today():%Y-%m-%d}, "
            "from simulated data sets with seeds from 0.",
            *(_section(PARTS[name], asked.data_sets).markdown() for name in chosen),
        ]
    )
    print(text)
    complete = chosen == list(PARTS) and asked.data_sets == DATA_SETS
    output = asked.output or (WRITTEN if complete else None)
    if output:
        output.write_text(text + "\n", encoding="utf-8")


def _section(part: Part, data_sets: int) -> Section:
    title, about, measure, fewer = part
    data_sets = max(data_sets // fewer, 2)
    told = f"{about}\n\n{data_sets} data sets a figure."
    return Section(title, told, tuple(measure(data_sets)))


if __name__ == "__main__":
    main()
