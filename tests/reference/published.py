"""Reads what other programs and papers found; README.md says where each number is from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import squareform

HERE = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class Case:
    """One run of cml: what it was given, where it began, and every step it took."""

    about: dict[str, Any]
    arrays: dict[str, NDArray[np.float64]]

    def __getitem__(self, name: str) -> Any:
        return self.about[name]

    @property
    def dissimilarities(self) -> NDArray[np.float64]:
        return squareform(self.arrays["D"])

    @property
    def known(self) -> NDArray[np.float64]:
        return self.arrays["V"]

    @property
    def weights(self) -> NDArray[np.float64] | None:
        W = self.arrays.get("W")
        return squareform(W) if W is not None and W.ndim == 1 else W

    @property
    def start(self) -> tuple[NDArray[np.float64], ...]:
        return tuple(self.arrays[k] for k in ("U0", "B0", "VB0") if k in self.arrays)

    @property
    def steps(self) -> NDArray[np.float64]:
        """Normalised stress of the start and after each update."""
        sigma = self.arrays["sigma"]
        return sigma / sigma[-1] * self.about["stress"]

    @property
    def is_right(self) -> bool:
        """Two runs of cml with gaps and a diagonal B use the wrong column; stress rises."""
        return "cml_bug" not in self.about


@cache
def cases() -> dict[str, Case]:
    """Every run of `cml_steps.npz`, by its identifier."""
    with np.load(HERE / "cml_steps.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    found = {}
    for about in json.loads(str(arrays["about"]))["cases"]:
        prefix = about["id"] + "."
        own = {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}
        found[about["id"]] = Case(about, own)
    return found


@cache
def car_brands() -> tuple[dict[str, Any], dict[str, NDArray[np.float64]]]:
    """The author's example with gaps in the known features: stress values, and arrays."""
    with np.load(HERE / "car_brands.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    return json.loads(str(arrays.pop("about")))["stress"], arrays


@cache
def car_scree() -> dict[str, NDArray[np.float64]]:
    """Thirty car brands, and the stress left by each number of known and hidden dimensions."""
    with np.load(HERE / "car_scree.npz") as stored:
        return {name: stored[name] for name in stored.files}


@dataclass(frozen=True, eq=False)
class ScaleCase:
    """One random problem of `optimal_scales.npz`, and what smacof made of it on each scale."""

    about: dict[str, Any]
    arrays: dict[str, NDArray[np.float64]]

    def __getitem__(self, name: str) -> Any:
        return self.about[name]

    @property
    def dissimilarities(self) -> NDArray[np.float64]:
        """Upper triangle, row after row; NaN is missing."""
        return self.arrays["D"]

    @property
    def weights(self) -> NDArray[np.float64] | None:
        return self.arrays.get("W")

    @property
    def scales(self) -> tuple[str, ...]:
        return tuple(self.about["runs"])

    def stress(self, scale: str, which: str = "best") -> float:
        """The f that smacof reached: the "best" of its starts, or from "torgerson"."""
        return float(self.about["runs"][scale][which])

    def map(self, scale: str) -> NDArray[np.float64]:
        """The configuration of the best stress."""
        return self.arrays[f"X.{scale}"]


@cache
def scale_cases() -> dict[str, ScaleCase]:
    """Every problem of `optimal_scales.npz`, by its identifier."""
    with np.load(HERE / "optimal_scales.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    found = {}
    for about in json.loads(str(arrays["about"]))["cases"]:
        prefix = about["id"] + "."
        own = {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}
        found[about["id"]] = ScaleCase(about, own)
    return found


@cache
def scales_of_examples() -> dict[str, list[dict[str, Any]]]:
    """What smacof reached on the example datasets: dimensions, scale, and f."""
    examples: dict[str, list[dict[str, Any]]] = json.loads(
        (HERE / "scales_of_examples.json").read_text()
    )
    return examples


@cache
def kinship_scales() -> list[dict[str, Any]]:
    """The lowest stress of the kinship terms with Gender and Degree known, scale by scale."""
    checked: list[dict[str, Any]] = json.loads((HERE / "kinship_scales.json").read_text())
    return checked


@cache
def best_known(example: str) -> list[dict[str, Any]]:
    """The lowest stress known of every scenario of "kinship" or "faces"."""
    scenarios: list[dict[str, Any]] = json.loads((HERE / "best_known.json").read_text())[example]
    return scenarios


def name_of(scenario: dict[str, Any]) -> str:
    """A scenario in a few words, for the names of tests."""
    parts = ["+".join(scenario["known"]) or "nothing", f"p={scenario['p']}"]
    parts += [scenario.get("weights", scenario.get("dissimilarities", ""))]
    if scenario.get("n_neighbors"):
        parts.append(f"k={scenario['n_neighbors']}")
    return " ".join(parts)
