"""The table of docs/scales.md, computed anew, and smacof's numbers beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from published import scales_of_examples

from cml_core import Dissimilarities, FeatureTable, Problem, fit, load_dataset

PAGE = Path(__file__).parents[2] / "docs" / "scales.md"
COLUMNS = {
    "ratio": ("ratio", "auto"),
    "interval": ("interval", "auto"),
    "mspline": ("spline", "auto"),
    "ordinal-primary": ("ordinal", "primary"),
    "ordinal-secondary": ("ordinal", "secondary"),
}


def rows() -> dict[str, list[str]]:
    """The first table with Stress-1 in it: five columns a data set."""
    lines = re.findall(r"^\| (\w+) \|((?: \.\d{4} \|){5})$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {name: re.findall(r"\.\d{4}", cells) for name, cells in lines}


def four_decimals(stress: float) -> str:
    return f"{stress**0.5:.4f}".removeprefix("0")


def test_every_example_with_reference_values_has_its_row() -> None:
    assert set(rows()) == set(scales_of_examples())


@pytest.mark.parametrize("example", scales_of_examples())
def test_the_page_says_what_is_computed_and_what_smacof_reached(example: str) -> None:
    data = load_dataset(example)
    values = Dissimilarities.from_square(data.raw) if example == "faces" else data.values()
    nothing = FeatureTable(values.labels, ())
    found = [
        four_decimals(fit(Problem(values, nothing, scale=scale, ties=ties), seed=0).stress)
        for scale, ties in COLUMNS.values()
    ]
    runs = {run["scale"]: run["stress"] for run in scales_of_examples()[example] if run["p"] == 2}
    assert rows()[example] == found == [four_decimals(runs[column]) for column in COLUMNS]
